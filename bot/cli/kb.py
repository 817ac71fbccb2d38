"""Work on the knowledge base: the site index, its entries, and the checks that prove them."""

from __future__ import annotations

from kb.cli import configure, run

__all__ = ["configure", "run"]
