"""Whether a line of source can raise an implicit panic: the cheap check that a line number fits a revision.

Where a location is printed: Rust reports the start of the indexed or innermost failing expression, and the name of a
method that tracks its caller.
"""

from __future__ import annotations

import re

_SIGNS: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = tuple(
    (re.compile(start), signs)
    for start, signs in (
        (r"index out of bounds|range (?:start|end) index|slice index|index \d+ out of range|no entry found", ("[",)),
        (r"(?:start |end )?byte |begin <= end|Out of bounds access", ("[",)),
        (r"attempt to add", ("+",)),
        (r"attempt to subtract|attempt to negate", ("-",)),
        (r"attempt to multiply", ("*",)),
        (r"attempt to shift left", ("<<",)),
        (r"attempt to shift right", (">>",)),
        (r"attempt to divide", ("/",)),
        (r"attempt to calculate the remainder", ("%",)),
        (r"(?:RefCell )?already (?:mutably )?borrowed", ("borrow",)),
        (r"(?:copy_from_slice: )?source slice length|destination and source slices", ("copy", "clone")),
    )
)


def can_panic_here(message: str, line: str, column: int | None) -> bool:
    """Whether the text of a source line, from the printed column on, holds what the message is about.

    True for messages that no rule knows. `column` is 1-based; None means the whole line. A line that ends inside an
    expression may go on below, so only a line that ends a statement can rule a message out.
    """
    rest = line[(column or 1) - 1 :]
    signs = next((signs for start, signs in _SIGNS if start.match(message.lstrip())), ())
    if not signs or any(sign in rest for sign in signs):
        return True
    return not rest.rstrip().endswith((";", "}", "{", ",")) and bool(rest.strip())


def calls_here(names: tuple[str, ...], line: str, column: int | None) -> bool:
    """Whether one of these functions is called at the printed place."""
    rest = line[(column or 1) - 1 :]
    if column is None:
        return any(re.search(rf"\b{re.escape(name)}\b", rest) for name in names)
    return any(re.match(rf"(?:[\w:]+::)?{re.escape(name)}\b", rest) for name in names)


def can_call_here(line: str, column: int | None) -> bool:
    """Whether a call, an index or an operator that may panic for its caller begins at the printed place.

    Rust prints the name of a method, the start of a function's path, the start of an indexed or computed expression,
    or the bracket of an index that is a call. Without a column the whole line is looked at.
    """
    rest = line[(column or 1) - 1 :]
    return bool((_CALL.match if column else _CALL.search)(rest))


_CALL = re.compile(r"\[|[\w:.()&*\[\]]*?\w!?(?:::)?(?:<[^()]*>)?\s*[(\[]|[\w.()\[\]]+\s*[-+*/%]=?\s|\w+$")
