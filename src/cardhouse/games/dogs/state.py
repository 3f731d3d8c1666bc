"""Dogs Play Cards, Too: what cards are worth, the arenas, and a conflict as it stands."""

from __future__ import annotations

from itertools import combinations
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from cardhouse.cards import SECOND_DECK, STANDARD, Card, number_of
from cardhouse.engine import Options, named
from cardhouse.games.dogs.people.sheet import STATS, Stat

DECK: Final = "dogs"
"""What the deck is called in transcripts."""

ONE_DECK_FOR = 3
"""DV-13: up to so many players one deck is enough."""

Pile = Literal["talking", "physical", "fighting", "guns"]

ARENAS: dict[str, tuple[Stat, Stat]] = {
    "talking": ("acuity", "heart"),
    "physical": ("body", "heart"),
    "fighting": ("body", "will"),
    "guns": ("acuity", "will"),
}
"""DV-9: the Stats that each arena draws."""

PILES: tuple[Pile, ...] = ("talking", "physical", "fighting", "guns")
"""DV-25."""

EVERY_ARENA: list[tuple[list[Stat], Pile]] = [(list(pair), pile) for pair in combinations(STATS, 2) for pile in PILES]
"""DV-9: any two Stats, with the fallout pile they use."""

EXPERIENCE_FROM: dict[Pile, int] = {"talking": 4, "physical": 7, "fighting": 10, "guns": 12}
"""DV-26: from which rank on, as a number (queen 12, king 13), a pile's cards are experience."""

FALLOUT_NAME: Final = "The fallout"
"""DV-30: who a healing conflict is against."""
INITIATION_NAME: Final = "The initiation"
"""DV-37."""
DEMONIC: Final = "Demonic Influence"
"""DV-31."""


COURT = {11: 12, 12: 12, 13: 14}
"""DV-8: what jacks, queens and kings are worth."""

WORTH = {card: COURT.get(number_of(card), number_of(card)) for card in (*STANDARD, *SECOND_DECK)}


def worth(card: Card, *, sideways: bool = False) -> int:
    """What a card is worth (DV-8); turned sideways, half of it, rounded down (DV-21)."""
    return WORTH[card] // 2 if sideways else WORTH[card]


def to_reverse(value: int) -> int:
    """What a single card has to be worth to reverse a Raise of this value (DV-19)."""
    return 2 * value


def best_first(cards: list[Card]) -> list[Card]:
    """Cards by worth, the highest first; those worth the same stay as they are."""
    return sorted(cards, key=WORTH.__getitem__, reverse=True)


def arena_of(stats: list[Stat], pile: Pile) -> str:
    """The name of the arena that draws these two Stats and has this fallout pile (DV-9): `acuity+body/physical`."""
    pair = tuple(stat for stat in STATS if stat in stats)
    return pile if ARENAS[pile] == pair else f"{'+'.join(pair)}/{pile}"


def stats_of(arena: str) -> tuple[Stat, ...]:
    """The Stats that an arena draws, in the order in which they are drawn."""
    if arena in ARENAS:
        return ARENAS[arena]
    drawn = arena.partition("/")[0].split("+")
    return tuple(stat for stat in STATS if stat in drawn)


def pile_of(arena: str) -> Pile:
    """The fallout pile of an arena."""
    named = arena.rpartition("/")[2]
    return next(pile for pile in PILES if pile == named)


# What the switches may be.

Improvised = Annotated[int, Meta(ge=0, le=20)]
ReversedCard = Literal["kept", "next_only"]
GroupCards = Literal["first_line", "each_line"]


class DogsOptions(Options, frozen=True):
    """The switches of Dogs Play Cards, Too."""

    decks: Literal[0, 1, 2] = 0
    """DV-13: so many decks; 0 goes by the number of players."""
    improvised: Improvised = 3
    """DV-11: how often each participant may improvise in one conflict."""
    hidden_hands: bool = False
    """DV-14: the others, the game master aside, see how many cards a hand has, and not which."""
    reversed_card: ReversedCard = "kept"
    """DV-19: whether a card that reversed a blow stays in the hand, or only for the next Raise or See."""
    keep_on_give: Literal["second", "best"] = "second"
    """DV-22: which card one keeps who gives."""
    jack_draw: bool = False
    """DV-28: any highest Jack has a card drawn, and its suit says whether it means dying."""
    untreated: Literal["dies", "long_term"] = "dies"
    """DV-29: what becomes of the injured whose healing is lost, or nobody's: of the mortally wounded they die."""
    growing: Literal["traits", "any"] = "traits"
    """DV-32: what can become significant, or of another kind, by experience."""
    group_cards: GroupCards = "first_line"
    """DV-35: with which lines a group draws a card for each further member."""
    free_belongings: bool = False
    """DV-4: whatever one likes, instead of the default."""


USUAL = DogsOptions()
"""The switches of a table that sets none."""


class FaceDown(msgspec.Struct, frozen=True):
    """A card drawn onto a fallout pile (DV-25): of which deal of the deck, and which card, if the log has said so."""

    deal: int
    card: Card | None = None


class Demonic(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How strong Demonic Influence is, in dice of the dice game, and the side it strengthens, 0 the first (DV-31).

    In a healing conflict that is the fallout's unless it says otherwise.
    """

    dice: Annotated[int, Meta(ge=1, le=5)]
    side: int | None = None


class Participant(msgspec.Struct):
    """Somebody in a conflict: a character, the fallout of one who is to be healed, or an initiation.

    `arenas` are those entered, the last one last; `lines` is how many lines of a Fast NPC have been drawn. `used` are
    the things drawn for, each as its owner's name and its own. `owes` is help still to be paid with a card turned
    sideways. `reversed` is a card it keeps only if its next Raise or See uses it. `blows` are its fallout piles.
    """

    name: str
    side: int
    nature: Literal["character", "fallout", "initiation"] = "character"
    hand: list[Card] = []
    arenas: list[str] = []
    stats_drawn: list[Stat] = []
    lines: int = 0
    used: list[tuple[str, str]] = []
    improvised: int = 0
    owes: int = 0
    reversed: Card | None = None
    blows: dict[Pile, list[FaceDown]] = {}
    still_in: bool = True
    spare: bool = False

    @property
    def arena(self) -> str:
        """The arena it entered last."""
        return self.arenas[-1]


class Help(msgspec.Struct, frozen=True):
    """A card handed over, turned sideways, and by whom (DV-21)."""

    name: str
    card: Card


class Putting(msgspec.Struct):
    """What has been put together so far for the Raise or See to come."""

    helps: list[Help] = []
    improvised: bool = False
    escalated: bool = False


class Raise(msgspec.Struct):
    """A card pushed forward, with the help it has, and who has yet to See it, in order (DV-16)."""

    by: str
    card: Card
    sideways: bool
    helps: list[Help]
    value: int
    arena: str
    to_see: list[str]


class Conflict(msgspec.Struct, kw_only=True):
    """A conflict, under way until it has a `winner`.

    `order` is that of the present go, `to_raise` those of it who have yet to Raise, `turn` whose Raise it is.
    """

    kind: Literal["conflict", "healing", "initiation"] = "conflict"
    stakes: str
    sides: list[list[str]]
    participants: list[Participant]
    starter: str
    patient: str | None = None
    follow_up: bool = False
    demonic: Demonic | None = None
    demonic_drawn: bool = False
    order: list[str] = []
    to_raise: list[str] = []
    turn: str | None = None
    raised: Raise | None = None
    putting: Putting = msgspec.field(default_factory=Putting)
    winner: list[str] | None = None

    def named(self, name: str) -> Participant:
        """The participant of this name."""
        return named(self.participants, name)

    def still_in(self) -> list[Participant]:
        """Who hasn't given."""
        return [one for one in self.participants if one.still_in]

    def opponents(self, one: Participant) -> list[str]:
        """Those on other sides who are still in, in the order of the go (DV-16)."""
        others = {other.name for other in self.still_in() if other.side != one.side}
        return [name for name in self.order if name in others]


Severity = Literal["short_term", "long_term", "injured", "mortally_wounded", "dying"]
"""DV-28."""


class Outcome(msgspec.Struct):
    """What became of somebody's fallout (DV-26 to DV-29). `body` are the cards of the Body draw."""

    experience: list[Card]
    fallout: list[Card]
    severity: Severity
    gains_experience: bool = False
    body: list[Card] = []
