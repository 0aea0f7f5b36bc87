"""Our own GitHub for tests: a real HTTP server on loopback, REST and GraphQL, that misbehaves on order.

    with FakeGitHub(generate(120), max_page=20) as github:
        ...  # PyGithub with base_url=github.url, or github.enterprise_url

Everything in it is invented. Queries are checked with GitHub's own schema, which `oracle.py` gets.
"""

from fake_github.faults import Fault, sample_fault
from fake_github.generate import generate
from fake_github.samples import from_fixtures, load, query_text
from fake_github.server import FakeGitHub
from fake_github.switches import Switches
from fake_github.wire import Logged
from fake_github.world import World

__all__ = [
    "FakeGitHub",
    "Fault",
    "Logged",
    "Switches",
    "World",
    "from_fixtures",
    "generate",
    "load",
    "query_text",
    "sample_fault",
]
