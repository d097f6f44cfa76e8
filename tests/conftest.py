"""Settings for all tests: reproducible examples, and long runs only when asked for."""

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
