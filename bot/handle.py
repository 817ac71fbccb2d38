"""The whole pipeline from an event to what is done about it, as one pure function. No clock, no network, no database.

    trigger, snapshot (the issue now), memory (what we did there) -> Decision (actions, new memory, verdict, reason)

It looks at the present state alone: an event that comes late, twice or not at all changes nothing in the answer, and
where the issue shows already what it should, nothing is done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from bot.commands._model import Call
from bot.commands._parse import new_calls, ordered
from bot.commands._run import Desk, Ran, asked_line, no_command_here, run, with_asked
from bot.commands._words import told
from bot.errors import TransientError
from bot.github.marker import body_hash
from bot.redact import redact
from bot.triage.actions import Action, React, ShowComment, UpsertComment
from bot.triage.analyze import analyze as analyze_report
from bot.triage.conversation import prose_lines
from bot.triage.knowledge import Knowledge
from bot.triage.labels import label
from bot.triage.model import Report, Verdict
from bot.triage.plan import Wish, added_by_author, answer_moved, edited_by_person, notice, settle
from bot.triage.policy import (
    Mode,
    Rules,
    answer_key,
    closed_to_us,
    has_answered,
    is_awaited,
    is_gone,
    is_question,
    may_say,
    others,
    permission_of,
    read_until,
    report_of,
    with_chosen_entry,
)
from bot.triage.render import render as render_verdict
from bot.triage.rendered import strangers
from bot.triage.snapshot import Decision, IssueMemory, IssueSnapshot, Permission, Trigger

Analyze = Callable[[Report, Knowledge], Verdict]
Render = Callable[..., str | None]
"""`bot.triage.render.render`: a verdict to Markdown, None where there is nothing to say."""

Repeats = Callable[[Verdict], Sequence[int]]
"""Numbers of issues of the same repository with the same panic, the oldest open one first."""

FOOT = "Automatic answer. `/triage help` lists the commands."

DEFAULT_RULES = Rules()

LONGEST = 60_000
"""Characters of a comment; GitHub takes 65,536, the marker needs some of them."""


def handle(
    trigger: Trigger,
    snapshot: IssueSnapshot,
    memory: IssueMemory,
    knowledge: Knowledge,
    *,
    rules: Rules = DEFAULT_RULES,
    wrong_today: Mapping[str, int] | None = None,
    repeats: Repeats = lambda _verdict: (),
    public_url: str | None = None,
    analyze: Analyze = analyze_report,
    render: Render = render_verdict,
) -> Decision:
    """What to do on an issue.

    `snapshot.permissions` must hold the people that `people` names. `wrong_today`: disputes of the last 24 hours by
    login in lower case, over all issues, those of jobs before this one. `public_url`: where entry pages are served. A
    Decision with `retry` is to be performed and remembered, then the job fails by `raise_for_retry`.
    """
    if is_gone(trigger, snapshot):
        return Decision((), memory, None, "gone")
    seen = notice(snapshot, memory)
    calls = [*new_calls(snapshot, seen, prose_lines), *ordered(trigger, seen)]
    if rules.mode is Mode.OFF:
        # Commands written meanwhile must not all run on the day it is switched on.
        return Decision(
            (), replace(memory, commands_run=no_command_here(calls, memory).memory.commands_run), None, "off"
        )
    if snapshot.is_pull_request or snapshot.moved_here:
        ran = no_command_here(calls, seen)
        return Decision(ran.reactions, ran.memory, None, "pull_request" if snapshot.is_pull_request else "moved_here")

    def say(verdict: Verdict, asked: Sequence[str], spoken: bool) -> str | None:
        around = {"repeats": repeats(verdict), "public_url": public_url}
        return render(verdict, knowledge, asked=asked, spoken=spoken, **around)

    read = cache(lambda report: analyze(report, knowledge))
    desk = Desk(snapshot, knowledge, read, wrong_today or {})
    case = _Case(trigger, snapshot, seen, knowledge, rules, read, say, public_url)
    if rules.mode is Mode.SHADOW:
        return _in_shadow(case, calls, desk, memory)
    return _decide(case, run(calls, seen, desk))


def people(snapshot: IssueSnapshot, memory: IssueMemory) -> frozenset[str]:
    """Logins whose permission `handle` needs: whoever wrote a command that is not carried out yet, and, while we have
    not answered, whoever else spoke. For the step that reads an issue: `partial(people, memory=memory)`.
    """
    writers = {call.author for call in new_calls(snapshot, memory, prose_lines)}
    first = set() if has_answered(memory) else {comment.author for comment in others(snapshot)}
    return frozenset(writers | first)


def raise_for_retry(decision: Decision) -> None:
    """Raise TransientError where a decision could be carried out in part only. To be called once it is stored."""
    if decision.retry:
        raise TransientError(decision.retry, "The permission of somebody on the issue could not be read.")


@dataclass(frozen=True, slots=True)
class _Case:
    trigger: Trigger
    snapshot: IssueSnapshot
    before: IssueMemory
    knowledge: Knowledge
    rules: Rules
    read: Callable[[Report], Verdict]
    say: Callable[[Verdict, Sequence[str], bool], str | None]
    public_url: str | None


@dataclass(frozen=True, slots=True)
class _Answer:
    """What we would answer now. `body` is None where nothing is said, `why` then tells the reason code."""

    verdict: Verdict | None
    body: str | None
    why: str


def _decide(case: _Case, ran: Ran) -> Decision:
    """From what the commands left to actions: verdict, answer, wish, difference."""
    shut = closed_to_us(case.snapshot, ran.memory, case.rules)
    answer = _answer(case, ran, shut)
    ran = _with_told(case, ran, answer)
    wish = _wish(case, ran, answer)
    if wish.body and not _is_safe(wish.body, case.public_url):
        wish, answer = Wish("leave"), _Answer(answer.verdict, None, "unsafe_comment")
    own = case.snapshot.own
    action, memory = settle(own, replace(ran.memory, read_until=read_until(case.snapshot)), wish, body_hash)
    actions = (*ran.reactions, *((action,) if action else ()), *_news(case, ran, memory, action))
    if answer.verdict and not shut and not memory.muted and not memory.hold:
        labels, memory = label(case.snapshot, memory, answer.verdict, case.rules)
        actions = (*actions, *((labels,) if labels else ()))
    retry = ran.retry or ("permission_unknown" if answer.why == "permission_unknown" else "")
    reason = "not_permitted" if ran.refused else _reason(case, wish, action, answer)
    return Decision(actions, memory, answer.verdict, reason, disputes=ran.disputes, retry=retry)


def _in_shadow(case: _Case, calls: Sequence[Call], desk: Desk, memory: IssueMemory) -> Decision:
    """Commands of maintainers are carried out. Whatever else would be written is decided, recorded and left alone, and
    commands of others must not all run on the day it is switched on."""
    said = {
        permission: [c for c in calls if permission_of(case.snapshot, c.author) is permission]
        for permission in Permission
    }
    ignored = no_command_here(said[Permission.NO], memory).memory.commands_run
    retry = "permission_unknown" if said[Permission.UNKNOWN] else ""
    if said[Permission.YES]:
        before = replace(case.before, commands_run=ignored)
        return replace(_decide(case, run(said[Permission.YES], before, desk)), retry=retry)
    loud = replace(case, rules=replace(case.rules, mode=Mode.ON))
    would = _decide(loud, run(said[Permission.NO], case.before, desk))
    return Decision((), replace(memory, commands_run=ignored), would.verdict, f"shadow_{would.reason}", retry=retry)


def _answer(case: _Case, ran: Ran, shut: str) -> _Answer:
    memory = ran.memory
    invited = bool(ran.invited)
    # Words go into a comment that holds an answer already: then the answer is written again with them.
    standing = ran.said and memory.state in {"answer", "question"}
    if shut and not invited and not standing:
        recorded = shut in {"maintainer_first", "shadow"}
        return _Answer(_verdict(case, memory) if recorded else None, None, shut)
    verdict = _verdict(case, memory)
    if memory.muted or memory.hold or (memory.state == "deleted" and not invited):
        return _Answer(verdict, None, "muted" if memory.muted else memory.hold or "deleted")
    why = may_say(verdict, memory, case.rules, invited=memory.spoken)
    body = None if why else case.say(verdict, (), is_awaited(verdict, memory))
    return _Answer(verdict, body, why or ("" if body else "nothing_to_add"))


def _verdict(case: _Case, memory: IssueMemory) -> Verdict:
    return with_chosen_entry(case.read(report_of(case.snapshot, memory)), memory.entry)


def _with_told(case: _Case, ran: Ran, answer: _Answer) -> Ran:
    """Who asked for an answer gets words also where the verdict gives none."""
    loud = [call for call in ran.invited if not call.quiet]
    if not loud or answer.body or answer.verdict is None or ran.memory.muted:
        return ran
    item = asked_line(loud[-1], told(answer.verdict, case.knowledge))
    return replace(ran, memory=with_asked(ran.memory, item), said=True)


def _wish(case: _Case, ran: Ran, answer: _Answer) -> Wish:
    memory = ran.memory
    if answer.body and answer.verdict:
        body = case.say(answer.verdict, memory.asked, is_awaited(answer.verdict, memory)) or answer.body
        return Wish("question" if is_question(answer.verdict) else "answer", redact(body), answer_key(answer.verdict))
    if ran.said and not memory.muted:
        return Wish("words", redact("\n\n".join(("**Asked**", *memory.asked, FOOT))))
    if memory.state == "deleted":
        own = case.snapshot.own
        left_over = case.before.state == "deleted" and own is not None and own.minimized
        return Wish("leave" if left_over else "deleted")
    if memory.muted or (memory.hold and memory.state != "words"):
        return Wish("hidden")
    outdated = answer.verdict is not None and answer.why not in {"maintainer_first", "permission_unknown"}
    return Wish("outdated" if outdated and memory.state in {"answer", "question"} else "leave")


def _is_safe(body: str, public_url: str | None) -> bool:
    ours = ("https://", public_url or "https://")
    return len(body) < LONGEST and not strangers(body, lambda href: href.startswith(ours))


def _news(case: _Case, ran: Ran, after: IssueMemory, action: Action | None) -> Iterable[React]:
    """The reaction that tells the author of a changed answer, unless a command or a new comment told already."""
    told_already = isinstance(action, UpsertComment) and action.anew
    if action is None or told_already or ran.invited or not answer_moved(case.snapshot.own, case.before, after):
        return ()
    news = added_by_author(case.trigger, case.snapshot, case.before)
    reacted = {reaction.comment_id for reaction in ran.reactions}
    return (news,) if news and news.comment_id not in reacted else ()


def _reason(case: _Case, wish: Wish, action: Action | None, answer: _Answer) -> str:
    """The reason code of a decision."""
    own = case.snapshot.own
    if wish.kind in {"answer", "question"}:
        if action is None:
            return "edited_by_person" if edited_by_person(own, case.before, body_hash) else "unchanged"
        if isinstance(action, ShowComment):
            return "shown"
        new = own is None or (isinstance(action, UpsertComment) and action.anew)
        return ("answered" if wish.kind == "answer" else "asked") if new else "edited"
    if wish.kind == "outdated" and action is not None:
        return "hidden_outdated"
    return "command" if wish.kind == "words" else answer.why or "nothing_to_do"
