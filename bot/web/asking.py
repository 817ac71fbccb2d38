"""What a visitor asks for, read from the present request."""

from __future__ import annotations

import re
from dataclasses import dataclass

from flask import request

from bot.web.answer import VERSION
from bot.web.desk import Desk
from bot.web.search import LONGEST_QUERY, PER_PAGE, Doc, Query, Results
from bot.web.shelf import HOME_REPO, Shelf

_LOG = re.compile(r"panicked at|stack backtrace|RUST_BACKTRACE|\n.*\n")
_PAGE = re.compile(r"[0-9]{1,6}")
_VERSION = re.compile(VERSION)


@dataclass(frozen=True, slots=True)
class Asked:
    """A search as asked, with what is to be said about it."""

    query: Query
    version: str
    page: int
    problem: str
    """What cannot be answered as asked; "" where all is well."""

    @property
    def looks_like_log(self) -> bool:
        """Whether the words are rather a log to be explained."""
        return bool(_LOG.search(self.query.text))


@dataclass(frozen=True, slots=True)
class Found:
    """One page of results."""

    docs: tuple[Doc, ...]
    total: int
    explained: int
    """How many of all have an entry."""
    loose: bool
    instead: str
    """The words that were looked for in place of mistyped ones, "" where none was."""
    page: int
    pages: int


def asked(shelf: Shelf) -> Asked:
    """The query of the present request. An unknown version or value is a problem in words and finds nothing."""
    args = request.args
    text = args.get("q", "").strip()[:LONGEST_QUERY]
    repo, version = args.get("repo", ""), args.get("version", "").strip()
    orders = shelf.orders_at(repo or HOME_REPO, version) if version else None
    problem = ""
    if version and orders is None:
        problem = f"{repo or HOME_REPO} has no indexed release “{version[:40]}”."
        orders = {}
    query = Query(
        text=text,
        repo=repo,
        crate=args.get("crate", ""),
        kind=args.get("kind", ""),
        severity=args.get("severity", ""),
        orders=orders,
        explained=args.get("show") == "entries",
    )
    return Asked(query, version, int(page[0]) if (page := _PAGE.fullmatch(args.get("page", ""))) else 1, problem)


def per_page(desk: Desk) -> int:
    """Results on a page; on the one page of a site of files, where nothing answers, all of them."""
    return len(desk.shelf().docs) if desk.static else PER_PAGE


def find(shelf: Shelf, question: Asked, at_once: int = PER_PAGE) -> Found:
    """The page of results asked for. Nothing asked for: the entries, without the thousands of bare sites."""
    query = question.query
    if not query.narrowed and request.args.get("show") != "all":
        results = Results([doc for doc in shelf.docs if doc.explained])
    else:
        results = shelf.search(query)
    total = len(results.docs)
    pages = max(1, -(-total // at_once))
    page = max(1, min(question.page, pages))
    shown = tuple(results.docs[(page - 1) * at_once : page * at_once])
    return Found(shown, total, sum(doc.explained for doc in results.docs), results.loose, results.instead, page, pages)


def stated_version(text: str) -> str:
    """A version that a visitor typed beside a log, "" for anything that is none."""
    return text.strip() if _VERSION.fullmatch(text.strip()) else ""
