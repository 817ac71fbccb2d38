"""Matching is quick. Wide limits: a busy machine must not fail them; bench_matching.py has the figures."""

from __future__ import annotations

import pytest

from bot.opening import open_for_command
from tests.bench import bench_matching


@pytest.mark.bench
def test_ours_is_far_quicker_than_a_regex_per_template_and_than_fuzzy_comparison(capsys: pytest.CaptureFixture[str]):
    knowledge, _ = open_for_command(bench_matching.KB, None)
    bench_matching.messages(knowledge)
    bench_matching.places(knowledge)
    shown = capsys.readouterr().out
    print(shown)
    medians = {line[:44].strip(): float(line.split("median")[1].split()[0]) for line in shown.splitlines()[1:]}
    assert medians["message, ours"] < 200
    assert medians["message, ours"] * 5 < medians["message, a regex per template"]
    assert medians["message, ours"] * 5 < medians["message, RapidFuzz ratio"]
    assert medians["panic with its release, again"] < 1000
