"""The gunfight with NumPy arrays: in each of thousands of fights, a card is turned over at the same time.

Each person is a row, `PEOPLE` to a fight. A fight's deck is a set of keys, the highest next: shuffled cards have random
keys from 0 to 1, aces put under it have negative ones.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.kernels.hackjack import NOTHING, VALUE, WOUNDS, Fights
from benchmarks.kernels.hackjack import RED as BLEEDS
from cardhouse.cards import STANDARD

SIDE = np.repeat([0, 1], [4, 5])
PEOPLE, ROUNDS, AT_ONCE = len(SIDE), 30, 50_000
RED, BLACK = PEOPLE, PEOPLE + 1
ACE = np.isin(np.arange(PEOPLE), [0, 4])
HP, NEEDS = np.array([12, 6])[SIDE], np.array([9, 12])[SIDE]
GONE = -np.inf
"""The key of a card that isn't in the deck."""

CHECKS = [WOUNDS[card].check for card in STANDARD]
FAINTS = np.array([check is not None and check.failed == "unconscious" for check in CHECKS])
HELPLESS = np.array(["helpless" in WOUNDS[card].conditions for card in STANDARD])

DOWN, UNABLE, FRIEND = 100, 1_000, 10_000
"""The target has the lowest value: its hit points, or DOWN less its death-score; the others can't be targets."""
NO_TARGET = np.where(SIDE[:, None] == SIDE, FRIEND, 0)

Rows = NDArray[Any]


class Wounded(Fights):
    """The people of many fights; those of a fight share a deck."""

    def __init__(self, fights: int, random: np.random.Generator) -> None:
        many = fights * PEOPLE
        self.random = random
        self.deck = random.permuted(np.tile(np.arange(len(STANDARD), dtype=np.int8), (fights, 1)), axis=1)
        self.drawn, self.discard = np.zeros((2, fights), np.int64)
        self.hp, self.last = np.tile(HP, fights), np.full(many, NOTHING)
        self.score, self.blood, self.bled, self.ribs, self.checks, self.pile = np.zeros((6, many), np.int64)
        self.down, self.helpless, self.dead = np.zeros((3, many), bool)
        self.bent = {}

    def draw(self, rows: Rows) -> Rows:
        """Draw a card for each of these, no two in one fight; with broken ribs, red ones bleed."""
        fights = rows // PEOPLE
        for fight in fights[self.drawn[fights] == len(STANDARD)]:
            self.shuffle_in(fight)
        cards: Rows = self.deck[fights, self.drawn[fights]].astype(np.int64)
        self.drawn[fights] += 1
        self.bleed(rows, self.ribs[rows] * BLEEDS[cards])
        return cards

    def shuffle_in(self, fight: int) -> None:
        """Shuffle the discard pile into the deck.

        It can't be empty: nine piles of about 21 never hold all 340 points.
        """
        cards = np.flatnonzero(self.discard[fight] >> np.arange(len(STANDARD)) & 1)
        self.drawn[fight] -= len(cards)
        self.deck[fight, self.drawn[fight] :] = self.random.permutation(cards)
        self.discard[fight] = 0

    def own(self, rows: Rows, cards: Rows, let: int) -> tuple[Rows, Rows]:
        """Apply wounds, which may ask for a check, or make a character helpless."""
        self.checks[rows] += FAINTS[cards]
        self.helpless[rows] |= HELPLESS[cards]
        return super().own(rows, cards, let)

    def suffer(self, rows: Rows, cards: Rows, value: bool, let: int) -> tuple[Rows, Rows]:
        """Apply wounds; cards that count go to the pile."""
        if value:
            self.pile[rows] |= 1 << cards
        return super().suffer(rows, cards, value, let)

    def again(self, rows: Rows, cards: Rows, value: bool, let: int) -> tuple[Rows, Rows]:
        """Apply the last wounds again; those of a single card are applied at the same time."""
        blood, trauma = np.zeros((2, len(rows)), np.int64)
        last = self.last[rows]
        (several,) = np.nonzero(last < 0)
        if len(several):
            blood[several], trauma[several] = super().again(rows[several], cards[several], value, let)
        for through in (0, 3):
            (single,) = np.nonzero((last >= 0) & (last & let == through))
            wounds = last[single] // 4
            blood[single], trauma[single] = self.own(rows[single], wounds, through)
            self.last[rows[single]] = wounds * 4 + through
        return blood, trauma

    def hit(self, rows: Rows) -> None:
        """Apply hits of 1d8, which are never massive and never kill outright."""
        self.hp[rows] -= np.where(self.down[rows], 0, self.roll("1d8", len(rows)))
        rows = rows[self.hp[rows] < 0]
        self.down[rows] = True
        self.score[rows] += self.blood[rows]
        self.blood[rows] = 0
        cards = self.draw(rows)
        self.score[rows] += VALUE[cards]
        blood, _ = self.suffer(rows, cards, True, 3)
        self.bleed(rows, blood)
        self.dead[rows] = self.score[rows] > 21
        reset = rows[self.score[rows] == 21]
        self.score[reset] = 0
        self.discard[reset // PEOPLE] |= self.pile[reset]
        self.pile[reset] = 0

    def take_checks(self, rows: Rows) -> None:
        """Roll a d20 against the death-score for each open check; those who fail faint."""
        while len(rows):
            self.helpless[rows] |= self.roll("1d20", len(rows)) <= self.score[rows]
            self.checks[rows] -= 1
            rows = rows[self.checks[rows] > 0]

    def worth(self, rows: Rows) -> Rows:
        """Return the value of each as a target; lower is better."""
        worth = np.where(self.down[rows], DOWN - self.score[rows], self.hp[rows])
        return np.where(self.dead[rows] | self.helpless[rows], UNABLE, worth)


class Gunfights:
    """Fights, one row each."""

    def __init__(self, many: int, random: np.random.Generator) -> None:
        self.random = random
        self.people = Wounded(many, random)
        self.keys = np.full((many, PEOPLE + 2), GONE)
        self.fresh = np.zeros((many, 2), bool)
        """The sides whose ace hasn't been under the deck in this round."""
        self.worth = np.tile(HP, (many, 1))
        self.able = np.tile(np.bincount(SIDE), (many, 1))
        self.opened = np.full(many, -1)
        self.rounds, self.hits = np.zeros((2, many), np.int64)

    def play(self) -> list[int]:
        """Play all to the end, and return the sums of the measures."""
        rows = np.arange(len(self.keys))
        self.deal(rows)
        while len(rows):
            self.turn_over(rows)
            rows = rows[self.able[rows].all(axis=1) & (self.rounds[rows] <= ROUNDS)]
        over = ~self.able.all(axis=1)
        ended = np.where(over, np.where(self.able[:, 0] > 0, 2, 0), 1)
        dead = self.people.dead.reshape(-1, PEOPLE)
        columns = [ended, self.rounds * over, 3 * self.opened + ended, dead[:, SIDE == 0], dead[:, SIDE == 1]]
        return [int(column.sum()) for column in (*columns, *self.able.T, self.hits)]

    def deal(self, rows: Rows) -> None:
        """Deal a new round: the cards of all who live, and the jokers."""
        self.rounds[rows] += 1
        self.fresh[rows] = True
        self.keys[rows] = self.random.random((len(rows), PEOPLE + 2))
        fight, who = np.nonzero(self.people.dead.reshape(-1, PEOPLE)[rows])
        self.keys[rows[fight], who] = GONE

    def turn_over(self, rows: Rows) -> None:
        """Turn over each fight's next card; without one, its round ends."""
        card, key = self.take(rows)
        empty, red, person = key == GONE, card == RED, (key > GONE) & (card < RED)
        self.deal(rows[empty])
        self.put_back(rows[red], key[red])
        self.take(rows[card == BLACK])
        self.act(rows[person], card[person])

    def take(self, rows: Rows) -> tuple[Rows, Rows]:
        """Take each fight's next card out of the deck, and return it with its key."""
        card = self.keys[rows].argmax(axis=1)
        key = self.keys[rows, card]
        self.keys[rows, card] = GONE
        return card, key

    def put_back(self, rows: Rows, key: Rows) -> None:
        """Shuffle the cards under the deck among those that come after the red joker with this key."""
        keys = self.keys[rows]
        fight, card = np.nonzero((keys < 0) & (keys > GONE))
        self.keys[rows[fight], card] = key[fight] * self.random.random(len(fight))

    def act(self, rows: Rows, who: Rows) -> None:
        """Take their turns."""
        side, person = SIDE[who], rows * PEOPLE + who
        first = self.opened[rows] < 0
        self.opened[rows[first]] = side[first]
        (checks,) = np.nonzero(self.people.checks[person])
        self.people.take_checks(person[checks])
        self.see(rows[checks], who[checks])
        (hits,) = np.nonzero((self.random.integers(1, 21, len(who)) >= NEEDS[who]) & (self.worth[rows, who] < UNABLE))
        self.shoot(rows[hits], who[hits])
        (again,) = np.nonzero(ACE[who] & self.fresh[rows, side])
        rows, who, side = rows[again], who[again], side[again]
        self.fresh[rows, side] = False
        self.keys[rows, who] = self.fresh[rows].sum(axis=1) - 2

    def shoot(self, rows: Rows, who: Rows) -> None:
        """Apply their hits."""
        target = (self.worth[rows] + NO_TARGET[who]).argmin(axis=1)
        person = rows * PEOPLE + target
        self.people.hit(person)
        self.hits[rows] += 1
        self.see(rows, target)
        self.keys[rows, target] = np.where(self.people.dead[person], GONE, self.keys[rows, target])

    def see(self, rows: Rows, who: Rows) -> None:
        """Update whether these can act."""
        could = self.worth[rows, who] < UNABLE
        self.worth[rows, who] = self.people.worth(rows * PEOPLE + who)
        self.able[rows, SIDE[who]] -= could & (self.worth[rows, who] >= UNABLE)


def with_arrays(trials: int) -> list[float]:
    """Play this many fights, thousands at once, and return the sums of the measures."""
    random, sums = np.random.default_rng(), np.zeros(8)
    for begun in range(0, trials, AT_ONCE):
        sums += Gunfights(min(AT_ONCE, trials - begun), random).play()
    return list(sums)
