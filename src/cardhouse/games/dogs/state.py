"""Dogs Play Cards, Too: card values, arenas, and the state of a conflict."""

from __future__ import annotations

from itertools import combinations
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from cardhouse.cards import SECOND_DECK, STANDARD, Card, number_of
from cardhouse.engine import Options, named
from cardhouse.engine.values.whole_numbers import Count
from cardhouse.games.dogs.people.sheet import STATS, Stat

DECK: Final = "dogs"
"""The deck's name in transcripts."""

ONE_DECK_FOR = 3
"""DV-13: the most players for whom one deck is enough."""

Pile = Literal["talking", "physical", "fighting", "guns"]

ARENAS: dict[str, tuple[Stat, Stat]] = {
    "talking": ("acuity", "heart"),
    "physical": ("body", "heart"),
    "fighting": ("body", "will"),
    "guns": ("acuity", "will"),
}
"""DV-9: the Stats that each arena draws."""

PILES: tuple[Pile, ...] = ("talking", "physical", "fighting", "guns")
"""DV-25: the four fallout piles."""

EVERY_ARENA: list[tuple[list[Stat], Pile]] = [(list(pair), pile) for pair in combinations(STATS, 2) for pile in PILES]
"""DV-9: any two Stats, with the fallout pile they use."""

EXPERIENCE_FROM: dict[Pile, int] = {"talking": 4, "physical": 7, "fighting": 10, "guns": 12}
"""DV-26: the lowest rank, as a number (queen 12, king 13), that counts as experience in each pile."""

FALLOUT_NAME: Final = "The fallout"
"""DV-30: the healer's opponent in a healing conflict."""
INITIATION_NAME: Final = "The initiation"
"""DV-37: a new character's opponent in an initiation."""
DEMONIC: Final = "Demonic Influence"
"""DV-31: the name under which Demonic Influence is brought into play."""


COURT = {11: 12, 12: 12, 13: 14}
"""DV-8: the values of jacks, queens and kings, by rank."""

WORTH = {card: COURT.get(number_of(card), number_of(card)) for card in (*STANDARD, *SECOND_DECK)}


def worth(card: Card, *, sideways: bool = False) -> int:
    """Return a card's value (DV-8); half of it, rounded down, if the card is sideways (DV-21)."""
    return WORTH[card] // 2 if sideways else WORTH[card]


def to_reverse(value: int) -> int:
    """Return the value that one card needs to reverse a Raise of this value (DV-19)."""
    return 2 * value


def best_first(cards: list[Card]) -> list[Card]:
    """Return cards by value, highest first; equal values keep their order."""
    return sorted(cards, key=WORTH.__getitem__, reverse=True)


def arena_of(stats: list[Stat], pile: Pile) -> str:
    """Return the name of the arena with these Stats and this fallout pile, such as `acuity+body/physical` (DV-9)."""
    pair = tuple(stat for stat in STATS if stat in stats)
    return pile if ARENAS[pile] == pair else f"{'+'.join(pair)}/{pile}"


def stats_of(arena: str) -> tuple[Stat, ...]:
    """Return the Stats that an arena draws, in drawing order."""
    if arena in ARENAS:
        return ARENAS[arena]
    drawn = arena.partition("/")[0].split("+")
    return tuple(stat for stat in STATS if stat in drawn)


def pile_of(arena: str) -> Pile:
    """Return the fallout pile of an arena."""
    named = arena.rpartition("/")[2]
    return next(pile for pile in PILES if pile == named)


# Types of the options.

Improvised = Annotated[int, Meta(ge=0, le=20)]
ReversedCard = Literal["kept", "next_only"]
GroupCards = Literal["first_line", "each_line"]


class DogsOptions(Options, frozen=True):
    """The house rules of Dogs Play Cards, Too."""

    decks: Literal[0, 1, 2] = 0
    """DV-13: the number of decks; 0 decides by the number of players."""
    improvised: Improvised = 3
    """DV-11: how many times each participant may improvise per conflict."""
    hidden_hands: bool = False
    """DV-14: other players see how many cards a hand has, but not which; the game master sees all hands."""
    reversed_card: ReversedCard = "kept"
    """DV-19: whether a card that reversed a blow stays in the hand, or only until the next Raise or See."""
    keep_on_give: Literal["second", "best"] = "second"
    """DV-22: the card that a participant who gives keeps."""
    jack_draw: bool = False
    """DV-28: if the highest card is a jack, draw another card; its suit decides whether the character is dying."""
    untreated: Literal["dies", "long_term"] = "dies"
    """DV-29: what happens to an injured character without successful healing; a mortally wounded one dies anyway."""
    growing: Literal["traits", "any"] = "traits"
    """DV-32: what experience can make significant or change in type."""
    group_cards: GroupCards = "first_line"
    """DV-35: the lines for which a group draws a card per additional member."""
    free_belongings: bool = False
    """DV-4: any belongings, instead of the default set."""


USUAL = DogsOptions()
"""The default options."""


class FaceDown(msgspec.Struct, frozen=True):
    """A card drawn onto a fallout pile (DV-25): the deal it comes from, and the card, if the log has named it."""

    deal: int
    card: Card | None = None


class Demonic(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Demonic Influence: its strength in dice of the dice game, and the index of the side it strengthens (DV-31).

    In a healing conflict the default is the fallout's side.
    """

    dice: Annotated[int, Meta(ge=1, le=5)]
    side: Count | None = None


class Participant(msgspec.Struct):
    """A participant in a conflict: a character, the fallout of a patient, or an initiation.

    `arenas` are those entered, latest last; `lines` counts the lines that a Fast NPC has drawn. `used` lists the things
    brought into play, as (owner, name). `owes` counts the helps still to be repaid with a sideways card. `reversed` is
    a card that is lost unless the next Raise or See uses it. `blows` are the fallout piles.
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
        """The arena entered last."""
        return self.arenas[-1]


class Help(msgspec.Struct, frozen=True):
    """A card handed over sideways, and the helper's name (DV-21)."""

    name: str
    card: Card


class Preparation(msgspec.Struct):
    """Preparations for the next Raise or See."""

    helps: list[Help] = []
    improvised: bool = False
    escalated: bool = False


class Raise(msgspec.Struct):
    """A card pushed forward, with its help and words, and the participants who must still See it, in order (DV-16)."""

    by: str
    card: Card
    sideways: bool
    helps: list[Help]
    value: int
    arena: str
    to_see: list[str]
    words: str = ""


class Conflict(msgspec.Struct, kw_only=True):
    """A conflict, under way until it has a `winner`.

    `order` is the order of the current round, `to_raise` those who must still Raise in it, `turn` the one to Raise now.
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
    putting: Preparation = msgspec.field(default_factory=Preparation)
    winner: list[str] | None = None

    def named(self, name: str) -> Participant:
        """Return the participant with this name."""
        return named(self.participants, name)

    def still_in(self) -> list[Participant]:
        """Return the participants who haven't given."""
        return [one for one in self.participants if one.still_in]

    def opponents(self, one: Participant) -> list[str]:
        """Return the names on other sides who are still in, in the order of the round (DV-16)."""
        others = {other.name for other in self.still_in() if other.side != one.side}
        return [name for name in self.order if name in others]


Severity = Literal["short_term", "long_term", "injured", "mortally_wounded", "dying"]
"""DV-28: how bad the fallout is."""


class Outcome(msgspec.Struct):
    """The result of a participant's fallout (DV-26 to DV-29). `body` holds the cards of the Body draw."""

    experience: list[Card]
    fallout: list[Card]
    severity: Severity
    gains_experience: bool = False
    body: list[Card] = []
