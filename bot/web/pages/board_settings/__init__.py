"""`/board/settings`: what each repository chose, what is wrong with it, the switch, and who changed what."""

from __future__ import annotations

from flask import abort, redirect
from flask.typing import ResponseReturnValue

from bot.configuration import SCHEMA_FILE, Configuration, from_json
from bot.store import audit, configurations
from bot.store.board import overview
from bot.store.configurations import StoredConfiguration
from bot.web.desk import Desk, show
from bot.web.page import MAINTAINER, Page
from bot.web.visitor import BoardRepo, Visitor

FILE = ".github/burn-triage.yml"


def view(desk: Desk, visitor: Visitor) -> ResponseReturnValue:
    """All repositories of the visitor, then the last changes."""
    assert desk.board is not None
    with desk.board.reader() as conn:
        stored = {one.repo_id: one for one in overview.chosen(conn, visitor.repo_ids)}
        changes = audit.newest(conn, visitor.repo_ids)
    rows = [(repo, stored.get(repo.repo_id), _usable(stored.get(repo.repo_id))) for repo in visitor.repos]
    return show(
        "board_settings", rows=rows, changes=changes, file=FILE, schema=SCHEMA_FILE, github=desk.board.github_url
    )


def _usable(stored: StoredConfiguration | None) -> Configuration | None:
    return from_json(stored.good) if stored and stored.good is not None else None


def switch_off(desk: Desk, visitor: Visitor, repo_id: int) -> ResponseReturnValue:
    """Off for the whole repository, whatever its file says; at once."""
    repo = _theirs(visitor, repo_id)
    assert desk.board is not None
    with desk.board.change(visitor, "switched off", repo_id, repo.full_name) as conn:
        configurations.switch_off(conn, repo_id, repo.full_name, by=visitor.login, now=desk.clock.now())
    return redirect(f"/board/settings#r{repo_id}", 303)


def switch_back(desk: Desk, visitor: Visitor, repo_id: int) -> ResponseReturnValue:
    """The file holds again."""
    repo = _theirs(visitor, repo_id)
    assert desk.board is not None
    with desk.board.change(visitor, "switched back", repo_id, repo.full_name) as conn:
        configurations.switch_back(conn, repo_id, now=desk.clock.now())
    return redirect(f"/board/settings#r{repo_id}", 303)


def _theirs(visitor: Visitor, repo_id: int) -> BoardRepo:
    return visitor.repo(repo_id) or abort(404)


PAGE = Page(
    "/board/settings",
    view,
    nav="Settings",
    order=9,
    who=MAINTAINER,
    actions={"/board/settings/<int:repo_id>/off": switch_off, "/board/settings/<int:repo_id>/back": switch_back},
)
