"""Tensor checks: the words they register, and which checks call which. Pure.

`check!(TensorCheck::f(..))` prints the place of the call (macro_sites); the words stand in `impl TensorCheck`, as
`TensorError::new(description)`, often with `.details(..)`. Burn prints them as "1. description details ".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from kb.model import SiteKind
from kb.source.found import Found
from kb.source.lexer import Lexed
from kb.source.literals import LONGEST_TEMPLATE, first_text, has_words
from kb.source.scopes import Scope

CHECK_TYPE = "TensorCheck::"

_REGISTRATION = re.compile(rb"TensorError\s*::\s*new\s*+\(")
_DETAILS = re.compile(rb"\s*\.\s*details\s*+\(")
_CALL = re.compile(rb"(?:\b(?:TensorCheck|Self)\s*::|(\.))\s*([a-z_]\w*)\s*(?:::\s*<[^;{}()]{0,200}>)?\s*\(")
_SELF = re.compile(rb"fn\s+\w+\s*(?:<[^()]*>)?\s*\(\s*&?\s*(?:mut\s+)?self\b")


def registrations(lexed: Lexed) -> Iterator[Found]:
    """`TensorError::new(..)` with words, as `description details`; an argument that is no literal is a hole.

    The place is that of the words: no header ever shows it.
    """
    for match in _REGISTRATION.finditer(lexed.code):
        openers = [match.end() - 1]
        details = _DETAILS.match(lexed.code, lexed.pair[openers[0]] + 1)
        if details:
            openers.append(details.end() - 1)
        texts = [first_text(lexed, opener, lexed.pair[opener], set()) for opener in openers]
        template = " ".join(text.template if text else "{}" for text in texts)[:LONGEST_TEMPLATE]
        if has_words(template):
            literal = next(text.literal for text in texts if text)
            yield Found(literal, SiteKind.TENSOR_ERROR, template, literal=literal)


def check_calls(lexed: Lexed, scopes: Sequence[Scope]) -> Mapping[str, frozenset[str]]:
    """Each `TensorCheck::f` of the file with the other `TensorCheck::g` it calls."""
    checks = {s.label: s for s in scopes if s.kind == "fn" and _is_check(s.label)}
    methods = frozenset(label for label, s in checks.items() if _SELF.match(lexed.code, s.start))
    return {label: frozenset(_called(lexed, s, frozenset(checks), methods)) for label, s in checks.items()}


def _called(lexed: Lexed, scope: Scope, checks: frozenset[str], methods: frozenset[str]) -> Iterator[str]:
    """A method call counts only for checks that take `self`: other types have methods of the same names."""
    for match in _CALL.finditer(lexed.code, scope.body, scope.end):
        label = CHECK_TYPE + match[2].decode()
        if label != scope.label and label in (methods if match[1] else checks):
            yield label


def _is_check(label: str) -> bool:
    return label.startswith(CHECK_TYPE) and label.count("::") == 1
