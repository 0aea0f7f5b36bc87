"""What people write at the foot of a commit message or description: who else worked on it, and plain text to store."""

import re
from collections.abc import Iterator

from data.people import Person, person
from data.records import CoAuthorRecord

_CO_AUTHOR = re.compile(r"^[ \t]*co-authored-by[ \t]*:[ \t]*(?P<who>.*)$", re.IGNORECASE | re.MULTILINE)
_HINT = "co-authored-by"  # looked for first: a plain search is many times faster
_NAME_AND_EMAIL = re.compile(r"(?P<name>[^<]*)<?(?P<email>[^<>]*)>?")
_EMAIL = re.compile(r"[^\s@<>]+@[^\s@<>]+")
_RULE = re.compile(r"\n-{3,}\s*\Z")  # GitHub draws it between a squashed description and the co-authors
_TRAILER = re.compile(r"(?P<key>[A-Za-z][A-Za-z0-9 -]*?)[ \t]*:[ \t]+(?P<value>\S.*)")
_BLANK_LINE = re.compile(r"\n[ \t]*\n")

# Coding assistants by account, by address, and by names that no person has. `Claude`, `Devin` and `Jules` are people's
# names as well, and people work for the makers too: a bare first name or the maker's domain alone proves nothing.
_AI_LOGINS = {
    "amazon-q-developer",
    "chatgpt-codex-connector",
    "claude",
    "copilot",
    "cursoragent",
    "devin-ai-integration",
    "gemini-cli",
    "gemini-code-assist",
    "google-labs-jules",
    "openhands-agent",
    "qwen-coder",
}
_AI_ADDRESS = re.compile(
    r"(?:no-?reply|agent|bot|claude|codex|copilot|cursor|cursoragent|devin|gpt|openhands|opencode|oz-agent|amp)@(?:[\w-]+\.)*"
    r"(?:anthropic\.com|openai\.com|cursor\.com|cursor\.sh|aider\.chat|cognition\.ai|devin\.ai|ampcode\.com|all-hands\.dev"
    r"|openhands\.dev|windsurf\.com|codeium\.com|opencode\.ai|warp\.dev)"
    r"|qwen-coder@alibabacloud\.com|gemini[\w.+-]*@google\.com"
)
_AI_NAME = re.compile(
    r"claude[ -](?:(?:code|opus|sonnet|haiku|fable|ai)\b|\d).*|(?:github )?copilot(?: .*)?|(?:openai )?codex(?: .*)?"
    r"|cursor(?: agent| ai)?|gemini(?:[ -](?:cli|code assist|code-assist|pro|flash|\d).*)?|devin(?: ai|\.ai)"
    r"|(?:chat)?gpt(?:-?\d.*)?|openhands(?: .*)?|aider(?: \(.*\))?|windsurf(?: .*)?|qwen(?:[ -]?(?:code|coder|\d).*)?"
    r"|amazon q(?: .*)?|opencode(?: .*)?"
)


def co_authors(message: str) -> list[CoAuthorRecord]:
    """Everybody named by a `Co-authored-by` trailer, in order, each once.

    A trailer counts wherever it stands at the beginning of a line: GitHub leaves those of squashed commits in the
    middle. A broken e-mail is dropped and the name kept; a trailer with neither says nothing.

    Args:
        message: a commit message or a pull request's description.

    Returns:
        One entry a person or coding assistant; an assistant's person is a bot and `is_ai` is true.
    """
    found: dict[tuple[str | None, str | None], CoAuthorRecord] = {}
    for match in _CO_AUTHOR.finditer(message) if _HINT in message.lower() else ():
        if someone := _co_author(match["who"]):
            who = someone["person"]
            found.setdefault((who["login"] or who["email"], None if who["email"] else who["name"]), someone)
    return list(found.values())


def without_co_authors(message: str) -> str:
    """The text without its co-author trailers, the rule that GitHub draws above them, and blank lines around it."""
    if _HINT in message.lower():
        message = _RULE.sub("", "\n" + _CO_AUTHOR.sub("", message).rstrip())
    return message.strip("\n").rstrip()


def trailers(message: str) -> Iterator[tuple[str, str]]:
    """Key (in lower case, hyphens for spaces) and value of each trailer, if the last paragraph holds nothing else."""
    last = _BLANK_LINE.split(message.strip())[-1]
    lines = [line for line in last.splitlines() if not line.startswith(("(", " ", "\t"))]
    matches = [_TRAILER.fullmatch(line.rstrip()) for line in lines]
    if all(matches):
        for match in matches:
            assert match is not None
            yield match["key"].lower().replace(" ", "-"), match["value"].strip()


def plain_text(written: str) -> str:
    """Text as the cache keeps it: lines end in a line feed, no NUL, no half of a surrogate pair."""
    cleaned = written.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
    return cleaned.encode("utf-8", "replace").decode()


def _co_author(who: str) -> CoAuthorRecord | None:
    match = _NAME_AND_EMAIL.match(who.strip().strip("\"'"))
    assert match is not None
    name, email = match["name"].strip().strip("\"'"), match["email"].strip()
    if not email and (bare := _EMAIL.fullmatch(name)):
        name, email = "", bare[0]
    if not _EMAIL.fullmatch(email):
        email = ""
    login = name[1:] if re.fullmatch(r"@[\w-]+", name) else None
    if not name and not email:
        return None
    is_ai = _is_assistant(person(login, name=name, email=email))
    return CoAuthorRecord(
        person=person(login, name=None if login else name, email=email, is_bot=is_ai or None), is_ai=is_ai
    )


def _is_assistant(who: Person) -> bool:
    login, name, email = (who["login"] or "").lower(), (who["name"] or "").lower(), who["email"] or ""
    return login in _AI_LOGINS or bool(_AI_ADDRESS.fullmatch(email) or _AI_NAME.fullmatch(name))
