"""The three kinds of failure, each with a reason code that metrics and the dashboard count by."""

from __future__ import annotations


class TriageError(Exception):
    """Base of the three. `reason` is a short code in snake_case; `str()` is a sentence for the operator."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class UserError(TriageError):
    """Somebody gave us something we cannot use: the message names the input and the remedy, and is shown."""


class TransientError(TriageError):
    """Worth trying again. `retry_after` is the number of seconds that the other side asked for, if it did."""

    def __init__(self, reason: str, message: str, retry_after: float | None = None) -> None:
        super().__init__(reason, message)
        self.retry_after = retry_after


class PermanentError(TriageError):
    """Trying again will not help: the job is parked with this reason and waits for a person."""
