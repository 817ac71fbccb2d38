"""Offers of an archive or a shortened link by outsiders: how malware is spread on crash reports. Pure.

Maintainers are told where such a comment stands. What it says, or where its links lead, is never repeated.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from bot.triage.policy import is_author, permission_of
from bot.triage.snapshot import CommentSnapshot, IssueSnapshot, Permission

ARCHIVE = "archive"
SHORTENED = "shortened"

_ARCHIVES = (
    ".7z", ".apk", ".appimage", ".bat", ".cab", ".cmd", ".deb", ".dmg", ".exe", ".gz", ".img", ".iso", ".jar", ".lnk",
    ".msi", ".pkg", ".ps1", ".rar", ".rpm", ".scr", ".tar", ".tbz2", ".tgz", ".vbs", ".xz", ".zip", ".zst",
)  # fmt: skip
"""Ends of names of what holds or is a program. Sources that GitHub packs itself are let through."""

_SHORTENERS = frozenset(
    {
        "adf.ly", "bit.do", "bit.ly", "bl.ink", "buff.ly", "clck.ru", "cutt.ly", "dub.sh", "goo.gl", "goo.su", "gg.gg",
        "is.gd", "ln.run", "lnkd.in", "ouo.io", "ow.ly", "qrco.de", "rb.gy", "rebrand.ly", "s.id", "short.io",
        "shorturl.at", "shrtco.de", "soo.gd", "t.co", "t.ly", "tiny.cc", "tinyurl.com", "tr.im", "u.to", "urlz.fr",
        "v.gd", "vk.cc",
    }
)  # fmt: skip
"""Hosts whose addresses do not show where they lead."""

_LINK = re.compile(r"(?:https?://|www\.)[^\s<>\"'`)\]]+|\b(?:[a-z0-9-]+\.)+[a-z]{2,12}/[^\s<>\"'`)\]]+", re.IGNORECASE)
_OWN_SOURCES = re.compile(r"/(?:archive/refs/|archive/[0-9a-f]{7,40}\.|zipball/|tarball/)", re.IGNORECASE)
_TRAILING = ".,;:!?*_~"


@dataclass(frozen=True, slots=True)
class Bait:
    """A comment that offers one."""

    comment_id: int
    kind: str
    """archive or shortened."""


def baits(snapshot: IssueSnapshot) -> tuple[Bait, ...]:
    """The comments of outsiders that offer an archive, a program or a shortened link, one for each comment."""
    return tuple(_found(snapshot))


def _found(snapshot: IssueSnapshot) -> Iterator[Bait]:
    for comment in snapshot.comments:
        kind = _kind(comment.body) if _is_outsider(snapshot, comment) else ""
        if kind:
            yield Bait(comment.id, kind)


def _is_outsider(snapshot: IssueSnapshot, comment: CommentSnapshot) -> bool:
    """Neither the reporter, who may attach what shows the fault, nor anybody who has a part in the repository."""
    if comment.insider or comment.is_bot or is_author(snapshot, comment.author):
        return False
    return permission_of(snapshot, comment.author) is not Permission.YES


def _kind(body: str) -> str:
    kinds = {_kind_of_link(match[0].rstrip(_TRAILING)) for match in _LINK.finditer(body)}
    return next((kind for kind in (ARCHIVE, SHORTENED) if kind in kinds), "")


def _kind_of_link(link: str) -> str:
    try:
        parts = urlsplit(link if "://" in link else f"https://{link}")
    except ValueError:
        return ""
    host = (parts.hostname or "").removeprefix("www.")
    if host in _SHORTENERS:
        return SHORTENED
    packed = parts.path.lower().endswith(_ARCHIVES)
    ours = host in {"github.com", "codeload.github.com"} and _OWN_SOURCES.search(parts.path)
    return ARCHIVE if packed and not ours else ""
