"""The browser for tests."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from cardhouse.engine import CardhouseError

if TYPE_CHECKING:
    from playwright.sync_api import Browser

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
"""Names of the Chromium executable; the environment variable `CARDHOUSE_TEST_CHROMIUM` takes precedence.

The first is Chromium without windows, which takes a third less time.
"""
FLAGS = [
    "--no-sandbox",  # the sandbox doesn't work for root
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def chromium_path(*, whole: bool = False) -> str | None:
    """Return the path of an installed Chromium, with windows if `whole`; None if there is none."""
    names = (os.environ.get("CARDHOUSE_TEST_CHROMIUM", ""), *BROWSERS[whole:])
    return next((path for name in names if (path := shutil.which(name))), None)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start a headless browser: an installed Chromium, otherwise the one that Playwright has installed.

    Raises CardhouseError if there is none.
    """
    try:
        from playwright.sync_api import Error, sync_playwright
    except ModuleNotFoundError:
        raise CardhouseError(
            "A browser run needs Playwright, which isn't installed: pip install 'cardhouse[browser]'.", "not_installed"
        ) from None
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS)
        except Error as error:
            raise CardhouseError(
                "A browser run needs Chromium, and there is none: install it, or run playwright install chromium "
                f"({error.message.splitlines()[0]}).",
                "not_installed",
            ) from None
        try:
            yield browser
        finally:
            browser.close()
