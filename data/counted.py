"""Numbers of things in the sentences that the command line and the notes of an import say in English."""


def counted(number: int, noun: str) -> str:
    """`1 commit`, `1,204 commits`."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")
