"""The game master's offers at any time in card initiative, and the free cards (IN-1, IN-2, IN-4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardhouse.cards import RANKS, STANDARD, SUITS, Card, rank_of, suit_of
from cardhouse.engine import GM, Offer, OneOf, Text, YesNo, any_seat, handing_over, leaving, new_name, showing
from cardhouse.games.initiative.state import TIER_OF, TIERS, AddCharacter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardhouse.games.initiative.rules import Initiative

_BEST_FIRST = {rank: place for place, rank in enumerate(rank for ranks in TIERS.values() for rank in ranks)}
assert len(_BEST_FIRST) == len(RANKS)
_TIER = {card: TIER_OF[rank_of(card)] for card in STANDARD}


def at_any_time(game: Initiative) -> list[Offer]:
    """Return the offers to add, show, hand over and remove characters."""
    found = [offer for side_offers in _sides(game) for offer in side_offers]
    people = game.characters
    return [*found, *showing(people), *handing_over(game, people), *leaving(people)]


def _sides(game: Initiative) -> list[list[Offer]]:
    """Return a pair of offers for each existing side, for a new side, and for no side."""
    owned = game.suits_owned()
    sides = tuple(dict.fromkeys(owned.values()))
    nobodys = {suit_of(c.card) for c in game.characters if c.side is None}
    found = [_joining(game, cards, OneOf((side,))) for side in sides if (cards := free_cards(game, side))]
    no_side = [card for card in unclaimed_cards(game) if suit_of(card) not in owned]
    if no_side:
        found.append(_joining(game, no_side, None))
    if new_side := [card for card in no_side if suit_of(card) not in nobodys]:
        found.append(_joining(game, new_side, Text(taken=sides)))
    return found


def _joining(game: Initiative, cards: Sequence[Card], side: OneOf | Text | None) -> list[Offer]:
    """Return the offers of a character with a chosen card, or with a tier (IN-4)."""
    having = {_TIER[card] for card in cards}
    tiers = tuple(tier for tier in TIERS if tier in having)
    common = {
        "name": new_name(game.characters),
        **({} if side is None else {"side": side}),
        "controller": any_seat(game),
        "hidden": YesNo(),
    }
    optional = frozenset(("controller", "hidden"))
    return [
        Offer((GM,), AddCharacter, {**common, "card": OneOf(tuple(cards), "card")}, optional),
        Offer((GM,), AddCharacter, {**common, "tier": OneOf(tiers)}, optional),
    ]


def unclaimed_cards(game: Initiative, *, sees_hidden: bool = True) -> list[Card]:
    """Return the cards that no character holds (IN-1), nor held when it was removed in this round (IN-17)."""
    held = {c.card for c in game.characters if sees_hidden or not c.hidden}
    if game.under_way:
        held |= {gone.card for gone in game.gone if gone.round == game.round and (sees_hidden or not gone.hidden)}
    return [card for card in STANDARD if card not in held]


def free_cards(game: Initiative, side: str | None) -> list[Card]:
    """Return the cards open to a new character on this side (IN-2): of its suit, or of an unowned suit."""
    owned = game.suits_owned()
    free = unclaimed_cards(game)
    if side is None:
        return [card for card in free if suit_of(card) not in owned]
    if side in owned.values():
        return [card for card in free if owned.get(suit_of(card)) == side]
    taken = {suit_of(c.card) for c in game.characters}
    return [card for card in free if suit_of(card) not in taken]


def why_no_card(game: Initiative, side: str | None) -> str | None:
    """Return why no card is free for a new character on this side; None if one is (IN-1, IN-2)."""
    if free_cards(game, side):
        return None
    if not unclaimed_cards(game):
        return f"all {len(STANDARD)} cards are taken. Remove a character first (IN-1)"
    owned = game.suits_owned()
    if side in owned.values():
        return f"side {side} has no card left: a suit has {len(RANKS)} (IN-2)"
    sides = ", ".join(dict.fromkeys(owned.values()))
    if len(owned) == len(SUITS) and side is None:
        return f"every suit belongs to a side: say which side, of {sides} (IN-2)"
    if len(owned) == len(SUITS):
        return f"{sides} have taken all four suits, so there can't be a fifth side (IN-2)"
    if side is None:
        return f"every suit is taken: choose one of the sides {sides} (IN-2)"
    return f"no suit is left for side {side}: characters without a side hold cards of each free suit (IN-2)"


def proposed(game: Initiative, tier: str | None, side: str | None) -> Card:
    """Return the best free card of a tier (IN-4); among equal ranks, suits go in the order C D H S."""
    ranks = TIERS[tier or "elite"]
    return best_of([card for card in free_cards(game, side) if rank_of(card) in ranks])


def best_of(cards: Sequence[Card]) -> Card:
    """Return the best of these cards (IN-4); among equal ranks, suits go in the order C D H S."""
    return min(cards, key=lambda card: (_BEST_FIRST[rank_of(card)], SUITS.index(suit_of(card))))
