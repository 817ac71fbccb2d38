"""Examples and tests of the family are nobody's dependency: a path or a text of theirs is most often a user's copy."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bot.opening import open_knowledge
from bot.triage.analyze import analyze
from bot.triage.model import Report
from kb.folder import find_kb

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def knowledge():
    return open_knowledge(find_kb(ROOT / "kb", os.environ, ROOT))


def verdict_on(text, knowledge):
    return analyze(Report(id=None, title="", body=f"```\n{text}\n```"), knowledge)


@pytest.mark.parametrize(
    "where",
    ["src/inference.rs:17:10", "src/main.rs:17:10", "/home/me/digits/src/inference.rs:17:10"],
)
def test_a_users_own_file_is_not_taken_for_an_example(where, knowledge):
    text = f"thread 'main' panicked at {where}:\nTrained model should exist: Os {{ code: 2, kind: NotFound }}"
    assert verdict_on(text, knowledge).place is None


def test_an_example_is_found_by_its_folder(knowledge):
    where = "examples/custom-image-dataset/src/inference.rs:17:10"
    text = f"thread 'main' panicked at {where}:\nTrained model should exist: Os {{ code: 2, kind: NotFound }}"
    assert verdict_on(text, knowledge).place.path == "examples/custom-image-dataset/src/inference.rs"


def test_words_that_only_tests_say_are_nobodys(knowledge):
    assert verdict_on("thread 'main' panicked: Failed to load model: Io(NotFound)", knowledge).place is None
