"""The gunfight's options, views, odds and actions, where they join both games."""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict

import msgspec

from cardhouse.cards import Card
from cardhouse.engine import GM, Action, options_of_all
from cardhouse.engine.values.whole_numbers import Whole
from cardhouse.games.hackjack.odds import FighterOdds
from cardhouse.games.hackjack.state import HackjackOptions
from cardhouse.games.hackjack.view import HackjackView
from cardhouse.games.hackjack.wounds.schema import Scores
from cardhouse.games.initiative.odds import TurnOdds
from cardhouse.games.initiative.state import InitiativeOptions, Tier
from cardhouse.games.initiative.view import InitiativeView

BOTH: Any = options_of_all(HackjackOptions, InitiativeOptions)


class GunfightOptions(BOTH, frozen=True):  # type: ignore[call-arg, misc]  # known at run time
    """The house rules of both games."""


class AddCharacter(Action, frozen=True):
    """Add a character, with a given card of the initiative deck or the best free one of a tier (GF-1)."""

    name: str
    hp: Whole
    max_hp: Whole
    card: Card | None = None
    tier: Tier | None = None
    side: str | None = None
    controller: str = GM
    hidden: bool = False
    scores: Scores = {}
    hit_die: str | None = None
    to_hit: str | None = None


class BringCharacter(Action, frozen=True):
    """Add a character from the roster, as it left an earlier table, with a card for this fight (GF-1)."""

    sheet: dict[str, Any]
    card: Card | None = None
    tier: Tier | None = None
    side: str | None = None
    controller: str = GM
    hidden: bool = False


class GunfightView(msgspec.Struct, frozen=True):
    """Both games' views; characters have the same names in both."""

    order: InitiativeView
    fight: HackjackView


class TargetOdds(TypedDict):
    """A target, and the chance that a hit kills it, if known: for a character who isn't down it isn't."""

    name: str
    dies: NotRequired[float]


class GunfightOdds(TypedDict):
    """Both games' odds by name, and on a turn with a shot the targets, best first."""

    order: dict[str, TurnOdds]
    fight: dict[str, FighterOdds]
    aim: NotRequired[list[TargetOdds]]
