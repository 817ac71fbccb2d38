"""Links to the source of crates outside the family, as docs.rs shows it. Pure."""

from __future__ import annotations

import re

from bot.triage.model import Location

_CRATE = re.compile(r"[A-Za-z][\w-]{0,63}", re.ASCII)
_VERSION = re.compile(r"\d+\.\d+\.\d+(?:[-+][\w.+-]{1,40})?", re.ASCII)
_PATH = re.compile(r"(?:[\w-][\w.-]*/){0,20}[\w-][\w.-]*\.rs", re.ASCII)


def source_link(location: Location) -> str | None:
    """The printed line in the published crate, pinned to its version; None where the location names no such file.

    Form: https://docs.rs/crate/<crate>/<version>/source/<path>#<line>. What is printed comes from a report, so that
    nothing but plain names gets into the link.
    """
    crate, version, file = location.crate or "", location.version or "", location.file or ""
    if not (_CRATE.fullmatch(crate) and _VERSION.fullmatch(version) and _PATH.fullmatch(file)):
        return None
    line = f"#{location.line}" if location.line else ""
    return f"https://docs.rs/crate/{crate}/{version}/source/{file}{line}"
