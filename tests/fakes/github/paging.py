"""Pages and their Link header."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from flask import Response, jsonify, request


def page(items: list[Any], *, key: str | None = None, by_cursor: bool = False) -> Response:
    """One page of `items`, as a list or under `key` with a total count; by page number or by an opaque cursor."""
    size = max(1, min(100, int(request.args.get("per_page", 30))))
    name = "cursor" if by_cursor else "page"
    asked = request.args.get(name, "v1_0" if by_cursor else "1")
    start = int(asked.removeprefix("v1_")) if by_cursor else (int(asked) - 1) * size
    part = items[start : start + size]
    answer = jsonify({"total_count": len(items), key: part} if key else part)
    if start + size < len(items):
        following = f"v1_{start + size}" if by_cursor else str(int(asked) + 1)
        query = urlencode({**request.args.to_dict(), name: following})
        answer.headers["Link"] = f'<{request.base_url}?{query}>; rel="next"'
    return answer
