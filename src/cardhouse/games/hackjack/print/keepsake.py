"""What makes a wound's card one to keep: a frame, the tally of what it adds, and a picture of what it does."""

from __future__ import annotations

from cardhouse.cards import Card, suit_of
from cardhouse.games.hackjack.state import HackjackOptions
from cardhouse.games.hackjack.wound import Wound
from cardhouse.print.pages import HEIGHT, WIDTH
from cardhouse.print.pen import FAINT, INK, QUIET, RED, Colour, Pen
from cardhouse.print.suits import DROP

LIMIT = HackjackOptions().limit
"""The highest death-score that one usually survives."""

FRAME = 3.35
"""How far from the edge: a cut that isn't straight leaves all of it."""

STROKE, GROUP, HIGH = 1.12, 5, 2.9
"""From one stroke of the tally to the next, how many are tied together, and how high they are."""

PICTURE, LEAST = 17.0, 9.0
"""How large a picture is, and how small it may be."""

SKULL = (
    "M28 68C17 63 11 52 11 40 11 20 28 8 50 8s39 12 39 32c0 12-6 23-17 28v20q0 4-4 4H32q-4 0-4-4ZM50 52l-5 10h10Z"
    "M24.5 43a9.5 9.5 0 1 0 19 0a9.5 9.5 0 1 0 -19 0ZM56.5 43a9.5 9.5 0 1 0 19 0a9.5 9.5 0 1 0 -19 0Z"
    "M38 73v13M46 73v13M54 73v13M62 73v13"
)
NEEDLE = "M4 62C26 34 62 34 96 50M20 38l8 18M36 32l6 18M52 31l3 18M68 34l1 17M83 39l-2 16"
"""A wound sewn up."""
PLASTER = (
    "M14 66L66 14Q76 6 86 14T86 34L34 86Q24 94 14 86T14 66ZM32 48L52 68M48 32L68 52M46 50h.1M54 50h.1M50 46h.1M50 54h.1"
)
"""A strip of plaster, for what leaves nothing."""


def draw_frame(pen: Pen) -> None:
    """A double line around the card, round at its corners."""
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
    """So many strokes of those that one survives, five tied together, ending at the right."""
    left = right - STROKE * (LIMIT - 1)
    for number in range(LIMIT):
        colour = INK if number < points else FAINT
        x = left + STROKE * number
        if number % GROUP == GROUP - 1:
            first = x - STROKE * (GROUP - 1)
            pen.line(first - 0.5, y + HIGH * 0.8, x - 0.3, y + HIGH * 0.2, width=0.3, colour=colour)
        else:
            pen.line(x, y, x, y + HIGH, width=0.3, colour=colour)


def draw_keepsake(pen: Pen, card: Card, wound: Wound, top: float, bottom: float) -> None:
    """What the wound does, in the middle between its text and its facts, if there is room."""
    size = min(PICTURE, bottom - top - 3)
    if size < LEAST:
        return
    path, colour = picture_of(card, wound)
    pen.shape(path, (WIDTH - size) / 2, (top + bottom - size) / 2, size / 100, line=colour, thick=2.6)


def picture_of(card: Card, wound: Wound) -> tuple[str, Colour]:
    """A drop if it bleeds, a seam if it has to heal or never does, a skull on the worst of cards, else a plaster."""
    if wound.blood:
        return DROP, RED
    if wound.trauma or wound.ends == "permanent":
        return NEEDLE, QUIET
    return (SKULL, QUIET) if suit_of(card) == "S" else (PLASTER, QUIET)
