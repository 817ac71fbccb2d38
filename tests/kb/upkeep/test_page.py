from __future__ import annotations

import json
from pathlib import Path

import pytest

from kb.errors import KnowledgeBaseError
from kb.upkeep.page import parse_page

PAGES = Path(__file__).parents[2] / "corpus/pages"
TEXT = (PAGES / "one-claim-too-many.txt").read_text("utf-8")
JSON = json.loads((PAGES / "right.json").read_text("utf-8"))


def test_every_section_of_the_text_form():
    page = parse_page(TEXT)
    assert (page.repo, page.id, page.severity) == ("tracel-ai/burn", "460dd0d378116128", "error")
    assert page.message == 'todo!("Quantization not supported yet")'
    assert (page.path, page.line, page.commit) == ("crates/burn-fusion/src/ops/transaction.rs", 21, "d16f7ba2ed")
    assert page.summary == "Leave quantized tensors out of transactions."
    assert page.meaning.startswith("The fusion backend's tr_execute")
    assert page.code.strip() == '.map(|_t| todo!("Quantization not supported yet"))'
    assert page.solutions == ("Dequantize before the read.", "Read the tensor alone.")
    assert (page.strategy, page.validate) == ("validation", "assert!(transaction.read_qfloats.is_empty());")
    assert page.prevention == ("Read floats in batches.",)
    assert page.trigger == "A transaction (tr_execute) with a quantized tensor."
    assert page.situations == ("Quantized weights read together with outputs",)
    assert (page.written_by, page.written) == ("AI-assisted analysis", "2026-09-05")


def test_the_two_halves_of_an_example():
    page = parse_page((PAGES / "about-another-function.txt").read_text("utf-8"))
    assert page.before == "let q = BackendRouter::<R>::q_from_data(data, &device);"
    assert page.after == "let f = B::float_from_data(data, &device);"


def test_the_json_form_has_a_field_for_each_section():
    page = parse_page(json.dumps(JSON))
    assert (page.repo, page.message, page.line) == ("tracel-ai/burn", "OUT_DIR env is not set", 278)
    assert page.solutions == ("Call run_from_cli in a program.",)
    assert (page.before, page.trigger) == (
        "ModelGen::new().run_from_script();",
        "run_from_script outside a build script",
    )


def test_line_ends_of_windows():
    assert parse_page(TEXT.replace("\n", "\r\n")) == parse_page(TEXT)


def test_code_that_reads_like_a_heading_is_no_heading():
    page = parse_page(TEXT.replace("assert!(transaction", "Source\nError message\nassert!(transaction"))
    assert page.validate.startswith("Source\nError message\nassert!")
    assert page.line == 21


@pytest.mark.parametrize(
    ("old", "new", "section"),
    [
        ("Error message\n", "Message\n", "Error message"),
        ("What it means\n", "Meaning\n", "What it means"),
        ("Thrown at crates", "Seen in crates", "Source"),
    ],
)
def test_a_page_without_a_section_is_refused_by_its_name(old, new, section):
    with pytest.raises(KnowledgeBaseError, match=section):
        parse_page(TEXT.replace(old, new))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"message": ""}, "message"),
        ({"repo": None}, "repo"),
        ({"source": {"path": "a.rs", "line": "12"}}, "whole number"),
        ({"source": {"path": "a.rs", "line": 0}}, "whole number"),
        ({"source": []}, "source.path"),
        ({"source": "a.rs:12"}, "source must be a JSON object"),
        ({"solutions": "one"}, "`solutions` must be a list"),
        ({"meaning": 7}, "`meaning` must be text"),
        ({"when": {"situations": [1]}}, "`when.situations` must be a list of texts"),
    ],
)
def test_a_json_page_of_another_form_is_refused_by_its_field(change, said):
    with pytest.raises(KnowledgeBaseError, match=said):
        parse_page(json.dumps({**JSON, **change}))


@pytest.mark.parametrize("text", ["", "hello", "{", "[]", "{}", "\x00", "What causes x in y?"])
def test_what_is_no_page(text):
    with pytest.raises(KnowledgeBaseError):
        parse_page(text)
