"""Texts that try to be code stay texts: the page holds no element, attribute or address but the program's own."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopviz.report.export import Export
from loopviz.report.index import entry, make_index
from loopviz.report.markup import element, readable, script_data
from loopviz.report.names import file_name
from tests.report.planting import Planter
from tests.report.recorded import DAY, FORMS, read, report

HOSTILE = {
    "a script": "</script><script>alert(1)</script>",
    "an element that runs": '"><img src=x onerror=alert(1)>',
    "the end of an attribute": "' onclick='alert(1)' \" autofocus onfocus=\"alert(1)",
    "a comment": "<!-- --><!--<script>",
    "the end of a text block": "</pre></td></style></title><base href=//evil.example>",
    "an address": "javascript:alert(1)",
    "separators": "a\u2028b\u2029c\x00d\x1b[2Je\x08",
    "a turn of direction": "\u202eexe.txt\u2066\u2069",
    "half a character": "\ud800 and \udfff",
    "entities": "&lt;script&gt; &amp;#x3c;",
    "a template": "${alert(1)} {{alert(1)}} `",
}
TAGS = set(
    "html head meta title style body main header footer section article details summary div span p h1 h2 b a bdi code "
    "pre dl dt dd ol ul li table thead tbody tr th td svg path script".split()
)
ATTRIBUTES = set(
    "lang charset http-equiv name content class id href hidden open type scope data-part data-same viewbox aria-hidden "
    "d fill stroke stroke-width".split()
)


class Page(HTMLParser):
    """What a browser would make of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.addresses: set[str] = set()
        self.scripts: list[str] = []
        self.comments: list[str] = []
        self._in_script = False
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.addresses |= {value or "" for name, value in attrs if name == "href"}
        self._in_script = tag == "script"

    def handle_data(self, data: str) -> None:
        if self._in_script:
            self.scripts.append(data)

    def handle_endtag(self, tag: str) -> None:
        self._in_script = False

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("redact", [pytest.param(False, id="as it is"), pytest.param(True, id="redacted")])
def test_nothing_in_a_run_becomes_code(text: str, redact: bool) -> None:
    document = Planter(lambda before: f"{before}{text}").plant(FORMS["a trial"]())
    export = Export(date=DAY, redact=redact, note=text)
    made = report(document, export, index="index.html")
    (run,) = read(document)
    name = file_name(run, export)
    for html in (made.html, make_index([entry(made.document, name)], [(text, text)], export)):
        page = Page(html)
        assert page.tags <= TAGS
        assert page.attributes <= ATTRIBUTES
        assert all(re.fullmatch(r"#call-\d+|[a-z0-9-]+\.html", address) for address in page.addresses)
        assert not page.comments
        html.encode("utf-8")
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f\u2028\u2029\u202a-\u202e\u2066-\u2069]", html)
    picture, code = Page(made.html).scripts
    assert json.loads(picture)["n_calls"] == 9
    assert "alert(1)" not in code
    assert re.fullmatch(r"[a-z0-9-]+\.html", name)


def test_the_page_may_fetch_nothing_and_run_only_its_own() -> None:
    html = report(FORMS["a trial"]()).html
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', html)
    assert policy.startswith("default-src &#x27;none&#x27;; script-src &#x27;sha256-")
    assert "unsafe" not in policy
    assert policy.endswith("base-uri &#x27;none&#x27;; form-action &#x27;none&#x27;")
    assert html.index("Content-Security-Policy") < html.index("<style") < html.index("<script")
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", html)


@given(st.text())
def test_a_text_comes_back_as_it_was_put_in(text: str) -> None:
    class Reader(HTMLParser):
        said = ""

        def handle_data(self, data: str) -> None:
            self.said += data

    reader = Reader()
    reader.feed(element("p", text))
    reader.close()
    assert reader.said == readable(text)


@given(st.recursive(st.text() | st.integers(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_data_in_a_script_cannot_end_it(value: object) -> None:
    written = script_data(value)
    assert json.loads(written) == value
    assert not set("<>&\u2028\u2029") & set(written) and written.isascii()


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "//evil.example", "http://a.example/b.html", "../up.html", "a b"]
)
def test_no_address_leads_away(address: str) -> None:
    with pytest.raises(ValueError, match="no place on this page"):
        element("a", "there", href=address)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("a\u200bb\ufeffc\u2060d\u00ade", r"a\u200bb\ufeffc\u2060d\xade", id="nothing at all to see"),
        pytest.param("a\u200e\u200f\u061c\U000e0041", r"a\u200e\u200f\u061c\U000e0041", id="marks of direction, tags"),
        pytest.param("a\ufe0fb\u200dc\u2060\ufe0f", r"a\ufe0fb\u200dc\u2060\ufe0f", id="signs that join nothing"),
        pytest.param("\u26a0\ufe0f 1\ufe0f\u20e3", "\u26a0\ufe0f 1\ufe0f\u20e3", id="signs that colour a picture"),
        pytest.param("\U0001f468\u200d\U0001f467", "\U0001f468\u200d\U0001f467", id="pictures that are joined"),
        pytest.param("\u0645\u06cc\u200c\u062e", "\u0645\u06cc\u200c\u062e", id="letters that are kept apart"),
    ],
)
def test_signs_that_nobody_sees_are_spelled_out(text: str, shown: str) -> None:
    assert readable(text) == shown
    assert readable(shown) == shown


def test_a_note_keeps_its_lines() -> None:
    html = report(FORMS["a trial"](), replace(Export(date=DAY), note="Look <here>\nand there")).html
    assert '<p class="note">Look &lt;here&gt;\nand there</p>' in html
