"""A file of a public repository at a full sha, read without any credentials, as a reader of a permalink would."""

from __future__ import annotations

import re
from urllib.parse import quote

import requests

RAW = "https://raw.githubusercontent.com"
SECONDS = 3.0
"""To connect, and between two packets: a page waits for it."""
LARGEST = 2 * 1024 * 1024
_REPO = re.compile(r"[A-Za-z0-9-]+/[A-Za-z0-9._-]+")
_SHA = re.compile(r"[0-9a-f]{40}")


class PermalinkSource:
    """Reads `<root>/<owner>/<name>/<sha>/<path>`."""

    def __init__(self, root: str = RAW) -> None:
        self._root = root.rstrip("/")

    def read_blob(self, repo: str, path: str, ref: str) -> bytes | None:
        """The file's bytes; None for anything but a full sha, a missing or large file, or no answer in time."""
        if not _REPO.fullmatch(repo) or not _SHA.fullmatch(ref):
            return None
        url = f"{self._root}/{repo}/{ref}/{quote(path.strip('/'))}"
        try:
            with requests.get(url, timeout=SECONDS, stream=True, allow_redirects=False) as answer:
                if answer.status_code != 200:
                    return None
                body = bytearray()
                for chunk in answer.iter_content(65536):
                    body += chunk
                    if len(body) > LARGEST:
                        return None
                return bytes(body)
        except requests.RequestException:
            return None
