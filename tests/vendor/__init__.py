"""Third-party test data, compressed; NOTICE.md says what it is and under which licence. Read with `load_*`."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


def text(name: str) -> str:
    """The decompressed text of one vendored file, named without `.gz`."""
    return gzip.decompress((HERE / f"{name}.gz").read_bytes()).decode()


def openapi_cut() -> dict[str, Any]:
    """The part of GitHub's OpenAPI description that the bot and the stand-in use."""
    return dict(json.loads(text("github-openapi-cut.json")))


def graphql_cut() -> str:
    """The part of GitHub's GraphQL schema (SDL) that the bot and the stand-in use."""
    return text("github-graphql-cut.graphql")


def webhook_examples() -> dict[str, list[dict[str, Any]]]:
    """Published payloads by event name, in the published order."""
    return dict(json.loads(text("webhook-examples.json")))


def axe() -> str:
    """The axe-core accessibility checker, to be evaluated in a page."""
    return text("axe.min.js")
