"""Reads entries and lists from YAML. The only module that knows YAML; it keeps the line of every value for findings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from kb.entry import UNRELEASED, Entry
from kb.errors import KnowledgeBaseError
from kb.shape import Decoder, Problem
from kb.shape import Path as DataPath

FILE_NAME = re.compile(r"(KB-\d{4})(?:-[a-z0-9]+(?:-[a-z0-9]+)*)?\.yaml")
SPELLINGS = {"check_call": "check", "tensor_check": "tensor_error"}
"""Kind names that people may write, and how the index writes them."""

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True)
class EntryFile:
    """One file of the knowledge base: what was read, what is wrong with it, and on which line each value stands."""

    path: Path
    text: str
    entry: Entry | None
    """None where the file does not have the shape of an entry; then `problems` says why."""
    problems: tuple[Problem, ...]
    lines: Mapping[DataPath, int]

    def line(self, path: DataPath) -> int:
        """The 1-based line of a value, or of the nearest thing around it that has one."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 1)


def load_entries(folder: Path) -> tuple[Entry, ...]:
    """Every entry below `folder`, by id and then by path. Raises KnowledgeBaseError with file and line."""
    files = load_files(folder)
    for file in files:
        for problem in file.problems:
            where = f"{file.path}:{file.line(problem.path)}"
            raise KnowledgeBaseError(f"{where}: {problem.text}; {problem.remedy}")
    return tuple(file.entry for file in files if file.entry is not None)


def load_files(folder: Path) -> tuple[EntryFile, ...]:
    """Every `*.yaml` below `folder`, by file name and then by path, whether it is right or not."""
    if not folder.is_dir():
        raise KnowledgeBaseError(f"{folder}: no such folder; give the folder that holds the entries")
    paths = sorted(folder.rglob("*.yaml"), key=lambda p: (p.name, str(p)))
    return tuple(load_file(path) for path in paths)


def load_file(path: Path) -> EntryFile:
    """One entry file. Never raises for what is in it: that is in `problems`."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        return EntryFile(path, "", None, (Problem((), f"cannot be read: {error}", "save it as UTF-8 text"),), {})
    return parse_file(path, text)


def parse_file(path: Path, text: str) -> EntryFile:
    """Like `load_file`, for a text that is already there."""
    try:
        data, lines = parse(text)
    except KnowledgeBaseError as error:
        return EntryFile(path, text, None, (Problem((), str(error), "write plain YAML, see kb/TEMPLATE.yaml"),), {})
    name = FILE_NAME.fullmatch(path.name)
    decoder = Decoder(SPELLINGS)
    if name is None:
        decoder.problems.append(
            Problem((), f"the file is named {path.name}", f"name it KB-0042.yaml, or {UNRELEASED}-a-few-words.yaml")
        )
    entry = decoder.read(Entry, data, kb_id=name[1] if name else UNRELEASED)
    return EntryFile(path, text, entry if name else None, tuple(decoder.problems), lines)


def parse(text: str) -> tuple[Any, dict[DataPath, int]]:
    """Plain data of a YAML text and the 1-based line of every value. Raises KnowledgeBaseError with the line.

    Dates stay text, duplicate keys are refused, aliases and tags are not understood.
    """
    loader = _Loader(text)
    try:
        node = loader.get_single_node()
    except yaml.YAMLError as error:
        raise KnowledgeBaseError(_yaml_message(error)) from None
    finally:
        loader.dispose()
    reader = _Reader()
    return (None if node is None else reader.plain(node, ())), reader.lines


def read_yaml(path: Path) -> Any:
    """Plain data of one YAML file (`repos.yaml` and the like). Raises KnowledgeBaseError with file and line."""
    try:
        return parse(path.read_text(encoding="utf-8"))[0]
    except OSError as error:
        raise KnowledgeBaseError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise KnowledgeBaseError(f"{path}: cannot be read: not UTF-8") from None
    except KnowledgeBaseError as error:
        raise KnowledgeBaseError(f"{path}: {error}") from None


def _yaml_message(error: yaml.YAMLError) -> str:
    mark = getattr(error, "problem_mark", None)
    what = getattr(error, "problem", None) or str(error)
    return f"line {mark.line + 1}: {what}" if mark is not None else what


class _Reader:
    """Turns YAML nodes into plain data and notes the line of each."""

    def __init__(self) -> None:
        self.lines: dict[DataPath, int] = {}
        self._seen: set[int] = set()

    def plain(self, node: yaml.Node, path: DataPath) -> Any:
        """The node's data. Raises KnowledgeBaseError for YAML that an entry has no use for."""
        line = node.start_mark.line + 1
        if id(node) in self._seen:
            # An alias may hold itself, or grow without bound; entries have no use for one.
            raise KnowledgeBaseError(f"line {line}: YAML anchors and aliases are not understood")
        self._seen.add(id(node))
        self.lines.setdefault(path, line)
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, path)
        if isinstance(node, yaml.SequenceNode):
            return [self.plain(item, (*path, i)) for i, item in enumerate(node.value)]
        return _plain_scalar(node)

    def _mapping(self, node: yaml.MappingNode, path: DataPath) -> dict[str, Any]:
        data: dict[str, Any] = {}
        for key_node, value_node in node.value:
            key, line = str(key_node.value), key_node.start_mark.line + 1
            if key in data:
                raise KnowledgeBaseError(f"line {line}: the key `{key}` stands twice")
            self.lines[(*path, key)] = line
            data[key] = self.plain(value_node, (*path, key))
        return data


def _plain_scalar(node: yaml.Node) -> Any:
    value = str(node.value)
    match node.tag.rsplit(":", 1)[-1]:
        case "null":
            return None
        case "bool":
            return value.lower() in ("true", "yes", "on")
        case _:
            # Numbers and dates stay text: the shape of the field decides, and `0x10` in a hash is no number.
            return value
