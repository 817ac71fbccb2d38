"""Webhook and pages on one address. Pure WSGI."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

Wsgi = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]

OF_THE_RECEIVER = frozenset({"/webhook", "/healthz", "/readyz"})


def beside(receiver: Wsgi, pages: Wsgi) -> Wsgi:
    """One application: the receiver keeps its own addresses, every other one is a page."""

    def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        chosen = receiver if environ.get("PATH_INFO") in OF_THE_RECEIVER else pages
        return chosen(environ, start_response)

    return application
