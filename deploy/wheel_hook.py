"""Compiles the site index into the wheel, so that an installed program answers at once and writes nothing."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CatalogHook(BuildHookInterface):  # type: ignore[type-arg]
    """Adds `kb/catalog.sqlite` to a wheel; an editable install reads the checkout and compiles into the cache."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile into a folder outside the source tree, and have the builder take the file from there."""
        if self.target_name != "wheel" or version == "editable":
            return
        sys.path.insert(0, self.root)
        try:
            from kb.catalog import COMPILED, SITE_PARTS
            from kb.compiling import compile_catalog
            from kb.folder import content_revision
        finally:
            sys.path.remove(self.root)
        kb = Path(self.root) / "kb"
        self._folder = tempfile.TemporaryDirectory()
        compiled = Path(self._folder.name) / COMPILED
        compile_catalog(kb, compiled, content_revision(kb, SITE_PARTS))
        build_data["force_include"][str(compiled)] = f"kb/{COMPILED}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Leave nothing behind."""
        folder = getattr(self, "_folder", None)
        if folder is not None:
            folder.cleanup()
