"""One normaliser for everybody, and moments in UTC."""

import pytest

from data.moments import utc_text
from data.people import BOT, GHOST, HUMAN, from_api, person


@pytest.mark.parametrize(
    "spelled",
    [
        person("dependabot[bot]"),
        person("app/dependabot", is_bot=True),
        person("dependabot", account_type="Bot"),
        person("Dependabot[bot]"),
        from_api({"login": "dependabot", "__typename": "Bot"}),
        from_api({"login": "app/dependabot", "is_bot": True}),
        from_api({"login": "dependabot[bot]", "type": "Bot"}),
        person(email="49699333+dependabot[bot]@users.noreply.github.com"),
    ],
)
def test_one_bot_is_one_bot_in_every_spelling(spelled):
    assert (spelled["login"].lower(), spelled["type"]) == ("dependabot", BOT)


@pytest.mark.parametrize("account", [None, {}, {"login": ""}, {"login": "app/", "is_bot": True}, {"login": "ghost"}])
def test_a_deleted_account_is_a_ghost_and_never_a_bot(account):
    assert from_api(account)["type"] == GHOST


def test_the_agent_has_one_name_whatever_it_signs_with():
    names = {
        person(login)["login"] for login in ("copilot-swe-agent[bot]", "Copilot", "copilot", "github-copilot[bot]")
    }
    assert names == {"copilot"}
    assert person("Copilot")["type"] == BOT


def test_a_no_reply_address_tells_the_login():
    ada = person(name="Ada", email="123+ada@users.noreply.github.com")
    assert (ada["login"], ada["name"], ada["type"]) == ("ada", "Ada", HUMAN)


def test_a_git_name_without_login_stays_a_person():
    assert person(name="魏明", email="Wei@Example.org") == {
        "login": None,
        "name": "魏明",
        "email": "wei@example.org",
        "type": HUMAN,
    }


@pytest.mark.parametrize(
    ("written", "stored"),
    [
        ("2026-04-27T01:55:45+08:00", "2026-04-26T17:55:45Z"),
        ("2026-04-26T17:55:45Z", "2026-04-26T17:55:45Z"),
        ("2026-04-26T17:55:45.999Z", "2026-04-26T17:55:45Z"),
        ("2026-04-26 17:55", "2026-04-26T17:55:00Z"),
        (0, "1970-01-01T00:00:00Z"),
        ("", None),
        (None, None),
    ],
)
def test_moments_are_stored_in_utc(written, stored):
    assert utc_text(written) == stored
