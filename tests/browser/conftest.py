"""A browser without a network: Chromium, driven by Playwright; where there is none, a skip that says so."""

import importlib.util
import shutil
from contextlib import contextmanager

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


@pytest.fixture(scope="session")
def chromium():
    if importlib.util.find_spec("playwright") is None:
        pytest.skip("Playwright is not installed: no page was opened in a browser (make browser installs it)")
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        pytest.skip(
            "no Chromium was found: no page was opened in a browser (Debian: apt-get install chromium)"
        )
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium):
    """Opens a file in a window of its own; at its end, no request left it and nobody complained."""

    @contextmanager
    def opened(path, *, width=1200, height=900, scheme="light", javascript=True, fragment="", complaints=""):
        window = chromium.new_context(
            viewport={"width": width, "height": height},
            color_scheme=scheme,
            offline=True,
            reduced_motion="reduce",
            java_script_enabled=javascript,
        )
        asked, said = [], []
        window.route(lambda url: not url.startswith("file:"), lambda route: route.abort())
        page = window.new_page()
        page.set_default_timeout(60_000)
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: said.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: said.append(f"error: {error}"))
        page.goto(path.as_uri() + fragment)
        yield page
        assert [
            url for url in asked if url != path.as_uri() and not url.startswith(path.parent.as_uri())
        ] == []
        assert all(complaints and complaints in one for one in said), said
        assert bool(said) == bool(complaints)
        page.asked = asked
        window.close()

    return opened
