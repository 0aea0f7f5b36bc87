"""What the command line says of a sync: how far it is, what it did, what it would take."""

import sys
import time
from collections.abc import Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Self

from data.counted import counted

if TYPE_CHECKING:
    from dashboard.refresh import Synced
    from data.collect import Progress
    from data.estimate import Estimate

NOTE = "Note: "
SECONDS_BETWEEN_LINES = 10.0  # where stderr is no terminal, such as in a log


class Line:
    """The progress on stderr: one line of a terminal, or a line now and then elsewhere; waits are always told."""

    def __init__(self) -> None:
        self.is_terminal = sys.stderr.isatty()
        self.last_told = 0.0
        self.length = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.end()

    def tell(self, progress: "Progress") -> None:
        """Say how far it is."""
        text = progress_line(progress)
        if self.is_terminal:
            print(f"\r{text.ljust(self.length)}", end="", file=sys.stderr, flush=True)
            self.length = len(text)
        elif progress.waiting_until or time.monotonic() - self.last_told >= SECONDS_BETWEEN_LINES:
            print(text, file=sys.stderr, flush=True)
            self.last_told = time.monotonic()

    def end(self) -> None:
        """Let what comes next begin on a line of its own."""
        if self.length:
            print(file=sys.stderr)
        self.length = 0


def progress_line(progress: "Progress") -> str:
    """How far a sync is, in one line."""
    if progress.waiting_until:
        return f"{progress.repo}: {progress.why}; waiting until {progress.waiting_until[11:19]} UTC"
    parts = [f"{progress.done:,} of {progress.total:,}" if progress.total is not None else f"{progress.done:,}"]
    parts[0] += " pull requests" if progress.phase == "backfill" else " updated pull requests"
    if progress.per_minute:
        parts.append(f"{progress.per_minute:,.0f} a minute")
    if progress.seconds_left:
        parts.append(f"{duration(progress.seconds_left)} to go")
    if progress.remaining is not None:
        parts.append(f"quota {progress.remaining:,} of {progress.limit:,}")
    return f"{progress.repo}: {', '.join(parts)}"


def outcome(done: "Synced") -> Iterator[str]:
    """What a sync did: its notes, then one line; nothing for one that failed."""
    if done.error:
        return
    for note in done.notes:
        yield f"{NOTE}{note}"
    declared = f" of {done.declared:,} on GitHub" if done.declared is not None else ""
    yield f"{done.repo}: {counted(done.fetched, 'pull request')} read{declared}, {done.saved:,} new or changed"


def estimate(told: "Estimate") -> str:
    """What a sync would take, in one line."""
    quota = f" of {told.remaining:,} left (limit {told.limit:,} an hour)" if told.remaining is not None else ""
    about = "about " if told.is_rough else ""
    return (
        f"{told.repo}: {about}{counted(told.pulls, 'pull request')} to read in {counted(told.calls, 'call')},"
        f" {counted(told.points, 'point')}{quota}, about {duration(told.minutes * 60)}"
    )


def duration(seconds: float) -> str:
    """Seconds as people say them: `40 s`, `3 min`, `2.5 h`."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 90 * 60 else f"{seconds / 3600:.1f} h"
