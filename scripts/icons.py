"""Draws the app's icons, PNG files, from the page's own sign.

    python -m scripts.icons

They are small and committed: nobody needs a browser to build the page.
"""

from pathlib import Path

from playwright.sync_api import Page

from cardhouse.testing.browser.chromium import chromium

PUBLIC = Path(__file__).resolve().parent.parent / "web" / "public"
GROUND = "#0f1f19"
ICONS = {"192": (192, 1.0), "512": (512, 1.0), "maskable": (512, 0.72)}
"""Each icon's size, and how much of it the sign takes: a maskable one may be cut to a circle."""


def draw(page: Page, name: str, size: int, share: float) -> None:
    """One icon as a file."""
    sign = (PUBLIC / "sign.svg").read_text("utf-8")
    page.set_viewport_size({"width": size, "height": size})
    ground = GROUND if share < 1 else "transparent"
    style = (
        f"html {{ background: {ground} }} body {{ margin: {size * (1 - share) / 2}px }}"
        f"svg {{ display: block; width: {size * share}px }}"
    )
    page.set_content(f"<style>{style}</style>{sign}")
    page.screenshot(path=PUBLIC / "icons" / f"{name}.png", omit_background=True)


def main() -> None:
    """Draw all of them."""
    with chromium() as browser:
        page = browser.new_page()
        for name, (size, share) in ICONS.items():
            draw(page, name, size, share)


if __name__ == "__main__":
    main()
