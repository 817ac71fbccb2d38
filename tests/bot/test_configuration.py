"""The repository's configuration file: what it may say, and what is said about one that cannot be used."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from bot.configuration import LONGEST, SCHEMA_FILE, Configuration, ConfigurationError, from_json, parse, schema, to_json
from bot.triage.model import Outcome
from bot.triage.policy import Mode

ROOT = Path(__file__).parents[2]
WHOLE = """\
mode: shadow
speak: [matched]
ask: off
opt_out_label: no-triage
labels:
  matched: [panic, "Panic", "area: fusion"]
  none: []
"""


def test_every_key_is_read():
    assert parse(WHOLE) == Configuration(
        Mode.SHADOW,
        (Outcome.MATCHED,),
        False,
        "no-triage",
        {Outcome.MATCHED: ("panic", "area: fusion"), Outcome.NONE: ()},
    )


@pytest.mark.parametrize("text", ["", "# nothing chosen\n", "{}", "---\n"])
def test_an_empty_file_chooses_nothing(text: str):
    assert parse(text) == Configuration()


@pytest.mark.parametrize(
    ("text", "mode"), [("mode: on", "on"), ("mode: off", "off"), ('mode: "on"', "on"), ("mode: shadow", "shadow")]
)
def test_the_words_that_yaml_takes_for_truth_values_are_modes(text: str, mode: str):
    assert parse(text).mode == mode


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("mod: on", "`mod` is no key here: did you mean `mode`?"),
        ("colour: red", "`colour` is no key here: there are mode, speak, ask, opt_out_label, labels"),
        ("mode: quiet", "`mode` must be one of on, shadow, off, not `quiet`"),
        ("mode:", "`mode` must be one of on, shadow, off, not nothing"),
        ("speak: matched", "`speak` must be a list of verdicts, for example [matched, foreign], not `matched`"),
        ("speak: [unknown]", "`speak`: `unknown` never speaks uninvited; take it out of the list"),
        ("speak: [known]", "`speak`: `known` is no verdict; there are matched, ambiguous, foreign"),
        ("ask: maybe", "`ask` must be true or false, not `maybe`"),
        ("opt_out_label: 7", "put names that look like numbers in quotes"),
        ("labels: [panic]", "`labels` must hold `verdict: [label, ...]` lines"),
        ("labels: {match: [x]}", "`labels`: `match` is no key here: did you mean `matched`?"),
        ("labels: {matched: panic}", "`labels`: `matched` must be a list of labels, for example [panic]"),
        (f"labels: {{matched: [{'x' * 51}]}}", "is longer than GitHub's 50 characters for a label"),
        (f"labels: {{matched: [{', '.join(f'l{n}' for n in range(11))}]}}", "`matched` has 11 labels; 10 are the most"),
        ("mode: on\nmode: off", "line 2, column 1: this is no YAML: `mode` is given twice"),
        ("mode: [", "this is no YAML"),
        ("- mode", "the file must hold `key: value` lines"),
        ("mode: on\n--- \nmode: off", "this is no YAML"),
        ("\0", "the file is no YAML text"),
        ("x: " + "[" * 40 + "]" * 40, "nested deeper"),
        ("x: " + "[" * 4000, "this is no YAML"),
        ("#" * (LONGEST + 1), "16384 are enough"),
        ("!!python/object/apply:os.system [ls]", "this is no YAML"),
    ],
)
def test_a_fault_names_the_key_and_the_remedy(text: str, words: str):
    with pytest.raises(ConfigurationError) as caught:
        parse(text)
    assert words in str(caught.value)


def test_all_faults_are_told_at_once():
    with pytest.raises(ConfigurationError) as caught:
        parse("mode: x\nask: x\nlabels: {matched: x, unknown: [1]}\nnope: 1\nspeak: [a, b]")
    assert len(caught.value.faults) == 7


@given(st.text(max_size=200) | st.binary(max_size=200).map(lambda raw: raw.decode("latin-1")))
def test_any_text_is_a_configuration_or_an_error_for_its_author(text: str):
    try:
        found = parse(text)
    except ConfigurationError:
        return
    assert from_json(to_json(found)) == found


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.sampled_from(list(map(str, Outcome))),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["mode", "speak", "ask", "labels", "opt_out_label", *map(str, Outcome)]), inner
            )
        ),
        max_leaves=12,
    )
)
def test_what_the_parser_takes_the_schema_takes(value: object):
    try:
        parse(json.dumps(value))
    except ConfigurationError:
        return
    assert list(jsonschema.Draft202012Validator(schema()).iter_errors(value)) == []


def test_the_schema_takes_the_whole_file():
    assert list(jsonschema.Draft202012Validator(schema()).iter_errors(yaml.safe_load(WHOLE))) == []


def test_the_committed_schema_is_the_generated_one():
    assert json.loads((ROOT / SCHEMA_FILE).read_text("utf-8")) == schema()


def test_a_stored_configuration_comes_back():
    found = parse(WHOLE)
    assert from_json(json.loads(json.dumps(to_json(found)))) == found
