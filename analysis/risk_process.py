"""Risk rules about how a change came in: what it takes back or repairs, who looked at it, and for how long."""

import numpy as np

from analysis.disputes import unanswered
from analysis.risk_case import Case, Flags, Floats, Measured, Rows, TellRows, simply, together

FEW_LINES = 50  # so little may be merged as fast as one likes
SHORTEST_HOURS = 1 / 60
SUBSTANCE = 3  # comments from which on an open thread is more than a remark
POSSIBLE = 0.5  # what a repair that is possible only counts
UNSURE, SINGLE = 0.4, 0.7  # of the points, where all is possible only, and where there is one sure repair
NOT_SCRUTINISED = 0.3  # of the points, for what few projects review: bots' changes, mere documents


def revert(case: Case) -> Measured:
    """Does the change take out something merged before?

    Formula: 1 if the title or a chain link says so, else 0; a re-apply does not count. 0.4 of the points where it is
        possible only.
    Misses: code taken out by hand under a title of its own.
    Source: Shimagaki et al. 2016, Why are commits being reverted?
    Example: Revert "Add a cache" (#12): 1.
    """
    links = case.rows("links")
    earlier = links.is_one_of("kind", "revert")
    says_so = case.each.flag("reverts") & ~case.each.flag("is_reapply")
    is_sure = says_so | (links.count(earlier & links.flag("is_sure")) > 0)
    value = (is_sure | (links.count(earlier) > 0)).astype(float)
    evidence = together({"earlier": _told(links, earlier)}, subject=case.each.values("subject"))
    return Measured(value, evidence, np.where(is_sure, 1.0, UNSURE))


def repair_chain(case: Case) -> Measured:
    """Does the change repair or bring back something merged not long before, so that it was not right the first time?

    Formula: earlier pull requests that it repairs or re-applies; possible ones count 0.5. 0.4 of the points where all
        are possible only, 0.7 for a single sure one, all where it comes back to several.
    Misses: repairs that name nothing and touch other files; what comes later counts for the later one.
    Source: Sliwerski et al. 2005, When do changes induce fixes?
    Example: a fix of #12 that again rewrites what #15 had repaired: 2.
    """
    links = case.rows("links")
    earlier = links.is_one_of("kind", "repair", "reapply")
    sure = earlier & links.flag("is_sure")
    n_sure = np.maximum(links.count(sure), case.each.flag("reverts") & case.each.flag("is_reapply"))
    value = n_sure + POSSIBLE * links.count(earlier & ~sure)
    weight = np.where(n_sure == 0, UNSURE, np.where(value > 1, 1.0, SINGLE))
    return Measured(value, together({"earlier": _told(links, earlier)}, subject=case.each.values("subject")), weight)


def _told(links: Rows, mask: Flags) -> TellRows:
    by: Floats = np.where(links.flag("is_sure"), 1e6, 0) - np.nan_to_num(links.number("hours"))
    return links.told(mask, by, number="earlier_number", kind="kind", hours="hours", sure="is_sure")


def unreviewed(case: Case) -> Measured:
    """Was the change merged without anybody else having reviewed it?

    Formula: 1 if it was merged and no person other than its author had submitted a review before, else 0. 0.3 of the
        points for bots' changes and mere documents.
    Misses: reviews by word of mouth, in a pair or in a chat; how careful a review was.
    Source: CHAOSS, Change Request Reviews; OpenSSF Scorecard, Code-Review.
    Example: merged with two comments of a bot: 1.
    """
    decided = case.each.is_one_of("review_decision", "approved", "changes_requested")
    value = (case.is_merged & ~decided & (_by_others(case)[0] == 0)).astype(float)
    weight = np.where(case.each.flag("is_bot") | case.each.flag("docs_only"), NOT_SCRUTINISED, 1.0)
    known = case.each.flag("reviews_known") | ~case.is_merged
    evidence = simply(reviews=np.zeros(len(case)), merged_at=case.each.values("merged_at"))
    return Measured(np.where(known, value, np.nan), evidence, weight)


def self_merged(case: Case) -> Measured:
    """Did the author merge the change without another's approval?

    Formula: 1 if the one who merged is the author, a person, and no other person had approved, else 0.
    Misses: approvals outside GitHub; small teams where this is the rule.
    Source: OpenSSF Scorecard, Code-Review; separation of duties, NIST SP 800-53 AC-5.
    Example: author and merger are one, one comment but no approval by another: 1.
    """
    author, merger = case.each.number("author_id"), case.each.number("merged_by_id")
    is_person = case.each.is_one_of("author_type", "human") & (author >= 0)
    is_own = case.is_merged & (author == merger) & is_person
    approved = (_by_others(case)[1] > 0) | case.each.is_one_of("review_decision", "approved")
    is_known = ~case.is_merged | case.each.flag("is_bot") | (is_person & (merger >= 0))
    # Where another merged, nothing need be known of reviews.
    is_known &= ~is_own | approved | case.each.flag("reviews_known")
    value = np.where(is_known, is_own & ~approved, np.nan)
    return Measured(value, simply(approvals=np.zeros(len(case)), merged_at=case.each.values("merged_at")))


def _by_others(case: Case) -> tuple[Floats, Floats]:
    """For each change, reviews by people other than its author before its merge, and approvals among them."""
    reviews = case.rows("reviews")
    is_other = ~reviews.is_one_of("reviewer_type", "bot")
    is_other &= reviews.number("reviewer_id") != case.each.number("author_id")[reviews.at]
    merged_at = np.where(case.is_merged, case.each.values("merged_at"), "")
    is_other &= (reviews.values("submitted_at") <= merged_at[reviews.at]).astype(bool)
    return reviews.count(is_other), reviews.count(is_other & reviews.is_one_of("state", "approved"))


def fast_merge(case: Case) -> Measured:
    """Was the change merged faster than anybody could have read it?

    Formula: lines added and deleted in source, tests and settings, divided by the hours from ready for review (opened,
        if never a draft or unknown) to merged, at least a minute. 0 under 50 lines, and for bots.
    Misses: reviews done before the pull request was opened; nights and weekends count as time to read.
    Source: Cohen et al. 2006, Best Kept Secrets of Peer Code Review: under 300 to 500 lines an hour.
    Example: 800 lines merged half an hour after they were ready: 1600.
    """
    files = case.file_rows
    counts = files.category("source", "test", "config") & ~files.is_removed
    lines = files.sum(files.lines, counts)
    opened, ready, merged = case.hours("created_at"), case.hours("ready_at"), case.hours("merged_at")
    start = np.where(ready <= merged, ready, opened)
    value = lines / np.maximum(merged - start, SHORTEST_HOURS)
    value[(lines < FEW_LINES) | case.each.flag("is_bot") | ~case.is_merged] = 0
    return Measured(value, simply(lines=lines, hours=merged - start))


def merged_over_objection(case: Case) -> Measured:
    """Was the change merged although somebody had asked for changes, or a discussion was open?

    Formula: people whose last word before the merge (approved, changes requested or dismissed) was a request for
        changes, and open, not outdated threads of 3 comments or more. Half of the points where there are only threads.
    Misses: requests that were met without the reviewer saying so; threads left open after they were settled.
    Source: GitHub's own rule for protected branches; McIntosh et al. 2014 on reviews without discussion settled.
    Example: one request never answered, one open thread of 5 comments: 2.
    """
    requests = unanswered(case.changes, case.reviews)
    at = np.searchsorted(case.changes["pull_id"].to_numpy(), requests["pull_id"].to_numpy())
    n_requests = np.bincount(at, minlength=len(case)).astype(float)
    n_requests = np.maximum(n_requests, case.is_merged & case.each.is_one_of("review_decision", "changes_requested"))
    threads = case.rows("threads")
    n_comments = threads.number("n_comments")
    is_open = (threads.number("is_resolved") == 0) & (threads.number("is_outdated") != 1) & (n_comments >= SUBSTANCE)
    is_open &= case.is_merged[threads.at]
    names: list[list[str]] = [[] for _ in range(len(case))]
    for place, name in zip(at.tolist(), requests["reviewer"], strict=True):
        names[place].append(name)
    evidence = together(
        {"threads": threads.told(is_open, n_comments, path="path", comments="n_comments")},
        requests=n_requests,
        by=np.array([", ".join(each) or None for each in names], dtype=object),
    )
    return Measured(n_requests + threads.count(is_open), evidence, np.where(n_requests > 0, 1.0, 0.5))


def long_lived(case: Case) -> Measured:
    """Was the change open so long that what it was written against has moved on?

    Formula: days from opened to merged; 0 while it is not.
    Misses: how often it was brought up to date; drafts that wait on purpose.
    Source: Kim et al. 2008 and DORA on batch size and long-lived branches.
    Example: opened on 1 March, merged on 15 April: 45.
    """
    days = (case.hours("merged_at") - case.hours("created_at")) / 24
    days[~case.is_merged] = 0
    return Measured(days, simply(days=days, opened=case.each.values("created_at")))
