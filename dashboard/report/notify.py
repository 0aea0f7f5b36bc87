"""A report's summary and follow-ups sent to a chat room, a mailbox or whatever else apprise reaches."""

from collections.abc import Sequence

from dashboard.report.document import Document
from data.errors import MergeWindowError

SENT = ("summary", "followups")  # sections


class NotSent(MergeWindowError):
    """The message can't be sent, or was not taken."""


def message(document: Document) -> str:
    """What is sent, as Markdown: what is reported on, the summary and what to do next."""
    sections = [section for section in document.sections if section.name in SENT and section.markdown]
    parts = [
        " · ".join(document.facts),
        *(f"**{each.heading}**\n\n{each.markdown}" for each in sections),
        document.made,
    ]
    return "\n\n".join(parts)


def send(document: Document, urls: Sequence[str]) -> None:
    """Send the message to every address.

    Args:
        document: made without marks.
        urls: as apprise writes them, such as `slack://...` or `mailto://...`; they hold secrets and are never shown.

    Raises:
        NotSent: the extra is missing, an address is not understood, or nobody took the message.
    """
    try:
        import apprise
    except ModuleNotFoundError as error:
        raise NotSent("Sending needs an extra. Run: pip install 'merge-window[notify]'") from error
    for url in urls:
        scheme = url.partition(":")[0]
        target = apprise.Apprise()
        if not target.add(url):
            raise NotSent(
                f"The address {scheme}:… is not understood. See `apprise --help` for how services are written."
            )
        title = document.title.replace("\\", "")
        if not target.notify(body=message(document), title=title, body_format=apprise.NotifyFormat.MARKDOWN):
            raise NotSent(f"{scheme}:… did not take the message. Check the address, and what that service says.")
