"""Renews the vendored files from their published packages: `python -m tests.vendor.renew [NAME...]`.

Needs npm (for `npm pack` alone, nothing is installed or run) and graphql-core. Versions are pinned below; the output is
the same, byte for byte, for the same versions.
"""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from graphql import DocumentNode, parse, print_ast
from graphql.language import TypeDefinitionNode

from tests.vendor import HERE
from tests.vendor.operations import GRAPHQL_ROOTS, GRAPHQL_TYPES, REST

OPENAPI = "@octokit/openapi@23.0.2"
EXAMPLES = "@octokit/webhooks-examples@7.6.1"
GRAPHQL = "@octokit/graphql-schema@15.26.1"
AXE = "axe-core@4.14.1"


def fetch(package: str, member: str) -> bytes:
    """One file of a published package."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["npm", "pack", "--silent", package]
        name = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout.split()[-1]
        with tarfile.open(Path(folder) / name) as archive:
            found = archive.extractfile(f"package/{member}")
            assert found is not None, member
            return found.read()


def write(name: str, data: bytes) -> None:
    """Compress without a time stamp, so that the same input gives the same file."""
    path = HERE / f"{name}.gz"
    path.write_bytes(gzip.compress(data, 9, mtime=0))
    print(f"{path.name}: {path.stat().st_size} bytes")


def compact(value: Any) -> bytes:
    """JSON without blanks."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def references(value: Any) -> Iterator[str]:
    """Every `$ref` below `value`."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == "$ref" and isinstance(inner, str):
                yield inner
            else:
                yield from references(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from references(inner)


def without_prose(value: Any) -> Any:
    """Drop what validation does not read: descriptions, examples, vendor extensions."""
    if isinstance(value, list):
        return [without_prose(inner) for inner in value]
    if not isinstance(value, dict):
        return value
    kept = {}
    for key, inner in value.items():
        if key == "properties":  # names of fields, not keywords: a field may be called `description`
            kept[key] = {name: without_prose(schema) for name, schema in inner.items()}
        elif key in {"description", "example", "examples", "externalDocs", "x-github", "x-octokit", "summary", "tags"}:
            continue
        else:
            kept[key] = without_prose(inner)
    return kept


def responses_described(cut: dict[str, Any]) -> dict[str, Any]:
    """OpenAPI demands a description per response."""
    for methods in cut["paths"].values():
        for operation in methods.values():
            for response in operation["responses"].values():
                if "$ref" not in response:
                    response.setdefault("description", "")
    for response in cut["components"].get("responses", {}).values():
        response.setdefault("description", "")
    return cut


def openapi_cut(full: dict[str, Any]) -> dict[str, Any]:
    """The wanted operations with everything they refer to, transitively."""
    paths = {path: {verb: full["paths"][path][verb] for verb in verbs} for path, verbs in REST.items()}
    paths = without_prose(paths)
    components: dict[str, dict[str, Any]] = {}
    todo, seen = list(references(paths)), set()
    while todo:
        reference = todo.pop()
        if reference in seen:
            continue
        seen.add(reference)
        _, _, kind, name = reference.split("/")
        part = without_prose(full["components"][kind][name])
        components.setdefault(kind, {})[name] = part
        todo += references(part)
    components = {kind: dict(sorted(parts.items())) for kind, parts in sorted(components.items())}
    head = {"openapi": full["openapi"], "info": {"title": "cut", "version": full["info"]["version"]}}
    return responses_described(head | {"servers": [{"url": "/"}], "paths": paths, "components": components})


def _named(node: Any) -> str:
    """The type at the bottom of `[Name!]!`."""
    while hasattr(node, "type"):
        node = node.type
    return str(node.name.value)


def _bare(node: Any, **changes: Any) -> Any:
    return replace(node, description=None, directives=(), **changes)


def _field(node: Any, kept: frozenset[str]) -> Any:
    """A field or input value; arguments of unknown types are dropped."""
    if not hasattr(node, "arguments"):
        return _bare(node)
    return _bare(node, arguments=tuple(_bare(a) for a in node.arguments or () if _named(a) in kept))


def _definition(node: Any, kept: frozenset[str]) -> Any:
    """A type with the fields whose types are kept."""
    name, changes = node.name.value, {}
    if getattr(node, "fields", None):
        roots = GRAPHQL_ROOTS.get(name)
        wanted = [f for f in node.fields if _named(f) in kept and (roots is None or f.name.value in roots)]
        changes["fields"] = tuple(_field(f, kept) for f in wanted)
    if getattr(node, "interfaces", None):
        changes["interfaces"] = tuple(i for i in node.interfaces if i.name.value in kept)
    if getattr(node, "types", None):
        changes["types"] = tuple(t for t in node.types if t.name.value in kept)
    if getattr(node, "values", None):
        changes["values"] = tuple(_bare(v) for v in node.values)
    return _bare(node, **changes)


def graphql_cut(document: DocumentNode) -> str:
    """The kept types, with the scalars and enums that they use."""
    types = [node for node in document.definitions if isinstance(node, TypeDefinitionNode)]
    simple = {node.name.value for node in types if node.kind in {"scalar_type_definition", "enum_type_definition"}}
    builtin = {"Int", "Float", "String", "Boolean", "ID"}
    kept = frozenset(GRAPHQL_TYPES | set(GRAPHQL_ROOTS) | simple | builtin)
    cut = [_definition(node, kept) for node in types if node.name.value in kept]
    used = {_named(f) for node in cut for f in getattr(node, "fields", None) or ()}
    used |= {
        _named(a)
        for node in cut
        for f in getattr(node, "fields", None) or ()
        for a in getattr(f, "arguments", None) or ()
    }
    wanted = [node for node in cut if node.name.value in used or node.name.value not in simple]
    return print_ast(DocumentNode(definitions=tuple(wanted))) + "\n"


def renew_openapi() -> None:
    """GitHub's OpenAPI description, cut."""
    write("github-openapi-cut.json", compact(openapi_cut(json.loads(fetch(OPENAPI, "generated/api.github.com.json")))))


def renew_graphql() -> None:
    """GitHub's GraphQL schema, cut."""
    write("github-graphql-cut.graphql", graphql_cut(parse(fetch(GRAPHQL, "schema.graphql").decode())).encode())


def renew_examples() -> None:
    """Published webhook payloads by event."""
    events = json.loads(fetch(EXAMPLES, "api.github.com/index.json"))
    write("webhook-examples.json", compact({event["name"]: event["examples"] for event in events}))


def renew_axe() -> None:
    """The accessibility checker."""
    write("axe.min.js", fetch(AXE, "axe.min.js"))


RENEW: dict[str, Callable[[], None]] = {
    "openapi": renew_openapi,
    "graphql": renew_graphql,
    "examples": renew_examples,
    "axe": renew_axe,
}


def main(names: list[str]) -> int:
    """Renew these, or all."""
    unknown = sorted(set(names) - set(RENEW))
    if unknown:
        print(f"unknown: {', '.join(unknown)}; there are {', '.join(RENEW)}", file=sys.stderr)
        return 2
    for name in names or RENEW:
        RENEW[name]()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
