"""The one list of metrics: what each is called, counted in and kept as, and which function says what it means.

Light: a function is imported when it is asked for, so that this list costs nobody pandas.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, get_args

from analysis.about import About, about
from data.errors import MergeWindowError

if TYPE_CHECKING:
    from analysis.risk import Rule

Group = Literal["flow", "change", "code", "risk", "trend", "people"]
GROUPS: tuple[Group, ...] = get_args(Group)


class UnknownMetric(MergeWindowError):
    """No metric and no rule has this name."""


@dataclass(frozen=True)
class Metric:
    """One thing that is measured, or one risk rule."""

    name: str  # of its page too
    label: str
    unit: str
    group: Group
    where: str  # module and function of analysis/ whose docstring tells what it means
    keys: tuple[str, ...]  # columns of the cache, or of what the function returns, or keys of the report

    @property
    def function(self) -> Callable[..., Any]:
        module, name = self.where.split(".")
        found: Callable[..., Any] = getattr(import_module(f"analysis.{module}"), name)
        return found

    @property
    def about(self) -> About:
        """What it answers, its formula, what it misses, its source and an example."""
        return _about(self)


METRICS: tuple[Metric, ...] = (
    # How work runs
    Metric(
        "merged",
        "Merged",
        "pull requests",
        "flow",
        "totals.totals",
        ("merged", "bots_hidden", "authors", "new_authors", "key", "breaking", "reverts", "additions", "deletions"),
    ),
    Metric(
        "lead_time",
        "Lead time",
        "hours",
        "flow",
        "lead_time.lead_time",
        (
            "lead_time_hours",
            "median_lead_time_hours",
            "p90_lead_time_hours",
            "wait_hours",
            "review_hours",
            "approved_to_merged_hours",
            "unreviewed_hours",
        ),
    ),
    Metric(
        "first_review",
        "Time to first review",
        "hours",
        "flow",
        "first_review.first_review",
        ("first_review_hours", "median_first_review_hours"),
    ),
    Metric(
        "review_rounds",
        "Review rounds",
        "rounds",
        "flow",
        "review_rounds.review_rounds",
        ("review_rounds", "mean_review_rounds"),
    ),
    Metric(
        "draft_time",
        "Time as a draft",
        "hours",
        "flow",
        "draft_time.draft_time",
        ("draft_hours", "median_draft_hours", "n_draft_spells"),
    ),
    Metric(
        "backlog", "Backlog", "pull requests", "flow", "backlog.backlog", ("opened", "closed_unmerged", "open_at_end")
    ),
    Metric("age", "Age of open pull requests", "days", "flow", "age.of_open", ("age_days",)),
    Metric("merge_rate", "Merge rate", "share, 0 to 1", "flow", "merge_rate.merge_rate", ("merge_rate",)),
    Metric(
        "survival",
        "Time to merge, open ones counted",
        "share, 0 to 1",
        "flow",
        "survival.survival",
        ("unmerged_share", "merged_share"),
    ),
    Metric("working_hours", "Working hours", "hours", "flow", "working_time.working_hours", ()),
    Metric(
        "out_of_hours",
        "Out of working hours",
        "share, 0 to 1",
        "flow",
        "working_time.acts",
        ("is_out_of_hours", "is_weekend", "is_holiday"),
    ),
    # What a change is
    Metric(
        "importance",
        "Importance",
        "points, 0 to 10",
        "change",
        "importance.score",
        ("importance", "importance_parts", "mean_importance", "is_key"),
    ),
    Metric("stability", "How sure it is key", "share, 0 to 1", "change", "stability.stability", ("key_share",)),
    Metric(
        "insight", "Insight", "points, 0 to 10", "change", "insight.score", ("insight", "insight_parts", "mean_insight")
    ),
    Metric("measured_results", "Measured results", "strength, 0 to 1", "change", "measured.measured", ()),
    Metric("notes", "The author's own sentence", "text", "change", "notes.notes", ("note", "note_source")),
    Metric("kind", "Kind of change", "kind", "change", "kinds.kind", ("kind",)),
    Metric("breaking_change", "Breaking change", "yes or no", "change", "kinds.is_breaking", ("is_breaking",)),
    Metric("modules", "Modules", "modules", "change", "modules.assign", ("module", "source")),
    Metric(
        "title_paths", "Title and paths that disagree", "pull requests", "change", "title_paths.title_paths", ("says",)
    ),
    Metric("unclassified", "In no module", "share, 0 to 1", "change", "unclassified.unclassified_share", ()),
    Metric(
        "size",
        "Size and width",
        "lines, files, folders, modules",
        "change",
        "size.size",
        ("churn_lines", "median_churn_lines", "noise_lines", "changed_files", "n_folders", "n_modules"),
    ),
    Metric("size_class", "Size class", "XS to XXL", "change", "mix.size_class", ()),
    Metric(
        "weighted_size", "Weighted size", "weighted lines", "change", "sizes.sizes", ("added", "deleted", "moved_lines")
    ),
    Metric("moved_share", "Moved lines", "share, 0 to 1", "change", "sizes.moved_share", ()),
    Metric(
        "history",
        "What went before",
        "counts, days, shares",
        "change",
        "kamei.measures",
        ("ns", "nd", "nf", "entropy", "la", "ld", "fix", "ndev", "age_days", "nuc", "exp", "rexp", "sexp"),
    ),
    Metric("chain_links", "Reverts and repairs", "links", "change", "chain_links.links_of", ("earlier_id", "is_sure")),
    Metric("chains", "Chains", "stories", "change", "chains.chains", ("repair_hours", "is_sure")),
    Metric("recent_share", "Rewritten recent work", "share, 0 to 1", "change", "recent_share.recent_share", ("share",)),
    # Where the code changes
    Metric("hotspots", "Hotspots", "share x share, 0 to 1", "code", "hotspots.hotspots", ("hotspot_score",)),
    Metric(
        "coupling", "Files that change together", "degree, 0 to 1", "code", "coupling.coupling", ("coupling_degree",)
    ),
    Metric(
        "module_coupling",
        "Modules that change together",
        "degree, 0 to 1",
        "code",
        "coupling.module_coupling",
        ("coupling_degree",),
    ),
    Metric(
        "module_overlaps",
        "Modules that share pull requests",
        "share, 0 to 1",
        "code",
        "module_overlaps.module_overlaps",
        ("n_both", "jaccard", "degree"),
    ),
    Metric(
        "missing_companions",
        "Missing companions",
        "share, 0 to 1",
        "code",
        "coupling.missing_companions",
        ("companion_share",),
    ),
    Metric("file_age", "Age of files", "days", "code", "age.of_files", ("last_changed_days", "first_seen_days")),
    Metric("module_age", "Age of modules", "days", "code", "age.of_modules", ("last_changed_days", "first_seen_days")),
    # What deserves a second look
    Metric(
        "risk",
        "Risk score and tier",
        "points, 0 to 100",
        "risk",
        "risk.judge",
        ("risk_score", "mean_risk_score", "risk_cap", "tier", "elevated"),
    ),
    Metric("without_tests", "Without tests", "pull requests", "risk", "totals.history", ("without_tests",)),
    Metric("disputes", "Disputes", "threads, comments", "risk", "disputes.disputes", ()),
    Metric("ledger", "What became of warnings", "warnings", "risk", "ledger.ledger", ("warned_in", "state")),
    Metric(
        "reverted_or_repaired",
        "Reverted or repaired soon",
        "yes or no, hours",
        "risk",
        "chains.labels",
        ("was_reverted", "was_repaired", "revert_hours", "repair_hours", "is_censored"),
    ),
    Metric(
        "backtest",
        "Back-test of the risk rules",
        "AUC, shares",
        "risk",
        "backtest.backtest",
        ("auc", "top_tenth", "lift", "precision", "recall", "use_model"),
    ),
    Metric("auc", "AUC of a score", "share of pairs, 0 to 1", "risk", "discrimination.auc", ()),
    Metric("auc_beyond", "AUC beyond another score", "difference", "risk", "discrimination.aucs", ()),
    Metric("top_tenth", "Failed in the top tenth", "share, 0 to 1", "risk", "discrimination.top_tenth", ("n_failed",)),
    Metric("tenths", "Failed by tenth of the score", "share, 0 to 1", "risk", "calibration.by_tenth", ()),
    Metric("share_interval", "How sure a share is", "share, 0 to 1", "risk", "calibration.wilson", ("low", "high")),
    Metric("walk_forward", "Walking forward", "log-odds", "risk", "walk_forward.walk_forward", ()),
    Metric("risk_model", "Model beside the risk rules", "log-odds", "risk", "logistic.fit", ()),
    # How it changes over time
    Metric("spread", "Median, p75 and p90", "of the value", "trend", "spread.summary", ()),
    Metric("trend", "Trend", "of the figure", "trend", "trends.trend", ("value", "rolling_median", "is_complete")),
    Metric(
        "variation",
        "Usual variation",
        "of the figure",
        "trend",
        "variation.variation",
        ("low", "median", "high", "state"),
    ),
    Metric("shifts", "Level shifts", "of the figure", "trend", "shifts.shifts", ("since", "before", "after", "change")),
    Metric("delta", "Change since before", "of the figure", "trend", "compare.delta", ()),
    Metric(
        "comparison",
        "Window against window",
        "of the figure",
        "trend",
        "compare.metrics",
        ("rate_before", "rate_now", "change", "state"),
    ),
    Metric("mix_of_mean", "Mix and rate", "of the figure", "trend", "mix.of_mean", ("mix", "rate", "change")),
    Metric(
        "mix_of_total",
        "Amount, mix and rate",
        "of the figure",
        "trend",
        "mix.of_total",
        ("amount", "mix", "rate", "change"),
    ),
    Metric("themes", "Themes", "themes", "trend", "themes.themes", ("theme", "title")),
    Metric("terms", "Rising and fading terms", "terms", "trend", "terms.terms", ("term", "direction", "score")),
    # Who takes part
    Metric("bus_factor", "Bus factor", "people", "people", "bus_factor.bus_factor", ("bus_factor", "top_share")),
    Metric("newcomers", "New and returning people", "people", "people", "newcomers.newcomers", ("status", "away_days")),
    Metric("assisted", "Bots and assistants", "yes or no", "people", "assisted.assisted", ("is_bot", "is_assisted")),
    Metric("assisted_share", "Share of bots and assistants", "share, 0 to 1", "people", "assisted.shares", ("share",)),
)


def everything() -> tuple[Metric, ...]:
    """The metrics, then the risk rules."""
    return (*METRICS, *map(of_rule, rules()))


def metric(name: str) -> Metric:
    """The metric or rule of this name.

    Raises:
        UnknownMetric: there is none.
    """
    known = {each.name: each for each in METRICS}
    if name not in known:  # only then are the rules imported
        known = {each.name: each for each in everything()}
    if name not in known:
        raise UnknownMetric(f"Unknown metric {name!r}. Known: {', '.join(sorted(known))}.")
    return known[name]


def rules() -> "tuple[Rule, ...]":
    """The risk rules."""
    from analysis.risk import RULES

    return RULES


def of_rule(rule: "Rule") -> Metric:
    """A risk rule as an entry of this list; the docstring of its measure tells what it means."""
    where = f"{rule.measure.__module__.rpartition('.')[2]}.{rule.measure.__name__}"
    return Metric(rule.name, rule.label, rule.unit, "risk", where, ("points", "value", "evidence"))


@lru_cache(maxsize=256)
def _about(metric: Metric) -> About:
    return about(metric.function)
