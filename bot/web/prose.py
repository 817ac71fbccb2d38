"""Markdown of our own entries and answers to HTML that is safe to show. Pure."""

from __future__ import annotations

import re
from functools import lru_cache

import cmarkgfm
import nh3
from cmarkgfm.cmark import Options
from markupsafe import Markup, escape

from bot.triage.rendered import ATTRIBUTES, ELEMENTS

_CODE = re.compile(r"`([^`\n]+)`")
_INLINE = {"a", "code", "em", "strong", "br"}
_BLOCKS = _INLINE | {"p", "ul", "ol", "li", "pre", "blockquote"}


@lru_cache(4096)
def paragraphs(text: str) -> Markup:
    """The text as block elements: paragraphs, lists, code. Raw HTML in it is shown as nothing, never as HTML."""
    return Markup(_clean(text, _BLOCKS))


@lru_cache(4096)
def line(text: str) -> Markup:
    """The text as inline elements, for a heading or a list item."""
    return Markup(" ".join(_clean(text, _INLINE).split()))


def comment(text: str) -> Markup:
    """A comment of ours as GitHub shows it, folds included; whatever else is in it is taken out."""
    html = cmarkgfm.github_flavored_markdown_to_html(text, options=Options.CMARK_OPT_UNSAFE)
    # What is allowed everywhere unless it is said otherwise: `lang` and `title`.
    allowed: dict[str, set[str]] = {"*": set()}
    for tag, name in ATTRIBUTES - {("pre", "lang")}:  # which names no language that people speak
        allowed.setdefault(tag, set()).add(name)
    return Markup(
        nh3.clean(
            html,
            tags=set(ELEMENTS),
            attributes=allowed,
            url_schemes={"https"},
            url_relative="deny",
            link_rel="noopener noreferrer",
        ).strip()
    )


def codes(text: str) -> Markup:
    """Plain text in which only what stands between backticks is code."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text))))


def path(text: str) -> Markup:
    """A path that may be broken after a slash, not within a word."""
    return Markup(str(escape(text)).replace("/", "/<wbr>"))


def _clean(text: str, tags: set[str]) -> str:
    html = cmarkgfm.github_flavored_markdown_to_html(text)
    return nh3.clean(
        html,
        tags=tags,
        attributes={"a": {"href"}},
        url_schemes={"https"},
        url_relative="deny",
        link_rel="noopener noreferrer",
    ).strip()
