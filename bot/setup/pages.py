"""The set-up pages. Whoever is not admitted gets the same answer at every address, at any time."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from flask import Flask, Response, make_response, redirect, render_template, request
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response as AnyResponse

from bot.errors import PermanentError, TransientError, TriageError
from bot.github.registration import Registered
from bot.setup.gate import LIFETIME, Gate
from bot.setup.manifest import manifest, packaged
from bot.web.guard import CSP, secure
from bot.web.public import static_files

log = logging.getLogger(__name__)

PLACE = "/setup"
BACK = "/setup/return"
STYLES = ("pico-2.1.1.min.css", "site.css")
COOKIE = "burn_triage_setup"
NOTHING = "404 Not Found\n"


@dataclass
class SetUp:
    """One set-up under way."""

    gate: Gate
    server_url: str
    """Where GitHub reaches the server that will run."""
    github_url: str
    register: Callable[[str], Registered]
    """From GitHub's code to an App whose keys are kept."""
    exists: Callable[[], bool]
    """Are there credentials by now?"""
    organisation: str = ""
    name: str | None = None
    public: bool = False
    local_host: str = ""
    """`host:port` on which these pages are served themselves: whoever opened them there comes back there."""
    made: Registered | None = None
    on_made: Callable[[], None] = field(default=lambda: None)
    """Told once the last page is sent."""

    def form_action(self, state: str) -> str:
        """Where the manifest is posted to."""
        owner = f"/organizations/{self.organisation}" if self.organisation else ""
        return f"{self.github_url}{owner}/settings/apps/new?{urlencode({'state': state})}"

    def manifest(self, host: str) -> str:
        """The manifest as JSON, for a browser that sees these pages at `host`."""
        base = f"http://{host}" if host == self.local_host else self.server_url
        return json.dumps(
            manifest(name=self.name, public=self.public, server_url=self.server_url, back_url=base + BACK)
        )


def create_pages(setup: SetUp) -> Flask:
    """The pages as a WSGI application."""
    app = Flask("bot.setup", static_folder=None, template_folder=str(Path(__file__).parent))
    app.add_url_rule(PLACE, "begin", lambda: begin(setup))
    app.add_url_rule(BACK, "back", lambda: back(setup))
    for name in STYLES:
        app.add_url_rule(f"{PLACE}/{name}", name, lambda name=name: style(setup, name))
    app.register_error_handler(HTTPException, lambda _error: nothing())
    app.after_request(secure)
    return app


def nothing() -> Response:
    """What strangers get."""
    response = make_response(NOTHING, 404, {"Content-Type": "text/plain; charset=utf-8"})
    response.headers["Cache-Control"] = "no-store"
    return response


def begin(setup: SetUp) -> AnyResponse:
    """The page with the button, for the browser that brought the token; the first time it is sent on, without it."""
    if _is_shut(setup):
        return nothing()
    if setup.gate.knows(_browser()):
        return redirect(PLACE, 303) if "token" in request.args else _form(setup)
    cookie = setup.gate.admit(request.args.get("token", ""))
    if cookie is None:
        return nothing()
    response = redirect(PLACE, 303)
    response.headers["Cache-Control"] = "no-store"
    is_secure = setup.server_url.startswith("https:") and request.host != setup.local_host
    response.set_cookie(
        COOKIE, cookie, max_age=int(LIFETIME), path=PLACE, secure=is_secure, httponly=True, samesite="Lax"
    )
    return response


def back(setup: SetUp) -> AnyResponse:
    """GitHub sent the browser back with a code: trade it, keep the keys, say what comes next."""
    if _is_shut(setup) or not setup.gate.redeem(_browser(), request.args.get("state", "")):
        return nothing()
    try:
        setup.made = setup.register(request.args.get("code", ""))
    except TriageError as error:
        log.error("the App could not be set up: %s: %s", error.reason, error)
        again = isinstance(error, TransientError | PermanentError)
        return _page("failed.html", 502 if again else 500, error=str(error), again=PLACE if again else "")
    page = _page("done.html", 200, made=setup.made)
    page.call_on_close(setup.on_made)
    return page


def style(setup: SetUp, name: str) -> Response:
    """A style sheet, for the browser that was admitted."""
    if not setup.gate.knows(_browser()) or request.method == "HEAD":
        return nothing()
    response = Response(static_files()[name], mimetype="text/css")
    response.headers["Cache-Control"] = "private, max-age=3600"
    return response


def _is_shut(setup: SetUp) -> bool:
    # A link that something looks at before the person does must not use the token up.
    looked_at_only = request.method == "HEAD" or "prefetch" in request.headers.get("Sec-Purpose", "")
    return looked_at_only or setup.made is not None or setup.exists()


def _browser() -> str:
    return request.cookies.get(COOKIE, "")


def _form(setup: SetUp) -> Response:
    page = _page(
        "begin.html",
        200,
        action=setup.form_action(setup.gate.new_state()),
        manifest=setup.manifest(request.host),
        server_url=setup.server_url,
        owner=setup.organisation,
        github=urlsplit(setup.github_url).netloc,
        permissions=packaged()["default_permissions"],
        events=packaged()["default_events"],
    )
    origin = "{0.scheme}://{0.netloc}".format(urlsplit(setup.github_url))
    page.headers["Content-Security-Policy"] = CSP.replace("form-action 'self'", f"form-action {origin}")
    # GitHub is told which site asks, and not at which address of it.
    page.headers["Referrer-Policy"] = "strict-origin"
    return page


def _page(template: str, status: int, **more: object) -> Response:
    response = make_response(render_template(template, place=PLACE, styles=STYLES, **more), status)
    response.headers["Cache-Control"] = "no-store"
    return response
