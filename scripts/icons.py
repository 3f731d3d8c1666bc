"""Draw the app's icons as PNG files, from the page's own sign.

    python -m scripts.icons

They are small and committed: building the page needs no browser.
"""

from pathlib import Path

from playwright.sync_api import Page

from cardhouse.testing.browser.chromium import chromium

PUBLIC = Path(__file__).resolve().parent.parent / "web" / "public"
GROUND = "#0f1f19"
ICONS = {"192": (192, 1.0), "512": (512, 1.0), "maskable": (512, 0.72)}
"""Each icon's size, and the sign's share of it: a maskable one may be cut to a circle."""


def draw(page: Page, name: str, size: int, share: float) -> None:
    """Draw one icon into a file."""
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
    """Draw all icons."""
    with chromium() as browser:
        page = browser.new_page()
        for name, (size, share) in ICONS.items():
            draw(page, name, size, share)


if __name__ == "__main__":
    main()
