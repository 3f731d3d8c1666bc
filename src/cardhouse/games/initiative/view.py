"""Views per seat of card initiative: everything open, and hidden characters only for the game master."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from cardhouse.cards import JOKERS, STANDARD, Card
from cardhouse.games.initiative.state import TIER_OF, Character

if TYPE_CHECKING:
    from cardhouse.games.initiative.rules import Initiative

Where = Literal["deck", "bottom", "drawn", "waiting", "acting", "discard", "later", "out"]


class CharacterView(msgspec.Struct, frozen=True):
    """A character in the roster. `where` its card is: `later` joins in the next round, `out` between rounds.

    `hidden` is true only for the game master; others don't get the entry.
    """

    name: str
    card: Card
    side: str | None
    acted: int
    tier: str
    controller: str
    where: Where
    hidden: bool


class GoneView(msgspec.Struct, frozen=True):
    """A character that was removed, with the round."""

    name: str
    card: Card
    side: str | None
    round: int


class InitiativeView(msgspec.Struct, frozen=True):
    """The table.

    `drawn` is the card with an open choice; `bottom` lists the cards known to be at the bottom of the deck, the last
    one last (IN-20); `jokers` are those still in the deck; `hidden` counts characters hidden from this audience
    (IN-21); `order` lists the cards that have acted this round, in order.
    """

    round: int
    under_way: bool
    acting: Card | None
    drawn: Card | None
    waiting: Card | None
    deck_left: int
    bottom: list[Card]
    jokers: list[Card]
    discard: list[Card]
    order: list[Card]
    hidden: int
    characters: list[CharacterView]
    gone: list[GoneView]


def view_of(game: Initiative, *, sees_hidden: bool) -> InitiativeView:
    """Return the view of the game master (`sees_hidden`) or of everyone else."""
    seen = [c for c in game.characters if sees_hidden or not c.hidden]
    return InitiativeView(
        round=game.round,
        under_way=game.under_way,
        acting=game.acting,
        drawn=game.drawn,
        waiting=game.waiting,
        deck_left=len(game.deck),
        bottom=list(game.deck.bottom),
        jokers=[joker for joker in JOKERS if joker in game.deck],
        discard=list(game.discard),
        order=list(game.order),
        hidden=len(game.characters) - len(seen),
        characters=[
            CharacterView(c.name, c.card, c.side, c.acted, TIER_OF[c.card[1:]], c.controller, where(game, c), c.hidden)
            for c in seen
        ],
        gone=[GoneView(g.name, g.card, g.side, g.round) for g in game.gone if sees_hidden or not g.hidden],
    )


def where(game: Initiative, character: Character) -> Where:
    """Return the place of a character's card."""
    card = character.card
    if card == game.acting:
        return "acting"
    if card == game.drawn:
        return "drawn"
    if card == game.waiting:
        return "waiting"
    if not game.under_way:
        return "out"
    if not character.joined:
        return "later"
    if card in game.deck.bottom:
        return "bottom"
    return "discard" if card in game.discard else "deck"


_WORDS: dict[Where, str] = {
    "deck": "in the deck",
    "bottom": "at the bottom of the deck",
    "drawn": "already drawn",
    "waiting": "the one that is waiting",
    "acting": "the one that is acting",
    "discard": "in the discard",
    "later": "not in the deck before the next round",
    "out": "not in the deck between rounds",
}


def where_is(game: Initiative, card: Card, *, sees_hidden: bool) -> str:
    """Return why a card can't be drawn, in words: its place."""
    if card not in STANDARD + JOKERS:
        return 'no card; cards are written like "C7", "S10", "HA", "RJ"'
    for character in game.characters:
        if character.card == card and (sees_hidden or not character.hidden):
            return _WORDS[where(game, character)]
    return "in the discard" if card in game.discard else "nobody's"
