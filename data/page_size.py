"""How many pull requests a page holds: as many as GitHub manages."""

from collections import Counter
from dataclasses import dataclass, field

START, MOST = 25, 50  # 100 fails in the field
GOOD_PAGES = 5  # in a row, before more is tried


@dataclass
class PageSize:
    """Halves with each failure, grows after a row of good pages, and keeps off what failed twice."""

    size: int = START
    ceiling: int = MOST
    former: int | None = None  # what it was before a row of failures that a single pull request may have caused
    failed: Counter[int] = field(default_factory=Counter)
    _failed_before: Counter[int] = field(default_factory=Counter)
    _good: int = 0

    def succeeded(self) -> None:
        """A page came."""
        self._good += 1
        if self._good < GOOD_PAGES:
            return
        self.former, self._good = None, 0
        self.size = max(self.size, min(self.size * 2, self.ceiling))

    def failed_page(self) -> bool:
        """A page was too much: whether a smaller one can be tried."""
        if self.former is None:
            self.former, self._failed_before = self.size, self.failed.copy()
        self.failed[self.size] += 1
        self._good = 0
        if self.size == 1:
            return False
        smaller = max(1, self.size // 2)
        if self.failed[self.size] >= 2:
            self.ceiling = min(self.ceiling, smaller)
        self.size = smaller
        return True

    def was_one(self) -> None:
        """One pull request was to blame for the failures: back to what was good before it."""
        if self.former is not None:
            self.size, self.failed = self.former, self._failed_before
            self.ceiling = max(self.ceiling, self.size)
        self.former, self._good = None, 0
