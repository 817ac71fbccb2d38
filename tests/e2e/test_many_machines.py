"""Two receivers and three workers share one PostgreSQL: nothing lost, nothing said twice, everybody has work.

`BURN_TRIAGE_TEST_ISSUES` makes it longer; `python -m tests.bench.bench_scale` measures it.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.bench.bench_scale import UNLIMITED, load, start
from tests.e2e.stack import Stack
from tests.fakes.github import FakeGitHub

pytestmark = pytest.mark.e2e
ISSUES = int(os.environ.get("BURN_TRIAGE_TEST_ISSUES", "40"))


def test_two_receivers_and_three_workers_lose_and_double_nothing(postgres, github: FakeGitHub, tmp_path: Path):
    stack = Stack(postgres.make(), github, tmp_path, dict(UNLIMITED))
    try:
        found = load(stack, github, start(stack, receivers=2, workers=3), ISSUES)
    finally:
        stack.stop()
    assert (found.lost, found.stored_twice, found.not_one_comment, found.violations) == (0, 0, 0, 0), str(found)
    assert len(found.by_worker) > 1, str(found)
    print(found)
