"""Undoes what happens to a text between the terminal and the issue: colours, control characters, entities.

Everything here works on one text at a time, in one pass, and never fails: any `str` is fine, lone surrogates included.
"""

from __future__ import annotations

import re

_LINE_END = re.compile(r"\r\n|\r|\n")
_ANSI = re.compile(
    r"\x1b\[[0-9;:?]*[ -/]*[@-~]"  # CSI: colours, cursor moves
    r"|\x1b\][^\x07\x1b\n]{0,400}(?:\x07|\x1b\\)"  # OSC: titles, links
    r"|\x1b[@-Z\\^_()=>78][0-9AB]?"
    r"|\u241b\[[0-9;]*m"  # the picture of ESC, as some web consoles copy it
    r"|\[(?:0|1|2|3|4|7|22|24|39|[34]\d|9\d)(?:;[0-9]{1,3}){0,4}m(?=[\s\w\[<:/'(\\`\"]|$)"  # ESC lost in the paste
)
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u061c]"
)
_SPACES = re.compile("[\u00a0\u2000-\u200a\u202f\u205f\u3000]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_ENTITY = re.compile(r"&(lt|gt|amp|quot|apos|nbsp|#39|#x27|#x2F|#34|#96|#x60|#47|#92|#x5C|#58|#x3A);", re.IGNORECASE)
_ENTITIES = {
    "lt": "<",
    "gt": ">",
    "amp": "&",
    "quot": '"',
    "apos": "'",
    "nbsp": " ",
    "#39": "'",
    "#x27": "'",
    "#x2f": "/",
    "#47": "/",
    "#34": '"',
    "#96": "`",
    "#x60": "`",
    "#92": "\\",
    "#x5c": "\\",
    "#58": ":",
    "#x3a": ":",
}


def split_lines(text: str) -> list[str]:
    """The lines as GitHub counts them: CRLF, LF and a lone CR each end one. A final line end adds no empty line."""
    lines = _LINE_END.split(text)
    if len(lines) > 1 and not lines[-1]:
        lines.pop()
    return lines


def encodable(text: str) -> str:
    """The text with what no UTF-8 can hold (lone surrogates, NUL) as U+FFFD and without a BOM in front."""
    text = _SURROGATE.sub("\ufffd", text).replace("\x00", "\ufffd")
    return text.removeprefix("\ufeff")


def clean_line(line: str) -> str:
    """One line without colours, control and invisible characters, entities resolved once, tabs kept."""
    if not line.isascii() or not line.isprintable():
        line = _INVISIBLE.sub("", _ANSI.sub("", line))
        line = _SPACES.sub(" ", line)
    elif "m" in line and "[" in line:
        line = _ANSI.sub("", line)
    if "&" in line:
        line = _ENTITY.sub(lambda m: _ENTITIES[m[1].lower()], line)
    return line
