"""The commands of entry authors, as they are typed."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path

import pytest

from bot.cli import main as burn_triage
from kb.catalog import open_catalog
from kb.cli import main
from kb.folder import find_kb
from kb.lint import lint
from kb.lint.tree import Tree, read_tree
from kb.load import load_files, parse_file

ROOT = Path(__file__).parents[3]
PAGES = ROOT / "tests/corpus/pages"
KB = ["--kb", str(ROOT / "kb")]


def draft_in(text):
    file = parse_file(Path("KB-0000-x.yaml"), text)
    assert file.problems == ()
    return file.entry


def test_import_prints_an_unreviewed_draft_and_nothing_else_on_stdout(capsys):
    assert main(["import", str(PAGES / "one-claim-too-many.txt"), *KB]) == 0
    out, err = capsys.readouterr()
    assert draft_in(out).review
    assert "to review: claim in 'what it means': There is no quantized-tensor handling" in err


def test_import_refuses_with_the_reasons_and_status_1(capsys):
    assert main(["import", str(PAGES / "about-another-function.txt"), *KB]) == 1
    out, err = capsys.readouterr()
    assert [line for line in out.splitlines() if not line.startswith("#")] == []
    assert "refused" in err
    assert "reason: the explanation never names" in err


def test_import_of_several_writes_those_that_pass_and_fails_for_the_rest(tmp_path, capsys):
    pages = [str(page) for page in sorted(PAGES.glob("*.*")) if page.suffix in (".txt", ".json")]
    assert main(["import", *pages, *KB, "--out", str(tmp_path)]) == 1
    written = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.yaml"))
    assert [path.split("/")[0] for path in written] == ["burn-fusion", "burn-import"]
    assert all(file.problems == () for file in load_files(tmp_path))


def test_import_does_not_overwrite(tmp_path, capsys):
    page = str(PAGES / "right.json")
    assert main(["import", page, *KB, "--out", str(tmp_path)]) == 0
    assert main(["import", page, *KB, "--out", str(tmp_path)]) == 2
    assert "is there already" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "said"), [(None, "cannot be read"), (b"\xff\xfe", "no UTF-8 text"), (b"hello", "has no section")]
)
def test_import_of_what_is_no_page(tmp_path, capsys, content, said):
    page = tmp_path / "page.txt"
    if content is not None:
        page.write_bytes(content)
    assert main(["import", str(page), *KB]) == 2
    assert said in capsys.readouterr().err


def test_draft_prints_what_the_index_knows(capsys):
    assert main(["draft", "Client already created for device", *KB]) == 0
    entry = draft_in(capsys.readouterr().out)
    assert {site.crate for site in entry.sites} >= {"burn-compute", "burn-fusion", "burn-router", "cubecl-runtime"}


def test_draft_says_who_has_the_site_already(capsys):
    assert main(["draft", "The size should match", *KB]) == 0
    assert "# KB-0027 has a site of this already" in capsys.readouterr().out


def test_draft_below_a_folder(tmp_path, capsys):
    assert main(["draft", "Client already created for device", *KB, "--out", str(tmp_path)]) == 0
    (path,) = tmp_path.rglob("*.yaml")
    assert path.name.startswith("KB-0000-")
    assert main(["draft", "Client already created for device", *KB, "--out", str(tmp_path)]) == 2


@pytest.mark.parametrize("name", ["KB-0002", "abb24d8b6c43f1d0", "460dd0d378116128"])
def test_preview_shows_comment_and_page_by_any_id(capsys, name):
    assert burn_triage(["kb", "preview", name, *KB]) == 0
    out = capsys.readouterr().out
    assert "--- the comment" in out
    assert "**Cause.** A transaction keeps quantised tensors" in out
    assert "# Quantization not supported yet: reading a quantised tensor" in out


def test_preview_of_a_draft(capsys):
    shown = str(ROOT / "kb/TEMPLATE.yaml")
    assert burn_triage(["kb", "preview", shown, *KB]) == 2
    assert "name it KB-0042.yaml" in capsys.readouterr().err


def test_preview_of_a_draft_in_the_making(tmp_path, capsys):
    draft = tmp_path / "KB-0000-non-leaf.yaml"
    shutil.copy(ROOT / "kb/TEMPLATE.yaml", draft)
    assert burn_triage(["kb", "preview", str(draft), *KB]) == 0
    assert "**Cause.** `AutodiffTensor::require_grad`" in capsys.readouterr().out


def test_preview_without_the_bot_shows_the_page(capsys):
    assert main(["preview", "KB-0002", *KB]) == 0
    assert "--- the comment" not in capsys.readouterr().out


def test_preview_of_what_is_not_there(capsys):
    assert main(["preview", "KB-9999", *KB]) == 2
    assert "no such entry" in capsys.readouterr().err


def test_drift_of_entries_that_hold_is_markdown_and_status_0(capsys):
    assert main(["drift", *KB]) == 0
    assert "## Entries at tracel-ai/burn main" in capsys.readouterr().out


def test_drift_to_a_revision_that_is_not_indexed(capsys):
    assert main(["drift", *KB, "--to", "v99.0.0"]) == 2
    assert "no such revision in the index" in capsys.readouterr().err


def test_schema_is_json(capsys):
    assert main(["schema"]) == 0
    assert json.loads(capsys.readouterr().out)["additionalProperties"] is False


@pytest.fixture
def copy(tmp_path):
    """The knowledge base without its index, to write into."""
    folder = tmp_path / "kb"
    shutil.copytree(ROOT / "kb/entries", folder / "entries")
    for name in ("repos.yaml", "ids.txt"):
        shutil.copy(ROOT / "kb" / name, folder)
    return folder


def test_schema_is_written_into_the_knowledge_base(copy, capsys):
    assert main(["schema", "--write", "--kb", str(copy)]) == 0
    assert (copy / "schema.json").read_text("utf-8") == (ROOT / "kb/schema.json").read_text("utf-8")


def test_assign_ids_renames_and_says_so(copy, capsys):
    shutil.copy(ROOT / "kb/TEMPLATE.yaml", copy / "entries/burn-autodiff/KB-0000-non-leaf.yaml")
    assert main(["assign-ids", "--kb", str(copy)]) == 0
    assert re.search(r"KB-0000-non-leaf\.yaml -> entries/burn-autodiff/KB-\d{4}\.yaml", capsys.readouterr().out)


def test_lint_without_an_index_says_what_is_missing(copy, capsys):
    assert main(["lint", "--kb", str(copy)]) == 2
    assert "the site index is missing" in capsys.readouterr().err


def test_lint_shows_findings_of_the_entries_named(copy, capsys):
    skip = [arg for name in ("affected", "cause", "code_names", "examples", "sites") for arg in ("--skip", name)]
    assert main(["lint", "KB-0001", "--kb", str(copy), *skip]) == 0
    assert main(["lint", "--kb", str(copy), *skip]) == 1
    assert "schema.json:1: schema_file:" in capsys.readouterr().out
    assert main(["lint", "KB-9999", "--kb", str(copy), *skip]) == 2
    assert "KB-9999: no such entry" in capsys.readouterr().err


def test_the_template_lints_clean_in_place_of_the_entry_about_its_panic():
    catalog = open_catalog(find_kb(ROOT / "kb", os.environ, ROOT))
    tree = read_tree(ROOT / "kb", catalog, catalog)
    text = (ROOT / "kb/TEMPLATE.yaml").read_text("utf-8")
    draft = parse_file(ROOT / "kb/entries/burn-autodiff/KB-0000-template.yaml", text)
    assert draft.entry is not None
    others = [file for file in tree.files if file.entry is None or file.entry.title != draft.entry.title]
    found = lint(Tree(tree.root, (*others, draft), catalog, catalog))
    assert [finding for finding in found if finding.file.endswith(draft.path.name)] == []
