"""The proof of an entry: what it says, hashed, after it was checked against the source. Only `bless` writes one."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping

from kb.entry import Entry, Proof
from kb.model import SiteKind
from kb.shape import encode

UNPROVED = ("kb_id", "id", "aliases", "related", "issues", "status", "withdrawn", "review", "exempt", "proof")
"""Fields that make no claim about code; a change of them needs no new proof."""

_BLOCK = re.compile(r"(?ms)^proof:.*?(?=^\S|\Z)")


def prose_hash(entry: Entry) -> str:
    """Sixteen hex digits over everything that the entry claims, white space at line ends and breaks aside."""
    data = {key: value for key, value in encode(entry).items() if key not in UNPROVED}
    # Who reviewed it, and when it was written, is no claim about code.
    data["provenance"] = dict(sorted(entry.provenance.against.items()))
    text = json.dumps(data, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def site_ids(entry: Entry) -> tuple[str, ...]:
    """Ids of the entry's site keys, sorted, each once."""
    return tuple(sorted({key.id for key in entry.keys}))


def function_ids(entry: Entry) -> tuple[str, ...]:
    """Ids of its function sites, whose text the proof is bound to, sorted, each once."""
    return tuple(sorted({site.key.id for site in entry.sites if site.kind is SiteKind.FUNCTION}))


def make_proof(entry: Entry, against: Mapping[str, str], functions: Mapping[str, str] | None = None) -> Proof:
    """The proof that the entry, as it is now, holds at these commits of main (`owner/name` to sha).

    `functions`: the hash of each function site's text, by the site's id.
    """
    texts = dict(sorted((functions or {}).items()))
    return Proof(dict(sorted(against.items())), site_ids(entry), prose_hash(entry), texts)


def with_proof(text: str, proof: Proof) -> str:
    """The entry's file with this proof as its last block; everything else stays byte for byte."""
    rest = _BLOCK.sub("", text).rstrip("\n") + "\n"
    against = ", ".join(f"{repo}: {sha}" for repo, sha in proof.against.items())
    sites = ", ".join(f'"{site}"' for site in proof.sites)
    texts = ", ".join(f'"{site}": "{text}"' for site, text in proof.functions.items())
    functions = f"  functions: {{{texts}}}\n" if texts else ""
    return f'{rest}proof:\n  against: {{{against}}}\n  sites: [{sites}]\n  prose: "{proof.prose}"\n{functions}'
