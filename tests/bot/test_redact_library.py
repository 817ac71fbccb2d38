"""What a well-kept library for secrets finds in a text is gone after `redact`: each of its detectors, by samples made
from its own patterns."""

from __future__ import annotations

import inspect
import pkgutil
from importlib import import_module
from typing import Any

import detect_secrets.plugins
import pytest
from detect_secrets.plugins.base import RegexBasedDetector
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from bot.redact import redact


def detectors() -> list[tuple[RegexBasedDetector, Any]]:
    """Every detector that goes by patterns, with each. The others go by entropy, and a commit's hash is no secret."""
    found = []
    for module in pkgutil.iter_modules(detect_secrets.plugins.__path__):
        members = vars(import_module(f"detect_secrets.plugins.{module.name}")).values()
        for kind in members:
            if inspect.isclass(kind) and issubclass(kind, RegexBasedDetector) and not inspect.isabstract(kind):
                found += [(kind(), pattern) for pattern in kind().denylist]
    return found


def around(sample: str) -> str:
    """The sample where it would stand: of a private key the detectors know the first line alone."""
    if sample.startswith("BEGIN"):
        return f"it says -----{sample}-----\nMIIEpQ\n-----END of it"
    return f"it says {sample} and no more"


def secrets_in(text: str, detector: RegexBasedDetector, pattern: Any) -> set[str]:
    """What the detector takes for secrets. Some name a part of the token alone, of no use: then it is all of it."""
    if detector.secret_type == "JSON Web Token":
        return set(detector.analyze_string(text))
    found = {m.groups()[-1] if m.groups() and len(m.groups()[-1] or "") > 8 else m[0] for m in pattern.finditer(text)}
    return {secret for secret in found if could_be_one(secret)}


def could_be_one(secret: str) -> bool:
    """Patterns match `00000000` as well; nobody's token looks so, and much that is no token does."""
    if secret.startswith(("BEGIN", "PuTTY")):
        return True
    return len(set(secret)) > 7 and (any(char.isdigit() for char in secret) or len(secret) == 24)


JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc_DEF-123456"


@pytest.mark.parametrize(
    ("detector", "pattern"), [pytest.param(d, p, id=f"{d.secret_type} {n}") for n, (d, p) in enumerate(detectors())]
)
def test_what_a_detector_finds_is_gone(detector: RegexBasedDetector, pattern: Any):
    @settings(max_examples=20, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @example(JWT)
    @given(st.from_regex(pattern, fullmatch=True, alphabet=st.characters(min_codepoint=32, max_codepoint=126)))
    def check(sample: str) -> None:
        text = around(sample)
        secrets = secrets_in(text, detector, pattern)
        left = redact(text)
        seen.update(secrets)
        assert [secret for secret in secrets if secret in left] == []

    seen: set[str] = set()
    check()
    assert seen
