"""The command line as a whole."""

from importlib.metadata import version

import pytest

from bot.cli import build_parser, main, subcommands

NAMES = list(subcommands("bot.cli"))


def test_every_subcommand_is_listed_with_its_first_line():
    shown = build_parser().format_help()
    for name, module in subcommands("bot.cli").items():
        assert name in shown
        assert (module.__doc__ or "").strip().split("\n", 1)[0].split()[0] in shown


@pytest.mark.parametrize("name", NAMES)
def test_every_subcommand_explains_itself(name, capsys):
    with pytest.raises(SystemExit) as stopped:
        main([name, "--help"])
    assert stopped.value.code == 0
    assert capsys.readouterr().out.startswith(f"usage: burn-triage {name}")


def test_an_unknown_subcommand_is_wrong_usage(capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["explian"])
    assert stopped.value.code == 2
    assert "explain" in capsys.readouterr().err


def test_the_version_is_that_of_the_distribution(capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["--version"])
    assert (stopped.value.code, capsys.readouterr().out) == (0, f"burn-triage {version('burn-triage')}\n")


def test_only_the_subcommand_that_runs_is_imported():
    assert list(subcommands("bot.cli", "explain")) == ["explain"]
