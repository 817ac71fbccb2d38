"""`burn-triage mcp` over real stdio: with the SDK's client, and by hand where the client would not go."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import Any

import jsonschema
import pytest
from mcp.shared.exceptions import MCPError

from bot.cli import installed_version
from bot.errors import PermanentError
from bot.mcp.server import carry_out
from bot.mcp.tool import Tool, all_tools
from bot.web.shelf import Shelf
from tests.bot.mcp.asking import ROOT, Session, ask, talk

PANIC = (
    "thread 'main' panicked at /x/burn-autodiff-0.21.0/src/ops/module.rs:56:9:\nCan't differentiate embedding backward."
)
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("explain_panic", {"text": PANIC}),
    ("look_up_error", {"id": "KB-0004"}),
    ("list_known_panics", {"crate": "burn-ir", "version": "0.20.0", "explained": False}),
    ("look_up_error", {"id": "KB-9999"}),
    ("explain_panic", {}),
    ("delete_everything", {}),
    ("explain_panic", {"text": f"Again, after the errors:\n\n{PANIC}"}),
]
HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "by hand", "version": "1"}}


@pytest.fixture(scope="module")
def session() -> Session:
    return talk(CALLS)


@pytest.mark.e2e
class TestSession:
    def test_it_says_who_it_is_and_what_it_can(self, session: Session):
        assert (session.hello.server_info.name, session.hello.server_info.version) == (
            "burn-triage",
            installed_version(),
        )
        assert "explain_panic" in (session.hello.instructions or "")
        assert [tool.name for tool in session.tools] == ["explain_panic", "list_known_panics", "look_up_error"]
        assert [tool.annotations and tool.annotations.read_only_hint for tool in session.tools] == [True] * 3

    def test_the_answers_are_those_of_the_core_as_content_and_as_text(self, session: Session, shelf: Shelf):
        for (name, arguments), answer in zip(CALLS[:3], session.answers, strict=False):
            assert not isinstance(answer, MCPError)
            assert (answer.is_error, answer.structured_content) == (False, ask(shelf, name, **arguments))
            assert json.loads(answer.content[0].text) == answer.structured_content

    def test_an_error_is_one_for_the_assistant_and_ends_nothing(self, session: Session):
        unknown, missing, no_tool, again = session.answers[3:]
        assert (unknown.is_error, "there is no error `KB-9999`" in unknown.content[0].text) == (True, True)
        assert (missing.is_error, "`text` is missing" in missing.content[0].text) == (True, True)
        assert str(no_tool) == "there is no tool delete_everything; there are " + ", ".join(all_tools())
        assert (again.is_error, again.structured_content["entry"]) == (False, "KB-0001")


def by_hand(*lines: str, answers: int) -> tuple[list[str], str, int]:
    """The server's whole life: these lines on stdin, so many lines back, then its end. Stdout, stderr, exit status."""
    pipe = subprocess.PIPE
    words = [sys.executable, "-m", "bot", "mcp"]
    with subprocess.Popen(words, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write("".join(f"{line}\n" for line in lines))
        server.stdin.flush()
        told = [server.stdout.readline() for _ in range(answers)]
        rest, errors = server.communicate(timeout=60)
    return [*told, *rest.splitlines()], errors, server.returncode


def call(number: int, method: str, **params: Any) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params})


@pytest.mark.e2e
def test_stdout_holds_the_protocol_alone_and_no_log_what_was_asked():
    """Also after what no client sends: no JSON, no request, wrong types, an unknown method."""
    told, errors, status = by_hand(
        call(1, "initialize", **HELLO),
        '{"jsonrpc": "2.0", "method": "notifications/initialized"}',
        "s3cret is no JSON",
        '{"s3cret": 1}',
        call(2, "s3cret/method"),
        call(3, "tools/call", name="explain_panic", arguments=["s3cret"]),
        call(4, "tools/call", name="explain_panic", arguments={"text": f"s3cret {PANIC}", "s3cret": 1}),
        call(5, "tools/call", name="look_up_error", arguments={"id": "\u0000s3cret"}),
        call(6, "tools/list"),
        answers=6,
    )
    answers = [json.loads(line) for line in told]
    assert {answer["jsonrpc"] for answer in answers} == {"2.0"}
    assert sorted(answer["id"] for answer in answers if "id" in answer) == [1, 2, 3, 4, 5, 6]
    assert (status, "s3cret" in errors, "Traceback" in errors) == (0, False, False)


@pytest.mark.e2e
def test_it_ends_quietly_when_stdin_is_at_its_end():
    assert by_hand(answers=0) == ([], "", 0)


def test_what_nobody_foresaw_is_an_error_without_the_text(shelf: Shelf, caplog: pytest.LogCaptureFixture):
    def broken(_shelf: Shelf, arguments: Any) -> dict[str, Any]:
        raise RuntimeError(arguments["text"])

    def away(_shelf: Shelf, _arguments: Any) -> dict[str, Any]:
        raise PermanentError("gone", "the clone is gone")

    found = [carry_out(Tool("x", "", "", {}, {}, answer), shelf, {"text": "s3cret"}) for answer in (broken, away)]
    assert [(one.is_error, one.content[0].text.split(";")[0]) for one in found] == [
        (True, "a fault of burn-triage itself"),
        (True, "could not be answered: the clone is gone"),
    ]
    assert ("RuntimeError" in caplog.text, "s3cret" in caplog.text) == (True, False)


@pytest.mark.parametrize("name", all_tools())
def test_a_schema_holds_all_that_it_refers_to(name: str):
    tool = all_tools()[name]
    jsonschema.Draft202012Validator.check_schema(tool.output)
    named = set(re.findall(r'"#/\$defs/(\w+)"', json.dumps(tool.output)))
    assert (tool.output["type"], named - tool.output.get("$defs", {}).keys()) == ("object", set())
    assert ("components" in json.dumps(tool.output), tool.input["required"] != []) == (False, True)
