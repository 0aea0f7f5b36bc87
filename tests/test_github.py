"""Asking GitHub: whose address, in whose name, and what its answers mean."""

import http.server
import json
import logging
import os
import ssl
import stat
import threading
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import oracle
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509.oid import NameOID
from fake_github import FakeGitHub, Fault, generate
from fake_github.samples import error_sample, load
from graphql import build_client_schema, parse, validate
from sync_cases import QUICK, TOKEN, github

from data import answers, graphql_text
from data.endpoint import Endpoint, endpoint
from data.errors import GitHubError, LimitReached, Refused, Unavailable
from data.github import GitHub
from data.tokens import App, Token, credentials

REPO = "quayside-example/lanternfish"


@pytest.fixture
def fake():
    oracle.required_schema()
    with FakeGitHub(generate(4, biggest=0)) as github:
        yield github


# Addresses


@pytest.mark.parametrize(
    ("written", "host", "api"),
    [
        (None, "github.com", "https://api.github.com"),
        ("", "github.com", "https://api.github.com"),
        ("github.com", "github.com", "https://api.github.com"),
        ("https://github.com/", "github.com", "https://api.github.com"),
        ("https://www.github.com", "github.com", "https://api.github.com"),
        ("api.github.com", "github.com", "https://api.github.com"),
        ("https://API.GitHub.com/", "github.com", "https://api.github.com"),
        ("ghe.example.com", "ghe.example.com", "https://ghe.example.com/api/v3"),
        ("https://ghe.example.com/", "ghe.example.com", "https://ghe.example.com/api/v3"),
        ("https://GHE.example.com/api/v3", "ghe.example.com", "https://ghe.example.com/api/v3"),
        ("https://ghe.example.com/api/v3/", "ghe.example.com", "https://ghe.example.com/api/v3"),
        ("ghe.example.com/api/v3/", "ghe.example.com", "https://ghe.example.com/api/v3"),
        ("https://ghe.example.com/api/graphql", "ghe.example.com", "https://ghe.example.com/api/v3"),
        ("http://ghe.example.com:8080", "ghe.example.com:8080", "http://ghe.example.com:8080/api/v3"),
        ("api.sub.ghe.com", "sub.ghe.com", "https://api.sub.ghe.com"),
        ("https://sub.ghe.com/", "sub.ghe.com", "https://api.sub.ghe.com"),
        ("http://127.0.0.1:8080", "127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("http://127.0.0.1:8080/api/v3/", "127.0.0.1:8080", "http://127.0.0.1:8080/api/v3"),
        ("http://localhost:8080/", "localhost:8080", "http://localhost:8080"),
    ],
)
def test_any_spelling_of_a_host_leads_to_its_api(written, host, api):
    assert endpoint(written) == Endpoint(host, api)


@pytest.mark.parametrize(
    "written",
    ["ftp://ghe.example.com", "https://", "ghe.example.com/some/page", "a host", "ghe:port", "https://u:hush@x.y"],
)
def test_what_is_no_host_gets_one_sentence_without_a_password(written):
    with pytest.raises(Refused) as raised:
        endpoint(written)
    assert "hush" not in str(raised.value)
    assert "\n" not in str(raised.value)


# Tokens


@pytest.mark.parametrize(
    ("environment", "host", "found"),
    [
        ({"GITHUB_TOKEN": "one", "GH_TOKEN": "two"}, "github.com", "GITHUB_TOKEN"),
        ({"GH_TOKEN": "two"}, "github.com", "GH_TOKEN"),
        ({"GITHUB_TOKEN": " ", "GH_TOKEN": "two\n"}, "github.com", "GH_TOKEN"),
        ({"GITHUB_TOKEN": "one", "GH_ENTERPRISE_TOKEN": "three"}, "ghe.example.com", "GH_ENTERPRISE_TOKEN"),
        ({"GITHUB_TOKEN": "one", "GH_ENTERPRISE_TOKEN": "three"}, "github.com", "GITHUB_TOKEN"),
    ],
)
def test_the_token_comes_from_the_environment(environment, host, found):
    token = credentials(host, environment)
    assert token.found == found
    assert token.text == environment[found].strip()


def test_the_token_comes_from_gh_for_that_host(tmp_path):
    program = tmp_path / "gh"
    program.write_text('#!/bin/sh\n[ "$*" = "auth token --hostname ghe.example.com" ] && echo gho_fromgh\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    environment = {"PATH": f"{tmp_path}{os.pathsep}/bin{os.pathsep}/usr/bin"}
    assert credentials("ghe.example.com", environment) == Token("gho_fromgh", "gh auth token")
    with pytest.raises(Refused, match=r"no token for github\.com\. Set GITHUB_TOKEN"):
        credentials("github.com", environment)


@pytest.mark.parametrize("text", ["two words", "new\nline", "ümlaut"])
def test_what_cannot_be_a_token_is_refused_without_being_shown(text):
    with pytest.raises(Refused, match="What GITHUB_TOKEN holds is no token") as raised:
        credentials("github.com", {"GITHUB_TOKEN": text})
    assert text not in str(raised.value)


@pytest.fixture
def app_key(tmp_path):
    return make_key(tmp_path / "key.pem")


def make_key(file):
    """A new private key in the file, and its public one."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    file.write_bytes(pem(key))
    public = key.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    return file, public.decode()


def pem(key):
    """A private key as GitHub hands it out."""
    form = serialization.PrivateFormat.TraditionalOpenSSL
    return key.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption())


def test_an_app_is_found_in_the_environment(app_key):
    file, _ = app_key
    environment = {"MERGE_WINDOW_APP_ID": "77", "MERGE_WINDOW_APP_KEY": str(file), "GITHUB_TOKEN": "one"}
    assert credentials("github.com", environment) == App("77", file.read_text(), None)
    assert "PRIVATE" not in repr(credentials("github.com", environment))


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({}, "MERGE_WINDOW_APP_KEY is not"),
        ({"MERGE_WINDOW_APP_KEY": "/nowhere/key.pem"}, r"can't be read: No such file"),
        ({"MERGE_WINDOW_APP_KEY": __file__.replace("test_github", "conftest")}, "is no private key"),
        ({"MERGE_WINDOW_APP_KEY": "x", "MERGE_WINDOW_APP_INSTALLATION": "many"}, "must be the number"),
    ],
)
def test_half_an_app_gets_one_sentence(more, sentence):
    with pytest.raises(Refused, match=sentence):
        credentials("github.com", {"MERGE_WINDOW_APP_ID": "77"} | more)


def test_an_app_gets_its_tokens_by_itself_and_renews_them(fake, app_key, monkeypatch):
    file, fake.app_public_key = app_key
    client = GitHub(endpoint(fake.url), REPO, App("77", file.read_text()), QUICK)
    client.get(f"/repos/{REPO}")
    monkeypatch.setattr(
        "github.Auth.TOKEN_REFRESH_THRESHOLD_TIMEDELTA", timedelta(hours=2)
    )  # an hour's token is never enough
    client.get(f"/repos/{REPO}")
    assert len(fake.requests("POST .*/access_tokens")) == 2
    used = [entry.headers["authorization"].split()[-1] for entry in fake.requests(f"GET /repos/{REPO}$")]
    assert len(set(used)) == 2


def test_an_app_with_a_wrong_key_is_one_sentence(fake, app_key, tmp_path):
    file, _ = app_key
    _, fake.app_public_key = make_key(tmp_path / "other.pem")
    with pytest.raises(Refused, match="does not accept the token"):
        GitHub(endpoint(fake.url), REPO, App("77", file.read_text()), QUICK)
    damaged = "-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n"
    with pytest.raises(Refused, match="private key is damaged"):
        GitHub(endpoint(fake.url), REPO, App("77", damaged), QUICK)


# Where a token may not go


def test_a_token_reaches_no_log_and_no_error(fake, app_key, caplog):
    caplog.set_level(logging.DEBUG)
    caplog.set_level(logging.DEBUG, logger="github")  # which PyGithub keeps quiet unless asked
    file, fake.app_public_key = app_key
    clients = [github(fake), GitHub(endpoint(fake.url), REPO, App("77", file.read_text()), QUICK)]
    fake.add_fault("repo_blocked", "GET .*/pulls/1")
    fake.add_fault(Fault("GET .*/pulls/2", times=100, drop=True))
    said = ""
    for client in clients:
        client.get(f"/repos/{REPO}")
        for number in (1, 2):
            try:
                client.get(f"/repos/{REPO}/pulls/{number}")
            except GitHubError as error:
                said += f"{error} {error!r} {error.__cause__!r} {error.__context__!r}"
        said += repr(client)
    assert "/pulls/1" in caplog.text, "PyGithub logged nothing: this test would not see a token"
    assert any("access_tokens" in each.getMessage() for each in caplog.records if each.name == "github.Requester")
    for secret in (TOKEN, "ghs_invented", "PRIVATE KEY", file.read_text()[100:150]):
        assert secret not in caplog.text + said


# Queries


def schema():
    path = oracle.required_schema()
    return build_client_schema(json.loads(path.read_text(encoding="utf-8")), assume_valid=True)


@pytest.mark.parametrize("name", graphql_text.names())
def test_every_query_is_valid_by_githubs_own_schema(name):
    assert [error.message for error in validate(schema(), parse(graphql_text.query(name)))] == []


NODE = ["query Bulk", "repository", "... on Repository", "pullRequests", "nodes"]


@pytest.mark.parametrize(
    ("path", "gone"),
    [
        ([*NODE, "reviewDecision"], "reviewDecision"),
        (["query", "repository", "pullRequests", "nodes", "reviewDecision"], "reviewDecision"),
        ([*NODE, "closingIssuesReferences"], "closingIssuesReferences"),
        (
            [*NODE, "timelineItems", "nodes", "... on ReviewRequestedEvent", "requestedReviewer", "... on Mannequin"],
            "Mannequin",
        ),
        ([*NODE, "author", "... on User", "name"], None),
        ([*NODE, "mergeCommit", "oid"], "mergeCommit"),
        (["query Bulk", "rateLimit"], "rateLimit"),
        (NODE[:-1], "$after"),  # with the variables that it alone used
    ],
)
def test_a_query_without_a_field_is_valid_still(path, gone):
    text = graphql_text.without(graphql_text.query("bulk"), path)
    assert [error.message for error in validate(schema(), parse(text))] == []
    assert gone is None or gone not in text
    assert len(text) < len(graphql_text.query("bulk"))


def test_a_field_that_is_not_asked_for_cannot_be_dropped():
    with pytest.raises(Refused, match="refuses the field"):
        graphql_text.without(graphql_text.query("bulk"), [*NODE, "fullDatabaseId"])


# What answers mean


WANTED = {
    "rate_limited_primary": answers.Limited,
    "rate_limited_primary_variant": answers.Limited,
    "secondary_403_retry_after": answers.Limited,
    "secondary_200": answers.Limited,
    "not_found": Refused,
    "forbidden_partial": None,
    "field_unavailable_partial": None,
    "resource_limits": answers.TooHeavy,
    "node_limit": answers.TooHeavy,
    "timeout_502_json": answers.TooHeavy,
    "timeout_502_html": answers.TooHeavy,
    "undefined_field_ghes": answers.Absent,
    "bad_token": Refused,
    "primary_limit": answers.Limited,
    "secondary_limit_retry_after": answers.Limited,
    "secondary_limit_429": answers.Limited,
    "secondary_limit_429_no_header": answers.Limited,
    "token_lacks_permission": Refused,
    "sso_required": Refused,
    "repo_missing_or_hidden": Refused,
    "repo_renamed": None,  # PyGithub follows it
    "repo_blocked": Refused,
    "search_past_1000": Refused,
    "bad_gateway": answers.Transient,
}


def meaning(name):
    """What comes of a sample: the failure, or what is partly missing."""
    sample = error_sample(name)
    text = sample.get("body_text") or json.dumps(sample.get("body"))
    answer = answers.read(sample["status"], sample["headers"], text)
    try:
        if sample["is_graphql"]:
            return answers.check_graphql(answer, what="harbor-example/none", host="github.com")
        return answers.check_rest(answer, what="harbor-example/none", host="github.com")
    except (answers.Failure, GitHubError) as failure:
        return failure


def test_every_sample_of_a_failure_is_judged():
    assert WANTED.keys() == {s["name"] for file in ("graphql_errors.json", "rest_errors.json") for s in load(file)}


@pytest.mark.parametrize("name", WANTED)
def test_a_failure_is_of_the_kind_that_says_what_helps(name):
    found = meaning(name)
    if WANTED[name] is None:
        assert not isinstance(found, Exception)
    else:
        assert isinstance(found, WANTED[name])
        assert str(found)


def test_limits_say_how_long():
    assert meaning("secondary_403_retry_after").seconds == 60
    assert meaning("secondary_limit_429").seconds == 1
    assert meaning("secondary_limit_429_no_header").seconds is meaning("secondary_limit_429_no_header").until is None


def test_partial_answers_keep_their_data_and_name_what_is_missing():
    data, partial = meaning("forbidden_partial")
    assert data["repository"]["pullRequests"]["nodes"][0]["number"] == 102
    assert "requestedReviewer" in partial.notes[0] and "Members: read" in partial.notes[0]
    data, partial = meaning("field_unavailable_partial")
    assert "files" in partial.notes[0]
    assert partial.paths == [["repository", "pullRequests", "nodes", 0, "files"]]


# Patience


def test_a_failure_that_passes_is_asked_again_after_pauses_that_double(fake):
    pauses = []
    client = github(fake, sleep=pauses.append)
    fake.add_fault("bad_gateway", "GET", times=3)
    assert client.get(f"/repos/{REPO}").body["full_name"] == REPO
    assert pauses == [0.01, 0.02, 0.04]


def test_a_failure_that_stays_ends_with_one_sentence(fake):
    fake.add_fault("bad_gateway", "GET", times=100)
    with pytest.raises(Unavailable, match=r"answered with HTTP 502.*, 6 times in a row\."):
        github(fake, sleep=lambda seconds: None).get(f"/repos/{REPO}")
    assert len(fake.log) == 6


def test_nobody_listening_is_one_sentence():
    client = GitHub(endpoint("http://127.0.0.1:9"), REPO, Token(TOKEN, "a test"), QUICK, sleep=lambda seconds: None)
    with pytest.raises(Unavailable, match="could not be reached"):
        client.get("/user")


def test_a_limit_in_the_past_is_waited_for_a_second(fake):
    waits = []
    client = github(fake, sleep=waits.append)
    body = {"message": "API rate limit exceeded for user ID 1."}
    headers = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1000"}
    fake.add_fault(Fault("GET", status=403, headers=headers, body=body))
    client.get(f"/repos/{REPO}")
    assert waits == [1.0]


def test_a_retry_after_beyond_the_bound_is_not_waited_for(fake):
    waits = []
    client = github(fake, sleep=waits.append)
    fake.add_fault(Fault("GET", status=403, headers={"Retry-After": "7200"}, body={"message": "secondary rate limit"}))
    with pytest.raises(LimitReached, match=r"secondary rate limit holds until \d\d:\d\d UTC"):
        client.get(f"/repos/{REPO}")
    assert waits == []


def test_limits_one_after_the_other_come_to_an_end(fake):
    client = github(fake, sleep=lambda seconds: None)
    fake.add_fault("secondary_limit_429_no_header", "GET", times=100)
    with pytest.raises(LimitReached):
        client.get(f"/repos/{REPO}")
    assert len(fake.log) == 1 + QUICK.most_limits


def test_an_untrusted_certificate_is_told_with_what_to_do(tmp_path, monkeypatch):
    with tls_server(tmp_path) as address:
        client = GitHub(endpoint(address), REPO, Token(TOKEN, "a test"), QUICK, sleep=lambda seconds: None)
        with pytest.raises(Refused, match=r"certificate of .* is not trusted here.*MERGE_WINDOW_CA_BUNDLE"):
            client.get("/user")
        monkeypatch.setenv("MERGE_WINDOW_CA_BUNDLE", str(tmp_path / "cert.pem"))
        client = GitHub(endpoint(address), REPO, Token(TOKEN, "a test"), QUICK, sleep=lambda seconds: None)
        assert client.get("/user").body == {"login": "ada-example"}
        monkeypatch.setenv("MERGE_WINDOW_CA_BUNDLE", str(tmp_path / "nothing.pem"))
        with pytest.raises(Refused, match="names no file"):
            GitHub(endpoint(address), REPO, Token(TOKEN, "a test"), QUICK).get("/user")


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = b'{"login": "ada-example"}'
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@contextmanager
def tls_server(folder):
    """A server whose certificate nobody has signed but itself; it is left in the folder."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(datetime.now(UTC) - timedelta(days=1))
        .not_valid_after(datetime.now(UTC) + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    (folder / "key.pem").write_bytes(pem(key))
    (folder / "cert.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "cert.pem", folder / "key.pem")
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"https://localhost:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
