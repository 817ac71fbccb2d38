"""Performs actions on GitHub, each so that doing it twice changes nothing."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from urllib.parse import quote

from bot.errors import PermanentError
from bot.github.client import Clients, Session
from bot.github.comments import Own, OwnComments, Raw, live, minimized
from bot.github.labels import LabelHistory, names
from bot.github.marker import MAX_BODY, Marker, Marks, body_hash, strip
from bot.ports import BeforeWrite, Target
from bot.triage.actions import Action, DeleteComment, HideComment, React, SetLabels, ShowComment, UpsertComment
from kb.model import JsonValue

Done = dict[str, JsonValue]

_MINIMIZE = """mutation($id: ID!, $classifier: ReportedContentClassifiers!) {
  minimizeComment(input: {subjectId: $id, classifier: $classifier}) { minimizedComment { isMinimized } } }"""
_UNMINIMIZE = """mutation($id: ID!) {
  unminimizeComment(input: {subjectId: $id}) { unminimizedComment { isMinimized } } }"""
_MISSING = frozenset({"not_found", "gone"})


def is_content_write(action: Action) -> bool:
    """Whether GitHub counts it as making content (80 a minute, 500 an hour); the others only keep the second apart."""
    return isinstance(action, UpsertComment | React)


def no_budget(installation_id: int | None, content: bool) -> None:
    """A `BeforeWrite` without limits, for one-off commands and tests."""


class CommentPublisher:
    """Implements `bot.ports.Publisher`."""

    def __init__(
        self,
        clients: Clients,
        own: OwnComments,
        marks: Marks,
        before_write: BeforeWrite = no_budget,
        at_last: BeforeWrite = no_budget,
        renew_markers: bool = False,
    ) -> None:
        """`before_write` lets a write wait for its place, `at_last` for its moment: before a POST we look in between.

        `renew_markers`: an edit, a hiding and a showing write the new intent into the marker, which otherwise names
        the comment for life. For who keeps no store, and reads in the marker what was done last."""
        self._clients = clients
        self._own = own
        self._marks = marks
        self._before_write = before_write
        self._at_last = at_last
        self._renew_markers = renew_markers

    def publish(
        self,
        action: Action,
        target: Target,
        *,
        intent_id: str,
        comment_id: int | None = None,
        known_hashes: Collection[str] = (),
    ) -> Done:
        """See `bot.ports.Publisher.publish`."""
        session = self._clients.installation(target.installation_id)
        marker = Marker(target.repo_id, target.issue_id, intent_id)
        budget = (self._before_write, self._at_last)
        desk = _Desk(session, target, marker, self._own, self._marks, *budget, self._renew_markers)
        done = _perform(desk, action, comment_id, frozenset(known_hashes))
        return {"action": type(action).__name__, **done}


@dataclass(frozen=True, slots=True)
class _Desk:
    """The single requests on one issue, for one intent."""

    session: Session
    target: Target
    marker: Marker
    own: OwnComments
    marks: Marks
    before_write: BeforeWrite
    at_last: BeforeWrite
    renew_markers: bool = False

    def write(self, verb: str, path: str, body: Raw | None = None, *, content: bool) -> Raw:
        """One changing REST request below the repository."""
        self.before_write(self.target.installation_id, content)
        return self.send(verb, path, body, content=content)

    def send(self, verb: str, path: str, body: Raw | None = None, *, content: bool) -> Raw:
        """The same, with its place in the budget already given."""
        self.at_last(self.target.installation_id, content)
        return self.session.call(verb, f"/repos/{self.target.repo}{path}", body=body).data or {}

    def all_before_post(self) -> list[Own]:
        """Take a place in the budget for a POST and only then look: the budget may let us wait for seconds, and what
        another worker posted meanwhile must be seen."""
        self.before_write(self.target.installation_id, True)
        return self.all()

    def mutate(self, query: str, **variables: str) -> None:
        """One GraphQL mutation."""
        self.before_write(self.target.installation_id, False)
        self.at_last(self.target.installation_id, False)
        self.session.graphql(query, variables)

    def marker_of(self, own: Own) -> Marker:
        """The marker that our comment carries after a write of this intent."""
        return self.marker if self.renew_markers else own.marker

    def renew(self, own: Own) -> None:
        """Write the present intent into the marker, where that is wanted; a person's text is left alone."""
        if self.marker_of(own) != own.marker and not self.own.edited_by_person(self.session, own):
            path = f"/issues/comments/{own.id}"
            self.write("PATCH", path, {"body": self.marks.mark(own.body, self.marker)}, content=True)

    def all(self) -> list[Own]:
        """Our comments on the issue, oldest first, by walking all of its comments."""
        path = f"/repos/{self.target.repo}/issues/{self.target.number}/comments"
        return list(
            self.own.among(self.session.pages(path), repo_id=self.marker.repo_id, issue_id=self.marker.issue_id)
        )

    def known(self, comment_id: int | None) -> Own | None:
        """Our comment by its id, None where it is gone or not ours."""
        if comment_id is None:
            return None
        try:
            raw = self.session.get(f"/repos/{self.target.repo}/issues/comments/{comment_id}")
        except PermanentError as error:
            if error.reason in _MISSING:
                return None
            raise
        return self.own.recognise(raw, repo_id=self.marker.repo_id, issue_id=self.marker.issue_id)

    def speaking(self, comment_id: int | None) -> tuple[Own, bool] | None:
        """The comment that speaks for us and whether it is hidden; the known one unless a newer may stand beside it."""
        own = self.known(comment_id)
        if own and not minimized(self.session, own):
            return own, False
        return live(self.session, self.all())


def _perform(desk: _Desk, action: Action, comment_id: int | None, known_hashes: frozenset[str]) -> Done:
    match action:
        case UpsertComment(body=body, anew=True):
            return _post_anew(desk, _fitting(body))
        case UpsertComment(body=body):
            return _upsert(desk, _fitting(body), comment_id, known_hashes)
        case HideComment(classifier=classifier):
            return _hide(desk, classifier, comment_id)
        case ShowComment():
            return _show(desk, comment_id)
        case DeleteComment():
            return _delete(desk, comment_id)
        case React(content=content, comment_id=subject):
            return _react(desk, content, subject)
        case SetLabels():
            return _label(desk, action)


def _upsert(desk: _Desk, body: str, comment_id: int | None, known_hashes: frozenset[str]) -> Done:
    found = desk.speaking(comment_id) if comment_id is not None else None
    found = found or live(desk.session, desk.all_before_post())
    if found is None:
        return _create(desk, body)
    own, hidden = found
    done = _edit(desk, own, body, known_hashes)
    if hidden and done["did"] != "left":
        desk.mutate(_UNMINIMIZE, id=own.node_id)
        return done | {"did": "edited" if done["did"] == "edited" else "shown"}
    return done


def _create(desk: _Desk, body: str) -> Done:
    path = f"/issues/{desk.target.number}/comments"
    raw = desk.send("POST", path, {"body": desk.marks.mark(body, desk.marker)}, content=True)
    return _done("created", Own(raw, desk.marker), body)


def _edit(desk: _Desk, own: Own, body: str, known_hashes: frozenset[str]) -> Done:
    """Change the text and keep the marker: it names the comment, not its last change."""
    standing = body_hash(own.body)
    if standing == body_hash(body):
        return _done("unchanged", own, body)
    if standing not in known_hashes and desk.own.edited_by_person(desk.session, own):
        return _done("left", own, own.body, reason="edited_by_person")
    try:
        path = f"/issues/comments/{own.id}"
        raw = desk.write("PATCH", path, {"body": desk.marks.mark(body, desk.marker_of(own))}, content=True)
    except PermanentError as error:
        return _left_if_missing(error)
    return _done("edited", Own(raw, desk.marker_of(own)), body)


def _post_anew(desk: _Desk, body: str) -> Done:
    """Post first, hide afterwards: a crash in between leaves both visible, and the repetition finds its own intent."""
    ours = desk.all_before_post()
    posted = next((own for own in ours if own.marker.intent_id == desk.marker.intent_id), None)
    done = _done("unchanged", posted, body) if posted else _create(desk, body)
    for own in ours:
        if own is not posted and not minimized(desk.session, own):
            desk.mutate(_MINIMIZE, id=own.node_id, classifier="OUTDATED")
    return done


def _hide(desk: _Desk, classifier: str, comment_id: int | None) -> Done:
    found = desk.speaking(comment_id)
    if found is None:
        return _nothing("no_comment")
    own, hidden = found
    if hidden:
        return _done("unchanged", own, own.body)
    desk.mutate(_MINIMIZE, id=own.node_id, classifier=classifier)
    desk.renew(own)
    return _done("hidden", own, own.body)


def _show(desk: _Desk, comment_id: int | None) -> Done:
    found = desk.speaking(comment_id)
    if found is None:
        return _nothing("no_comment")
    own, hidden = found
    if not hidden:
        return _done("unchanged", own, own.body)
    desk.mutate(_UNMINIMIZE, id=own.node_id)
    desk.renew(own)
    return _done("shown", own, own.body)


def _delete(desk: _Desk, comment_id: int | None) -> Done:
    """All of ours: who asks for deletion does not want the question to stay where the answer went."""
    ours = desk.all()
    if not ours:
        return _nothing("no_comment")
    for own in ours:
        try:
            desk.write("DELETE", f"/issues/comments/{own.id}", content=False)
        except PermanentError as error:
            _left_if_missing(error)
    return _done("deleted", ours[-1], "") | {"body_hash": None}


def _react(desk: _Desk, content: str, comment_id: int | None) -> Done:
    """GitHub answers 200 and the old reaction where we have reacted so already."""
    subject = f"/issues/{desk.target.number}" if comment_id is None else f"/issues/comments/{comment_id}"
    try:
        desk.write("POST", f"{subject}/reactions", {"content": content}, content=True)
    except PermanentError as error:
        return _left_if_missing(error)
    return {"did": "reacted", "reason": "", "comment_id": comment_id, "node_id": None, "url": None, "body_hash": None}


def _label(desk: _Desk, wanted: SetLabels) -> Done:
    """GitHub makes a label that the repository does not have yet. Event and issue lists may lag behind our own write by
    a moment: writing the same label twice changes nothing."""
    path, ours = f"/issues/{desk.target.number}", desk.own.login
    try:
        present = {name.casefold() for name in names(desk.session.get(f"/repos/{desk.target.repo}{path}"))}
        history = LabelHistory.of(desk.session.pages(f"/repos/{desk.target.repo}{path}/events"))
        absent = [label for label in wanted.add if label.casefold() not in present]
        add = [label for label in absent if history.may_add(label, ours)]
        remove = [name for name in wanted.remove if name.casefold() in present and history.may_remove(name, ours)]
        if add:
            desk.write("POST", f"{path}/labels", {"labels": add}, content=False)
        for label in remove:
            desk.write("DELETE", f"{path}/labels/{quote(label, safe='')}", content=False)
    except PermanentError as error:
        return _left_if_missing(error)
    if add or remove:
        return _nothing("") | {"did": "labelled"}
    return _nothing("taken_off" if absent else "") | {"did": "left" if absent else "unchanged"}


def _fitting(body: str) -> str:
    """`body` as it will be stored. Raises PermanentError(`too_long`) where GitHub would refuse it with its marker."""
    text = strip(body)
    if len(text) > MAX_BODY - 256:
        raise PermanentError("too_long", f"the comment has {len(text)} characters, GitHub takes {MAX_BODY}")
    return text


def _done(did: str, own: Own, body: str, reason: str = "") -> Done:
    return {
        "did": did,
        "reason": reason,
        "comment_id": own.id,
        "node_id": own.node_id,
        "url": own.url,
        "body_hash": body_hash(body),
    }


def _nothing(reason: str) -> Done:
    return {"did": "left", "reason": reason, "comment_id": None, "node_id": None, "url": None, "body_hash": None}


def _left_if_missing(error: PermanentError) -> Done:
    if error.reason not in _MISSING:
        raise error
    return _nothing("comment_gone")
