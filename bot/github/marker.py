"""The hidden line that names one of our comments. Pure text work.

`<!-- burn-triage:v1 repo_id issue_id intent_id [hmac] -->`, last in the comment. The marker counts only in a comment
that our own account wrote (the caller checks the author). With keys it must also carry the HMAC of one of them, so that
marker text quoted from a report proves nothing; without keys (the GitHub Action) author and ids decide.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

MAX_BODY = 65_536
"""Characters that GitHub takes in a comment; more is answered with 422 (not in its API description: measured)."""

INTENT = re.compile(r"[A-Za-z0-9._-]{1,64}")
_MARKER = re.compile(r"<!-- burn-triage:v1 (\d{1,20}) (\d{1,20}) ([A-Za-z0-9._-]{1,64})(?: ([0-9a-f]{64}))? -->")


@dataclass(frozen=True, slots=True)
class Marker:
    """What a marker says: the issue it was written for (GitHub's ids) and the stored intent that wrote it."""

    repo_id: int
    issue_id: int
    intent_id: str


@dataclass(frozen=True, slots=True)
class Marks:
    """Writes and reads markers. The first key signs, all of them verify (rotation); no keys: no HMAC."""

    keys: Sequence[bytes] = ()

    def mark(self, body: str, marker: Marker) -> str:
        """`body` with its marker as the last line; marker-like text inside `body` is taken out.

        Raises ValueError when the intent id has other characters than `A-Za-z0-9._-` or is longer than 64.
        """
        if not INTENT.fullmatch(marker.intent_id):
            raise ValueError(f"intent id {marker.intent_id!r} is not 1 to 64 of A-Za-z0-9._-")
        words = _words(marker)
        proof = f" {_hmac(self.keys[0], words)}" if self.keys else ""
        return f"{strip(body)}\n\n<!-- {words}{proof} -->"

    def find(self, body: str, *, repo_id: int, issue_id: int) -> Marker | None:
        """The last marker in `body` that is genuine and was written for this issue."""
        genuine = (marker for marker in self.all(body) if (marker.repo_id, marker.issue_id) == (repo_id, issue_id))
        return next(genuine, None)

    def all(self, body: str) -> Iterator[Marker]:
        """Genuine markers in `body`, for whichever issue they were written, the last one first."""
        for match in reversed(list(_MARKER.finditer(body))):
            marker = Marker(int(match[1]), int(match[2]), match[3])
            if self._genuine(marker, match[4] or ""):
                yield marker

    def _genuine(self, marker: Marker, proof: str) -> bool:
        if not self.keys:
            return True
        return any(hmac.compare_digest(_hmac(key, _words(marker)), proof) for key in self.keys)


def strip(body: str) -> str:
    """`body` without markers, line ends as LF, no blank space at either end."""
    return _MARKER.sub("", body.replace("\r\n", "\n").replace("\r", "\n")).strip()


def body_hash(body: str) -> str:
    """SHA-256 (hex) of a comment's text without its marker; the same before it is sent and after it is read back."""
    return hashlib.sha256(strip(body).encode("utf-8", "surrogatepass")).hexdigest()


def _words(marker: Marker) -> str:
    return f"burn-triage:v1 {marker.repo_id} {marker.issue_id} {marker.intent_id}"


def _hmac(key: bytes, words: str) -> str:
    return hmac.new(key, words.encode(), hashlib.sha256).hexdigest()
