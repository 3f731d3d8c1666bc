"""The ornaments of a wound's card: a frame, a tally of its value, and a picture of the wound."""

from __future__ import annotations

from functools import cache

from cardhouse.cards import Card
from cardhouse.games.hackjack.state import HackjackOptions
from cardhouse.games.hackjack.wounds.data import standard_wounds
from cardhouse.games.hackjack.wounds.schema import Wound
from cardhouse.print.drawings import symbols
from cardhouse.print.pages import HEIGHT, WIDTH
from cardhouse.print.pen import FAINT, INK, Pen

LIMIT = HackjackOptions().limit
"""The default limit of the death-score."""

FRAME = 3.35
"""The frame's distance from the edge in mm, to allow for an uneven cut."""

STROKE, GROUP, HIGH = 1.12, 5, 2.9
"""The distance between strokes of the tally, the strokes in a group, and their height."""

PICTURE, BESIDE = 16.5, (17.0, 5.2)
"""The size of a wound's picture, and its corner."""

GROUND, BONE, BLOOD = "#221923", "#efe3ca", "#c5342a"
"""The colours of wounds on the page. In print the ground becomes white and bone becomes ink."""


def draw_frame(pen: Pen) -> None:
    """Draw a double line around the card with rounded corners."""
    for inset, thick, bend in ((FRAME, 0.3, 1.8), (FRAME + 0.5, 0.12, 1.1)):
        right, low = WIDTH - inset, HEIGHT - inset
        for y in (inset, low):
            pen.line(inset + bend, y, right - bend, y, width=thick)
        for x in (inset, right):
            pen.line(x, inset + bend, x, low - bend, width=thick)
        for degrees, across, down in ((0, inset, inset), (270, right, inset), (180, right, low), (90, inset, low)):
            with pen.turned(across, down, degrees):
                pen.shape(f"M0 {bend}A{bend} {bend} 0 0 1 {bend} 0", across, down, 1, line=INK, thick=thick)


def draw_tally(pen: Pen, right: float, y: float, points: int) -> None:
    """Draw `LIMIT` tally strokes that end at `right`, in groups of five, the first `points` of them in ink."""
    left = right - STROKE * (LIMIT - 1)
    for number in range(LIMIT):
        colour = INK if number < points else FAINT
        x = left + STROKE * number
        if number % GROUP == GROUP - 1:
            first = x - STROKE * (GROUP - 1)
            pen.line(first - 0.5, y + HIGH * 0.8, x - 0.3, y + HIGH * 0.2, width=0.3, colour=colour)
        else:
            pen.line(x, y, x, y + HIGH, width=0.3, colour=colour)


def draw_keepsake(pen: Pen, card: Card, wound: Wound) -> None:
    """Draw the picture of a wound beside the index, unless the table has rewritten the wound."""
    if wound.name == standard_wounds()[card].name:
        pen.drawing(_picture_of(card), *BESIDE, PICTURE / 512)


@cache
def _picture_of(card: Card) -> str:
    """Return the picture of a wound as SVG in a box of 512 by 512: ink on white with a shadow in blood."""
    drawn = symbols("wounds", "cardhouse.games.hackjack", "page/wounds")
    shape, under, over = drawn[card], drawn.get(f"{card}-under", ""), drawn[f"{card}-over"]
    shadow = f'<g transform="translate(22 17)">{shape.replace("currentColor", BLOOD)}</g>'
    inked = f"{under}{shadow}{shape.replace('currentColor', BONE)}{over}"
    return inked.replace(GROUND, "#fff").replace(BONE, "#000")
