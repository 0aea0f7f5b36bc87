"""The few errors that a user can meet, each carrying one sentence: what, which, what to do."""


class MergeWindowError(Exception):
    """Something the user can mend. `str(error)` is the whole sentence to show; never a traceback."""


class CacheError(MergeWindowError):
    """The cache file can't be used: foreign, newer, unreadable, read-only or damaged."""


class SourceError(MergeWindowError):
    """What was to be imported can't be read: not a repository, not JSON, cut short, wrong shape."""


class NotCached(MergeWindowError):
    """The repository or pull request asked for is not in the cache."""


class BadWindow(MergeWindowError):
    """The dates asked for make no window: reversed, one-ended, unreadable, or in an unknown zone."""
