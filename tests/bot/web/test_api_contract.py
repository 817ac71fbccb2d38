"""The API against its own description, by schemathesis: any request that it allows, and many that it does not."""

from __future__ import annotations

import re

import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.config import SchemathesisConfig

from bot.web.public import create_public
from tests.bot.web import world

app = create_public(world.desk())
TAKEN = ["2xx", "3xx", "401", "403", "404", "409", "429", "5xx"]
REFUSED = ["400", "401", "403", "404", "405", "406", "409", "415", "422", "428", "429", "5xx"]
config = SchemathesisConfig.from_dict(
    {
        "headers": {"Accept": "application/json"},
        "checks": {"negative_data_rejection": {"expected-statuses": [*REFUSED, "413"]}},  # a text that is too long
        "operations": [
            {
                "include-name": "GET /api/errors",
                # Which releases are indexed changes with the knowledge base: any other version is refused.
                "checks": {"positive_data_acceptance": {"expected-statuses": [*TAKEN, "400"]}},
            }
        ],
    }
)
schema = schemathesis.openapi.from_wsgi("/api/openapi.json", app, config=config)

few = settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@schema.parametrize()
@few
def test_every_answer_is_as_described(case: schemathesis.Case):
    case.call_and_validate()


def test_every_address_of_the_api_is_described():
    rules = {rule.rule for rule in app.url_map.iter_rules() if rule.rule.startswith("/api/")}
    described = set(schema.raw_schema["paths"])
    assert {re.sub(r"<\w+>", "{}", rule) for rule in rules} - {"/api/openapi.json"} == {
        re.sub(r"{\w+}", "{}", path) for path in described - {"/api/openapi.json"}
    }
