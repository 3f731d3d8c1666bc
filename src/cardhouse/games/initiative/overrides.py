"""Overrides in card initiative: the round, and each character's card, side, place and name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardhouse.cards import Card, suit_of
from cardhouse.engine import GM, Editable, OneOf, Whole, editable_fields, new_name
from cardhouse.games.initiative.offers import best_of, unclaimed_cards
from cardhouse.games.initiative.state import actions_owed

if TYPE_CHECKING:
    from cardhouse.games.initiative.rules import Initiative
    from cardhouse.games.initiative.state import Character

MOST_ROUNDS = 9999


def editable(game: Initiative) -> list[Editable]:
    """Return the overrides of the table and of each character.

    Those of hidden ones only for the game master (IN-21).
    """
    return [
        *editable_fields(game, {"round": Whole(0, MOST_ROUNDS)}),
        *(one for who in game.characters for one in _values_of(game, who)),
    ]


def _values_of(game: Initiative, who: Character) -> list[Editable]:
    to = (GM,) if who.hidden else ()
    others = [other for other in game.characters if other is not who]
    found = [
        Editable("name", who.name, new_name(others), lambda name: game.rename(who, name), who.name, to)
    ]  # fmt: skip
    if who.card in (game.drawn, game.acting):
        return found
    cards = cards_for(game, who, who.side)
    found.append(
        Editable("card", who.card, OneOf(cards, "card"), lambda card: change_card(game, who, card), who.name, to)
    )
    sides = [
        side for side in (None, *dict.fromkeys(c.side for c in game.characters if c.side)) if may_join(game, who, side)
    ]
    if len(sides) > 1:
        found.append(Editable("side", who.side, OneOf(sides), lambda side: change_side(game, who, side), who.name, to))
    if game.under_way and who.joined and who.card != game.waiting:
        found += _in_this_round(game, who)
    return found


def _in_this_round(game: Initiative, who: Character) -> list[Editable]:
    """Return the overrides of a card's place, unless it is hidden, and of the number of its actions (IN-3)."""
    still = who.card in game.deck
    to = (GM,) if who.hidden else ()
    found = []
    if not who.hidden:
        place = "deck" if still else "discard"
        found.append(
            Editable("place", place, OneOf(("deck", "discard")), lambda to: move_card(game, who, to), who.name)
        )
    most = actions_owed(who.card) - still
    return [*found, *(editable_fields(who, {"acted": Whole(0, most)}, of=who.name, to=to) if most else ())]


def cards_for(game: Initiative, who: Character, side: str | None, *, sees_hidden: bool = True) -> list[Card]:
    """Return the cards that a character could hold on this side (IN-1, IN-2), including its own if it may keep it.

    Without `sees_hidden`, these are the cards as the players must think (IN-21).
    """
    others = [other for other in game.characters if other is not who and (sees_hidden or not other.hidden)]
    owned = {suit_of(other.card): other.side for other in others if other.side is not None}
    loners = {suit_of(other.card) for other in others if other.side is None}
    free = [who.card, *unclaimed_cards(game, sees_hidden=sees_hidden)]
    if side is None:
        return [card for card in free if suit_of(card) not in owned]
    if side in owned.values():
        return [card for card in free if owned.get(suit_of(card)) == side]
    return [card for card in free if suit_of(card) not in owned and suit_of(card) not in loners]


def may_join(game: Initiative, who: Character, side: str | None) -> bool:
    """Return whether a character can be moved to this side.

    A visible one can't if its new card would show that there is a hidden one, or the side or card of that (IN-21).
    """
    cards = cards_for(game, who, side)
    if not cards or who.hidden or side == who.side:
        return bool(cards)
    seen = cards_for(game, who, side, sees_hidden=False)
    is_known = side is None or any(other.side == side and not other.hidden for other in game.characters)
    return is_known and card_on(who, cards) == card_on(who, seen)


def card_on(who: Character, cards: list[Card]) -> Card:
    """Return the card of a character that moves to a side with these cards: its own if it may, else the best."""
    return who.card if who.card in cards else best_of(cards)


def change_card(game: Initiative, who: Character, card: Card) -> None:
    """Give a character another card, in the place of the old one."""
    old, who.card = who.card, card
    del game.holders[old]
    game.holders[card] = who
    if old in game.deck.loose:
        game.deck.take(old)
        game.deck.add(card)
    for pile in (game.deck.top, game.deck.bottom, game.discard, game.order):
        pile[:] = [card if one == old else one for one in pile]
    game.waiting = card if game.waiting == old else game.waiting
    who.acted = min(who.acted, actions_owed(card) - (card in game.deck))


def change_side(game: Initiative, who: Character, side: str | None) -> None:
    """Move a character to another side, with that side's best card if it can't keep its own (IN-2)."""
    cards = cards_for(game, who, side)
    who.side = side
    if (card := card_on(who, cards)) != who.card:
        change_card(game, who, card)


def move_card(game: Initiative, who: Character, place: str) -> None:
    """Shuffle a character's card into the deck, so that it still has a turn, or discard it for this round."""
    if place == "deck":
        game.discard.remove(who.card)
        game.deck.add(who.card)
        who.acted = min(who.acted, actions_owed(who.card) - 1)
    else:
        game.deck.take(who.card)
        game.discard.append(who.card)
