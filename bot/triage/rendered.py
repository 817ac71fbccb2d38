"""What GitHub would make of a comment of ours, and what in it is not ours. The last look before anything is written.

`safe` makes foreign text harmless; this module does not trust that it was used everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser

import cmarkgfm
from cmarkgfm.cmark import Options

from bot.triage.safe import is_unseen

ELEMENTS = frozenset(
    {
        "a", "blockquote", "br", "code", "del", "details", "em", "h1", "h2", "h3", "h4", "hr", "li", "ol", "p", "pre",
        "strong", "summary", "table", "tbody", "td", "th", "thead", "tr", "ul",
    }
)  # fmt: skip
"""What our own Markdown renders to. No image, no form, no raw HTML but the fold."""

ATTRIBUTES = frozenset(
    {("a", "href"), ("pre", "lang"), ("code", "class"), ("ol", "start"), ("th", "align"), ("td", "align")}
)

_EMOJI_PARTS = frozenset({"U+200D", "U+FE0F"})
"""Joiner and variation selector: an entry may hold an emoji; from reports they are taken out."""

_VOID = frozenset({"br", "hr"})
_CODE = "\ufffc"
_MENTION = re.compile(r"(?<![\w/.-])@[a-z0-9][\w/-]*", re.IGNORECASE)
_CLOSING = re.compile(
    r"\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)\b:?\s+(?:#|GH-|[\w.-]+/[\w.-]+#|https://github\.com/\S+/(?:issues|pull)/)\d",
    re.IGNORECASE,
)


def strangers(markdown: str, is_our_link: Callable[[str], bool] | None = None) -> tuple[str, ...]:
    """What stands in the rendered comment and may not: one short sentence each, () for a clean comment.

    `markdown` is the body without the marker. `is_our_link` tells whether an address is one that we wrote; without it
    only the scheme is looked at (https).
    """
    unseen = sorted({f"U+{ord(char):04X}" for char in markdown if is_unseen(char)} - _EMOJI_PARTS)
    if unseen:
        return (f"a control or invisible character: {', '.join(unseen)}",)
    page = _Page(is_our_link or (lambda href: href.startswith("https://")))
    page.feed(cmarkgfm.github_flavored_markdown_to_html(markdown, options=Options.CMARK_OPT_UNSAFE))
    page.close()
    return page.found()


class _Page(HTMLParser):
    def __init__(self, is_our_link: Callable[[str], bool]) -> None:
        super().__init__(convert_charrefs=True)
        self._is_our_link = is_our_link
        self._open: list[str] = []
        self._problems: list[str] = []
        self._prose: list[str] = []

    def found(self) -> tuple[str, ...]:
        prose = "".join(self._prose)
        self._problems += [f"a mention: {match[0]}" for match in _MENTION.finditer(prose)]
        self._problems += [f"a closing keyword: {match[0]}" for match in _CLOSING.finditer(prose)]
        self._problems += [f"an element left open: {tag}" for tag in self._open]
        return tuple(self._problems)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ELEMENTS:
            self._problems.append(f"an element: {tag}")
        self._problems += [f"an attribute: {tag} {name}" for name, _ in attrs if (tag, name) not in ATTRIBUTES]
        href = dict(attrs).get("href")
        if tag == "a" and not self._is_our_link(href or ""):
            self._problems.append(f"a link: {href}")
        if tag not in _VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._open and self._open[-1] == tag:
            self._open.pop()
        elif tag not in _VOID:
            self._problems.append(f"an element closed that was not open: {tag}")

    def handle_data(self, data: str) -> None:
        self._prose.append(_CODE if "code" in self._open else data)

    def handle_comment(self, data: str) -> None:
        self._problems.append(f"an HTML comment: {data.strip()[:40]}")

    def handle_decl(self, decl: str) -> None:
        self._problems.append(f"a declaration: {decl[:40]}")

    def handle_pi(self, data: str) -> None:
        self._problems.append(f"a processing instruction: {data[:40]}")

    def unknown_decl(self, data: str) -> None:
        self._problems.append(f"a declaration: {data[:40]}")
