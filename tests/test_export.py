"""The tables behind the pages as files: whole, typed, the same twice, and safe to open."""

import csv
import json
import os
import re
import time
from datetime import date

import pandas as pd
import pytest
from caches import cache_of, sample_cache
from conftest import ROOT
from factories import make_file, make_pull
from pyarrow import parquet

from analysis.trends import METRICS
from analysis.window import Window, iso_week
from dashboard import cli, export, reads, refresh, tables_of
from dashboard.config import Config
from data.errors import MergeWindowError

REPO = "acme/orbit"
QUARTER = Window(date(2026, 1, 5), date(2026, 4, 5), "Asia/Shanghai")
EMPTY = Window(date(2019, 1, 7), date(2019, 1, 13))
W10 = iso_week("2026-W10")
# Unknown in the sample, or true of none of its pull requests.
WITHOUT_ROWS = {"shifts", "unclassified"}


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    return sample_cache(tmp_path_factory.mktemp("export"))


@pytest.fixture(scope="module")
def quarter(sample, tmp_path_factory):
    """A quarter of the sample in both formats, in one folder."""
    folder = tmp_path_factory.mktemp("quarter")
    for kind in ("csv", "parquet"):
        written(sample, QUARTER, folder, kind)
    return folder


def written(db, window, folder, kind, repo=REPO, **chosen):
    export.write(db, reads.Selection(repo, window, **chosen), Config(), folder, kind)
    return folder


def read_csv(folder, name):
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    return [dict(zip(header, row, strict=True)) for row in rows]


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("table", export.TABLES, ids=lambda table: table.name)
def test_both_formats_hold_the_same_rows(quarter, table):
    """Read as text: what CSV wrote is what the Parquet file holds."""
    known = parquet.read_table(quarter / f"{table.name}.parquet")
    rows = read_csv(quarter, table.name)
    assert len(rows) == known.num_rows
    assert (known.num_rows > 0) is (table.name not in WITHOUT_ROWS)
    header = (quarter / f"{table.name}.csv").read_text(encoding="utf-8").split("\n")[0]
    assert header == ",".join(known.column_names)
    for row, other in zip(rows, known.to_pylist(), strict=True):
        for column, value in other.items():
            if value is None:
                assert row[column] == ""
            elif isinstance(value, list):
                assert json.loads(row[column]) == value
            elif isinstance(value, float):
                assert float(row[column]) == value
            else:
                assert row[column] == str(value)


@pytest.mark.parametrize("table", export.TABLES, ids=lambda table: table.name)
def test_the_page_on_exports_names_every_table_and_column(quarter, table):
    [row] = re.findall(rf"^\| `{table.name}` \| (.*)$", (ROOT / "docs" / "export.md").read_text(encoding="utf-8"), re.M)
    says, columns, _ = row.split(" | ")
    assert says == table.row
    assert re.findall(r"`(\w+)`", columns) == parquet.read_schema(quarter / f"{table.name}.parquet").names


def test_a_table_without_rows_has_its_columns_and_their_types(quarter, sample, tmp_path):
    written(sample, EMPTY, tmp_path, "parquet")
    assert len(names(tmp_path)) == len(export.TABLES)
    for name in names(tmp_path):
        assert parquet.read_schema(tmp_path / name).equals(parquet.read_schema(quarter / name)), name
    assert parquet.read_table(tmp_path / "pulls.parquet").num_rows == 0


def test_what_a_source_does_not_tell_changes_no_type_and_is_no_zero(quarter, tmp_path):
    told = make_pull(1, author=None, files=None, additions=None, deletions=None, changed_files=None)
    db = cache_of(tmp_path, [told], kind="clone")
    folder = written(db, W10, tmp_path / "out", "parquet")
    for name in names(folder):
        assert parquet.read_schema(folder / name).equals(parquet.read_schema(quarter / name)), name
    [row] = parquet.read_table(folder / "pulls.parquet").to_pylist()
    assert [row[name] for name in ("author", "additions", "lead_time_hours", "reviews_known")][:3] == [None] * 3
    shares = {row["group"]: row["n_pulls"] for row in parquet.read_table(folder / "assisted.parquet").to_pylist()}
    assert shares == {"human": 0, "assisted": 0, "bot": 0, "unknown": 1}


def test_a_cache_without_any_merge_exports_too(tmp_path):
    db = cache_of(tmp_path, [make_pull(1, merged=None)])
    folder = written(db, W10, tmp_path / "out", "csv")
    assert len(names(folder)) == len(export.TABLES)
    assert read_csv(folder, "window")[0]["first"] == ""
    assert {row["value"] for row in read_csv(folder, "trends")} == {""}


HOSTILE = [
    '=HYPERLINK("http://evil")',
    "+1",
    "-1+2",
    "@SUM(A1)",
    "\tx",
    "\r=1",
    'a,"b"\r\nc\rd',
    "  =1",
    "标题，🙂",
    "x\0y",
]


def test_no_title_is_a_formula_or_breaks_a_row(tmp_path):
    pulls = [make_pull(number, title, files=[make_file("=cmd|calc.py")]) for number, title in enumerate(HOSTILE, 1)]
    folder = written(cache_of(tmp_path, pulls), W10, tmp_path / "out", "csv")
    titles = {int(row["number"]): row["title"] for row in read_csv(folder, "pulls")}
    assert len(titles) == len(HOSTILE)
    cells = [cell for file in folder.iterdir() for row in read_csv(folder, file.stem) for cell in row.values()]
    numbers = re.compile(r"-?[\d.]+(e-?\d+)?")
    assert not [cell for cell in cells if cell.lstrip()[:1] in tuple("=+-@") and not numbers.fullmatch(cell)]
    assert not [cell for cell in cells if cell[:1] in tuple("\t\r\n") or "\r" in cell]
    assert (titles[1], titles[7], titles[9]) == ("'" + HOSTILE[0], 'a,"b"\nc\nd', HOSTILE[8])
    assert [row["path"] for row in read_csv(folder, "hotspots")] == ["'=cmd|calc.py"]


def test_the_same_cache_gives_the_same_bytes(quarter, sample, tmp_path):
    for kind in ("csv", "parquet"):
        written(sample, QUARTER, tmp_path, kind)
    assert names(tmp_path) == names(quarter)
    assert not [name for name in names(quarter) if (tmp_path / name).read_bytes() != (quarter / name).read_bytes()]


def test_the_tables_agree_with_each_other_and_with_the_report(quarter, sample):
    report = reads.report(sample, reads.Selection(REPO, QUARTER), lang="en", config="", version="1")
    table = {
        name: pd.read_parquet(quarter / f"{name}.parquet") for name in ("pulls", "trends", "backlog", "people", "risks")
    }
    merged = report["totals"]["merged"]
    assert len(table["pulls"]) == merged
    trends = table["trends"].set_index("metric")
    assert list(dict.fromkeys(trends.index)) == list(METRICS)
    assert trends.loc["merged", "value"].sum() == table["backlog"]["merged"].sum() == merged
    assert len(trends.loc["merged"]) == 13, "thirteen weeks"
    assert set(table["risks"]["rule"]) == {risk["rule"] for risk in report["risks"]}
    assert table["people"]["n_pulls"].sum() == table["pulls"]["author_type"].eq("human").sum()
    window = read_csv(quarter, "window")[0]
    assert int(window["bots_hidden"]) == report["totals"]["bots_hidden"] > 0
    assert (window["since"], window["until"], window["tz"]) == ("2026-01-05", "2026-04-05", "Asia/Shanghai")


def test_coupling_and_bus_factor_look_back_a_year_and_never_ahead(tmp_path):
    pair = [make_file("app/a.py"), make_file("app/b.py")]
    moments = ["2025-02-01T12:00:00Z", "2025-06-01T12:00:00Z", "2026-03-04T12:00:00Z", "2026-03-20T12:00:00Z"]
    far, near, inside, later = (make_pull(number, merged=at, files=pair) for number, at in enumerate(moments, 1))
    second = make_pull(5, merged="2025-12-01T12:00:00Z", files=pair)
    found = tables_of.coupling(cache_of(tmp_path, [far, near, inside, later, second]), reads.Selection(REPO, W10))
    assert found["prs"].tolist() == [[2, 3, 5]]


def test_the_window_stands_where_it_usually_does_or_not(tmp_path):
    """Two merges in each of twelve weeks, then thirty in one, which is over."""
    days = pd.date_range("2025-12-08T12:00:00Z", periods=12, freq="7D")
    moments = [day.strftime("%Y-%m-%dT%H:%M:%SZ") for day in [*days, *days]] + ["2026-03-04T12:00:00Z"] * 30
    moments.append("2026-03-09T12:00:00Z")
    db = cache_of(tmp_path, [make_pull(number, merged=at) for number, at in enumerate(moments, 1)])
    found = tables_of.variation(db, reads.Selection(REPO, W10), Config().calendar).set_index("metric")
    assert found.loc["merged", ["value", "n_before", "state"]].tolist() == [30, 12, "above"]
    assert found.loc["median_lead_time_hours", "state"] == "no_data"


def test_files_replace_those_of_an_earlier_export_and_leave_others_alone(sample, tmp_path):
    (tmp_path / "pulls.csv").write_text("old")
    (tmp_path / "mine.txt").write_text("mine")
    written(sample, EMPTY, tmp_path, "csv")
    assert (tmp_path / "pulls.csv").read_text().startswith("pull_id,number,title,")
    assert (tmp_path / "mine.txt").read_text() == "mine"
    assert len(names(tmp_path)) == len(export.TABLES) + 1


def test_a_folder_that_is_none_gets_one_sentence(sample, tmp_path):
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(MergeWindowError, match=r"can't be written: .*Name another folder"):
            written(sample, EMPTY, folder, "csv")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_may_not_be_written_gets_one_sentence(sample, tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(MergeWindowError, match="can't be written"):
        written(sample, EMPTY, tmp_path, "parquet")
    tmp_path.chmod(0o700)


def test_the_command_writes_a_week_in_a_few_seconds(sample, tmp_path, capfd, monkeypatch):
    monkeypatch.chdir(tmp_path)
    arguments = ["export", "--db", str(sample), "--repo", REPO, "-o", "tables/week"]
    start = time.process_time()
    assert cli.main([*arguments, "--week", "2026-W20", "--format", "parquet"]) == 0
    assert time.process_time() - start < 20, "two seconds on an idle machine"
    assert capfd.readouterr().out == f"{len(export.TABLES)} tables are in tables/week\n"
    assert len(names(tmp_path / "tables" / "week")) == len(export.TABLES)
    (tmp_path / "file").write_text("")
    assert cli.main([*arguments[:-1], "file"]) == 1
    assert capfd.readouterr().err == "file can't be written: File exists. Name another folder.\n"
    with pytest.raises(SystemExit, match="2"):
        cli.main(arguments[:-2])


def test_a_real_repository_is_told_in_tables(shared, tmp_path):
    """verl, W19 in Shanghai: 34 merges, a chain of three about rewards, and no reviews cached."""
    repo, db = "verl-project/verl", tmp_path / "verl.db"
    refresh.import_gh(db, repo, shared / "verl" / "prs-2026.json.gz", Config())
    folder = written(db, iso_week("2026-W19", "Asia/Shanghai"), tmp_path / "out", "parquet", repo)
    table = {name[:-8]: pd.read_parquet(folder / name) for name in names(folder)}
    assert len(table["pulls"]) == table["trends"].query("metric == 'merged'")["value"].sum() == 34
    assert any({6226, 6258, 6265} <= set(prs) for prs in table["chains"]["prs"])
    assert table["hotspots"]["prs"].map(set).map({*table["pulls"]["number"]}.issuperset).all()
    assert "reward" in set(table["terms"]["term"])
    assert table["flow"].set_index("figure").loc["lead_time_hours", ["n", "value"]].isna().tolist() == [False, True]
