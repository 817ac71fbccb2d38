"""Labelled cases: one YAML file each, a report and what a right analysis says of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from bot.errors import UserError
from bot.triage.model import Report

ANSWERS = ("site", "function", "foreign", "silent", "not")


@dataclass(frozen=True, slots=True)
class Case:
    """One report with its expectation. `expect` keeps the file's own keys (tests/corpus/reports/README.md)."""

    id: str
    report: Report
    expect: Mapping[str, Any]
    quirks: tuple[str, ...]

    @property
    def answer(self) -> str:
        """`site`, `function`, `foreign`, `silent`, or `not`: anything but the answer that a maintainer called wrong."""
        return str(self.expect["answer"])

    @property
    def panic(self) -> Mapping[str, Any]:
        """The panic that has to be answered."""
        panic: Mapping[str, Any] = self.expect["panic"]
        return panic

    @property
    def wrong(self) -> Mapping[str, Any]:
        """For `not`: `entry` and `site` of the wrong answer, either may be null."""
        wrong: Mapping[str, Any] = self.expect.get("not") or {}
        return wrong

    @property
    def also(self) -> tuple[Mapping[str, Any], ...]:
        """Further panics of the report."""
        return tuple(self.expect.get("also") or ())

    @property
    def sites(self) -> tuple[Mapping[str, Any], ...]:
        """Places that are right, any one of them."""
        site = self.expect.get("site")
        return (*((site,) if site else ()), *(self.expect.get("site_any") or ()))


def load_cases(folder: Path) -> tuple[Case, ...]:
    """All cases of a folder, by name. Raises UserError naming the folder, or the file and what is wrong with it."""
    files = sorted(folder.glob("*.yaml"))
    if not files:
        raise UserError("no_cases", f"{folder}: no case files (*.yaml) there; give the folder that holds them")
    return tuple(_load(file) for file in files)


def _load(file: Path) -> Case:
    try:
        data = yaml.load(file.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
        report = Report(
            file.stem,
            data["title"] or "",
            data["body"] or "",
            tuple(data.get("comments") or ()),
            data.get("repo"),
            str(data["created_at"]) if data.get("created_at") else None,
        )
        expect, quirks = data["expect"], tuple(data.get("quirks") or ())
    except (OSError, UnicodeDecodeError, yaml.YAMLError, KeyError, TypeError) as error:
        raise UserError("bad_case", f"{file}: not a case ({type(error).__name__}: {error}); see the format") from None
    if expect.get("answer") not in ANSWERS or (expect["answer"] != "silent" and not expect.get("panic")):
        raise UserError(
            "bad_case", f"{file}: `expect` needs an answer ({', '.join(ANSWERS)}) and, unless silent, a panic"
        )
    return Case(file.stem, report, expect, quirks)
