"""Every page over a small year stays fast and small; `bench_pages` measures the whole one."""

from __future__ import annotations

import pytest
from sqlalchemy import Engine

from tests.bench.bench_pages import LARGEST, LIMIT_MS, Measured, run

VERDICTS = 4_000


@pytest.mark.bench
def test_every_page_is_fast_and_small(engine: Engine):
    found = run(engine, VERDICTS)
    assert len(found) > 30
    assert [one.line() for one in found if _is_bad(one)] == []


def _is_bad(page: Measured) -> bool:
    """By processor time, the first request's too: other tests run beside this one."""
    return max(page.first_processor, page.processor) > LIMIT_MS or page.size > LARGEST
