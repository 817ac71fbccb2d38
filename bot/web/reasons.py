"""Reason codes of decisions and of given-up jobs, in words. Pure."""

from __future__ import annotations

WORDS = {
    "answered": "answered",
    "asked": "asked the one deciding question",
    "edited": "comment brought up to date",
    "unchanged": "comment left as it was",
    "shown": "comment shown again",
    "hidden_outdated": "comment hidden as outdated",
    "command": "answered a command",
    "no_panic": "silent: no panic found",
    "unknown_panic": "silent: the panic is not known",
    "foreign_without_entry": "silent: raised elsewhere, and no entry",
    "not_configured": "silent: the repository did not choose this outcome",
    "asking_is_off": "silent: the repository wants no questions",
    "nothing_to_add": "silent: nothing to add",
    "nothing_to_do": "nothing to do",
    "closed": "silent: the issue is closed",
    "locked": "silent: the issue is locked",
    "opted_out": "silent: the issue has the opt-out label",
    "author_is_bot": "silent: opened by a bot",
    "opened_by_app": "silent: opened by an app",
    "install_date_unknown": "silent: since when we are here is not known",
    "issue_older_than_install": "silent: older than the installation",
    "maintainer_first": "silent: a maintainer spoke first",
    "permission_unknown": "a permission could not be read",
    "muted": "silent: muted",
    "hidden": "kept back: hidden by a person",
    "wrong": "kept back: called wrong",
    "deleted": "kept back: deleted by a command",
    "by_hand": "kept back: hidden by hand",
    "edited_by_person": "left alone: a person edited our comment",
    "unsafe_comment": "not posted: the comment would not have been safe",
    "not_permitted": "refused: no triage permission",
    "off": "the repository is switched off",
    "gone": "the issue is gone",
    "pull_request": "a pull request: none of ours",
    "moved_here": "transferred here with a comment of ours",
    "folded": "left to a later event of the same issue",
    "order_forgotten": "not carried out: its time was over",
    "forgotten": "forgotten",
    "forbidden": "GitHub forbids it: the App lacks a permission, or the issue is locked",
    "repository_not_found": "GitHub does not show the repository any more",
    "installation_gone": "the App was uninstalled there",
    "installation_suspended": "the App is suspended there",
    "internal_error": "an error of ours; the worker's log has it",
    "set_aside": "its worker died again and again",
    "cancelled": "cancelled by hand",
    "database_away": "the database did not answer",
    "event_not_handled": "an event that is none of ours",
    "action_not_handled": "an action that is none of ours",
    "own_event": "made by ourselves",
    "payload_incomplete": "the payload lacks what is needed",
    "ping": "GitHub's ping",
}


def words(code: str) -> str:
    """What a reason code means; an unknown one is shown as it is, without underscores."""
    if code.startswith("shadow_"):
        return f"in shadow, else: {words(code.removeprefix('shadow_'))}"
    return WORDS.get(code) or code.replace("_", " ") or "-"
