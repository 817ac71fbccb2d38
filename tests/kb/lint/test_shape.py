import pytest

from kb.lint.tree import Tree
from kb.load import parse_file

SHAPES = [
    ("an unknown field", ("severity: usage", "severity: usage\nseverty: usage"), "unknown field `severty`", "severity"),
    ("a missing field", ("severity: usage\n", ""), "has no `severity`", "severity"),
    ("a wrong value", ("severity: usage", "severity: fatal"), "'fatal'", "error, usage"),
    ("text where a list belongs", ("related: []", "related: none"), "must be a list", "- item"),
    ("an id that is no id", ("id: ", "id: x"), "`id` is", "[0-9a-f]{16}"),
    ("YAML that does not parse", ("severity: usage", "severity: [usage"), "line", "plain YAML"),
    ("a key twice", ("severity: usage", "severity: usage\nseverity: usage"), "stands twice", "plain YAML"),
    ("an anchor", ("severity: usage", "severity: &s usage\nreview: [*s]"), "anchors and aliases", "plain YAML"),
]


@pytest.mark.parametrize(("pair", "text", "remedy"), [s[1:] for s in SHAPES], ids=[s[0] for s in SHAPES])
def test_a_file_of_another_form_is_named_with_its_line(changed, hits, pair, text, remedy):
    (hit,) = hits(changed("KB-0022", pair), "shape")
    assert text in hit.text
    assert remedy in hit.remedy
    assert hit.file.line(hit.path) >= 1


def test_the_line_is_that_of_the_value(changed, hits):
    tree = changed("KB-0022", ("severity: usage", "severity: fatal"))
    (hit,) = hits(tree, "shape")
    assert hit.file.text.splitlines()[hit.file.line(hit.path) - 1] == "severity: fatal"


@pytest.mark.parametrize(
    ("name", "folder", "said"),
    [("KB-22.yaml", "", "is named"), ("notes.yaml", "", "is named"), ("", "burn-core", "lies in burn-core/")],
)
def test_names_and_folders_are_part_of_the_form(changed, hits, name, folder, said):
    assert any(said in hit.text for hit in hits(changed("KB-0022", name=name, folder=folder), "shape"))


TOGETHER = [
    ("KB-0022", ("severity: usage", "severity: usage\nforeign: true"), "foreign entry with sites"),
    ("KB-0008", ('value: "redefinition of `powf_primitive`"', 'value: "wgpu"'), "12 characters"),
    ("KB-0022", ("severity: usage", "severity: usage\nstatus: withdrawn"), "go together"),
    ("KB-0022", ("severity: usage", "severity: usage\nstatus: draft"), "only drafts are KB-0000"),
    ("KB-0022", ("severity: usage", "severity: usage\nreview: [check it]"), "waiting for review"),
]


@pytest.mark.parametrize(("kb_id", "pair", "said"), TOGETHER)
def test_fields_that_belong_together(changed, hits, kb_id, pair, said):
    assert any(said in hit.text for hit in hits(changed(kb_id, pair), "shape"))


def test_a_file_that_is_empty_is_a_finding(tree, hits):
    file = parse_file(tree.root / "entries/burn-core/KB-0999.yaml", "")
    assert len(hits(Tree(tree.root, (file,), tree.index, tree.names), "shape")) == 1
