import json
import shutil

from jsonschema import Draft202012Validator

from kb.lint import checks
from kb.lint.tree import read_tree
from kb.load import parse
from kb.upkeep.schema import schema_text


def test_the_schema_takes_every_entry_and_the_template(tree):
    validator = Draft202012Validator(json.loads(schema_text()))
    texts = [file.text for file in tree.files] + [(tree.root / "TEMPLATE.yaml").read_text("utf-8")]
    assert [error.message for text in texts for error in validator.iter_errors(parse(text)[0])] == []


def test_the_schema_refuses_what_the_reader_refuses(tree):
    validator = Draft202012Validator(json.loads(schema_text()))
    data = parse(tree.files[0].text)[0]
    assert list(validator.iter_errors({**data, "severity": "fatal"}))
    assert list(validator.iter_errors({**data, "unknown": "field"}))


def test_a_schema_that_is_not_that_of_the_model_is_found_and_mended(tree, tmp_path):
    shutil.copytree(tree.root / "entries", tmp_path / "entries")
    check = checks()["schema_file"]
    assert len(list(check.check(read_tree(tmp_path)))) == 1
    check.fix(read_tree(tmp_path))
    assert list(check.check(read_tree(tmp_path))) == []
