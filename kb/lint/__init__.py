"""Everything `kb lint` checks: one module per check, found by walking this folder.

A check module has a docstring (its purpose in one line) and `check(tree) -> Iterator[Hit]`; `fix(tree) -> None` where
it can mend what it finds, `NEEDS_INDEX = True` where it asks the site index, `EXEMPTABLE = False` where an entry may
not exempt itself.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Collection, Iterable, Mapping
from types import ModuleType

from kb.errors import KnowledgeBaseError
from kb.lint.finding import Finding, Hit
from kb.lint.tree import Tree

__all__ = ["Finding", "Hit", "Tree", "checks", "fix", "lint"]

NOT_CHECKS = frozenset({"finding", "tree", "exemptions"})
"""Modules of this folder that the checks share."""


def checks() -> Mapping[str, ModuleType]:
    """Every check by name, in alphabetical order."""
    names = sorted(m.name for m in pkgutil.iter_modules(__path__) if m.name not in NOT_CHECKS)
    return {name: importlib.import_module(f"{__name__}.{name}") for name in names}


def lint(tree: Tree, skip: Collection[str] = ()) -> list[Finding]:
    """The findings of all checks but those skipped, by file and line. Raises KnowledgeBaseError for a wrong name."""
    from kb.lint.exemptions import settle

    wanted = selected(skip)
    hits = {name: list(run_one(tree, name, module)) for name, module in wanted.items()}
    return sorted(settle(tree, hits, wanted))


def fix(tree: Tree, skip: Collection[str] = ()) -> list[str]:
    """Let every check that can mend its findings do so; the names of those that had something to do."""
    done = []
    for name, module in selected(skip).items():
        if hasattr(module, "fix") and any(True for _ in run_one(tree, name, module)):
            module.fix(tree)
            done.append(name)
    return done


def selected(skip: Collection[str]) -> Mapping[str, ModuleType]:
    """The checks that are not skipped. Raises KnowledgeBaseError for a name that is none."""
    known = checks()
    for name in skip:
        if name not in known:
            raise KnowledgeBaseError(f"--skip {name}: no such check; the checks are {', '.join(known)}")
    return {name: module for name, module in known.items() if name not in skip}


def run_one(tree: Tree, name: str, module: ModuleType) -> Iterable[Hit]:
    """One check's hits. Raises KnowledgeBaseError where it needs an index and there is none."""
    if getattr(module, "NEEDS_INDEX", False) and tree.index is None:
        raise KnowledgeBaseError(
            f"{tree.root}: the site index is missing, which the check `{name}` needs; "
            f"run `kb sync`, or leave the check out with --skip {name}"
        )
    hits: Iterable[Hit] = module.check(tree)
    return hits
