"""The exact odds of the first hits of `hackjack deadly`: all outcomes of the first card, then the game's own odds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache, reduce
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from cardhouse.cards import JOKERS, STANDARD, Card, is_joker, is_red
from cardhouse.engine import Roll
from cardhouse.games.hackjack.lab.damage import Damage, read_damage
from cardhouse.games.hackjack.lab.policies import AT, UNLESS, holds, read_prevent
from cardhouse.games.hackjack.odds import HitAmounts, hit_amounts
from cardhouse.games.hackjack.state import card_value
from cardhouse.games.hackjack.thresholds import goes_down, is_exact, is_massive, is_outright, is_too_much
from cardhouse.games.hackjack.wounds.chains import FURTHER, EffectMask, Suffered, cards_drawing_another, lower
from cardhouse.games.hackjack.wounds.data import wounds_from
from cardhouse.games.hackjack.wounds.schema import Wounds, is_dice

if TYPE_CHECKING:
    from cardhouse.games.hackjack.lab.deadly import Deadly


MOST_DRAWING = 5
"""The largest number of wounds drawing further cards for which all outcomes are enumerated."""


Distribution = tuple[float, ...]
"""The probability of each number from 0 up."""

CardGroups = tuple[tuple[tuple[bool, int], int], ...]
"""Cards grouped by whether they draw another at once and by value, with the size of each group."""

MergedOutcome = tuple[int | None, int, Distribution, CardGroups]

NO_BLOOD: Distribution = (1.0,)


class DrawState(NamedTuple):
    """The state after the first card of a time down and all it has drawn.

    `left` has the number of cards left of each kind; `adds` counts in addition to the first card's value; `ribs` is the
    Blood per red card, and `bled` the Blood it has added so far.
    """

    left: tuple[int, ...]
    adds: int = 0
    ribs: int = 0
    bled: int = 0
    last: Suffered | None = None


class Outcome(NamedTuple):
    """One outcome of a wound: its probability, the state, the wound suffered and the distribution of its Blood."""

    chance: float
    drawn: DrawState
    suffered: Suffered
    blood: Distribution


class FirstCard:
    """All outcomes of the first card with these wounds, if the first of two is chosen."""

    def __init__(self, wounds: Wounds, cards: Iterable[Card], *, lower_given: bool) -> None:
        self.wounds = wounds
        self.given = lower_given
        kinds: dict[tuple[object, ...], list[Card]] = {}
        for card in cards:
            kinds.setdefault(self.effect_of(card), []).append(card)
        self.kinds = list(kinds.values())
        """Cards with the same effect; the first represents all of them."""
        self.draws_another = cards_drawing_another(wounds)
        self.counted = [(kind[0] in self.draws_another, card_value(kind[0])) for kind in self.kinds]
        self.seen: dict[tuple[int, ...], CardGroups] = {}
        self.odds: dict[CardGroups, HitAmounts] = {}

    def effect_of(self, card: Card) -> tuple[object, ...]:
        """Return everything about a card that matters here."""
        if is_joker(card):
            return ()
        wound = self.wounds[card]
        return card_value(card), is_red(card), wound.special, wound.blood

    def outcomes(self) -> Iterator[tuple[Card, Outcome]]:
        """Yield each first card with its outcomes."""
        for chance, card, drawn in self.draw(DrawState(tuple(len(kind) for kind in self.kinds))):
            for outcome in self.suffer(drawn, card, EffectMask()):
                yield card, outcome._replace(chance=chance * outcome.chance)

    def draw(self, drawn: DrawState) -> Iterator[tuple[float, Card, DrawState]]:
        """Yield each next card; with broken ribs a red one adds Blood (HJ-13)."""
        whole = sum(drawn.left)
        for place, (kind, count) in enumerate(zip(self.kinds, drawn.left, strict=True)):
            if count:
                left = (*drawn.left[:place], count - 1, *drawn.left[place + 1 :])
                bled = drawn.bled + (drawn.ribs if is_red(kind[0]) else 0)
                yield count / whole, kind[0], drawn._replace(left=left, bled=bled)

    def merged(self) -> dict[MergedOutcome, float]:
        """Return the probability by the first card's value (None: a joker), what else counts, Blood and cards left."""
        found: dict[MergedOutcome, float] = {}
        for card, outcome in self.outcomes():
            value = None if is_joker(card) else card_value(card)
            blood = (*[0.0] * outcome.drawn.bled, *outcome.blood)
            key = value, outcome.drawn.adds, blood, self.group_of(outcome.drawn.left)
            found[key] = found.get(key, 0.0) + outcome.chance
        return found

    def group_of(self, left: tuple[int, ...]) -> CardGroups:
        """Group these cards as far as they matter to the next hit, and compute its odds."""
        if left in self.seen:
            return self.seen[left]
        counts: Counter[tuple[bool, int]] = Counter()
        for kind, count in zip(self.counted, left, strict=True):
            counts[kind] += count
        groups = self.seen[left] = tuple(sorted(counts.items()))
        if groups not in self.odds:
            cards = tuple(card for kind, count in zip(self.kinds, left, strict=True) for card in kind[:count])
            self.odds[groups] = hit_amounts((cards,), self.draws_another)
        return groups

    def suffer(self, drawn: DrawState, card: Card, mask: EffectMask) -> Iterator[Outcome]:
        """Yield the outcomes of a card's wound as far as `mask` allows (HJ-22 to HJ-27)."""
        if is_joker(card):
            yield Outcome(1.0, drawn, Suffered(), NO_BLOOD)
            return
        effects = {"choose": self.choose, "both": self.both, "another": self.another, "again": self.again}
        for outcome in effects.get(str(self.wounds[card].special), self.own)(drawn, card, mask):
            yield outcome._replace(drawn=outcome.drawn._replace(last=outcome.suffered))

    def own(self, drawn: DrawState, card: Card, mask: EffectMask) -> Iterator[Outcome]:
        """Yield the outcome of a wound that draws no further cards."""
        suffered = Suffered(card, self.wounds[card].blood).masked(mask)
        yield Outcome(1.0, *self.repeat(drawn, suffered))

    def choose(self, drawn: DrawState, _: Card, mask: EffectMask) -> Iterator[Outcome]:
        """Yield the outcomes of the first of two cards (HJ-22). The other matters only with broken ribs.

        Otherwise the other card stays unidentified: it has no effect, and any card left may still be the next.
        """
        for chance, card, first in self.draw(drawn):
            others = self.draw(first) if first.ribs else [(1.0, card, first)]
            for also, _other, second in others:
                for outcome in self.suffer(second, card, mask & FURTHER["choose"].mask):
                    yield outcome._replace(chance=chance * also * outcome.chance)

    def both(self, drawn: DrawState, _: Card, mask: EffectMask) -> Iterator[Outcome]:
        """Yield the outcomes of two cards with the lower Blood of both (HJ-23)."""
        within = mask & FURTHER["both"].mask
        for chance, one, first in self.draw(drawn):
            for also, other, second in self.draw(first):
                for outcome in self.suffer(second, one, within):
                    for then in self.suffer(outcome.drawn, other, within):
                        suffered = Suffered(parts=(outcome.suffered, then.suffered), lower=True)
                        likely = chance * also * outcome.chance * then.chance
                        yield Outcome(likely, then.drawn, suffered, lower_of(outcome.blood, then.blood, self.given))

    def another(self, drawn: DrawState, card: Card, mask: EffectMask) -> Iterator[Outcome]:
        """Yield the outcomes of the card's own wound and another card with its value but not its Blood (HJ-24)."""
        within = mask & FURTHER["another"].mask
        for outcome in self.own(drawn, card, mask):
            for chance, further, after in self.draw(outcome.drawn):
                counted = after._replace(adds=after.adds + card_value(further) * within.value)
                for then in self.suffer(counted, further, within):
                    suffered = Suffered(parts=(outcome.suffered, then.suffered))
                    yield Outcome(chance * then.chance, then.drawn, suffered, outcome.blood)

    def again(self, drawn: DrawState, _: Card, mask: EffectMask) -> Iterator[Outcome]:
        """Repeat the previous wound or, if there is none, suffer the next card's wound twice (HJ-26)."""
        if drawn.last is not None:
            yield Outcome(1.0, *self.repeat(drawn, drawn.last.masked(mask)))
            return
        for chance, card, after in self.draw(drawn):
            for outcome in self.suffer(after, card, mask & FURTHER["again"].mask):
                then, _same, blood = self.repeat(outcome.drawn, outcome.suffered)
                twice = Suffered(parts=(outcome.suffered, outcome.suffered))
                yield Outcome(chance * outcome.chance, then, twice, sum_of(outcome.blood, blood))

    def repeat(self, drawn: DrawState, suffered: Suffered) -> tuple[DrawState, Suffered, Distribution]:
        """Suffer the same again with its dice rerolled. New broken ribs make later red cards bleed."""
        if suffered.card is not None:
            ribs = drawn.ribs + (self.wounds[suffered.card].special == "red_cards")
            return drawn._replace(ribs=ribs), suffered, blood_of(suffered.blood)
        bloods = []
        for part in suffered.parts:
            drawn, _, blood = self.repeat(drawn, part)
            bloods.append(blood)
        if suffered.lower:
            return drawn, suffered, lower_of(bloods[0], bloods[1], self.given)
        return drawn, suffered, reduce(sum_of, bloods, NO_BLOOD)


@lru_cache(maxsize=8)
def first_card(
    wounds: bytes, jokers: bool, lower_given: bool
) -> tuple[dict[CardGroups, HitAmounts], dict[MergedOutcome, float]]:
    """Return the odds of the next hit by the cards left, and all outcomes of the first card, for an option's wounds."""
    cards = (*STANDARD, *(JOKERS if jokers else ()))
    first = FirstCard(wounds_from(msgspec.json.decode(wounds)), cards, lower_given=lower_given)
    outcomes = first.merged()
    return first.odds, outcomes


@cache
def blood_of(blood: int | str) -> Distribution:
    """Return the distribution of a wound's Blood, a number or dice."""
    if not is_dice(blood):
        return (*[0.0] * int(blood), 1.0)
    count, sides = Roll(str(blood)).count_and_sides()
    found = dice_of(count, sides)
    return tuple(found.get(total, 0.0) for total in range(count * sides + 1))


@cache
def sum_of(one: Distribution, other: Distribution) -> Distribution:
    """Return the distribution of the sum of two."""
    found = [0.0] * (len(one) + len(other) - 1)
    for place, chance in enumerate(one):
        for further, also in enumerate(other):
            found[place + further] += chance * also
    return tuple(found)


@cache
def lower_of(one: Distribution, other: Distribution, given: bool) -> Distribution:
    """Return the distribution of the lower of two (HJ-23)."""
    found: dict[int, float] = {}
    for place, chance in enumerate(one):
        for further, also in enumerate(other):
            blood = lower(place, further, given)
            found[blood] = found.get(blood, 0.0) + chance * also
    return tuple(found.get(blood, 0.0) for blood in range(max(found) + 1))


def exact_findings(question: Deadly) -> Mapping[str, float]:
    """Return the exact findings: the chance to go down or be killed outright, and the first hits.

    The odds of the cards are exact for the hit that may first take a character down and the next one, if the hero alone
    draws from a deck without returns, there are no critical hits, the first of two wounds is chosen and the death-score
    is judged at the end. If critical hits can bleed a character to death before it is down, nothing is exact.
    """
    if question.standing_blood and question.critical:
        return {}
    damage = damage_of(read_damage(question.damage))
    falls = HpCourse(question, damage)
    found = {"fell": min(1.0, sum(falls.down)), "outright": sum(falls.outright)}
    if is_intractable(question):
        return found
    dead, saved = list(falls.outright), [0.0] * question.hits
    known = min(falls.first + 2, question.hits)
    cards = FirstTwoCards(question, damage)
    for hit in range(falls.first, known):
        for hp, chance in falls.below[hit].items():
            for later, (dies, is_saved) in enumerate(cards.falling_hit(-hp)[: known - hit]):
                dead[hit + later] += chance * dies
                saved[hit + later] += chance * is_saved
    for hit in range(1, known + 1):
        found[f"dead_by_{hit}"] = sum(dead[:hit])
        found[f"saved_by_{hit}"] = sum(saved[:hit])
    if known == question.hits:
        found |= {"dead": sum(dead), "saved": sum(saved)}
    return {key: min(1.0, chance) for key, chance in found.items()}  # sums of rounded numbers


def is_intractable(question: Deadly) -> bool:
    """Return whether the outcomes are too many to enumerate, or follow rules not modelled here."""
    if question.others or question.return_cards or question.critical or question.c7 != "first":
        return True
    if question.judged == "each_step" or read_prevent(question.prevent).kind not in (AT, UNLESS):
        return True
    specials = [wound.special for wound in wounds_from(question.wounds).values()]
    return specials.count("both") > 1 or sum(special in FURTHER for special in specials) > MOST_DRAWING


class HpCourse:
    """The course of HP without any card.

    For each hit: the probability that it kills `outright` or takes `down`, and with `below` the resulting HP. `first`
    is the first hit that can take the character down, or the number of hits if none can.
    """

    def __init__(self, question: Deadly, damage: Mapping[int, float]) -> None:
        up: Mapping[int, float] = {question.hp: 1.0}
        self.outright: list[float] = []
        self.below: list[dict[int, float]] = []
        for _ in range(question.hits):
            after: dict[int, float] = {}
            for hp, chance in up.items():
                for amount, likely in damage.items():
                    after[hp - amount] = after.get(hp - amount, 0.0) + chance * likely
            up = {hp: chance for hp, chance in after.items() if not goes_down(hp, question.draw_at_zero)}
            fallen = {hp: chance for hp, chance in after.items() if goes_down(hp, question.draw_at_zero)}
            self.outright.append(sum(chance for hp, chance in fallen.items() if is_outright(-hp, question.limit)))
            self.below.append({hp: chance for hp, chance in fallen.items() if not is_outright(-hp, question.limit)})
        self.down = [sum(below.values()) for below in self.below]
        self.first = next((hit for hit, below in enumerate(self.below) if below), question.hits)


HitPair = tuple[float, float]
"""The chances to die of a hit, and to be saved by it for the first time."""


class FirstTwoCards:
    """The effect of the first two cards of a time down."""

    def __init__(self, question: Deadly, damage: Mapping[int, float]) -> None:
        self.limit, self.massive = question.limit, question.massive
        self.damage = by_replacement(damage, question.massive)
        self.policy = read_prevent(question.prevent)
        lower_given = question.jack_of_clubs == "lower_given"
        self.odds, self.outcomes = first_card(msgspec.json.encode(question.wounds), question.jokers, lower_given)
        self.found: dict[int | None, tuple[HitPair, HitPair]] = {}

    def falling_hit(self, below: int) -> tuple[HitPair, HitPair]:
        """Return the chances of the hit that leaves a character `below` points below 0, and of the next hit."""
        instead = below if is_massive(below, self.massive) else None
        if instead not in self.found:
            self.found[instead] = self.two_hits(instead)
        return self.found[instead]

    def two_hits(self, instead: int | None) -> tuple[HitPair, HitPair]:
        """Return the same chances if `instead` replaces the first card's value, or with the value if None (HJ-4)."""
        dies = saved = dies_next = saved_next = 0.0
        for (value, adds, blood, left), chance in self.outcomes.items():
            score = (0 if value is None else value if instead is None else instead) + adds
            is_saved = is_exact(score, self.limit)
            if is_too_much(score, self.limit):
                dies += chance
                continue
            saved += chance * is_saved
            dies_too, saved_too = self.next_hit(0 if is_saved else score, blood, left)
            dies_next += chance * dies_too
            saved_next += chance * saved_too * (not is_saved)
        return (dies, saved), (dies_next, saved_next)

    def next_hit(self, score: int, blood: Distribution, left: CardGroups) -> HitPair:
        """Return the chances of the next hit on a character that is down with this death-score and Blood."""
        dies = saved = 0.0
        for pool, chance in enumerate(blood):
            moved = 0 if holds(score, pool, *self.policy) else pool
            for instead, likely in self.damage.items() if chance else ():
                dies_too, saved_too = self.odds[left].chances(score + moved, self.limit, instead)
                dies += chance * likely * dies_too
                saved += chance * likely * saved_too
        return dies, saved


def by_replacement(damage: Mapping[int, float], massive: int) -> Mapping[int | None, float]:
    """Group damage to a character that is down by the amount that replaces the card, or None (HJ-7, HJ-8)."""
    found: dict[int | None, float] = {}
    for amount, chance in damage.items():
        instead = amount if is_massive(amount, massive) else None
        found[instead] = found.get(instead, 0.0) + chance
    return found


@cache
def dice_of(count: int, sides: int) -> Mapping[int, float]:
    """Return the probability of each sum of these dice."""
    if not count:
        return {0: 1.0}
    found: dict[int, float] = {}
    for total, chance in dice_of(count - 1, sides).items():
        for face in range(1, sides + 1):
            found[total + face] = found.get(total + face, 0.0) + chance / sides
    return found


def damage_of(damage: Damage) -> Mapping[int, float]:
    """Return the probability of each damage of a hit."""
    found: dict[int, float] = {}
    for total, chance in dice_of(damage.dice, damage.sides).items():
        amount = max(1, total + damage.plus)
        found[amount] = found.get(amount, 0.0) + chance
    return found
