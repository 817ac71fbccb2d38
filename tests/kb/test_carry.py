"""Lines followed through the changes of main, and the log of changes that this is read from."""

from __future__ import annotations

import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.carry import new_line, old_line
from kb.records import FileShift
from kb.sitefiles import _close, _open
from kb.source.shifts import read_shifts


@pytest.mark.parametrize(
    ("line", "there"), [(1, 1), (4, 4), (5, None), (6, None), (7, 8), (9, 10), (10, 11), (11, 16), (40, 45)]
)
def test_a_line_moves_by_what_the_hunks_before_it_added(line, there):
    hunks = (5, 2, 5, 3, 10, 0, 12, 4)
    assert new_line(line, hunks) == there
    if there is not None:
        assert old_line(there, hunks) == line


@given(st.lists(st.tuples(*[st.integers(0, 400)] * 4), max_size=6))
def test_hunks_are_kept_as_they_are(hunks):
    flat = tuple(number for hunk in hunks for number in hunk)
    assert tuple(_open(list(_close(flat)))) == flat


def test_the_log_of_a_real_repository_is_read(tmp_path):
    def git(*words):
        identity = ("-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false")
        subprocess.run(["git", *identity, "-C", str(tmp_path), *words], check=True, capture_output=True)

    git("init", "-b", "main")
    file = tmp_path / "a.rs"
    first = [f"line {n}" for n in range(1, 11)]
    for number, lines in enumerate((first, ["-- new", "++ b/x", *first[:4], *first[6:]])):
        file.write_text("\n".join(lines) + "\n")
        git("add", ".")
        git("commit", "-m", str(number))
    git("mv", "a.rs", "b.rs")
    git("commit", "-m", "moved")
    shown = ["log", "--first-parent", "-m", "-M", "-U0", "--no-color", "--format=commit %H", "main", "--", "*.rs"]
    log = subprocess.run(["git", "-C", str(tmp_path), *shown], check=True, capture_output=True).stdout
    moved, changed, made = [record.files for record in read_shifts(log.splitlines(keepends=True))]
    assert moved == (FileShift("a.rs", "b.rs", ()),)
    assert changed == (FileShift("a.rs", "a.rs", (0, 0, 1, 2, 5, 2, 6, 0)),)
    assert made == ()
    assert [new_line(n, changed[0].hunks) for n in (1, 4, 5, 7, 10)] == [3, 6, None, 7, 10]
