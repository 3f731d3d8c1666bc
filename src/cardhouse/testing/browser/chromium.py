"""The browser in which pages are tried."""

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
"""What Chromium is called; the environment's `CARDHOUSE_TEST_CHROMIUM` goes before.

The first is Chromium without a window of its own, which takes a third less.
"""
FLAGS = [
    "--no-sandbox",  # which root may not have
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def chromium_path(*, whole: bool = False) -> str | None:
    """The path of this machine's Chromium, of one that has windows if it must be `whole`; None if there is none."""
    names = (os.environ.get("CARDHOUSE_TEST_CHROMIUM", ""), *BROWSERS[whole:])
    return next((path for name in names if (path := shutil.which(name))), None)


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser that nobody sees: this machine's Chromium, or else the one that Playwright has installed.

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
