"""A block of Rust as an entry shows it: whether it parses, and which names it uses. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import tree_sitter_rust
from tree_sitter import Language, Node, Parser


@cache
def _parser() -> Parser:
    return Parser(Language(tree_sitter_rust.language()))


def syntax_error(code: str) -> int | None:
    """The 1-based line of the first syntax error; None where the block parses as items or as statements."""
    root = _parser().parse(code.encode()).root_node
    if not root.has_error:
        return None
    # A block may end in an expression, which stands in a function only.
    inside = _parser().parse(f"fn f() {{\n{code}\n}}".encode()).root_node
    if not inside.has_error:
        return None
    return min((node.start_point[0] + 1 for node in _walk(root) if node.is_error or node.is_missing), default=1)


def used_names(code: str) -> list[tuple[str, int]]:
    """Methods, functions, types and modules that the block takes from elsewhere, each with its 1-based line.

    What the block defines itself, and its variables, are left out.
    """
    root = _parser().parse(code.encode()).root_node
    own = {_text(node) for node in _walk(root) if _defines(node)}
    found = [(_text(node), node.start_point[0] + 1) for node in _walk(root) if _uses(node)]
    return [(name, line) for name, line in dict.fromkeys(found) if name not in own]


def _walk(node: Node) -> Iterator[Node]:
    stack = [node]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(node.children))


def _text(node: Node) -> str:
    return (node.text or b"").decode(errors="replace")


def _defines(node: Node) -> bool:
    """A name that an item, a field or a type parameter of the block introduces."""
    parent = node.parent
    if parent is None or node.type not in ("identifier", "type_identifier", "field_identifier"):
        return False
    named = parent.type.endswith(("_item", "_parameter", "field_declaration", "enum_variant", "_declaration"))
    return named and parent.child_by_field_name("name") == node


def _uses(node: Node) -> bool:
    """A name that must exist elsewhere: a method, a called function, a type, a part of a path."""
    parent = node.parent
    if parent is None:
        return False
    if node.type in ("type_identifier", "field_identifier"):
        return True
    if node.type != "identifier":
        return False
    return parent.type in (
        "call_expression",
        "scoped_identifier",
        "scoped_type_identifier",
        "use_list",
        "macro_invocation",
    )
