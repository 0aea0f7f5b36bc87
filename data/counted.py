"""Numbers of things in the sentences that the command line and the notes of an import say in English."""


def counted(number: int, noun: str) -> str:
    """`1 commit`, `1,204 commits`."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def counted_of(number: int, whole: int | None, noun: str) -> str:
    """What is so of some: `1 of 3 commits is`, `2 of 3 commits are`; `1 commit is` where the whole is not known."""
    told = counted(number, noun) if whole is None else f"{number:,} of {counted(whole, noun)}"
    return f"{told} {'is' if number == 1 else 'are'}"
