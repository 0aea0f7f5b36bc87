"""The flow of a window from a cache: figures that fit together, and what is unknown stays unknown."""

from dataclasses import replace
from datetime import date
from itertools import pairwise

import pandas as pd
import pytest
from caches import cache_of, sample_cache
from factories import make_pull, make_review

from analysis.flow import UNKNOWN
from analysis.window import Window, iso_week
from analysis.working_calendar import Calendar
from dashboard import compare_text, reads, refresh
from dashboard.config import Config
from data import cache, checkpoints, queries
from data.people import person
from data.records import CoAuthorRecord

REPO, CALENDAR = "acme/orbit", Calendar()
MAY = Window(date(2026, 5, 1), date(2026, 5, 31))
W10, W11 = iso_week("2026-W10"), iso_week("2026-W11")
OF_FLOW = ("median_draft_hours", "mean_review_rounds", "unreviewed", "out_of_hours", "assisted")


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    return sample_cache(tmp_path_factory.mktemp("flow"))


def flow(db, window, **chosen):
    return reads.flow(db, reads.Selection(REPO, window, **chosen), CALENDAR)


def compared(db, now, before, repo=REPO):
    selection = reads.Selection(repo, now)
    found = reads.compare(db, selection, before, CALENDAR)
    about = [reads.about(db, each) for each in (selection, replace(selection, window=before))]
    return compare_text.facts(found, *about, lang="en", calendar=CALENDAR, config="", version="1")


def figures(found):
    return {each["name"]: each for each in found["metrics"]}


def opened(number, day, merged="03-04T15:00", **more):
    """Opened at 09:00 on a day of 2026 and merged on Wednesday of W10, unless told otherwise."""
    moments = {"created_at": f"2026-{day}T09:00:00Z", "merged": merged and f"2026-{merged}:00Z"}
    known = {"closed_at": moments["merged"], "is_draft": False, "reviews": [], "events": []}
    return make_pull(number, **moments | known | more)


def test_the_stages_of_a_window_are_told_with_the_shares_beside_them(tmp_path):
    reviewed = [
        make_review("bob", "2026-03-04T11:00:00Z", "changes_requested"),
        make_review("bob", "2026-03-04T14:00:00Z"),
    ]
    reviewed.append(make_review("app/robot", "2026-03-04T03:00:00Z", "commented"))
    pulls = [opened(number, "03-04", reviews=reviewed) for number in range(1, 6)]
    pulls += [opened(6, "03-07", merged="03-07T10:00")]  # on a Saturday, without review
    found = flow(cache_of(tmp_path, pulls), W10)
    assert {name: (stage.n, stage.median) for name, stage in found.stages.items() if stage.n >= 5} == {
        "wait": (5, 2), "review": (5, 3), "approved_to_merged": (5, 1)
    }  # fmt: skip
    assert (found.lead_time.n, found.lead_time.median, found.first_review.median) == (6, 6, 2)
    assert found.unreviewed == found.merges_out_of_hours == found.merges_on_weekends == (6, 1, 1 / 6)
    assert found.reviews_out_of_hours == (10, 0, 0)
    assert (found.review_rounds.median, found.draft_time.median, found.n_ready_assumed) == (1, 0, 0)


def test_nothing_is_claimed_of_four(tmp_path):
    found = flow(cache_of(tmp_path, [opened(number, "03-04") for number in range(1, 5)]), W10)
    assert (found.lead_time.n, found.unreviewed.n, found.merges_out_of_hours.n) == (4, 4, 4)
    claims = [found.lead_time.median, found.unreviewed.share, found.merges_out_of_hours.share, found.merge_rate]
    assert pd.isna([*claims, found.time_to_merge.median]).all()


def test_what_is_still_open_counts_in_the_stock_and_in_the_time_to_merge(tmp_path):
    pulls = [opened(1, "02-20", merged="02-25T09:00"), opened(2, "02-24", merged=None)]
    pulls += [opened(number, "03-03") for number in range(3, 7)]  # 30 hours
    pulls += [opened(number, "03-03", merged=None) for number in range(7, 11)]
    pulls += [opened(11, "03-03", merged=None, state="closed", closed_at="2026-03-05T09:00:00Z")]
    pulls += [opened(12, "03-10", merged="03-12T09:00")]
    found = flow(cache_of(tmp_path, pulls), W10)
    assert found.stock == (9, 0, 4, 1, 5, False)
    assert found.merge_rate == 0.8
    assert found.time_to_merge.n == 9
    assert found.lead_time.n == 4
    assert pd.isna(found.time_to_merge.median)  # four of nine were merged: the curve never falls to a half


def test_of_merged_ones_alone_nobody_knows_what_was_opened_closed_or_is_still_waiting(tmp_path):
    pulls = [opened(1, "02-20", merged="02-25T09:00"), *(opened(number, "03-03") for number in range(2, 8))]
    found = flow(cache_of(tmp_path, pulls), W10)
    assert (found.lead_time.n, found.stock.merged, found.time_to_merge.n) == (6, 6, 0)
    assert pd.isna([found.stock.opened, found.stock.open_at_end, found.merge_rate, found.time_to_merge.median]).all()


def test_bots_count_in_the_stock_only_where_they_are_asked_for(tmp_path):
    robots = [opened(number, "03-03", author=person("app/robot")) for number in range(10, 15)]
    people = [opened(1, "02-20", merged="02-25T09:00"), opened(2, "03-03"), opened(3, "03-03", merged=None)]
    db = cache_of(tmp_path, [*people, *robots])
    assert flow(db, W10).stock[:3] == (2, 0, 1)
    assert flow(db, W10, bots=True).stock[:3] == (7, 0, 6)


def test_openings_before_the_day_that_a_sync_goes_back_to_are_unknown(tmp_path):
    pulls = [opened(1, "02-02", merged="02-03T09:00"), opened(2, "03-03", merged=None), opened(3, "03-10")]
    db = cache_of(tmp_path, [*pulls, opened(4, "03-10", merged="03-18T09:00")])
    assert flow(db, W10).stock.opened == 1
    with cache.writing(db) as database:
        checkpoints.save(database.conn, 1, checkpoints.Checkpoint(bound="2026-03-05T00:00:00Z", started_at=None))
    assert pd.isna(flow(db, W10).stock.opened)
    assert flow(db, W11).stock.opened == 2


def test_a_week_without_merges_is_known_and_one_outside_of_the_cache_is_not(tmp_path):
    pulls = [opened(1, "02-20", merged="02-25T09:00"), opened(2, "02-24", merged=None)]
    db = cache_of(tmp_path, [*pulls, opened(3, "03-17", merged="03-18T09:00")])
    quiet = flow(db, W10)
    assert quiet.stock == (0, 0, 0, 0, 1, False)
    assert repr(replace(quiet, stock=UNKNOWN.stock)) == repr(UNKNOWN)
    for year in (2019, 2030):
        assert repr(flow(db, iso_week(f"{year}-W10"))) == repr(UNKNOWN)


def test_in_the_sample_stocks_follow_from_week_to_week_and_all_agrees_with_the_other_figures(sample):
    weeks = [flow(sample, week) for week in MAY.periods("W")]
    for before, now in pairwise(weeks):
        came, went = now.stock.opened + now.stock.reopened, now.stock.merged + now.stock.closed_unmerged
        assert now.stock.open_at_end == before.stock.open_at_end + came - went
    found, selection = flow(sample, MAY), reads.Selection(REPO, MAY)
    totals = reads.totals(sample, selection)
    assert found.stock.merged == totals["merged"]
    assert round(found.lead_time.median, 2) == round(totals["median_lead_time_hours"], 2)
    assert found.unreviewed.n_true == found.stages["unreviewed"].n > 0
    assert found.draft_time.p90 > 0 and found.review_rounds.p90 > 1
    metrics = figures(compared(sample, MAY, MAY.before))
    assert metrics["median_draft_hours"]["now"] == round(found.draft_time.median, 4)
    assert metrics["unreviewed"]["now"] == round(found.unreviewed.share, 4)
    assert metrics["out_of_hours"]["now"] == round(found.merges_out_of_hours.share, 4)
    assert metrics["assisted"]["now"] == round(found.assisted.share, 4) > 0


def test_in_the_sample_a_comparison_knows_every_figure_of_flow(sample):
    found = compared(sample, MAY, MAY.before)
    assert {name: figures(found)[name]["state"] for name in OF_FLOW}.keys() == set(OF_FLOW)
    assert not {"no_data", "too_few"} & {figures(found)[name]["state"] for name in OF_FLOW}
    assert {figures(found)[name]["usual"]["state"] for name in OF_FLOW} <= {"within", "above", "below"}
    assert "Nothing is known here of" not in compare_text.as_markdown(found)


def test_who_had_an_assistants_help_is_known_where_trailers_were_read(tmp_path):
    claude = CoAuthorRecord(person=person("claude", is_bot=True), is_ai=True)
    told = [make_pull(1, co_authors=[claude]), make_pull(2, co_authors=[])]
    for name, pulls, expected in (("read", told, [True, False]), ("unread", told[1:], [None])):
        folder = tmp_path / name
        folder.mkdir()
        found = reads.pulls(cache_of(folder, pulls), reads.Selection(REPO, W10)).sort_values("number")
        assert [None if flag is pd.NA else bool(flag) for flag in found["is_assisted"]] == expected


def test_of_a_real_repository_known_from_its_merges_only_the_moments_of_merging_are_known(shared, tmp_path):
    repo, db = "verl-project/verl", tmp_path / "verl.db"
    refresh.import_gh(db, repo, shared / "verl" / "prs-2026.json.gz", Config())
    w19, w17 = (iso_week(week, "Asia/Shanghai") for week in ("2026-W19", "2026-W17"))
    found = reads.flow(db, reads.Selection(repo, w19), CALENDAR)
    assert (found.stock.merged, found.merges_out_of_hours.n, found.merges_on_weekends.n) == (34, 34, 34)
    known = {"stock", "merges_out_of_hours", "merges_on_weekends"}
    assert {name: repr(value) for name, value in vars(found).items() if name not in known} == {
        name: repr(value) for name, value in vars(UNKNOWN).items() if name not in known
    }
    assert pd.isna([found.stock.opened, found.stock.closed_unmerged, found.stock.open_at_end]).all()
    metrics = figures(compared(db, w19, w17, repo))
    assert {name for name in OF_FLOW if metrics[name]["state"] == "no_data"} == {*OF_FLOW} - {"out_of_hours"}


def test_the_frames_of_a_window_without_pull_requests_have_their_columns(sample):
    with cache.reading(sample) as connection:
        full = queries.scope(connection, REPO, MAY.start, MAY.end)
        none = full.between("1999-01-01T00:00:00Z", "1999-01-08T00:00:00Z")
        for name, frame in queries.flow_rows(connection, none).items():
            assert frame.empty
            assert list(frame.columns) == list(queries.flow_rows(connection, full)[name].columns)
