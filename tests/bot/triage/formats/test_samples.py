"""Every layout reads its samples, and no sample is claimed by two layouts."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from bot.triage.conversation import read_lines
from bot.triage.extract import find_all, read
from bot.triage.formats import all_formats
from bot.triage.formats._text import Text
from bot.triage.model import PanicReport, Report
from bot.triage.repair_lines import repair_lines

CORPUS = Path(__file__).parents[3] / "corpus" / "panics"
SAMPLES = sorted(CORPUS.glob("*/*.yaml"))
NAMES = [f"{path.parent.name}/{path.stem}" for path in SAMPLES]
PLACE = ("crate", "version", "commit", "file", "line", "column")


def load(path: Path) -> tuple[Report, list[dict[str, object]]]:
    sample = yaml.safe_load(path.read_text("utf-8"))
    return Report(None, sample["title"], sample["body"], tuple(sample.get("comments", ()))), sample["expect"]


def shown(panic: PanicReport, expected: dict[str, object]) -> dict[str, object]:
    """The panic in the fields of a sample; frames and lines only where the sample speaks of them."""
    place = {name: getattr(panic.location, name) for name in PLACE} if panic.location else {}
    known = {name: value for name, value in place.items() if value is not None}
    told = {"message": panic.headline, **known, "thread": panic.thread, "role": str(panic.role), "format": panic.format}
    told["frames"], told["lines"] = len(panic.frames), len(panic.message.split("\n"))
    return {name: value for name, value in told.items() if name in expected or (name in PLACE and value is not None)}


@pytest.mark.parametrize("path", SAMPLES, ids=NAMES)
def test_a_sample_is_read_as_it_says(path: Path):
    report, expect = load(path)
    usual = {"format": path.parent.name}
    full = [{**usual, "role": "root" if at == 0 else "consequence", **one} for at, one in enumerate(expect)]
    panics = read(report).panics
    assert [shown(panic, expected) for panic, expected in zip(panics, full, strict=True)] == full


@pytest.mark.parametrize("path", SAMPLES, ids=NAMES)
def test_exactly_one_layout_claims_each_panic(path: Path):
    """Each panic of a sample is asked of every layout of its kind: one answers, the others leave it alone."""
    text = Text(repair_lines(read_lines(load(path)[0])))
    for name, find in find_all(text):
        kind = next(one for one in all_formats() if one.name == name).bare
        claims = [one.name for one in all_formats() if one.bare is kind and one.parse(text, find.first)]
        assert claims == [name]


def test_every_layout_has_three_samples_of_its_own():
    counts = {one.name: len(list((CORPUS / one.name).glob("*.yaml"))) for one in all_formats()}
    assert {name: count for name, count in counts.items() if count < 3} == {}


def test_every_folder_of_samples_has_its_layout():
    assert {path.parent.name for path in SAMPLES} == {one.name for one in all_formats()}
