from __future__ import annotations

import shutil

import pytest

from kb.errors import KnowledgeBaseError
from kb.load import load_entries
from kb.upkeep.ids import assign_ids, new_hex_id, next_id, read_ledger


@pytest.fixture
def copy(tree, tmp_path):
    """The template as a draft, beside one entry."""
    folder = tmp_path / "entries/burn-autodiff"
    folder.mkdir(parents=True)
    shutil.copy(tree.root / "TEMPLATE.yaml", folder / "KB-0000-non-leaf.yaml")
    shutil.copy(tree.root / "entries/burn-autodiff/KB-0001.yaml", folder)
    (tmp_path / "ids.txt").write_text("KB-0001 a5d38c0ae127ce97 fd0de0d722285fea\nKB-0007 " + "7" * 16 + "\n", "utf-8")
    return tmp_path


def test_a_draft_gets_the_id_after_the_highest_that_was_ever_given(copy):
    moved = assign_ids(copy)
    assert [(old.name, new.name) for old, new in moved] == [("KB-0000-non-leaf.yaml", "KB-0008.yaml")]
    assert read_ledger(copy).rows["KB-0008"] == ("7e0c5b1d92a4f386",)
    entry = {entry.kb_id: entry for entry in load_entries(copy / "entries")}["KB-0008"]
    assert entry.live


def test_only_the_status_line_goes(copy):
    before = (copy / "entries/burn-autodiff/KB-0000-non-leaf.yaml").read_text("utf-8")
    ((_, new),) = assign_ids(copy)
    gone = [line for line in before.splitlines() if line not in new.read_text("utf-8").splitlines()]
    assert [line.split("#")[0].strip() for line in gone] == ["status: draft"]


def test_a_draft_with_open_claims_is_passed_by(copy):
    draft = copy / "entries/burn-autodiff/KB-0000-non-leaf.yaml"
    draft.write_text(draft.read_text("utf-8") + "review:\n  - check this\n", "utf-8")
    assert assign_ids(copy) == []
    assert draft.is_file()


def test_a_draft_that_does_not_read_is_an_error(copy):
    draft = copy / "entries/burn-autodiff/KB-0000-non-leaf.yaml"
    draft.write_text("id: x\n", "utf-8")
    with pytest.raises(KnowledgeBaseError, match=r"KB-0000-non-leaf\.yaml.*kb lint"):
        assign_ids(copy)


def test_two_drafts_get_two_ids(copy):
    draft = copy / "entries/burn-autodiff/KB-0000-non-leaf.yaml"
    draft.with_name("KB-0000-other.yaml").write_text(
        draft.read_text("utf-8").replace("7e0c5b1d92a4f386", "8" * 16), "utf-8"
    )
    assert [new.stem for _, new in assign_ids(copy)] == ["KB-0008", "KB-0009"]


def test_ids_run_out_with_a_message():
    with pytest.raises(KnowledgeBaseError, match="KB-9999 is taken"):
        next_id(["KB-9999"])
    assert next_id([]) == "KB-0001"


def test_a_hex_id_depends_on_all_its_parts():
    assert len({new_hex_id("a", "bc"), new_hex_id("ab", "c"), new_hex_id("a", "bc", "")}) == 3
