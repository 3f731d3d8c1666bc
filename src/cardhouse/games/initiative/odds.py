"""The exact odds of card initiative: who may be next, who will act (again), and after how many turns.

They assume that all who may choose act at once. Two facts make the problem small:

- each character's card that is turned, and not burned, begins exactly one turn, its own or the waiting one's;
- to one character, others differ only in whether they are higher, equal or lower, whether they are aces that will come
  round again, and whether one of them waits.

So a handful of numbers describes the deck as one character sees it, and a recursion over them follows the rules of the
round (`rules.py`), card by card. A value is a pair: the chance that the character acts, and the mean number of turns
that begin before its own, counted as 0 if it never acts.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, NotRequired, TypedDict

from cardhouse.cards import BLACK_JOKER, RED_JOKER, Card, is_joker
from cardhouse.games.initiative.choices import Choices, choices_of
from cardhouse.games.initiative.state import FRESH_ACE, SPENT_ACE, actions_owed

if TYPE_CHECKING:
    from cardhouse.games.initiative.rules import Initiative

Value = tuple[float, float]

# The waiting card. For the character in question, only its later fate matters.
NOBODY = 0
SOMEBODY = 1
ACE = 2  # it goes to the bottom after acting (IN-14)
EQUAL = 3  # a spent ace, as an ace at the bottom sees it (IN-11)

# The black joker is gone, in the deck, or has just been turned and burns the next card (IN-9).
GONE = 0
TO_COME = 1
BURNS = 2

LOST: Value = (0.0, 0.0)
ACTS: Value = (1.0, 0.0)

REMEMBERED = 50_000
"""The cache size of each function below; a table of 52 characters needs 20,000."""


class TurnOdds(TypedDict):
    """The odds of a character still to come in this round.

    `next` is the chance that its card is the next one off the deck, `acts` that it acts (again) this round, and
    `turns_before` the mean number of turns before its own, if it acts; None if it can't. For the character who may act
    or wait now, `choices` has the chances of either.
    """

    next: float
    acts: NotRequired[float]
    turns_before: NotRequired[float | None]
    choices: NotRequired[Choices]


def odds_of(game: Initiative, *, sees_hidden: bool) -> dict[str, TurnOdds]:
    """Return the odds of each character still to come in this round, by name.

    A turn under way doesn't count; an open choice counts as made. Empty between rounds. While a character is hidden
    from the audience (IN-21), only `next` is returned: the rest would reveal how high the hidden card is.
    """
    if not game.under_way:
        return {}
    moment = RoundAhead.of(game)
    if not sees_hidden and any(character.hidden for character in game.characters):
        return {
            character.name: {"next": moment.next(character.card)}
            for character in game.characters
            if not character.hidden and moment.to_come(character.card)
        }
    values: dict[Any, Value] = {}
    odds: dict[str, TurnOdds] = {}
    for character in game.characters:
        if moment.to_come(character.card):
            kind = moment.kind(character.card)
            if kind not in values:
                values[kind] = moment.value(character.card)
            acts, turns = values[kind]
            odds[character.name] = {
                "next": moment.next(character.card),
                "acts": acts,
                "turns_before": turns / acts if acts else None,
            }
    if (choice := choices_of(game)) is not None:
        name, choices = choice
        odds[name]["choices"] = choices
    return odds


class RoundAhead(NamedTuple):
    """A round after the turn under way, and with any open choice made by acting at once.

    `rank` is each card's in the game (IN-3); `loose` and `bottom` are the deck's; `acts` is the card that has the open
    choice and acts.
    """

    rank: dict[Card, int]
    loose: list[Card]
    bottom: list[Card]
    waiting: Card | None
    acts: Card | None
    burning: bool

    @classmethod
    def of(cls, game: Initiative) -> RoundAhead:
        """Return the present moment of a game."""
        rank = {character.card: character.rank for character in game.characters}
        bottom, waiting, acts = list(game.deck.bottom), game.waiting, game.drawn
        if acts is not None and waiting is not None and rank[waiting] > rank[acts]:
            acts, waiting = waiting, acts
        for turn in (game.acting, acts):
            if turn is not None and game.holder(turn).acted + 1 < actions_owed(turn):
                bottom.append(turn)
                rank[turn] = SPENT_ACE
        return cls(rank, game.deck.loose, bottom, waiting, acts, game.burning)

    def to_come(self, card: Card) -> bool:
        """Return whether the card still has a turn to come, if nothing happens to it."""
        return card in self.loose or card in self.bottom or card in (self.waiting, self.acts)

    def next(self, card: Card) -> float:
        """Return the chance that it is the next card off the deck."""
        if self.loose:
            return 1 / len(self.loose) if card in self.loose else 0.0
        if self.bottom:
            return float(card == self.bottom[0])
        # The deck is empty: only a waiting ace, which must act now, goes back there (IN-15).
        return float(card == self.waiting and self.rank[card] == FRESH_ACE)

    def kind(self, card: Card) -> Any:
        """Return a key that is equal for cards with equal odds."""
        return self.rank[card] if card in self.loose else card

    def value(self, card: Card) -> Value:
        """Return the chance that the card acts, and the mean number of turns before that, from now."""
        if card == self.acts:
            return ACTS
        chance, turns = self._value_later(card)
        return chance, turns + chance * (self.acts is not None)

    def _value_later(self, card: Card) -> Value:
        mine = self.rank[card]
        ranks = [self.rank[other] for other in self.loose if other != card and not is_joker(other)]
        fresh = ranks.count(FRESH_ACE)
        others = len(ranks) - fresh
        level, lower = ranks.count(mine), sum(rank < mine for rank in ranks)
        jokers = int(RED_JOKER in self.loose), BURNS if self.burning else int(BLACK_JOKER in self.loose)
        waiting = NOBODY if self.waiting is None else ACE if self.rank[self.waiting] == FRESH_ACE else SOMEBODY
        if card == self.waiting:
            return waits(others - lower, fresh, lower, len(self.bottom), int(mine == SPENT_ACE), *jokers)
        if card in self.bottom:
            if self.waiting is not None and self.rank[self.waiting] == SPENT_ACE:
                waiting = EQUAL
            return at_bottom(self.bottom.index(card), others - level, level, fresh, len(self.bottom), waiting, *jokers)
        if self.waiting is None or mine >= self.rank[self.waiting]:
            return acts_when_drawn(others, fresh, len(self.bottom), waiting, *jokers)
        higher = others - level - lower
        return waits_when_drawn(higher, fresh, level, lower, len(self.bottom), int(mine == SPENT_ACE), waiting, *jokers)


def _lost() -> Value:
    return LOST


def _acts() -> Value:
    return ACTS


def _next_card(*kinds: Any) -> Value:
    """Return the mean value over the next card, from (count, turns begun, function, arguments) per kind.

    Functions are called only for kinds that have cards.
    """
    total, chance, turns = 0, 0.0, 0.0
    for count, begins, value, *state in kinds:
        if count:
            p, t = value(*state)
            total += count
            chance += count * p
            turns += count * (t + begins * p)
    return chance / total, turns / total


_remember: Callable[[Callable[..., Value]], Callable[..., Value]] = lru_cache(REMEMBERED)


@_remember
def acts_when_drawn(others: int, fresh: int, bottom: int, waiting: int, red: int, black: int) -> Value:
    """Return the value of a card in the deck that no waiting card outranks: it acts when drawn (IN-10 to IN-12).

    With it in random order are `others` that act once more and `fresh` aces; `bottom` aces are below.
    """
    if black == BURNS:
        return _next_card(
            (1, 0, _lost),
            (others, 0, acts_when_drawn, others - 1, fresh, bottom, waiting, red, GONE),
            (fresh, 0, acts_when_drawn, others, fresh - 1, bottom, waiting, red, GONE),
            (red, 0, acts_when_drawn, others, fresh, bottom, waiting, 0, GONE),
        )
    if not red:
        # In n cards in random order, this one is equally likely before and after any other, and right after the black
        # joker with chance 1/n; the same goes for each card before it.
        cards = others + fresh + 1 + black
        return (1 - 1 / cards, (cards - 2) ** 2 / (2 * cards)) if black else (1.0, (cards - 1) / 2)
    return _next_card(
        (1, 0, _acts),
        (others, 1, acts_when_drawn, others - 1, fresh, bottom + (waiting == ACE), min(waiting, SOMEBODY), red, black),
        (fresh, 1, acts_when_drawn, others, fresh - 1, bottom + 1, waiting, red, black),
        (red, 0, acts_when_drawn, others + fresh + bottom + (waiting > NOBODY), 0, 0, NOBODY, 0, black),
        (black, 0, acts_when_drawn, others, fresh, bottom, waiting, red, BURNS),
    )


@_remember
def waits_when_drawn(
    higher: int, fresh: int, level: int, lower: int, bottom: int, spent: int, waiting: int, red: int, black: int
) -> Value:
    """Return the value of a card in the deck that the waiting card outranks: drawn now, it would wait (IN-10).

    `higher`, `level` and `lower` count the other cards that act once more, by rank relative to this one; `spent` says
    that this one is an ace in its second action.
    """
    below = bottom + (waiting == ACE)  # once the waiting card has acted (IN-14)
    if black == BURNS:
        return _next_card(
            (1, 0, _lost),
            (higher, 0, waits_when_drawn, higher - 1, fresh, level, lower, bottom, spent, waiting, red, GONE),
            (fresh, 0, waits_when_drawn, higher, fresh - 1, level, lower, bottom, spent, waiting, red, GONE),
            (level, 0, waits_when_drawn, higher, fresh, level - 1, lower, bottom, spent, waiting, red, GONE),
            (lower, 0, waits_when_drawn, higher, fresh, level, lower - 1, bottom, spent, waiting, red, GONE),
            (red, 0, waits_when_drawn, higher, fresh, level, lower, bottom, spent, waiting, 0, GONE),
        )
    not_higher = level + lower
    return _next_card(
        (1, 1, waits, higher + level, fresh, lower, below, spent, red, black),
        (higher, 1, waits_when_drawn, higher - 1, fresh, level, lower, below, spent, SOMEBODY, red, black),
        (fresh, 1, waits_when_drawn, higher, fresh - 1, level, lower, bottom + 1, spent, waiting, red, black),
        (not_higher, 1, acts_when_drawn, higher + not_higher - 1, fresh, below, SOMEBODY, red, black),
        (red, 0, acts_when_drawn, higher + fresh + not_higher + bottom + 1, 0, 0, NOBODY, 0, black),
        (black, 0, waits_when_drawn, higher, fresh, level, lower, bottom, spent, waiting, red, BURNS),
    )


@_remember
def waits(not_lower: int, fresh: int, lower: int, bottom: int, spent: int, red: int, black: int) -> Value:
    """Return the value of the waiting card: it acts when a lower one is drawn (IN-10), or no card is left (IN-15).

    `spent` says that it is an ace in its second action, so no card is lower; otherwise the aces at the bottom are.
    """
    if black == BURNS and not_lower + fresh + lower + red:
        return _next_card(
            (not_lower, 0, waits, not_lower - 1, fresh, lower, bottom, spent, red, GONE),
            (fresh, 0, waits, not_lower, fresh - 1, lower, bottom, spent, red, GONE),
            (lower, 0, waits, not_lower, fresh, lower - 1, bottom, spent, red, GONE),
            (red, 0, waits, not_lower, fresh, lower, bottom, spent, 0, GONE),
        )
    if black == BURNS:
        return waits(0, 0, 0, max(bottom - 1, 0), spent, 0, GONE)
    if not_lower + fresh + lower + red + black == 0:
        return 1.0, float(bottom if spent else 0)
    return _next_card(
        (lower, 0, _acts),
        (not_lower, 1, waits, not_lower - 1, fresh, lower, bottom, spent, red, black),
        (fresh, 1, waits, not_lower, fresh - 1, lower, bottom + 1, spent, red, black),
        (red, 0, acts_when_drawn, not_lower + fresh + lower + bottom, 0, 0, NOBODY, 0, black),
        (black, 0, waits, not_lower, fresh, lower, bottom, spent, red, BURNS),
    )


@_remember
def at_bottom(
    ahead: int, higher: int, level: int, fresh: int, bottom: int, waiting: int, red: int, black: int
) -> Value:
    """Return the value of one of the `bottom` aces at the bottom, with `ahead` of them above it (IN-14, IN-20).

    In the cards in random order, `level` counts the spent aces, `higher` all others that act once more.
    """
    below = bottom + (waiting == ACE)
    if waiting in (NOBODY, EQUAL) and level:  # then all cards but the aces to come again are alike
        return at_bottom(ahead, higher + level, 0, fresh, bottom, waiting, red, black)
    loose = higher + level + fresh + red
    if black == BURNS and loose:
        return _next_card(
            (higher, 0, at_bottom, ahead, higher - 1, level, fresh, bottom, waiting, red, GONE),
            (level, 0, at_bottom, ahead, higher, level - 1, fresh, bottom, waiting, red, GONE),
            (fresh, 0, at_bottom, ahead, higher, level, fresh - 1, bottom, waiting, red, GONE),
            (red, 0, at_bottom, ahead, higher, level, fresh, bottom, waiting, 0, GONE),
        )
    if black == BURNS:
        return at_bottom(ahead - 1, 0, 0, 0, bottom - 1, waiting, 0, GONE) if ahead else LOST
    if loose + black == 0:
        # The first of them waits if a higher card does, and acts after the last; the others are its equals.
        waits_now = ahead == 0 and waiting in (SOMEBODY, ACE)
        return 1.0, float(below if waits_now else ahead)
    after = EQUAL if waiting == EQUAL else min(waiting, SOMEBODY)
    return _next_card(
        (higher, 1, at_bottom, ahead, higher - 1, level, fresh, below, after, red, black),
        (level, 1, at_bottom, ahead, higher, level - 1, fresh, below, EQUAL, red, black),
        (fresh, 1, at_bottom, ahead, higher, level, fresh - 1, bottom + 1, waiting, red, black),
        (red, 0, acts_when_drawn, higher + level + fresh + bottom - 1 + (waiting > NOBODY), 0, 0, NOBODY, 0, black),
        (black, 0, at_bottom, ahead, higher, level, fresh, bottom, waiting, red, BURNS),
    )
