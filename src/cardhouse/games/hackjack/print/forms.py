"""The wounds as a form on the page, each card drawn as it is printed (HJ-30)."""

from __future__ import annotations

from functools import partial
from typing import Any

import msgspec

from cardhouse.cards import STANDARD
from cardhouse.engine.forms import FileForm
from cardhouse.games.hackjack.print.cards import draw_wound
from cardhouse.games.hackjack.wound import ABILITIES, Wound
from cardhouse.games.hackjack.wounds import standard_wounds, wounds_from
from cardhouse.print.svg import card_svg


def _starts() -> dict[str, dict[str, Any]]:
    return {"standard": msgspec.json.decode(msgspec.json.encode(standard_wounds()))}


def _draw(value: dict[str, Any], card: str) -> str:
    return card_svg(partial(draw_wound, card=card, wound=wounds_from({card: value[card]})[card]))


WOUNDS = FileForm(
    option="wounds",
    card=Wound,
    ids=STANDARD,
    keys=dict.fromkeys(("abilities", "drops", "wears"), ABILITIES),
    starts=_starts,
    draw=_draw,
    prints="hackjack",
    prints_by="wounds",
    prints_with={"sheet_count": "0"},
)
FORMS = (WOUNDS,)
