"""The index is quick and small. Wide limits: a busy machine must not fail them; bench_index.py has the figures."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from kb.catalog import open_catalog
from kb.folder import find_kb
from tests.bench import bench_index


@pytest.mark.bench
def test_a_look_up_is_a_matter_of_microseconds(capsys: pytest.CaptureFixture[str]):
    kb: Path = bench_index.KB
    bench_index.look_ups(open_catalog(find_kb(kb, {}, kb)))
    shown = capsys.readouterr().out
    print(shown)
    medians = {line[:22].strip(): float(line.split("median")[1].split()[0]) for line in shown.splitlines()}
    assert medians["location, again"] < 500
    assert medians["location, not cached"] < 2000


@pytest.mark.bench
def test_a_process_with_the_index_is_small_and_starts_at_once():
    code = "from tests.bench.bench_index import fresh_process; fresh_process(); fresh_process()"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    print(done.stdout)
    opened, memory = (float(done.stdout.splitlines()[-1].split()[i]) for i in (3, -2))
    assert opened < 3
    assert memory < 200
