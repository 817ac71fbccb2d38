"""Holds every request and every answer against GitHub's own OpenAPI description."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from openapi_core import Config, OpenAPI
from openapi_core.contrib.werkzeug import WerkzeugOpenAPIRequest, WerkzeugOpenAPIResponse
from openapi_core.templating.responses.exceptions import ResponseNotFound
from werkzeug.wrappers import Request, Response

from tests.fakes.github.shapes import description

_WITH_SLASHES = re.compile(r"^(/repos/[^/]+/[^/]+/(?:contents|issues/\d+/labels)/)(.+)$")

ALLOWED = (
    re.compile(r"POST /repos/[^/]+/[^/]+/issues/\d+/labels: request: .*\[.*\] is not valid under any", re.S),
    re.compile(r"GET /repos/[^/]+/[^/]+/contents/\S+: answer: .*\[.*\] is not of type 'object'", re.S),
)
"""Deviations that GitHub takes although its description does not say so: labels as a bare array. And a folder's
listing, an array under a discriminator, which no validator can read."""


@lru_cache(maxsize=1)
def _openapi() -> OpenAPI:
    # Validating the description itself costs seconds and proves nothing about us.
    return OpenAPI.from_dict(description(), config=Config(spec_validator_cls=None))


class _Request(WerkzeugOpenAPIRequest):
    """OpenAPI path parameters match no slash; GitHub's `{path}` of contents and an escaped label's name do."""

    @property
    def path(self) -> str:
        """The path with the slashes of a name escaped."""
        found = _WITH_SLASHES.match(self.request.path)
        return found[1] + found[2].replace("/", "%2F") if found else str(self.request.path)


def check_request(request: Request) -> list[str]:
    """What is wrong with a request, in words; empty when it is valid."""
    return _check("request", request, lambda: _openapi().validate_request(_Request(request)))


def check_response(request: Request, response: Response) -> list[str]:
    """What is wrong with an answer. Error answers that the description does not list for the operation pass."""

    def validate() -> None:
        try:
            _openapi().validate_response(_Request(request), WerkzeugOpenAPIResponse(response))
        except ResponseNotFound:
            if response.status_code < 400 and response.status_code not in {301, 307}:
                raise

    return _check("answer", request, validate)


def _check(part: str, request: Request, validate: Callable[[], None]) -> list[str]:
    try:
        validate()
    except Exception as error:  # noqa: BLE001 (whatever the validator finds is a finding)
        details = getattr(error.__cause__, "schema_errors", None) or [error.__cause__ or error]
        where = f"{request.method} {request.path}: {part}: "
        found = [
            where + f"{'.'.join(map(str, getattr(d, 'absolute_path', ())))} {getattr(d, 'message', d)}" for d in details
        ]
        return [text for text in found if not any(rule.match(text) for rule in ALLOWED)]
    return []
