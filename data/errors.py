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


class GitHubError(MergeWindowError):
    """GitHub could not be read; what was read before is stored, and the same command goes on from there."""


class Refused(GitHubError):
    """GitHub will not answer, however often it is asked: no token, no permission, no such repository."""


class Unavailable(GitHubError):
    """GitHub could not be reached, or kept failing, for longer than it was waited for."""


class LimitReached(GitHubError):
    """GitHub's rate limit is used up for longer than it was to be waited for."""

    def __init__(self, sentence: str, back_at: str) -> None:
        super().__init__(sentence)
        self.back_at = back_at  # UTC text, by GitHub's clock: when it answers again
