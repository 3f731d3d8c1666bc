"""Wounds and a posse as forms on the page, each card and sheet drawn as printed (HJ-30, HJ-32).

Drawing code is imported on first use: a server that only describes the form doesn't need it.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct, convert

from cardhouse.cards import STANDARD
from cardhouse.engine.authoring.forms import FileForm
from cardhouse.games.hackjack.state import ROUGHEST, HitDie, Sheet
from cardhouse.games.hackjack.wounds.data import standard_wounds, wounds_from
from cardhouse.games.hackjack.wounds.schema import ABILITIES, Name, Scores, Wound

HitPoints = Annotated[int, Meta(ge=0, le=ROUGHEST)]


def _starts() -> dict[str, dict[str, Any]]:
    return {"standard": msgspec.json.decode(msgspec.json.encode(standard_wounds()))}


def _draw(value: dict[str, Any], card: str) -> str:
    from cardhouse.games.hackjack.print.cards import draw_wound
    from cardhouse.print.svg import card_svg

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


class Member(Struct, kw_only=True):
    """The fields of a new character's sheet. Play adds everything else (HJ-32)."""

    name: Name
    hp: HitPoints
    max_hp: HitPoints
    scores: Scores = {}
    hit_die: HitDie | None = None
    to_hit: Name | None = None


def _posse() -> dict[str, dict[str, Any]]:
    return {
        "posse": {
            "ada": {"name": "Ada", "hp": 8, "max_hp": 8, "scores": {"STR": 12, "DEX": 14}, "hit_die": "d8"},
            "nan": {"name": "Nan", "hp": 6, "max_hp": 6, "hit_die": "d6"},
        }
    }


def _draw_sheet(value: dict[str, Any], who: str) -> str:
    from cardhouse.games.hackjack.print.sheets import draw_sheet
    from cardhouse.print.pen import PAPERS
    from cardhouse.print.svg import page_svg

    sheet = convert(value[who], Sheet)
    return page_svg(PAPERS["a4"], lambda pen: draw_sheet(pen, sheet, standard_wounds()))


POSSE = FileForm(
    option="posse",
    card=Member,
    keys={"scores": ABILITIES},
    starts=_posse,
    draw=_draw_sheet,
    roster="bring_character",
    prints="hackjack",
    prints_by="sheets",
    prints_with={"no_cards": "yes"},
)
FORMS = (WOUNDS, POSSE)
OF_WOUNDS = (WOUNDS,)
"""For another game that uses wounds."""
