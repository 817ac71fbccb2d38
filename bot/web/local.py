"""The dashboard without a login, for this machine alone."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from urllib.parse import urlsplit

from flask import Request
from sqlalchemy import Engine
from werkzeug.exceptions import Forbidden

from bot.loopback import is_loopback
from bot.store.installations import repositories_known
from bot.web.board import Passage
from bot.web.visitor import BoardRepo, Visitor

LOGIN = "local"
FORWARDED = ("Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-Ip")
"""Headers of a proxy: behind one, everybody comes from loopback."""


@dataclass(frozen=True)
class LocalDoor:
    """Lets in whoever sits at this machine; see `bot.web.board.Door`."""

    engine: Engine
    cookie: str = "burn-triage-local"
    secure: bool = False

    def admit(self, request: Request, *, fresh: bool) -> Passage:
        """All repositories, with every right. Forbidden for a request that came from elsewhere."""
        if not self._from_here(request):
            raise Forbidden(
                "The dashboard is in local mode: it answers only on this machine, at http://127.0.0.1 or "
                "http://localhost, and not through a proxy."
            )
        with self.engine.connect() as conn:
            found = repositories_known(conn)
        visitor = Visitor(LOGIN, tuple(BoardRepo(repo_id, repo, "admin") for repo_id, repo in found), local=True)
        known = request.cookies.get(self.cookie, "")
        secret = known or secrets.token_urlsafe(32)
        return Passage(visitor, secret, "" if known else secret)

    def origin(self, request: Request) -> str:
        """As the browser asked for it; `admit` let no foreign name in."""
        return f"http://{request.host}"

    def _from_here(self, request: Request) -> bool:
        # The name that was asked for, not only the peer: a page elsewhere can let its own name resolve to 127.0.0.1.
        host = urlsplit(f"//{request.host}").hostname or ""
        forwarded = any(name in request.headers for name in FORWARDED)
        return is_loopback(request.remote_addr or "") and is_loopback(host) and not forwarded
