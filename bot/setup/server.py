"""Serves the set-up pages until the App is made or the time is over."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from flask import Flask
from werkzeug.serving import WSGIRequestHandler, make_server

from bot.errors import UserError
from bot.setting_values import Address

TICK = 0.2


class Quiet(WSGIRequestHandler):
    """Says nothing: a log of requests would hold the token."""

    def log(self, type: str, message: str, *args: Any) -> None:
        """Say nothing."""


class PageServer:
    """The pages on a socket of their own."""

    def __init__(self, address: Address) -> None:
        """Takes the port now, so that its number is known. UserError where it cannot be had."""
        self._app: Flask | None = None
        try:
            self._server = make_server(address.host, address.port, self._serve, threaded=True, request_handler=Quiet)
        # werkzeug prints and exits where the port is taken.
        except (OSError, SystemExit):
            raise UserError(
                "port_taken",
                f"cannot listen on {address}: stop what listens there, or name another address with --listen",
            ) from None
        self.address = Address(address.host, int(self._server.server_port))

    def run(self, app: Flask, done: threading.Event, is_over: Callable[[], bool]) -> bool:
        """Serve until `done` is set (True) or the time is over (False)."""
        self._app = app
        thread = threading.Thread(target=self._server.serve_forever, args=(TICK,), daemon=True)
        thread.start()
        try:
            while not done.wait(TICK):
                if is_over():
                    return False
            return True
        finally:
            self._server.shutdown()
            thread.join()
            self._server.server_close()

    def _serve(self, environ: dict[str, Any], start: Any) -> Any:
        assert self._app is not None
        return self._app.wsgi_app(environ, start)
