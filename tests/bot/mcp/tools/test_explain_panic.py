"""`explain_panic`: the same verdict as the API's and the same words as `burn-triage explain`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bot.cli import main
from bot.evaluation.cases import load_cases
from bot.web.answer import LARGEST_LOG
from bot.web.public import create_public
from bot.web.shelf import Shelf
from tests.bot.mcp.asking import ROOT, ask, refused
from tests.bot.web import world

REGISTRY = "/home/ann/.cargo/registry/src/index.crates.io-6f17d22bba15001f"
PANIC = f"thread 'main' panicked at {REGISTRY}/burn-ir-0.20.0/src/handle.rs:88:32:\nShould have handle for tensor 7\n"
OWN = {"id", "comment", "url"}
"""Of the API's answer alone: what stands on GitHub, and addresses of pages."""


def test_it_is_the_verdict_of_the_api(shelf: Shelf):
    client = create_public(world.desk()).test_client()
    texts = [case.report.body for case in load_cases(ROOT / "tests/corpus/reports")[::12]]
    api = [client.post("/api/explain", json={"text": text}).json for text in texts]
    found = [ask(shelf, "explain_panic", text=text) for text in texts]
    assert [{n: one[n] for n in one if n != "answer"} for one in found] == [
        {n: one[n] for n in one if n not in OWN} for one in api
    ]
    assert len({one["verdict"] for one in found}) > 2


def test_its_words_are_those_of_the_command_line(shelf: Shelf, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "panic.txt").write_text(PANIC, "utf-8")
    assert main(["explain", "--kb", str(ROOT / "kb"), str(tmp_path / "panic.txt")]) == 0
    printed = capsys.readouterr().out.split("\n", 1)[1].strip()
    found = ask(shelf, "explain_panic", text=PANIC)
    assert (found["answer"], found["entry"]) == (printed, "KB-0004")
    assert [word for word in ("<details>", "/triage") if word in found["answer"]] == []


def test_a_version_that_the_text_does_not_show_may_be_given(shelf: Shelf):
    text = "thread 'main' panicked at crates/burn-ir/src/handle.rs:88:32:\nShould have handle for tensor 7\n"
    told = ask(shelf, "explain_panic", text=text, version="v0.20.0")
    assert told["site"]["revision"] == "v0.20.0"


def test_a_text_without_a_panic_is_an_answer_and_no_error(shelf: Shelf):
    found = ask(shelf, "explain_panic", text="It trains slowly.")
    assert (found["verdict"], found["panics"], found["entry"]) == ("none", [], None)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({}, "`text` is missing: give the panic"),
        ({"text": " \n"}, "`text` is missing"),
        ({"text": ["a"]}, "`text` must be a text"),
        ({"text": "x" * (LARGEST_LOG + 1)}, f"give at most {LARGEST_LOG}"),
        ({"text": "x", "version": "the newest"}, "`version` must be one of burn, such as 0.21.0"),
        ({"text": "x", "version": 21}, "`version` must be a text"),
        ({"text": "x", "log": "y"}, "`log` is no argument; give text, version"),
    ],
)
def test_what_cannot_be_used_is_named_with_what_to_give(shelf: Shelf, arguments: dict[str, Any], said: str):
    assert said in refused(shelf, "explain_panic", **arguments)
