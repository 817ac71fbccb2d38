"""The rules that every command keeps, whoever adds it."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

import pytest

from bot.commands import COMMANDS, Command, Who
from bot.commands._model import DONE, PUZZLED, REFUSED, SEEN
from bot.commands.help import REACTIONS, table
from bot.triage.plan import ANSWER_CHANGED
from bot.triage.rendered import strangers

FOLDER = Path(__file__).parents[3] / "bot" / "commands"
NAMES = sorted(path.stem for path in FOLDER.glob("*.py") if not path.stem.startswith("_"))


def test_every_file_is_one_command() -> None:
    assert list(COMMANDS) == NAMES


def test_the_ten_commands_of_the_contract_are_there() -> None:
    wanted = {"again", "explain", "wrong", "entry", "hide", "show", "delete", "mute", "unmute", "help"}

    assert wanted - set(COMMANDS) == set()


@pytest.mark.parametrize("command", COMMANDS.values(), ids=list(COMMANDS))
def test_a_command_explains_itself(command: Command) -> None:
    word = "" if command.name == "again" else f" {command.name}"

    assert (command.usage.startswith(f"/triage{word}"), command.example.startswith(f"/triage{word}")) == (True, True)
    assert (command.summary[0].isupper(), command.summary[-1], "|" in command.usage) == (True, ".", False)


@pytest.mark.parametrize("name", NAMES)
def test_a_command_says_in_its_docstring_what_it_is_for(name: str) -> None:
    module = importlib.import_module(f"bot.commands.{name}")

    assert (module.__doc__ or "").startswith("`/triage")


@pytest.mark.parametrize("name", NAMES)
def test_a_command_is_pure(name: str) -> None:
    tree = ast.parse((FOLDER / f"{name}.py").read_text())
    imported = {n.module or "" for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
    imported |= {alias.name for n in ast.walk(tree) if isinstance(n, ast.Import) for alias in n.names}
    allowed = ("__future__", "re", "dataclasses", "bot.commands", "bot.triage", "kb.")

    assert [module for module in imported if not module.startswith(allowed)] == []


def test_help_names_every_command_and_who_may_use_it() -> None:
    lines = table(list(COMMANDS.values())).splitlines()
    rows = [f"| `{c.usage}` | {c.who} | {c.summary} |" for c in COMMANDS.values()]

    assert (lines[-len(rows) :], strangers("\n".join(lines))) == (rows, ())


def test_only_wrong_is_for_anyone_and_only_entry_for_maintainers_alone() -> None:
    assert {c.name: c.who for c in COMMANDS.values() if c.who is not Who.AUTHOR} == {
        "wrong": Who.ANYONE,
        "entry": Who.MAINTAINER,
    }


def test_help_explains_every_reaction() -> None:
    shown = {"+1": "👍", "eyes": "👀", "confused": "😕", "-1": "👎", "rocket": "🚀"}

    assert {shown[content] in REACTIONS for content in (DONE, SEEN, PUZZLED, REFUSED, ANSWER_CHANGED)} == {True}
