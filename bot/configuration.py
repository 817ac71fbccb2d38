"""What a repository's maintainers choose in `.github/burn-triage.yml`: text to values, and the schema. Pure.

mode: on                # on | shadow | off
speak: [matched, ambiguous, foreign]
ask: true               # whether the one deciding question may be asked
opt_out_label: no-triage
labels:
  matched: [panic]
  unknown: [panic, needs triage]
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

import yaml

from bot.errors import UserError
from bot.triage.model import Outcome
from bot.triage.policy import Mode, Rules

SCHEMA_FILE = "docs/burn-triage.schema.json"
LONGEST = 16_384
"""Characters of the file."""
DEEPEST = 8
LONGEST_LABEL = 50
"""Characters of a label's name on GitHub."""
MOST_LABELS = 10

SPEAKING = (Outcome.MATCHED, Outcome.AMBIGUOUS, Outcome.FOREIGN)
"""Verdicts that ever speak uninvited; the other two never do."""


@dataclass(frozen=True, slots=True)
class Configuration:
    """One repository's choice. Metadata: `doc` for the schema."""

    mode: Mode | None = field(
        default=None,
        metadata={
            "doc": "on: answers; shadow: decides and records, answers only maintainers' commands; off: does nothing."
        },
    )
    speak: tuple[Outcome, ...] = field(default=SPEAKING, metadata={"doc": "Verdicts that may speak uninvited."})
    ask: bool = field(default=True, metadata={"doc": "Whether the one deciding question may be asked."})
    opt_out_label: str = field(default="", metadata={"doc": "Issues with this label are left alone."})
    labels: Mapping[Outcome, tuple[str, ...]] = field(
        default_factory=dict,
        metadata={"doc": "Labels that a new issue gets with its verdict. What a person takes off stays off."},
    )

    def rules(self, mode: Mode, since: str) -> Rules:
        """As `bot.handle.handle` takes it. `mode` in force, and since when it is on (ISO 8601, "" for always)."""
        return Rules(mode, frozenset(self.speak), self.ask, self.opt_out_label, self.labels, since)


class ConfigurationError(UserError):
    """The file cannot be used: the message has one line for each fault, with the key and the remedy."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("configuration", "\n".join(faults))
        self.faults = tuple(faults)


def parse(text: str) -> Configuration:
    """The file's text as values; an empty file is one without any choice.

    Raises ConfigurationError with all faults at once.
    """
    data = _load(text)
    if data is None:
        return Configuration()
    if not isinstance(data, dict):
        raise ConfigurationError(["the file must hold `key: value` lines, for example `mode: shadow`"])
    faults = list(_unknown(data, list(_READERS), ""))
    values: dict[str, Any] = {}
    for key in data.keys() & _READERS.keys():
        try:
            values[key] = _READERS[key](data[key])
        except _Fault as fault:
            faults += [f"`{key}`{line}" for line in fault.lines]
    if faults:
        raise ConfigurationError(sorted(faults))
    return Configuration(**values)


def to_json(configuration: Configuration) -> dict[str, Any]:
    """Plain JSON, as it would stand in the file."""
    labels = {str(outcome): list(names) for outcome, names in configuration.labels.items()}
    return {
        "mode": str(configuration.mode) if configuration.mode else None,
        "speak": [str(outcome) for outcome in configuration.speak],
        "ask": configuration.ask,
        "opt_out_label": configuration.opt_out_label,
        "labels": labels,
    }


def from_json(values: Mapping[str, Any]) -> Configuration:
    """What `to_json` gave. Raises ConfigurationError where another version wrote what this one does not take."""
    known = {key: value for key, value in values.items() if key in _READERS and value is not None}
    return Configuration(**{key: _READERS[key](value) for key, value in known.items()})


def schema() -> dict[str, Any]:
    """The JSON schema (draft 2020-12) of the file."""
    verdicts = [str(outcome) for outcome in Outcome]
    labels = {"type": "array", "items": {"$ref": "#/$defs/label"}, "maxItems": MOST_LABELS}
    shapes: dict[str, dict[str, Any]] = {
        # YAML 1.1 reads a bare on and off as true and false.
        "mode": {"enum": [*(str(mode) for mode in Mode), True, False]},
        "speak": {"type": "array", "items": {"enum": [str(o) for o in SPEAKING]}},
        "ask": {"type": "boolean"},
        "opt_out_label": {"type": ["string", "null"], "maxLength": LONGEST_LABEL},
        "labels": {"type": "object", "properties": dict.fromkeys(verdicts, labels), "additionalProperties": False},
    }
    docs = {item.name: {"description": item.metadata["doc"]} for item in fields(Configuration)}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "burn-triage, configuration of a repository",
        "type": ["object", "null"],
        "additionalProperties": False,
        "properties": {name: docs[name] | shape for name, shape in shapes.items()},
        "$defs": {"label": {"type": "string", "minLength": 1, "maxLength": LONGEST_LABEL}},
    }


class _Fault(Exception):
    """What is wrong below a key; each line goes on after the key's name."""

    def __init__(self, *lines: str) -> None:
        super().__init__(*lines)
        self.lines = lines


def _load(text: str) -> Any:
    if len(text) > LONGEST:
        raise ConfigurationError([f"the file has {len(text)} characters; {LONGEST} are enough for anything it may say"])
    try:
        _refuse_depth(text)
        return yaml.load(text, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f"line {mark.line + 1}, column {mark.column + 1}: " if mark else ""
        raise ConfigurationError([f"{where}this is no YAML: {error.problem or error.context}"]) from None
    except (yaml.YAMLError, ValueError, RecursionError):
        raise ConfigurationError(["the file is no YAML text in UTF-8"]) from None


def _refuse_depth(text: str) -> None:
    # Before anything is built: the loader calls itself once for each level.
    depth = 0
    for event in yaml.parse(text, Loader=yaml.CSafeLoader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > DEEPEST:
            raise ConfigurationError(["lists and mappings are nested deeper than anything this file may hold"])


class _Loader(yaml.CSafeLoader):
    """Refuses a key that is given twice, of which YAML would keep the last without a word."""

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        """A mapping; MarkedYAMLError where a key comes twice."""
        seen: set[str] = set()
        for key, _ in node.value if isinstance(node, yaml.MappingNode) else ():
            if isinstance(key, yaml.ScalarNode) and key.value in seen:
                raise yaml.MarkedYAMLError(problem=f"`{key.value}` is given twice", problem_mark=key.start_mark)
            seen.add(str(key.value))
        return super().construct_mapping(node, deep)


def _unknown(data: Mapping[Any, Any], known: list[str], below: str) -> Iterator[str]:
    for key in data:
        if key not in known:
            near = difflib.get_close_matches(str(key), known, 1)
            remedy = f"did you mean `{near[0]}`?" if near else f"there are {', '.join(known)}"
            yield f"`{below}{str(key)[:60]}` is no key here: {remedy}"


def _mode(value: Any) -> Mode:
    # YAML 1.1 reads a bare on and off as true and false.
    word = {True: "on", False: "off"}.get(value, value) if isinstance(value, bool) else value
    if word not in list(Mode):
        raise _Fault(f" must be one of {', '.join(Mode)}, not {_shown(value)}")
    return Mode(word)


def _speak(value: Any) -> tuple[Outcome, ...]:
    words = _list(value, "verdicts, for example [matched, foreign]")
    faults = [f": {_shown(word)} {_why_silent(word)}" for word in words if word not in SPEAKING]
    if faults:
        raise _Fault(*faults)
    return tuple(dict.fromkeys(Outcome(word) for word in words))


def _why_silent(word: Any) -> str:
    if word in list(Outcome):
        return "never speaks uninvited; take it out of the list"
    return f"is no verdict; there are {', '.join(SPEAKING)}"


def _ask(value: Any) -> bool:
    if not isinstance(value, bool):
        raise _Fault(f" must be true or false, not {_shown(value)}")
    return value


def _label(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise _Fault(f" must be the name of a label, not {_shown(value)}; put names that look like numbers in quotes")
    if len(value) > LONGEST_LABEL:
        raise _Fault(f": {_shown(value)} is longer than GitHub's {LONGEST_LABEL} characters for a label")
    return value.strip()


def _opt_out_label(value: Any) -> str:
    return "" if value in (None, "") else _label(value)


def _labels(value: Any) -> dict[Outcome, tuple[str, ...]]:
    if not isinstance(value, dict):
        raise _Fault(" must hold `verdict: [label, ...]` lines")
    faults = [f": {line}" for line in _unknown(value, list(Outcome), "")]
    found = {}
    for verdict in value.keys() & set(Outcome):
        try:
            found[Outcome(verdict)] = _names(value[verdict])
        except _Fault as fault:
            faults += [f": `{verdict}`{line}" for line in fault.lines]
    if faults:
        raise _Fault(*faults)
    return dict(sorted(found.items()))


def _names(value: Any) -> tuple[str, ...]:
    names = [_label(name) for name in _list(value, "labels, for example [panic]")]
    if len(names) > MOST_LABELS:
        raise _Fault(f" has {len(names)} labels; {MOST_LABELS} are the most")
    return tuple({name.casefold(): name for name in reversed(names)}.values())[::-1]


def _list(value: Any, of: str) -> list[Any]:
    if not isinstance(value, list):
        raise _Fault(f" must be a list of {of}, not {_shown(value)}")
    return value


def _shown(value: Any) -> str:
    text = str(value) if isinstance(value, str | int | float | bool) else type(value).__name__
    return f"`{text[:40].replace('`', '')}`" if value is not None else "nothing"


_READERS: Mapping[str, Callable[[Any], Any]] = {
    "mode": _mode,
    "speak": _speak,
    "ask": _ask,
    "opt_out_label": _opt_out_label,
    "labels": _labels,
}
