"""POST /webhook: verify, record, 202. It decides nothing else and asks GitHub nothing."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException, RequestEntityTooLarge

from bot.delivery import MAX_BYTES, BadRequestError, SignatureError, check_signature, read_delivery
from bot.errors import TransientError
from bot.inbox import Inbox
from bot.logs import about
from bot.settings import Settings

log = logging.getLogger(__name__)

Answer = tuple[str, int, dict[str, str]]
Probe = Callable[[], str | None]
"""Says why we are not ready, or None."""

_TEXT = {"Content-Type": "text/plain; charset=utf-8"}
_DRAIN_BYTES = 4 * MAX_BYTES


def create_app(
    settings: Settings, inbox: Inbox, probe: Probe, secrets: Callable[[], tuple[str, ...]] | None = None
) -> Flask:
    """The receiver as a WSGI application. Touches no database before the first request.

    `secrets` gives the webhook secrets that are valid now (default: those of the settings, for good).
    """
    app = Flask("bot", static_folder=None)
    # One more than allowed: a chunked body is cut at the limit without a word, and must still be seen to be too long.
    app.config["MAX_CONTENT_LENGTH"] = MAX_BYTES + 1
    valid = secrets or settings.secrets

    def webhook() -> Answer:
        return receive(inbox, valid(), settings.bot_login)

    def healthz() -> Answer:
        return "ok\n", 200, _TEXT

    def readyz() -> Answer:
        reason = probe()
        return ("ready\n", 200, _TEXT) if reason is None else (f"not ready: {reason}\n", 503, _TEXT)

    app.add_url_rule("/webhook", view_func=webhook, methods=["POST"])
    app.add_url_rule("/healthz", view_func=healthz)
    app.add_url_rule("/readyz", view_func=readyz)
    app.register_error_handler(HTTPException, _plain)
    return app


def receive(inbox: Inbox, secrets: tuple[str, ...], bot_login: str | None) -> Answer:
    """Answer the present request: 202 once it is stored, 400, 401 or 413 when it is no delivery, 503 to try later."""
    body = _body()
    if body is None:
        return f"the body is over {MAX_BYTES} bytes\n", 413, _TEXT | {"Connection": "close"}
    headers = request.headers
    try:
        check_signature(body, headers.get("X-Hub-Signature-256"), secrets)
        delivery = read_delivery(
            body,
            headers.get("X-GitHub-Event"),
            headers.get("X-GitHub-Delivery"),
            headers.get("Content-Type", ""),
            bot_login,
        )
        with about(delivery=delivery.guid):
            outcome = inbox.accept(delivery, body)
            log.info("%s.%s stored: %s", delivery.event, delivery.action or "-", delivery.ignored or outcome)
    except SignatureError as error:
        return f"{error}\n", 401, _TEXT
    except BadRequestError as error:
        return f"{error}\n", 400, _TEXT
    except TransientError as error:
        with about(delivery=delivery.guid):
            log.error("delivery not stored: %s", error.reason, exc_info=error)
        return "the delivery could not be stored, send it again later\n", 503, _TEXT
    return f"{outcome}{': ' + delivery.ignored if delivery.ignored else ''}\n", 202, _TEXT


def _body() -> bytes | None:
    """The raw body, None when it is too long."""
    try:
        body = request.get_data(cache=False)
    except RequestEntityTooLarge:
        body = None
    if body is None or len(body) > MAX_BYTES:
        _drain()
        return None
    return body


def _drain() -> None:
    """Read on, up to a bound: a client that is still sending would see a broken pipe and not our answer."""
    stream: Any = request.environ["wsgi.input"]
    left = _DRAIN_BYTES
    while left > 0 and (chunk := stream.read(min(left, 1 << 20))):
        left -= len(chunk)


def _plain(error: HTTPException) -> Response:
    """Errors as one line of text: a page of HTML is of no use to GitHub's delivery log."""
    response = Response(f"{error.code} {error.name}\n", error.code or 500, _TEXT)
    if error.code == 405:
        response.headers["Allow"] = error.get_response().headers.get("Allow", "")
    return response
