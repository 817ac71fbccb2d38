"""Panic messages without a header: quoted in a sentence, alone in a title, or as the first words of a code block."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bot.triage.conversation import code_spans
from bot.triage.location import parse_location
from bot.triage.model import Location
from bot.triage.std_messages import Origin, find_std_message, std_length, std_origin

_STRONG = (
    r"panic\w*|crash\w*|abort\w*|fails?|failed|failing|failures?|stops?|stopped|ends?|ended|dies?|died|dying|error\w*"
    r"|complain\w*|unwrap\w*|breaks?|goes down|terminat\w+|blows? up|thrown?|throws?|threw|raise[sd]?|reject\w*"
    r"|refus\w*"
    r"|exception"
)
_WEAK = (
    r"message|says?|said|reads?|gives?|gave|got|gets?|getting|sees?|saw|seeing|hits?|hitting|shows?|prints?"
    r"|printed|text"
)
_CUE = re.compile(rf"\b(?:(?P<strong>{_STRONG})|(?P<weak>{_WEAK}))\b(?:[^.!?]|[.!?](?=\S)){{0,45}}$", re.IGNORECASE)
_AFTER = re.compile(r"[\s,]{0,3}(?:panic|error|crash|exception|failure|assertion)\b", re.IGNORECASE)
_UNREAL = re.compile(
    r"\b(?:would|could|should|might|may|must|shall|not|never|no longer|without|instead of|rather than|like"
    r"|such as|e\.g\.|for example"
    r"|i\.e\.)\b[^.!?]{0,60}$|n't\b[^.!?]{0,40}$|# Panics\b[^.!?]{0,60}$|for example:?[^.!?]{0,60}$",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"\"([^\"]{8,400})\"|“([^”]{8,400})”|«([^»]{8,400})»")
_PLACE = re.compile(r"\w\.rs(?:(?:\?[\w=&]{0,20})?#L(\d{1,7})|:\d{1,7}(?::\d{1,7})?)?(?![\w/])")
_PATH_MARKS = frozenset("._~$/\\<>[]-:+%")
_PANIC_MACRO = re.compile(r"\b(?:panic|todo|unimplemented|unreachable)!\(\s*\"((?:[^\"\\]|\\.){3,300})\"")
_ARGUMENT = re.compile(
    r"(?:\.\s*\w+|\b(?:assert|debug_assert)\w*!|\b(?:panic|todo|unimplemented|unreachable|println|eprintln|print|format|write|writeln|bail|anyhow|ensure|log|warn"
    r"|error|info)!)\([^()\"\n]{0,80}[\"“]?$"
)
"""What stands before a text that is the argument of a call: source code that somebody pasted without a fence."""
_PLACEHOLDER = re.compile(r"<[a-z][a-z_ ]*>|<[A-Z]>|:\s*(?:\.\.\.|…)\s*$|\{\}")
_NOT_OURS = re.compile(
    r"could not compile|failed to run custom build|linking with|didn't exit successfully|no method named"
    r"|mismatched types"
    r"|trait bound|cannot find (?:type|value|crate|function|macro|struct)|unresolved import|use of undeclared"
    r"|borrow of moved"
    r"|the trait |is not satisfied|failed to (?:resolve|select|load manifest|parse manifest)"
    r"|no matching package|not found in this scope"
    r"|panicked at",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"[;{]\s*$|^\s*(?:let|fn|pub|use|impl|struct|enum|if|for|match|return|mod|const|cargo|git|rustup|pip|cd|sudo|export|docker)\b"
    r"|^\s*(?:\$|#\[|//|--|@)|::<|^[\w.:]+\([^ ]*\)$|=>|->|^[\w-]+ = |\)\?;?$|^\S+\.\w{1,4}$"
)
_COMPILER = re.compile(r"^\s*(?:error(?:\[E\d+\])?:|warning:|-->|= note:)|error\[E\d+\]", re.MULTILINE)
PANICKED_WITH = re.compile(
    r"\bpanick?(?:ed|s)?\b(?: (?:at|with|on))?(?: (?:the )?(?:message|error|text))?\s*:?\s*"
    r"(?:'([^\n]{3,400})'(?!\w)|\"([^\"\n]{3,400})\")"
)
_TOLD = re.compile(
    r"(?<!wgpu )\b(?:panic|crash|error|exception|failure|fails|failed|panics|panicked|crashes|message)(?: (?:message"
    r"|text|is|was"
    r"|says|reads|with|log|at runtime))*"
    r"\W{0,3}:\W{1,3}(?=[A-Z])([^\n]{12,300})$",
    re.IGNORECASE | re.MULTILINE,
)
_UNQUOTED = re.compile(
    r"\b(?:panics|panicked|crashes|crashed|fails|failed|dies|died) with (?:the )?(?:message"
    r"|error|text)?:? ?([A-Z][^\n;`\"]{12,200}?)(?=;|\.\s|\.?$)",
    re.MULTILINE,
)
_QUOTE_MARK = re.compile(r"(?<!\w)'|'(?!\w)")
_UNCLOSED = re.compile(r"\s[^\n]{0,400}$", re.MULTILINE)
"""More words behind a mark, and no place or other sign that the header goes on."""
_WORD = re.compile(r"[^\W\d_]{2,}")
_SENTENCE_END = re.compile(r"[.!?](?:\s|$)|\n\s*\n|\n(?=\s*[-*] )")
_NEAR = 400
_MOST = 20
_CLOSERS = {"`": "`", '"': '"', "“": "”", "'": "'", "«": "»"}
_CLAUSE = re.compile(r"[^,;!?]*?(?=[,;!?]|\.\s|\s\(|\s+(?:with|when|if|on|in|at|for|and|but)\s|$)")
_ASIDE = re.compile(r"\s/\s|\s{2,}\(|\s\((?=\S{1,80}\.rs)|`?, (?=see |which |and |but |so )")
_LINK = re.compile(r"\]\(\S{0,300}\)|https?://\S{1,300}")
_SEGMENT = re.compile(r"(?:^|[:/|–—]\s+|\]\s*|\s-\s+|\"|`|“|')(?=\S)")
_FAMILIAR = re.compile(
    r"Ordering is bigger than operations|CallError\(task panicked on device|=== Tensor Operation Error ==="
    r""
)
_BANNER = "=== Tensor Operation Error ==="
_CHECK_LINES = re.compile(r"(?:\n[ \t]*(?:Operation:|Reason:|\d{1,2}\.[ \t])[^\n]{0,600})+")
"""What a tensor check prints below its banner; pasted without a fence it is lines of the same paragraph."""
ENVELOPES = re.compile(
    r"(?:not yet implemented|not implemented|internal error: entered unreachable code|assertion failed): \S"
)


Known = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Mention:
    """A message found in words, with its offset in the text."""

    start: int
    end: int
    message: str
    location: Location | None = None


def is_message(text: str, words: int = 3) -> bool:
    """True for something that reads like a panic's message: some words, no code, no command, no compiler's text."""
    if std_origin(text) or _FAMILIAR.match(text):
        return True
    if not (text[:1].isalnum() or text[:1] in "\"'`[(=<") or " " not in text:
        return False
    if _PLACEHOLDER.search(text) or _NOT_OURS.search(text) or _CODE.search(text) or len(text) > 600:
        return False
    found = _WORD.findall(text)
    letters = sum(map(len, found))
    spoken = sum(_WORD.search(part) is not None for part in text.split())
    return spoken >= words and letters >= 10 and letters * 2 >= len(text.replace(" ", ""))


def in_prose(text: str, known: Known, *, title: bool = False) -> list[Mention]:
    """Every message that a paragraph mentions, in order, each with the place that its sentence names.

    `known` tells whether a text starts with a message of the family; what it knows needs no cue.
    """
    if not title and _COMPILER.search(text):
        return []
    found = sorted(_candidates(text, known, title=title), key=lambda m: (m.start, -m.end))
    kept: list[Mention] = []
    for mention in found:
        if _ARGUMENT.search(text[max(0, mention.start - 120) : mention.start]):
            continue
        if not kept or mention.start >= kept[-1].end:
            kept.append(mention)
    kept = kept[:_MOST]
    places = list(_places(text)) if kept else []
    return [_with_place(text, mention, places, kept) for mention in kept]


def with_neighbours(text: str, mentions: list[Mention]) -> list[Mention]:
    """A retyped log: a line right above or below a known message is one too, if it reads like one."""
    lines = text.split("\n")
    if len(lines) < 2 or not mentions:
        return mentions
    starts, at = [], 0
    for line in lines:
        starts.append(at)
        at += len(line) + 1
    told = {bisect_right(starts, m.start) - 1 for m in mentions}
    heads = {m.start for m in mentions}
    whole = {n for n in told if starts[n] + len(lines[n]) - len(lines[n].lstrip()) in heads}
    beside = {n + step for n in whole for step in (-1, 1)} - told
    found = [
        Mention(starts[n], starts[n] + len(lines[n]), lines[n].strip())
        for n in beside
        if 0 <= n < len(lines) and lines[n].strip() and _is_whole(lines[n])
    ]
    return sorted([*mentions, *found], key=lambda m: m.start)


def _is_whole(line: str) -> bool:
    line = line.strip()
    return len(line) <= 200 and line[:1].isupper() and line[-1] not in ".:?!" and is_message(line)


def _candidates(text: str, known: Known, *, title: bool) -> Iterator[Mention]:
    spans = code_spans(text)
    for start, end in spans:
        inner = text[start:end].strip("`").strip()
        yield from _literal(text, start, end)
        if _is_said(text, start, end, inner, known, title=title):
            yield Mention(start, end, _one_line(inner))
    for match in PANICKED_WITH.finditer(text):
        group = 1 if match[1] else 2
        end = _end_of_quote(text, match.start(group), match.end(group)) if group == 1 else match.end(group)
        if is_message(text[match.start(group) : end], words=2) and not _is_unreal(text, match.start()):
            yield Mention(match.start(group), end, text[match.start(group) : end].strip())
    for match in (*_TOLD.finditer(text), *_UNQUOTED.finditer(text)):
        told = match[1].strip(" `*\"'")
        if told[:1].isupper() and is_message(told) and not _is_unreal(text, match.start()):
            yield Mention(match.start(1), match.end(1), told)
    outside = _blank(text, spans)
    for match in _QUOTED.finditer(outside):
        inner = text[match.start() + 1 : match.end() - 1].strip()
        if _is_said(text, match.start(), match.end(), inner, known, title=title):
            yield Mention(match.start(), match.end(), _one_line(inner))
    yield from _standard(text)
    if title:
        yield from _known_segments(text, known)


def _end_of_quote(text: str, start: int, end: int) -> int:
    """Where a message in single quotes ends: the line's end if its marks do not pair, as in a title that was cut.

    `panicked at 'called .. Torch("Could not run 'aten::add'` opens one mark more than it closes. Apostrophes in words
    are no marks.
    """
    line_end = text.find("\n", end)
    line = text[start : line_end if line_end >= 0 else len(text)]
    odd = len(_QUOTE_MARK.findall(line)) % 2 == 0
    return start + len(line) if odd and _UNCLOSED.match(line, end - start + 1) else end


def _known_segments(text: str, known: Known) -> Iterator[Mention]:
    """Parts of a title that begin as a known message does."""
    for match in _SEGMENT.finditer(text):
        rest = text[match.end() :].rstrip("`\"'”. ")
        if known(rest):
            yield Mention(match.end(), len(text), rest.split(" / ")[0].strip())


def _is_unreal(text: str, at: int) -> bool:
    return _UNREAL.search(text[max(0, at - 60) : at].replace("\n", " ")) is not None


def _literal(text: str, start: int, end: int) -> Iterator[Mention]:
    """`X => panic!("text")` quoted in a sentence that names where it stands."""
    match = _PANIC_MACRO.search(text, start, end)
    if match and any(place.line for _, place in _places(_sentence(text, start, end)[0])):
        yield Mention(start, end, match[1])


def _is_said(text: str, start: int, end: int, inner: str, known: Known, *, title: bool) -> bool:
    """Whether the sentence says that this text was printed."""
    if not is_message(inner):
        return False
    before = _LINK.sub("", text[max(0, start - 300) : start].replace("\n", " "))[-90:]
    if _UNREAL.search(before):
        return False
    cue = _CUE.search(before)
    if cue is None:
        return title or known(inner) or _AFTER.match(text[end : end + 20]) is not None
    return cue["strong"] is not None or (inner[:1].isupper() and is_message(inner, words=4))


def _standard(text: str) -> Iterator[Mention]:
    """Texts of std and familiar echoes, which need no cue."""
    at = 0
    for line in text.split("\n"):
        hit = find_std_message(line)
        start = hit[0] if hit else -1
        familiar = _FAMILIAR.search(line) or _enveloped(line)
        if start < 0 and familiar:
            start = familiar.start()
        if start >= 0 and not _UNREAL.search(line[max(0, start - 90) : start].rstrip("`\"' ")):
            message = _to_its_end(line, start, hit[1] if hit else None)
            if not _PLACEHOLDER.search(message) and "panicked at" not in line[:start]:
                more = _CHECK_LINES.match(text, at + len(line)) if message.startswith(_BANNER) else None
                end = more.end() if more else at + start + len(message)
                yield Mention(at + start, end, text[at + start : end] if more else message)
        at += len(line) + 1


def _enveloped(line: str) -> re.Match[str] | None:
    return ENVELOPES.search(line)


def _to_its_end(line: str, start: int, origin: Origin | None) -> str:
    """The message from `start`: to the mark that closes the quote it stands in, else to where its pattern ends."""
    rest = line[start:]
    closer = _CLOSERS.get(line[start - 1]) if start else None
    if closer == "`" and rest.count("`") > 1 and origin is Origin.UNWRAP:
        return rest.rsplit("`", 1)[0].strip()
    if closer and closer in rest:
        return rest[: rest.index(closer)].strip()
    fixed = std_length(rest)
    if origin in (Origin.IMPLICIT, Origin.PLATFORM) or (origin is Origin.UNWRAP and rest[:fixed].endswith("value")):
        more = None if rest[fixed : fixed + 1] in ("", " ", ",", ";", ".", "!", "?") else _CLAUSE.match(rest, fixed)
        return (rest[: more.end()] if more else rest[:fixed]).strip()
    return _ASIDE.split(rest, maxsplit=1)[0].strip().rstrip('`"')


def _places(text: str) -> Iterator[tuple[int, Location]]:
    """Every path of a source file in the text, with what it says. Walks back from each `.rs`, so it stays linear."""
    done = 0
    for match in _PLACE.finditer(text):
        start = match.start()
        while start > max(done, match.start() - 300) and (text[start - 1].isalnum() or text[start - 1] in _PATH_MARKS):
            start -= 1
        done = match.end()
        yield (
            start,
            parse_location(text[start:done].lstrip(":.-<[") if "://" not in text[start:done] else text[start:done]),
        )


def _with_place(text: str, mention: Mention, places: list[tuple[int, Location]], all_: list[Mention]) -> Mention:
    """The nearest place of the same sentence or line that is not nearer to another message."""
    sentence, offset = _sentence(text, mention.start, mention.end)
    best: tuple[int, Location] | None = None
    for at, place in places:
        if not offset <= at < offset + len(sentence) or mention.start <= at < mention.end:
            continue
        gap = mention.start - at if at < mention.start else at - mention.end
        nearest = min(all_, key=lambda m: abs(m.start - at) if at < m.start else abs(at - m.end))
        if nearest is mention and (best is None or gap < best[0]):
            best = gap, place
    return Mention(mention.start, mention.end, mention.message, best[1] if best else None)


def _sentence(text: str, start: int, end: int) -> tuple[str, int]:
    """The sentence around a stretch of text, and its offset; full stops inside of paths and numbers end none."""
    first = max(0, start - _NEAR)
    left = max((m.end() for m in _SENTENCE_END.finditer(text, first, start)), default=first)
    match = _SENTENCE_END.search(text, end, end + _NEAR)
    right = match.start() + 1 if match else min(len(text), end + _NEAR)
    return text[left:right], left


def _blank(text: str, spans: list[tuple[int, int]]) -> str:
    kept, at = [], 0
    for start, end in spans:
        kept += [text[at:start], "\x00" * (end - start)]
        at = end
    return "".join([*kept, text[at:]])


def _one_line(text: str) -> str:
    return " ".join(text.split())
