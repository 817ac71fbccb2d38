"""`/board/settings`: what each repository chose, what is wrong with it, the switch, and who changed what."""

from __future__ import annotations

from collections import Counter

from flask import abort, redirect, request
from flask.typing import ResponseReturnValue

from bot.configuration import SCHEMA_FILE, Configuration, from_json
from bot.store import audit, configurations
from bot.store.board import overview
from bot.store.configurations import StoredConfiguration
from bot.triage.policy import Mode
from bot.web.desk import Desk, show
from bot.web.page import MAINTAINER, Page
from bot.web.visitor import BoardRepo, Visitor

FILE = ".github/burn-triage.yml"
FILE_AGAIN = "file"
SWITCHES = {
    str(Mode.ON): "switched on",
    str(Mode.SHADOW): "switched to shadow",
    str(Mode.OFF): "switched off",
    FILE_AGAIN: "switched back to the file",
}
"""What a maintainer can choose, and how the audit log calls it."""


def view(desk: Desk, visitor: Visitor, problem: str = "") -> ResponseReturnValue:
    """All repositories of the visitor, then the last changes."""
    assert desk.board is not None
    with desk.board.reader() as conn:
        stored = {one.repo_id: one for one in overview.chosen(conn, visitor.repo_ids)}
        changes = audit.newest(conn, visitor.repo_ids)
    rows = [(repo, stored.get(repo.repo_id), _usable(stored.get(repo.repo_id))) for repo in visitor.repos]
    modes = Counter(choice.in_force if choice else "unknown" for _, choice, _ in rows)
    return show(
        "board_settings",
        rows=rows,
        modes={name: modes[name] for name in ("on", "shadow", "off", "unknown")},
        faulty=[repo for repo, choice, _ in rows if choice and choice.error],
        changes=changes,
        file=FILE,
        schema=SCHEMA_FILE,
        github=desk.board.github_url,
        problem=problem,
    )


def _usable(stored: StoredConfiguration | None) -> Configuration | None:
    return from_json(stored.good) if stored and stored.good is not None else None


def switch(desk: Desk, visitor: Visitor, repo_id: int) -> ResponseReturnValue:
    """on, shadow or off for the whole repository whatever its file says, or the file again; at once."""
    repo, wanted = _theirs(visitor, repo_id), request.form.get("mode", "")
    assert desk.board is not None
    if wanted not in SWITCHES:
        return view(desk, visitor, problem=f"“{wanted[:40]}” is no mode: choose one of them."), 422  # type: ignore[return-value]  # a page's text
    with desk.board.change(visitor, SWITCHES[wanted], repo_id, repo.full_name) as conn:
        if wanted == FILE_AGAIN:
            configurations.switch_back(conn, repo_id, now=desk.clock.now())
        else:
            now = desk.clock.now()
            configurations.switch(conn, repo_id, repo.full_name, Mode(wanted), by=visitor.login, now=now)
    return redirect(f"/board/settings#r{repo_id}", 303)


def _theirs(visitor: Visitor, repo_id: int) -> BoardRepo:
    return visitor.repo(repo_id) or abort(404)


PAGE = Page(
    "/board/settings",
    view,
    nav="Settings",
    order=9,
    who=MAINTAINER,
    actions={"/board/settings/<int:repo_id>/switch": switch},
)
