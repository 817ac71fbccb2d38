"""The receiver under gunicorn: webhook, health and pages on one address, metrics on another."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from gunicorn.app.base import BaseApplication

from bot.settings import Settings

Wsgi = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


class Server(BaseApplication):  # type: ignore[misc]  # gunicorn has no types
    """gunicorn with our settings instead of a command line."""

    def __init__(self, settings: Settings, make_app: Callable[[], Wsgi]) -> None:
        """`make_app` is called in each process after the fork: connections must not be shared between them."""
        self._settings = settings
        self._make_app = make_app
        super().__init__()

    def load_config(self) -> None:
        """Called by gunicorn."""
        for name, value in gunicorn_options(self._settings).items():
            self.cfg.set(name, value)

    def load(self) -> Wsgi:
        """Called by gunicorn in each process."""
        return self._make_app()


def gunicorn_options(settings: Settings) -> dict[str, Any]:
    """What gunicorn is told."""
    addresses = [settings.listen, settings.metrics_listen]
    return {
        "bind": [str(address) for address in addresses if address],
        "workers": settings.receivers,
        "threads": settings.receiver_threads,
        "worker_class": "gthread",
        "preload_app": False,
        "loglevel": "warning" if settings.log_level == "info" else settings.log_level,
        "graceful_timeout": 10,
        "timeout": 30,
        "keepalive": 5,
        "control_socket_disable": True,
        # A header of 25 MiB of cookies is no delivery; GitHub sends about ten short ones.
        "limit_request_fields": 50,
    }


def split_by_port(port: int | None, main: Wsgi, metrics: Wsgi) -> Wsgi:
    """One application for both addresses. The port is the listening socket's own, whatever the request claims."""

    def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        chosen = metrics if environ["SERVER_PORT"] == wanted else main
        return chosen(environ, start_response)

    wanted = str(port)
    return main if port is None else application
