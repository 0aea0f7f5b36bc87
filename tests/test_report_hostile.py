"""Text that wants to be more than text, in every format of the report: looked for in what a reader's program parses."""

import json
import re
from html.parser import HTMLParser
from io import BytesIO
from xml.etree import ElementTree

import openpyxl
import pytest
from factories import REPO, make_file, make_pull, save
from markdown_it import MarkdownIt

from analysis.window import iso_week
from dashboard import reads, refresh
from dashboard.config import Config
from dashboard.formats import BIDI_CONTROLS, WORD_JOINER
from dashboard.report import feed, html
from dashboard.report.document import document, with_claims
from dashboard.report.notify import message
from dashboard.report.parts import parts
from dashboard.report.xlsx import xlsx

TITLES = [
    "feat: <script>alert(1)</script><img src=x onerror=alert(1)>",
    "feat: ![x](https://evil.example/p.png) [click](javascript:alert(1)) <https://evil.example>",
    "fix: | a | pipe | `tick | in` ``two`` ~~gone~~ **bold** __x__ $e=mc^2$ $$x$$",
    "=cmd|'/C calc'!A0",
    "+1 -1 @everyone @team/leads ping #99 org/repo#7 GH-8 a@b.example https://evil.example www.evil.example",
    "# heading",
    "- [ ] task\n# second line\n\n> quote",
    "fix: a\u202eb\u2066c\u200fd \u0000 \u0007 \u001b[31m end",
    "feat: שלום עולם مرحبا 👨‍👩‍👧‍👦🏳️‍🌈 e\u0301",
    "feat: " + "long " * 12_000,
    "feat: \ue0000\ue000<b>\ue001 &amp; &#60;b&#62; &lt;i&gt; :smile: :red[x] :material/bolt:",
    "\\",
    "```",
    "<details><summary>open",
    "\ufffe\uffff\ud800 broken",
    "1. first",
    "{{ 7 * 7 }} {% raw %} ${x}",
]
OWN_TAGS = set(
    "html head meta title style body main h1 h2 h3 p a code ul ol li em strong section span figure figcaption svg g"
    " rect text line hr br div table thead tbody tr th td details summary blockquote footer".split()
)
PULL = re.compile(r"https://github\.com/acme/orbit/pull/\d+")


@pytest.fixture(scope="module")
def db(tmp_path_factory):
    path = tmp_path_factory.mktemp("hostile") / "cache.db"
    clean = [title.encode("utf-8", "replace").decode() for title in TITLES]
    names = ["a|b`c.py", "<b>.py", "=1+1.py", "x" * 300 + ".py", "@team/#5.py"]
    save(
        path,
        [
            make_pull(
                number, title, body=f"{title}\n\nIt is 12 % faster: {title}", files=[make_file(f"core/{name}", 400)]
            )
            for number, (title, name) in enumerate(zip(clean, names * 4, strict=False), 1)
        ]
        + [make_pull(99, "fix: the week after, so that the other is complete", "2026-03-16T12:00:00Z")],
    )
    refresh.derive(path, Config())
    return path


@pytest.fixture(scope="module", params=["en", "zh"])
def facts(db, request):
    return reads.report(
        db, reads.Selection(REPO, iso_week("2026-W10")), lang=request.param, config=Config().digest, version="0"
    )


class Page(HTMLParser):
    """The tags, addresses and text of a page."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.tags, self.attributes, self.links, self.words = set(), set(), [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.links += [value for name, value in attrs if name in ("href", "src")]

    def handle_data(self, data):
        self.words.append(data)


def tokens(markdown):
    """What GitHub would find, with addresses found in plain text too."""
    parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    for token in parser.parse(markdown):
        yield token
        yield from token.children or ()


def is_harmless(text):
    return not BIDI_CONTROLS.search(text) and not re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f]", text)


def test_markdown_holds_no_tag_picture_or_link_but_to_pull_requests(facts):
    made = document(facts, length="L")
    for text in (made.markdown, message(made), *parts(made, limit=9_000)):
        assert is_harmless(text)
        for token in tokens(text):
            assert token.type not in ("image", "s_open", "html_inline", "fence", "code_block"), token
            if token.type == "html_block":
                assert not set(re.findall(r"</?(\w+)", token.content)) - {"details", "summary"}, token.content
            if token.type == "link_open":
                assert PULL.fullmatch(token.attrs["href"]), token.attrs
            if token.type == "text":
                assert not re.search(r"(?<![\w/])@[\w-]", token.content), token.content
                assert not re.search(r"(?<!\w)(#|GH-)\d", token.content) or token.content.startswith("#"), token.content
                assert "://" not in token.content or WORD_JOINER in token.content
    headings = [token.tag for token in tokens(made.markdown) if token.type == "heading_open"]
    assert headings.count("h1") == 1
    assert headings.count("h2") == 6


def test_a_page_holds_only_tags_of_ours(facts):
    page = Page(html.page(document(facts, length="L", marked=True), facts))
    assert page.tags <= OWN_TAGS
    assert not {name for name in page.attributes if name.startswith("on")}
    assert all(PULL.fullmatch(link) for link in page.links)
    words = "".join(page.words)
    assert is_harmless(words)
    assert "\ue000" not in words and "\ue001" not in words
    assert "<script>alert(1)</script>" in words, "it stands there as text"


def test_cells_hold_no_formula_and_link_only_pull_requests(facts):
    book = openpyxl.load_workbook(BytesIO(xlsx(facts)))
    for sheet in book:
        for row in sheet.iter_rows():
            for cell in row:
                assert cell.data_type != "f", (sheet.title, cell.coordinate, cell.value)
                assert not cell.hyperlink or PULL.fullmatch(cell.hyperlink.target)
                assert not isinstance(cell.value, str) or is_harmless(cell.value)


def test_json_and_feed_parse_and_hold_it_as_text(facts, db):
    told = json.loads(json.dumps(with_claims(facts)))
    assert all(is_harmless(claim["text"]) for claim in told["claims"])
    made = feed.feed(db, REPO, lang=facts["lang"], config=Config(), version="0", site="http://localhost/")
    contents = [each.text for each in ElementTree.fromstring(made).iter(f"{{{feed.ATOM}}}content")]
    assert contents
    for content in contents:
        page = Page(content)
        assert page.tags <= OWN_TAGS
        assert all(PULL.fullmatch(link) for link in page.links)


def test_a_title_of_60_kb_is_cut_where_it_is_told(facts):
    assert len(document(facts, length="L").markdown) < 80_000
    assert all(len(claim["text"]) < 4_000 for claim in with_claims(facts)["claims"])


def test_it_becomes_a_pdf_too(facts):
    pytest.importorskip("weasyprint", reason="the extra `pdf` is not installed", exc_type=ImportError)
    from dashboard.report.pdf import pdf

    assert pdf(html.page(document(facts, length="L", marked=True), facts)).startswith(b"%PDF-")
