"""The settings and options shared by questions with wounds, in Hackjack and in the gunfight."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar

import msgspec

from cardhouse.cards import STANDARD
from cardhouse.engine import CardhouseError
from cardhouse.games.hackjack import state
from cardhouse.games.hackjack.lab.damage import D20, MOST_CARDS, C7Policy, read_damage
from cardhouse.games.hackjack.lab.pieces import HARMLESS, POLICIES, harmless, neighbouring_damage
from cardhouse.games.hackjack.lab.policies import Prevent, read_prevent
from cardhouse.games.hackjack.state import USUAL
from cardhouse.games.hackjack.wounds.data import wounds_from
from cardhouse.lab.questions.cards_used import CardsUsed
from cardhouse.lab.questions.question import Piece, Question

WOUNDS = CardsUsed("wounds", "the deck of wounds", MOST_CARDS)
"""The cards that the deck of wounds takes."""

DAMAGES = ("damage", "their_damage")
"""The names of the settings that are damage."""


class WoundQuestion(Question, frozen=True, kw_only=True):
    """A question with wounds: when to prevent blood loss, and the rules that matter even to a character already down.

    Each subclass adds the damage of a hit as one or more settings (DAMAGES).
    """

    come_last: ClassVar[Sequence[str]] = (
        "prevent", "c7", "limit", "massive", "wounds", "draw_at_zero", "return_cards", "jokers", "critical", "judged",
        "standing_blood", "jack_of_clubs",
    )  # fmt: skip

    prevent: Prevent = "never"
    limit: Annotated[state.Limit, msgspec.Meta(description="death-score above which a character dies (HJ-6)")] = (
        USUAL.limit
    )
    massive: Annotated[
        state.Massive, msgspec.Meta(description="damage above which it replaces a card's value (HJ-8)")
    ] = USUAL.massive_damage
    wounds: Annotated[state.WoundsFile, msgspec.Meta(description="your own wounds file (HJ-30)")] = {}
    return_cards: Annotated[
        bool, msgspec.Meta(description="whether drawn cards return to the deck at once (HJ-20)")
    ] = USUAL.return_cards
    jokers: Annotated[bool, msgspec.Meta(description="whether the deck has two jokers, as lucky breaks (HJ-29)")] = (
        USUAL.jokers
    )
    judged: Annotated[
        state.Judged,
        msgspec.Meta(
            description=("when the death-score is judged: at the end, or after the blood and each value (HJ-6)")
        ),
    ] = USUAL.judged
    jack_of_clubs: Annotated[
        state.JackOfClubs,
        msgspec.Meta(description="jack of clubs: a card without Blood or Trauma counts as 0, or doesn't count (HJ-23)"),
    ] = USUAL.jack_of_clubs

    def check(self) -> None:
        for name in DAMAGES:
            if name in self.__struct_fields__:
                read_damage(getattr(self, name))
        read_prevent(self.prevent)
        wounds_from(self.wounds)

    def shared(self) -> dict[str, Any]:
        """Return the settings common to all questions with wounds, by name."""
        return {name: getattr(self, name) for name in WoundQuestion.__struct_fields__}

    def pieces(self, setting: str) -> Sequence[Piece]:
        if setting != "wounds":
            return super().pieces(setting)
        wounds = wounds_from(self.wounds)
        return [
            Piece(card, f"{card}, {wounds[card].name}", (HARMLESS,))
            for card in STANDARD
            if wounds[card] != harmless(wounds[card])
        ]

    def with_pieces(self, setting: str, becomes: Mapping[str, str]) -> Any:
        if setting != "wounds":
            return super().with_pieces(setting, becomes)
        wounds = wounds_from(self.wounds)
        return {**self.wounds, **{card: harmless(wounds[card]).as_json() for card in becomes}}

    def worth_trying(self, setting: str) -> Sequence[str]:
        if setting == "prevent":
            return POLICIES
        return neighbouring_damage(getattr(self, setting)) if setting in DAMAGES else ()


class TableQuestion(WoundQuestion, frozen=True, kw_only=True):
    """A question about characters who may still be up, and so with all options of a table."""

    c7: Annotated[
        C7Policy,
        msgspec.Meta(
            description=(
                "wound chosen with the seven of clubs (HJ-22): the first, the lower Blood, the lower Trauma, or the "
                "best for survival"
            )
        ),
    ] = "first"
    draw_at_zero: Annotated[bool, msgspec.Meta(description="whether falling to exactly 0 HP draws a card (HJ-1)")] = (
        USUAL.draw_at_zero
    )
    critical: Annotated[
        int,
        msgspec.Meta(
            ge=0,
            le=D20,
            description="faces of a d20 that make a hit critical: it draws a card even from a character who stays up",
        ),
    ] = 0
    standing_blood: Annotated[
        bool, msgspec.Meta(description="whether the Blood pool also moves before a character is down (HJ-11)")
    ] = USUAL.standing_blood

    def table_options(self) -> dict[str, Any]:
        """Return the options of a table with these settings."""
        same = set(state.HackjackOptions.__struct_fields__) & set(TableQuestion.__struct_fields__)
        renamed = {"massive_damage": self.massive, "critical_draw": self.critical > 0}
        return {name: getattr(self, name) for name in same} | renamed


def settings_from(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a table with these options. With critical hits on, a natural 20 is one."""
    renamed = {"massive": options["massive_damage"], "critical": int(options["critical_draw"])}
    return {**options, **renamed}


def check_not_too_long(too_long: int) -> None:
    """Raise CardhouseError if any trial had a chain of wounds too long for the kernel."""
    if too_long:
        raise CardhouseError(
            "With these wounds one hit can draw such a chain of cards that the lab has no room for it; fewer of "
            'them should be "again" or "both".'
        )
