"""Answers that are no success, raised anywhere in the stand-in and turned into responses in one place."""

from __future__ import annotations

from typing import Any

DOCS = "https://docs.github.com/rest"


class ApiError(Exception):
    """An error answer as GitHub words it."""

    def __init__(
        self,
        status: int,
        message: str,
        *,
        errors: list[dict[str, Any]] | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.headers = headers or {}
        self.body: dict[str, Any] = {"message": message, "documentation_url": DOCS, "status": str(status)}
        if errors is not None:
            self.body["errors"] = errors


def not_found() -> ApiError:
    """Missing, or not to be seen by this caller: GitHub does not tell the two apart."""
    return ApiError(404, "Not Found")


def moved(status: int, location: str) -> ApiError:
    """301 for reads, 307 for writes, as GitHub answers for renamed repositories."""
    words = "Moved Permanently" if status == 301 else "Temporary Redirect"
    error = ApiError(status, words, headers={"Location": location})
    error.body["url"] = location
    return error


def invalid(resource: str, field: str, code: str, message: str = "") -> ApiError:
    """422 with one field error."""
    detail = {"resource": resource, "field": field, "code": code}
    return ApiError(422, "Validation Failed", errors=[detail | ({"message": message} if message else {})])
