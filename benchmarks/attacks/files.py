"""Strangers' uploads that are slow to read or to judge: as bad as possible, and valid."""

import json
import random
from io import BytesIO
from math import isqrt
from typing import Any

from PIL import Image

from cardhouse.cards import STANDARD
from cardhouse.server.api.tables import PICTURE_BYTES
from cardhouse.server.files.recoding import MOST_PIXELS

WOUNDS_BYTES = 133_000


def slow_wounds() -> bytes:
    """Return the wounds file of this size that is slowest to parse: thousands of lines with nearly no content."""
    wound = 'name = "x"\ntext = "y"\nends = "round"\n'
    comments = "#\n" * ((WOUNDS_BYTES // len(STANDARD) - len(wound) - 8) // 2)
    return "".join(f"[{card}]\n{wound}{comments}" for card in STANDARD).encode()


def wrong_wounds() -> bytes:
    """Return one of the same length with 16,625 mistakes, each of which is reported."""
    return ("[C7]\n" + "".join(f"{number:05}=1\n" for number in range(WOUNDS_BYTES // 8))).encode()


def nested_wounds() -> bytes:
    """Return one of the same length that is nested 600 deep, repeatedly."""
    return ("[C7]\n" + "".join("a." * 600 + f"b{number}=1\n" for number in range(109))).encode()


def slow_layout(values: int = 5, attributes: int = 5) -> dict[str, Any]:
    """Return a layout that takes Dogpile's judge seconds: eight wild cards in a block, with thousands of kinds.

    The deck has `values` of each of `attributes`. Two cards may be any of its kinds, and six any that have their single
    value, so that no conclusion about one kind applies to another.
    """
    names = "abcdefgh"[:attributes]
    near = [{"attribute": name, "at_most": 1} for name in names]
    cards: dict[str, Any] = {f"p{value}": dict.fromkeys(names, value) for value in range(values)}
    cards |= {f"w{number}": {"wild": True, names[number % attributes]: number % values} for number in range(6)}
    cards |= {"j0": {"wild": True}, "j1": {"wild": True}}
    block = ["w0", "w1", "w2", "j0", "j1", "w3", "w4", "w5"]
    placed = [{"card": card, "x": number // 2, "y": number % 2} for number, card in enumerate(block)]
    deck = {"name": "Wild", "beside": {"any": near}, "above": {"all": near}, "cards": cards}
    return {"cards": placed, "options": {"deck": deck}}


def large_roster(characters: int = 2_000) -> bytes:
    """Return a roster file of Hackjack with this many characters, just below the size limit."""
    sheet = {"hp": 7, "max_hp": 9, "death_score": 14, "scores": {"STR": 12, "DEX": 11, "CON": 10}}
    found = [{"name": f"Somebody with a long name, number {number}", **sheet} for number in range(characters)]
    return json.dumps({"cardhouse_roster": 1, "characters": found}).encode()


def large_pictures() -> list[bytes]:
    """Return a PNG, a JPEG and a WebP with as many pixels as are allowed, of noise, and nearly as many bytes."""
    side = isqrt(MOST_PIXELS)
    ways: tuple[tuple[str, dict[str, int]], ...] = (
        ("PNG", {"compress_level": 1}),
        ("JPEG", {"quality": 60}),
        ("WEBP", {"quality": 60, "method": 0}),
    )
    return [_largest_of(side, kind, how) for kind, how in ways]


def _largest_of(side: int, kind: str, how: dict[str, int]) -> bytes:
    """Return the picture of the finest noise that is small enough as a file of this kind."""
    for grain in range(2, 40):
        small = -(-side // grain)
        noise = Image.frombytes("RGB", (small, small), random.Random(grain).randbytes(3 * small * small))
        file = BytesIO()
        noise.resize((side, side), Image.Resampling.NEAREST).save(file, kind, **how)
        if file.tell() <= PICTURE_BYTES:
            return file.getvalue()
    raise RuntimeError(f"No {kind} of noise has at most {PICTURE_BYTES} bytes.")
