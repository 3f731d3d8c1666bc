"""The gunfight: its switches, and how somebody joins who is in both games."""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict

import msgspec

from cardhouse.cards import Card
from cardhouse.engine import GM, Action, options_of_all
from cardhouse.games.hackjack.odds import FighterOdds
from cardhouse.games.hackjack.state import HackjackOptions
from cardhouse.games.hackjack.view import HackjackView
from cardhouse.games.hackjack.wound import Scores
from cardhouse.games.initiative.odds import TurnOdds
from cardhouse.games.initiative.state import InitiativeOptions, Tier
from cardhouse.games.initiative.view import InitiativeView

BOTH: Any = options_of_all(HackjackOptions, InitiativeOptions)


class GunfightOptions(BOTH, frozen=True):  # type: ignore[call-arg, misc]  # known when it runs
    """The switches of both games."""


class AddCharacter(Action, frozen=True):
    """Somebody new, with a card of the initiative deck or the best free one of a tier (GF-1)."""

    name: str
    hp: int
    max_hp: int
    card: Card | None = None
    tier: Tier | None = None
    side: str | None = None
    controller: str = GM
    hidden: bool = False
    scores: Scores = {}
    hit_die: str | None = None
    to_hit: str | None = None


class BringCharacter(Action, frozen=True):
    """Somebody from the roster, as it left an earlier table, with a card for this fight (GF-1)."""

    sheet: dict[str, Any]
    card: Card | None = None
    tier: Tier | None = None
    side: str | None = None
    controller: str = GM
    hidden: bool = False


class GunfightView(msgspec.Struct, frozen=True):
    """Both games' views; their characters have the same names."""

    order: InitiativeView
    fight: HackjackView


class TargetOdds(TypedDict):
    """Somebody to shoot at, and the chance that a hit kills; of one still standing there is none that is known."""

    name: str
    dies: NotRequired[float]


class GunfightOdds(TypedDict):
    """Both games' odds, each by name; and in a turn whom to shoot at, the best first."""

    order: dict[str, TurnOdds]
    fight: dict[str, FighterOdds]
    aim: NotRequired[list[TargetOdds]]
