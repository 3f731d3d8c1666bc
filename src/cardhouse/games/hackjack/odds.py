"""The exact odds of the next hit in Hackjack.

A hit adds to a death-score what it draws; Blood drawn and wounds chosen don't count before the next one. So all that
matters is the first card, and, where its wound draws another at once (HJ-24), that one, and so on. Which cards these
can be is known by counting: the deck, and behind it the discard, each card as likely as the others.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from cardhouse.games.hackjack.state import card_value

if TYPE_CHECKING:
    from cardhouse.cards import Card
    from cardhouse.games.hackjack.rules import Hackjack
    from cardhouse.games.hackjack.state import Character

Spread = dict[int, Fraction]
"""What may be added to a death-score, and how likely each is."""


def odds_of(game: Hackjack, damage: int, *, sees_next: bool) -> dict[str, Any]:
    """By name, what the next hit of so much `damage` does to each living character that is down.

    `preventing` and `not_preventing` (HJ-11), each: `dies` and `exactly_21`, the chances that the total is above, or
    is, the limit; `death_score`, the chance of each death-score it may then have (0 at exactly the limit, HJ-6; of one
    who dies, the total). `massive` has the first two for each amount of massive damage (HJ-8) that may be survived.
    Empty while somebody is being hit.
    """
    if game.hitting:
        return {}
    piles = _piles(game, sees_next)
    first = _spread(game, piles, None)
    found: dict[str, Any] = {}
    for who in game.characters:
        if who.alive and who.down:
            found[who.name] = {**_hit(game, who, piles, damage, first), "massive": _massive(game, who, piles, first)}
    return found


def _hit(game: Hackjack, who: Character, piles: list[list[Card]], damage: int, first: Spread) -> dict[str, Any]:
    """The odds of one hit, holding the blood back or not."""
    massive = damage > game.options.massive_damage
    adds = _spread(game, piles, damage) if massive else first
    bonus = 0 if who.drawn else 2 * game.count_held(who, "first_card")
    if bonus:
        adds = _spread(game, piles, damage if massive else None, bonus)
    return {
        "preventing": _outcome(game, who.death_score, adds),
        "not_preventing": _outcome(game, who.death_score + who.blood, adds),
    }


def _massive(game: Hackjack, who: Character, piles: list[list[Card]], first: Spread) -> dict[str, Any]:
    """By amount, the odds of massive damage, up to what surely kills even one who holds its blood back."""
    rows: dict[str, Any] = {}
    for amount in range(game.options.massive_damage + 1, game.options.limit - who.death_score + 2):
        hit = _hit(game, who, piles, amount, first)
        rows[str(amount)] = {
            how: {chance: odds[chance] for chance in ("dies", "exactly_21")} for how, odds in hit.items()
        }
    return rows


def _outcome(game: Hackjack, score: int, adds: Spread) -> dict[str, Any]:
    """What becomes of a death-score (HJ-6)."""
    limit = game.options.limit
    after: dict[int, Fraction] = defaultdict(Fraction)
    dies = exactly = Fraction(0)
    for added, chance in adds.items():
        total = score + added
        dies += chance * (total > limit)
        exactly += chance * (total == limit)
        after[0 if total == limit else total] += chance
    spread = {str(total): float(chance) for total, chance in sorted(after.items())}
    return {"dies": float(dies), "exactly_21": float(exactly), "death_score": spread}


def _piles(game: Hackjack, sees_next: bool) -> list[list[Card]]:
    """The cards in the order in which they come: of each pile, each card is as likely as the others.

    One who has not seen the next card can't tell it from the rest of the deck.
    """
    deck = game.deck
    known = [[card] for card in deck.top] if sees_next else []
    rest = [*deck.loose, *([] if sees_next else deck.top)]
    return [pile for pile in (*known, rest, game.discard) if pile]


def _spread(game: Hackjack, piles: list[list[Card]], instead: int | None, bonus: int = 0) -> Spread:
    """What a hit may add: the first card's value, or what counts `instead` of it, and whatever it has drawn."""
    if not piles:
        return {instead or 0: Fraction(1)}
    found: Spread = defaultdict(Fraction)
    for card, left in _next_cards(piles):
        chance = Fraction(1, len(piles[0]))
        worth = (card_value(card) if instead is None else instead) + bonus if card in game.wounds else 0
        for more, chance_more in _further(game, card, left).items():
            found[worth + more] += chance * chance_more
    return dict(found)


def _further(game: Hackjack, card: Card, piles: list[list[Card]]) -> Spread:
    """What the cards add that a card has drawn at once (HJ-24)."""
    if card not in game.wounds or game.wounds[card].special != "another" or not piles:
        return {0: Fraction(1)}
    found: Spread = defaultdict(Fraction)
    for further, left in _next_cards(piles):
        chance = Fraction(1, len(piles[0]))
        for more, chance_more in _further(game, further, left).items():
            found[card_value(further) + more] += chance * chance_more
    return dict(found)


def _next_cards(piles: list[list[Card]]) -> Iterator[tuple[Card, list[list[Card]]]]:
    """Each card that may come next, and the piles without it."""
    first, *later = piles
    for card in first:
        rest = [other for other in first if other != card]
        yield card, [rest, *later] if rest else later
