"""The git clones of the family below one folder, with what was read of them."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from pathlib import Path

from kb.errors import KnowledgeBaseError
from kb.model import FileFacts, Revision, SpanAt
from kb.prose import bare_name, spellings
from kb.source.checkout import Checkout, find_checkout
from kb.source.grep import files_with, words_present
from kb.source.lexer import Lexed
from kb.source.parse import parse_file


class Clones:
    """Reads files and words at revisions. Every method raises KnowledgeBaseError for a clone that is missing."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._open: dict[str, Checkout] = {}
        self._trees: dict[tuple[str, str], Mapping[str, str]] = {}
        self._facts: dict[str, FileFacts] = {}
        self._code: dict[str, list[bytes]] = {}

    def clone(self, repo: str) -> Checkout:
        """The clone of `owner/name`."""
        if repo not in self._open:
            found = find_checkout(self.folder, repo)
            if found is None:
                raise KnowledgeBaseError(f"{self.folder}: no clone of {repo} there; clone it as {repo.split('/')[1]}")
            self._open[repo] = found
        return self._open[repo]

    def has(self, revision: Revision) -> bool:
        """Whether the clone holds the revision's commit."""
        return self.clone(revision.repo).commit(revision.commit) is not None

    def facts(self, revision: Revision, path: str) -> FileFacts | None:
        """What the parser reads in a file at a revision; None where that revision has no such file."""
        key = (revision.repo, revision.commit)
        if key not in self._trees:
            self._trees[key] = {f.path: f.sha for f in self.clone(revision.repo).tree(revision.commit)}
        sha = self._trees[key].get(path)
        if sha is None:
            return None
        if sha not in self._facts:
            _, source = next(iter(self.clone(revision.repo).blobs([sha])))
            self._facts[sha] = parse_file(source, path)
        return self._facts[sha]

    def code(self, span: SpanAt) -> str | None:
        """A function's source at its revision on one line, comments and the insides of strings blanked out.

        None where that revision has no such file.
        """
        key = (span.repo, span.revision.commit)
        if key not in self._trees:
            self.facts(span.revision, span.path)
        sha = self._trees[key].get(span.path)
        if sha is None:
            return None
        if sha not in self._code:
            _, source = next(iter(self.clone(span.repo).blobs([sha])))
            self._code[sha] = Lexed(source).code.split(b"\n")
        lines = self._code[sha][span.span.start - 1 : span.span.end]
        return b" ".join(b" ".join(lines).split()).decode("utf-8", "replace")

    def text(self, repo: str, commit: str, path: str) -> str | None:
        """A file of any commit of the clone; None where that commit has no such Rust file."""
        shas = {f.path: f.sha for f in self.clone(repo).tree(commit)}
        if path not in shas:
            return None
        return next(iter(self.clone(repo).blobs([shas[path]])))[1].decode("utf-8", "replace")

    def calls(self, revision: Revision, caller: str, names: Collection[str]) -> bool:
        """Whether the body of a function of this name holds one of the names, as a whole word."""
        wanted = re.compile(r"\b(?:" + "|".join(re.escape(name.rstrip("!")) for name in names) + r")\b")
        bare = bare_name(caller)
        for path in files_with(self.clone(revision.repo), revision.commit, f"fn {bare}"):
            facts, text = self.facts(revision, path), self.text(revision.repo, revision.commit, path)
            lines = text.splitlines() if text else []
            for span in facts.spans if facts else ():
                named = span.function in (caller, bare) or caller in spellings(span.function)
                # The first line names the function itself.
                if named and wanted.search("\n".join(lines[span.start : span.end])):
                    return True
        return False

    def words(self, revision: Revision, words: Collection[str]) -> frozenset[str]:
        """Those of the words that stand anywhere in the revision's text files."""
        return words_present(self.clone(revision.repo), revision.commit, words)
