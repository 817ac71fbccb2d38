"""Markdown of an entry becomes plain HTML and nothing else, whoever wrote it."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from bot.web import prose
from bot.web.public import create_public
from bot.web.shelf import Shelf
from kb.entry import Defensive, ExampleFix, When
from tests.bot.web import world
from tests.bot.web.test_public import Links

EVIL = "<script>alert(1)</script><img src=x onerror=alert(1)>[x](javascript:alert(1)) ![y](https://e.example/y.png)"


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("plain `Vec<T>` & more", "plain <code>Vec&lt;T&gt;</code> &amp; more"),
        ("*a* **b**", "<em>a</em> <strong>b</strong>"),
        ("two\nlines", "two lines"),
        ("", ""),
    ],
)
def test_a_line(text: str, html: str):
    assert str(prose.line(text)) == html


def test_paragraphs_and_lists_stay():
    html = str(prose.paragraphs("one\n\n1. a\n2. b"))
    assert re.sub(r"\s+", "", html) == "<p>one</p><ol><li>a</li><li>b</li></ol>"


def test_links_lead_out_over_https_only_and_give_nothing_away():
    assert str(prose.line("[a](https://x.example)")) == ('<a href="https://x.example" rel="noopener noreferrer">a</a>')
    for address in ("http://x.example", "javascript:alert(1)", "data:text/html,x", "//x.example", "/about"):
        assert "href" not in str(prose.line(f"[a]({address})"))


@pytest.mark.parametrize("render", [prose.line, prose.paragraphs])
def test_nothing_hostile_comes_alive(render):
    html = str(render(EVIL))
    assert re.findall(r"<(?!/?(?:p|a|code|em|strong)\b)[^>]*>", html) == []
    assert "javascript:" not in "".join(re.findall(r'href="([^"]*)"', html))


def test_a_hostile_entry_is_a_harmless_page(shelf: Shelf):
    """Everywhere that an entry's text is shown, in HTML and in attributes."""
    evil = replace(
        shelf.entries["KB-0001"],
        title=EVIL,
        summary=EVIL,
        message=EVIL + '"><script>',
        meaning=EVIL,
        background=EVIL,
        example_fix=ExampleFix("</code></pre>" + EVIL, EVIL),
        defensive=Defensive("avoid", EVIL, EVIL, EVIL, EVIL, EVIL, (EVIL,)),
        when=When(EVIL, (EVIL,)),
    )
    client = create_public(world.desk(world.with_entries(evil))).test_client()
    for address in ("/", "/errors", "/errors/KB-0001"):
        links = Links(client.get(address).text)
        assert links.inline == []
        outside = [a for a in links.addresses if not a.startswith(("/", "#", "https://github.com/"))]
        assert outside == []


def test_plain_text_has_code_between_backticks_alone():
    assert prose.codes("`mode` must be *one* of <b>, `a\nb`") == (
        "<code>mode</code> must be *one* of &lt;b&gt;, `a\nb`"
    )


def test_a_path_breaks_after_a_slash():
    assert prose.path("a/b<c") == "a/<wbr>b&lt;c"
