"""A comment for whoever reads it outside GitHub: a terminal, an assistant. Pure."""

from __future__ import annotations

_FOLDS = ("<details>", "</details>", "<summary>")


def unfolded(markdown: str) -> str:
    """The Markdown without the folds' tags and the footer about commands, which mean nothing there."""
    lines = [line for line in markdown.split("\n") if not line.startswith(_FOLDS)]
    return "\n".join(line for line in lines if "`/triage" not in line).strip()
