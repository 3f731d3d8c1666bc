"""Random play in browsers: a real server, a page for each seat, and presses on offered controls.

In a test file of your own, for pytest:

    from cardhouse.testing.browser import press_whatever_is_offered

    def test_the_page():
        press_whatever_is_offered("highest")

It needs Chromium and `pip install 'cardhouse[browser]'`.
"""

from cardhouse.testing.browser.chromium import chromium
from cardhouse.testing.browser.running import Pressed, press_whatever_is_offered

__all__ = ["Pressed", "chromium", "press_whatever_is_offered"]
