"""List the panics that are known of one release of burn, cubecl, cubek or burn-onnx, or of one of their crates.

Give `version` and at least one of `repository` (burn, or tracel-ai/burn) and `crate` (burn-ir). The version is the
crate's own, else the repository's; for a crate from outside the family it is burn's. Only explained errors are listed,
fifty at a time; with `explained` false the panic sites that nobody has explained yet follow. The ids are for
look_up_error.
"""

from __future__ import annotations

from typing import Any

from bot.errors import UserError
from bot.mcp.tool import (
    Arguments,
    arguments_schema,
    count_argument,
    flag_argument,
    refuse_unknown,
    standing_alone,
    text_argument,
    without_addresses,
)
from bot.web.entry_json import result_json
from bot.web.openapi import COUNT, STRING, TEXT_OR_NULL
from bot.web.search import Query
from bot.web.shelf import HOME_REPO, Shelf
from kb.model import Revision

TITLE = "List known panics"
AT_ONCE = 50
LONGEST_NAME = 100
NEWEST = 8
"""Releases that are named where the one asked for does not exist."""

INPUT = arguments_schema(
    {
        "version": {"type": "string", "description": "A release (0.21.0) or main."},
        "repository": {"type": "string", "description": "burn, cubecl, cubek, burn-onnx, or owner/name."},
        "crate": {"type": "string", "description": "A crate of theirs, or one from outside that burn calls: wgpu."},
        "explained": {"type": "boolean", "default": True, "description": "Only those that an entry explains."},
        "page": {"type": "integer", "minimum": 1, "default": 1, "description": "Fifty a page."},
    },
    "version",
)
_PAGE = {"type": "integer", "minimum": 1}
_FIELDS = {
    "repository": STRING,
    "crate": TEXT_OR_NULL,
    "version": STRING,
    "total": COUNT,
    "explained": COUNT,
    "page": _PAGE,
    "pages": _PAGE,
    "results": {"type": "array", "items": {"$ref": "#/components/schemas/Result"}},
}
OUTPUT = standing_alone(
    {"type": "object", "properties": _FIELDS, "required": list(_FIELDS), "additionalProperties": False}
)


def answer(shelf: Shelf, arguments: Arguments) -> dict[str, Any]:
    """One page of results, explained errors first."""
    refuse_unknown(arguments, INPUT)
    version, crate = (text_argument(arguments, name, LONGEST_NAME).strip() for name in ("version", "crate"))
    repo = _repository(shelf, text_argument(arguments, "repository", LONGEST_NAME).strip())
    page = count_argument(arguments, "page", 1)
    only = flag_argument(arguments, "explained", True)
    if not version:
        raise UserError("bad_argument", "`version` is missing: give a release, such as 0.21.0, or main")
    if not repo and not crate:
        raise UserError("bad_argument", "give a `repository`, such as burn, or a `crate`, such as burn-ir, or both")
    if crate and crate not in shelf.crates and not shelf.index.repos_of_crate(crate):
        raise UserError("no_such_crate", f"nothing is known of a crate `{crate}`; name one of burn's family")
    revision = _revision(shelf, repo, crate, version)
    query = Query(repo=repo, crate=crate, orders=shelf.orders_at(revision.repo, revision.name), explained=only)
    found = sorted(shelf.search(query).docs, key=lambda doc: (not doc.explained, doc.id))
    pages = max(1, -(-len(found) // AT_ONCE))
    if page > pages:
        raise UserError("bad_argument", f"there is no page {page}; the last one is {pages}")
    return {
        "repository": revision.repo,
        "crate": crate or None,
        "version": revision.name,
        "total": len(found),
        "explained": sum(doc.explained for doc in found),
        "page": page,
        "pages": pages,
        "results": [without_addresses(result_json(doc)) for doc in found[(page - 1) * AT_ONCE : page * AT_ONCE]],
    }


def _repository(shelf: Shelf, name: str) -> str:
    """`owner/name` of what was given, "" for nothing."""
    known = shelf.index.repos()
    found = next((r for r in known if name.lower() in (r.lower(), r.rsplit("/", 1)[-1].lower())), "")
    if name and not found:
        raise UserError("no_such_repository", f"`{name}` is not indexed; known are {', '.join(known)}")
    return found


def _revision(shelf: Shelf, repo: str, crate: str, version: str) -> Revision:
    """The release that is meant: where the crate has this version, else the repository's of this name."""
    index = shelf.index
    homes = [repo] if repo else [*index.repos_of_crate(crate)] or [HOME_REPO]
    plain = version.removeprefix("v")
    of_crate = (index.revision_of_crate(home, crate, plain) for home in homes if crate)
    named = (index.revision(home, name) for home in homes for name in (version, f"v{plain}"))
    if found := next((revision for revision in (*of_crate, *named) if revision), None):
        return found
    newest = [revision.name for home in homes for revision in index.revisions(home)[-NEWEST:]]
    raise UserError("no_such_version", f"{homes[0]} has no release `{version}`; the newest are {', '.join(newest)}")
