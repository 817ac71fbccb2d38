"""The pages as one WSGI application: routes from the page folders, headers, caching, limits, errors."""

from __future__ import annotations

import hashlib
import logging
import math
import mimetypes
from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any

from flask import Flask, Response, abort, jsonify, make_response, render_template, request
from flask.typing import ResponseReturnValue
from sqlalchemy.exc import SQLAlchemyError
from werkzeug.exceptions import HTTPException, ServiceUnavailable, TooManyRequests

from bot.clock import iso
from bot.web import prose
from bot.web.answer import LARGEST_LOG
from bot.web.desk import Desk, wants_json
from bot.web.door import behind_login, form_token, open_to_guests, present
from bot.web.entry_view import affects, label, short_name
from bot.web.guard import cacheable, client_of, secure
from bot.web.page import GUEST, MAINTAINER, PUBLIC, Page, View, found_pages
from bot.web.reasons import words
from bot.web.timeline import shown

log = logging.getLogger(__name__)

HERE = Path(__file__).parent
STATIC = HERE / "static"
LARGEST_BODY = 4 * LARGEST_LOG
"""Bytes of a request: a pasted log, each character of which a form may write as several."""
YEAR = 365 * 86_400


def create_public(desk: Desk) -> Flask:
    """The application. Opens nothing before the first request that needs the knowledge base."""
    app = Flask("bot.web", static_folder=None, template_folder=str(HERE))
    app.config["MAX_CONTENT_LENGTH"] = LARGEST_BODY
    app.config["MAX_FORM_MEMORY_SIZE"] = LARGEST_BODY
    app.json.sort_keys = False  # type: ignore[attr-defined]  # of Flask's own provider
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.filters.update(paragraphs=prose.paragraphs, line=prose.line, shown=shown, label=label, iso=iso)
    app.jinja_env.filters.update(words=words, comment=prose.comment, codes=prose.codes, path=prose.path)
    app.jinja_env.globals.update(asset=asset, affects=affects, short_name=short_name, csrf=form_token)
    app.context_processor(lambda: _frame(desk))
    for name, page in found_pages().items():
        _add(app, name, page, desk)
    app.add_url_rule("/static/<path:name>", "static", static_file)
    app.add_url_rule("/favicon.ico", "favicon", partial(static_file, "favicon.svg"))
    app.after_request(lambda response: secure(cacheable(response, request)))
    app.register_error_handler(HTTPException, failed)
    app.register_error_handler(SQLAlchemyError, database_away)
    return app


def ready(app: Flask) -> Flask:
    """The same application, with every template compiled: the first visitor of a page does not wait for that."""
    for name in app.jinja_env.list_templates(extensions=["html"]):
        app.jinja_env.get_template(name)
    return app


def _frame(desk: Desk) -> dict[str, Any]:
    """What the base page needs: the navigation, and who is here (None on a public page)."""
    passage = present()
    who = MAINTAINER if passage else PUBLIC
    nav = [(name, page) for name, page in found_pages().items() if page.nav and page.who == who]
    return {"desk": desk, "nav": nav, "page": "", "visitor": passage.visitor if passage else None}


DOORS: Mapping[str, Callable[[View, Desk], View]] = {
    PUBLIC: lambda view, desk: partial(view, desk),
    GUEST: open_to_guests,
    MAINTAINER: behind_login,
}


def _add(app: Flask, name: str, page: Page, desk: Desk) -> None:
    """The page and its actions, each behind the door of the page and its rate limit."""
    door = DOORS[page.who]
    app.add_url_rule(page.rule, name, _limited(page, desk, door(page.view, desk)), methods=list(page.methods))
    for number, (rule, view) in enumerate(page.actions.items(), 1):
        app.add_url_rule(rule, f"{name}.{number}", _limited(page, desk, door(view, desk)), methods=["POST"])


def _limited(page: Page, desk: Desk, view: View) -> View:
    """The view behind its rate limit. A public page that only shows a form costs nothing and is not counted."""

    def limited(**parts: Any) -> ResponseReturnValue:
        limiter = desk.limiters.get(page.limit)
        counted = request.method == "POST" or request.query_string or page.who == GUEST
        if limiter is not None and counted:
            seconds = limiter.wait(client_of(request, desk.proxies))
            if seconds > 0:
                raise TooManyRequests(retry_after=math.ceil(seconds))
        return view(**parts)

    return limited


def failed(error: HTTPException) -> ResponseReturnValue:
    """An error as a page, or as JSON where the API was asked."""
    code = error.code or 500
    headers = {"Cache-Control": "no-store"}
    if isinstance(error, TooManyRequests) and error.retry_after is not None:
        headers["Retry-After"] = str(error.retry_after)
    if code == 405:
        headers["Allow"] = error.get_response().headers.get("Allow", "")
    text = WORDS.get(code) or error.description or error.name
    if request.path.startswith("/board"):
        text = BOARD_WORDS.get(code, text)
    if wants_json():
        response = jsonify({"error": {"code": code, "message": text}})
    else:
        response = make_response(show_error(code, error.name, text))
    response.status_code = code
    response.headers.update(headers)
    return response


def database_away(error: SQLAlchemyError) -> ResponseReturnValue:
    """Only the dashboard reads the database without an answer of its own for when it is away."""
    log.error("dashboard: %s", error)
    return failed(ServiceUnavailable("The database does not answer. Try again in a minute."))


WORDS = {
    404: "There is no page at this address. An error has its page under its KB id, its 16-digit id or an alias of it.",
    413: f"That is too much text. Paste the last {LARGEST_LOG // 1024} KiB of the log: the panic is near its end.",
    429: "Too many requests from your address. Wait a moment and try again.",
}


BOARD_WORDS = {
    404: "There is nothing at this address, or nothing that you may see.",
    413: "That is more than any form of the dashboard sends.",
}


def show_error(code: int, name: str, text: str) -> str:
    """The error page."""
    login = request.path.startswith("/login") and code != 404
    return render_template("failed.html", code=code, name=name, text=text, login=login)


def static_file(name: str) -> Response:
    """A file of ours. Named with its hash it never changes, else it is asked about again after an hour."""
    files = static_files()
    if name not in files:
        abort(404)
    response = Response(files[name], mimetype=mimetypes.guess_type(name)[0] or "text/plain")
    response.headers["Cache-Control"] = "public, max-age=3600"
    if request.args.get("v"):
        response.headers["Cache-Control"] = f"public, max-age={YEAR}, immutable"
    response.set_etag(hashlib.sha256(files[name]).hexdigest()[:32])
    response.make_conditional(request)
    return response


@cache
def static_files() -> dict[str, bytes]:
    """Every static file by name. There are few and they are small."""
    return {path.name: path.read_bytes() for path in STATIC.iterdir() if path.is_file()}


@cache
def asset(name: str) -> str:
    """The address of a static file, with its hash: it may be kept for ever."""
    digest = hashlib.sha256(static_files()[name]).hexdigest()[:12]
    return f"/static/{name}?v={digest}"
