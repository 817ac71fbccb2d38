"""Labels on the stand-in: ours go on and off, people's word about a label is the last."""

from __future__ import annotations

import pytest

from bot.errors import TransientError
from bot.github.labels import LabelHistory
from bot.triage.actions import SetLabels
from tests.bot.github.stage import REPO, Stage


def labels(stage: Stage) -> list[str]:
    return stage.repo.issues[1].labels


def writes(stage: Stage) -> list[str]:
    return [f"{seen.verb} {seen.path.rsplit('/issues/1', 1)[-1]}" for seen in stage.github.writes()]


def test_labels_are_put_on_once(stage: Stage) -> None:
    first = stage.publish(SetLabels(add=("panic", "needs: log")))
    second = stage.publish(SetLabels(add=("Panic", "needs: log")))
    assert labels(stage) == ["panic", "needs: log"]
    assert (first["did"], second["did"], writes(stage)) == ("labelled", "unchanged", ["POST /labels"])


def test_a_label_that_a_person_took_off_is_never_put_on_again(stage: Stage) -> None:
    stage.publish(SetLabels(add=("panic",)))
    stage.github.people.label_issue(REPO, 1, "panic", by="tri", remove=True)
    done = stage.publish(SetLabels(add=("PANIC", "known")))
    again = stage.publish(SetLabels(add=("panic",)))
    assert (labels(stage), done["did"], again["did"], again["reason"]) == (["known"], "labelled", "left", "taken_off")


def test_a_label_that_we_took_off_ourselves_may_come_back(stage: Stage) -> None:
    for action in (SetLabels(add=("panic",)), SetLabels(remove=("panic",)), SetLabels(add=("panic",))):
        stage.publish(action)
    assert labels(stage) == ["panic"]


def test_a_label_that_a_person_put_on_is_not_taken_off(stage: Stage) -> None:
    stage.github.people.label_issue(REPO, 1, "panic", by="tri")
    done = stage.publish(SetLabels(remove=("panic", "absent")))
    assert (labels(stage), done["did"]) == (["panic"], "unchanged")


def test_a_label_with_a_slash_and_blanks_in_its_name_is_taken_off(stage: Stage) -> None:
    stage.publish(SetLabels(add=("area: fusion/burn",)))
    stage.publish(SetLabels(remove=("area: fusion/burn",)))
    assert labels(stage) == []


def test_a_write_of_unknown_fate_is_made_good(stage: Stage) -> None:
    stage.github.fault("timeout_after", verb="POST", path=r"/labels", delay=0.0)
    with pytest.raises(TransientError):
        stage.publish(SetLabels(add=("panic",)))
    assert (stage.publish(SetLabels(add=("panic",)))["did"], labels(stage)) == ("unchanged", ["panic"])


def test_an_issue_that_is_gone_is_left(stage: Stage) -> None:
    stage.github.people.delete_issue(REPO, 1)
    assert stage.publish(SetLabels(add=("panic",)))["did"] == "left"


def test_the_last_event_counts_and_deleted_accounts_are_people() -> None:
    events = [
        {"event": "unlabeled", "label": {"name": "a"}, "actor": {"login": "mel"}},
        {"event": "unlabeled", "label": {"name": "A"}, "actor": {"login": "Us[bot]"}},
        {"event": "unlabeled", "label": {"name": "b"}, "actor": None},
        {"event": "closed", "actor": None},
    ]
    history = LabelHistory.of(events)
    assert [history.may_add(name, "us[bot]") for name in "abc"] == [True, False, True]
