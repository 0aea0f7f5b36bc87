"""Which version of the program runs."""

from importlib import metadata


def version() -> str:
    """The installed version; `0` where the package runs from a folder that was never installed."""
    try:
        return metadata.version("merge-window")
    except metadata.PackageNotFoundError:
        return "0"
