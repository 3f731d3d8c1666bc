"""The tables for looking ahead in Hackjack, built from a table's options, and their use by the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from cardhouse.cards import Card, is_joker, is_red
from cardhouse.games.hackjack.lab.damage import Damage
from cardhouse.games.hackjack.lab.exact import Distribution, blood_of, damage_of, lower_of
from cardhouse.games.hackjack.lab.kernels import ahead
from cardhouse.games.hackjack.lab.kernels.ahead import Ahead
from cardhouse.games.hackjack.lab.kernels.wounds import IN_ORDER
from cardhouse.games.hackjack.state import HackjackOptions, card_value
from cardhouse.games.hackjack.thresholds import is_massive
from cardhouse.games.hackjack.wounds.chains import cards_drawing_another
from cardhouse.games.hackjack.wounds.data import wounds_from

if TYPE_CHECKING:
    from cardhouse.games.hackjack.rules import Hackjack
    from cardhouse.games.hackjack.state import Character

PLACE = {card: place for place, card in enumerate(IN_ORDER)}
MOST_POOL = 60
"""Blood above this counts as this much."""
MOST_AMOUNTS = 4
"""The number of amounts of massive damage kept apart; beyond it neighbours are merged into their mean."""


def no_foresight() -> Ahead:
    """Return empty tables, for policies that don't look ahead."""
    nothing = np.zeros((1, 1))
    return Ahead(
        worth=nothing,
        knowing=nothing,
        holds=np.zeros((1, 1), np.uint8),
        cards=np.zeros((1, ahead.COLUMNS), np.int64),
        bloods=nothing,
        amounts=np.zeros(1, np.int64),
        chances=np.zeros(1),
        all_cards=0,
        limit=0,
        each_step=0,
    )


def foresight(options: HackjackOptions, *damages: Damage) -> Ahead:
    """Return the solution for future hits at a table with these options, with all these damages equally likely."""
    own = HackjackOptions(**{name: getattr(options, name) for name in HackjackOptions.__struct_fields__})
    solved = _solved(msgspec.json.encode(own), damages)
    # Copy, because threads that count references to the same arrays slow each other down.
    return solved._replace(
        worth=solved.worth.copy(),
        knowing=solved.knowing.copy(),
        holds=solved.holds.copy(),
        cards=solved.cards.copy(),
        bloods=solved.bloods.copy(),
        amounts=solved.amounts.copy(),
        chances=solved.chances.copy(),
    )


@lru_cache(16)
def _solved(options_as_json: bytes, damages: Sequence[Damage]) -> Ahead:
    options = msgspec.json.decode(options_as_json, type=HackjackOptions)
    amounts, chances = _amounts(options, damages)
    cards = [card for card in IN_ORDER if options.jokers or not is_joker(card)]
    bloods = _bloods(options, cards)
    pools = min(options.limit + 1, MOST_POOL)
    most = max(len(spread) for spread in bloods.values())
    about = np.zeros((len(IN_ORDER), ahead.COLUMNS), np.int64)
    likely = np.zeros((len(IN_ORDER), most))
    wounds, another = wounds_from(options.wounds), cards_drawing_another(wounds_from(options.wounds))
    for card in cards:
        place, spread = PLACE[card], bloods[card]
        some = [blood for blood, chance in enumerate(spread) if chance]
        special = None if is_joker(card) else wounds[card].special
        about[place] = (
            card_value(card),
            is_red(card),
            card in another,
            special == "peek",
            special == "again",
            is_joker(card),
            some[0],
            some[-1],
        )
        likely[place, : len(spread)] = spread
    made = Ahead(
        worth=np.zeros((options.limit, pools + 1)),
        knowing=np.zeros((options.limit, pools + 1)),
        holds=np.zeros((options.limit, pools + 1), np.uint8),
        cards=about,
        bloods=likely,
        amounts=np.array(amounts, np.int64),
        chances=np.array(chances),
        all_cards=bits_of(cards),
        limit=options.limit,
        each_step=int(options.judged == "each_step"),
    )
    ahead.solve(made)
    return made


def _amounts(options: HackjackOptions, damages: Sequence[Damage]) -> tuple[list[int], list[float]]:
    """Return the amounts that count instead of a card, NOTHING for the card itself, and their probabilities."""
    found: dict[int, float] = {}
    for damage in damages:
        for amount, chance in damage_of(damage).items():
            counts = min(amount, options.limit + 1) if is_massive(amount, options.massive_damage) else ahead.NOTHING
            found[counts] = found.get(counts, 0.0) + chance / len(damages)
    listed = sorted(found.items())
    while len(listed) > MOST_AMOUNTS + 1:
        listed = listed[:1] + [_between(listed[place : place + 2]) for place in range(1, len(listed), 2)]
    return [amount for amount, _ in listed], [chance for _, chance in listed]


def _between(amounts: Sequence[tuple[int, float]]) -> tuple[int, float]:
    chance = sum(chance for _, chance in amounts)
    return round(sum(amount * each for amount, each in amounts) / chance), chance


def _bloods(options: HackjackOptions, cards: Sequence[Card]) -> Mapping[Card, Distribution]:
    """Return the Blood that each card brings if all others are in the deck.

    For cards drawn by C7 or CJ only their own Blood counts, not that of cards they draw in turn. H6 brings that of the
    card before, which is known (see `value_of_hit`).
    """
    wounds = wounds_from(options.wounds)
    own = {card: blood_of(0 if is_joker(card) else wounds[card].blood) for card in cards}
    found = dict(own)
    for card in cards:
        others = Counter(spread for other, spread in own.items() if other != card)
        special = None if is_joker(card) else wounds[card].special
        if special == "choose":
            found[card] = _mixed(others)
        elif special == "both":
            lowest = Counter[Distribution]()
            for (one, many), (other, more) in product(others.items(), repeat=2):
                lowest[lower_of(one, other, options.jack_of_clubs == "lower_given")] += many * (more - (one == other))
            found[card] = _mixed(lowest)
    return found


def _mixed(spreads: Counter[Distribution]) -> Distribution:
    """Return the mixture of these distributions, weighted by their counts."""
    found = [0.0] * max(map(len, spreads))
    for spread, many in spreads.items():
        for blood, chance in enumerate(spread):
            found[blood] += chance * many / spreads.total()
    return tuple(found)


def bits_of(cards: Iterable[Card]) -> int:
    """Return a bit set of cards, by their place in the kernels' order."""
    return sum(1 << PLACE[card] for card in cards)


# Use by the rules.


def should_prevent(game: Hackjack, who: Character, *, knows_next: bool, counts: bool, known: Ahead) -> bool:
    """Return whether a character that looks ahead prevents blood loss.

    `knows_next` says whether it has seen the next card (HJ-25). Without `counts` every card of the whole deck is
    equally likely, except a next card that it has seen.
    """
    if not (counts or knows_next):
        return bool(known.holds[who.death_score, min(who.blood, known.holds.shape[1] - 1)])
    top = bits_of(game.deck.top[:1]) if knows_next else 0
    left = bits_of(game.deck.cards()) or bits_of(game.discard)
    if not counts:
        left = known.all_cards
    among = left & ~top
    last = ahead.NOTHING
    if who.last is not None and who.last.card is not None:
        last = PLACE[who.last.card]
    ribs = game.count_held(who, "red_cards")
    return bool(ahead.should_prevent(who.death_score, who.blood, ribs, top or among, among, last, known))


def prefers_other(who: Character, one: Card, other: Card, known: Ahead) -> bool:
    """Return whether the other of two wounds is the better one to suffer (HJ-22)."""
    return bool(ahead.prefers_other(who.death_score, who.blood, PLACE[one], PLACE[other], known))
