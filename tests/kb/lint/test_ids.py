import shutil

import pytest

from kb.lint import checks
from kb.lint.tree import read_tree
from kb.upkeep.ids import parse_ledger, read_ledger


@pytest.fixture
def copy(tree, tmp_path):
    shutil.copytree(tree.root / "entries", tmp_path / "entries")
    shutil.copy(tree.root / "ids.txt", tmp_path)
    return tmp_path


def found(root):
    return [hit.text for hit in checks()["ids"].check(read_tree(root))]


def entry(root, kb_id):
    return next((root / "entries").rglob(f"{kb_id}.yaml"))


def edit(path, old, new):
    path.write_text(path.read_text("utf-8").replace(old, new, 1), "utf-8")


def test_an_id_used_by_two_entries(copy, by_id):
    edit(entry(copy, "KB-0005"), by_id["KB-0005"].entry.id, by_id["KB-0004"].entry.id)
    assert any("used twice" in text for text in found(copy))


def test_an_id_that_is_the_alias_of_another(copy, by_id):
    edit(entry(copy, "KB-0005"), by_id["KB-0005"].entry.id, "fd0de0d722285fea")
    assert any("used twice" in text for text in found(copy))


def test_an_id_that_changed(copy, by_id):
    edit(entry(copy, "KB-0005"), by_id["KB-0005"].entry.id, "0" * 16)
    assert found(copy) == [f"the id of KB-0005 was {by_id['KB-0005'].entry.id}"]


def test_an_alias_that_was_dropped(copy):
    edit(entry(copy, "KB-0001"), "aliases: [fd0de0d722285fea]\n", "")
    assert found(copy) == ["the alias fd0de0d722285fea was removed"]


def test_an_entry_that_was_deleted(copy):
    entry(copy, "KB-0005").unlink()
    assert found(copy) == ["KB-0005 has no file any more"]


def test_a_number_that_stands_in_two_files(copy):
    source = entry(copy, "KB-0005")
    shutil.copy(source, source.with_name("KB-0005-again.yaml"))
    assert any("stands in two files" in text for text in found(copy))


def test_a_new_entry_is_added_to_the_list_and_nothing_else_changes(copy):
    before = (copy / "ids.txt").read_text("utf-8")
    (copy / "ids.txt").write_text(before.rsplit("\n", 2)[0] + "\n", "utf-8")
    assert len(found(copy)) == 1
    checks()["ids"].fix(read_tree(copy))
    assert (copy / "ids.txt").read_text("utf-8") == before


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("KB-0002 " + "a" * 16 + "\nKB-0001 " + "b" * 16, "stands after"),
        ("KB-0001 " + "a" * 16 + "\nKB-0002 " + "a" * 16, "stands twice"),
        ("KB-1 abc", "not a line"),
    ],
)
def test_lines_that_cannot_stand(text, said):
    assert [said in problem.text for problem in parse_ledger(text).problems] == [True]


def test_a_folder_without_a_list_has_an_empty_one(tmp_path):
    assert dict(read_ledger(tmp_path).rows) == {}
