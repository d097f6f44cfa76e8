"""Settings for all tests: reproducible examples, and long runs only when asked for."""

import commands  # noqa: F401, once for all tests
import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "reproducible",
    derandomize=True,
    deadline=None,
    max_examples=60,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("reproducible")


def pytest_addoption(parser):
    parser.addoption("--thorough", action="store_true", help="also run the tests marked thorough")


def pytest_collection_modifyitems(config, items):
    if not config.getoption("--thorough"):
        config.hook.pytest_deselected(items=[item for item in items if "thorough" in item.keywords])
        items[:] = [item for item in items if "thorough" not in item.keywords]


@pytest.fixture
def registries():
    """Forget afterwards what a test has registered."""
    from tallyplan.games import registry as learners
    from tallyplan.model.families import registry as families
    from tallyplan.studies import questions

    learners.learners()  # ours are known before
    known = [one._REGISTRY for one in (learners, families, questions)]
    before = [dict(one.entries) for one in known]
    yield
    for one, entries in zip(known, before, strict=True):
        one.entries.clear()
        one.entries.update(entries)
