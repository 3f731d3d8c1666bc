"""Decisions a second: the rules of card initiative in the engine, compared with the same rules as a hand-written loop.

    python -m benchmarks.engine [SECONDS]

Each plays rounds of eight characters, two of them aces, in which a coin decides between acting and waiting. A decision
is an answer: start, act, wait, done. Three ways to play them are measured in turns:

- `loop`: the baseline, the same rules by hand: lists, a shuffled deck, and a function that decides. It knows who acted
  and what was discarded, and records what happened; it checks no answer, keeps no log of answers, and can't wait for
  players, be viewed by seats, or lose a character in mid-round.
- `rules`: the coroutine of `rules.py`, answered directly, with cards drawn by `random`.
- `table`: the whole engine: offers looked up, answers checked against them, cards dealt by a seeded HMAC, a log kept.

It also measures how long `import cardhouse` and `cardhouse --help` take compared with `python -c pass`.
"""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from random import Random
from statistics import median
from typing import Any

from cardhouse.engine import GM, Ask, Draw, SeededDealer, Table
from cardhouse.games.initiative.rules import Initiative
from cardhouse.games.initiative.state import Act, AddCharacter, Character, Done, StartRound, Wait

CARDS = ("HA", "HK", "H9", "H8", "SA", "S5", "S6", "S10")
RANKS = {"HA": 14, "HK": 13, "H9": 9, "H8": 8, "SA": 14, "S5": 5, "S6": 6, "S10": 10}


class Loop:
    """The rules by hand: `decide(question, name)` is asked `start`, `done` and `act`."""

    def __init__(self, rng: Random, decide: Callable[[str, str], bool]) -> None:
        self.rng = rng
        self.decide = decide
        self.story: list[tuple[str, str, str]] = []

    def play_round(self) -> None:
        self.decide("start", "")
        self.acted = dict.fromkeys(CARDS, 0)
        self.deck, self.bottom, self.discard, self.order = [*CARDS, "RJ", "BJ"], list[str](), list[str](), list[str]()
        self.waiting: str | None = None
        self.rng.shuffle(self.deck)
        self.story.append(("IN-6", "round begins", ""))
        while card := self.draw():
            if card == "RJ":
                self.red_joker()
            elif card == "BJ":
                self.black_joker()
            else:
                self.drawn(card)
        self.story.append(("IN-16", "round over", ""))

    def draw(self) -> str | None:
        """Return the next card; without one, the waiting character acts, which may put an ace there."""
        if not self.deck and not self.bottom and self.waiting is not None:
            card, self.waiting = self.waiting, None
            self.turn(card)
        return self.deck.pop() if self.deck else self.bottom.pop(0) if self.bottom else None

    def red_joker(self) -> None:
        self.discard.append("RJ")
        self.deck += self.bottom
        self.bottom = []
        if self.waiting is not None:
            self.deck.append(self.waiting)
            self.waiting = None
        self.rng.shuffle(self.deck)
        self.story.append(("IN-8", "red joker", ""))

    def black_joker(self) -> None:
        self.discard.append("BJ")
        burned = self.deck.pop() if self.deck else self.bottom.pop(0) if self.bottom else ""
        if burned:
            self.discard.append(burned)
        self.story.append(("IN-9", "black joker", burned))

    def drawn(self, card: str) -> None:
        self.story.append(("IN-7", "drawn", card))
        if self.waiting is None:
            if (not self.deck and not self.bottom) or self.decide("act", card):
                self.turn(card)
            else:
                self.waiting = card
                self.story.append(("IN-12", "waits", card))
            return
        mine, other = self.rank(card), self.rank(self.waiting)
        if mine == other or (mine > other) == self.decide("act", card if mine > other else self.waiting):
            self.turn(card)
        else:
            acts, self.waiting = self.waiting, card
            self.story.append(("IN-10", "waits", card))
            self.turn(acts)

    def rank(self, card: str) -> int:
        return RANKS[card] if RANKS[card] != 14 or not self.acted[card] else 1

    def turn(self, card: str) -> None:
        self.story.append(("IN-13", "acts", card))
        self.decide("done", card)
        self.acted[card] += 1
        self.order.append(card)
        if RANKS[card] == 14 and self.acted[card] == 1:
            self.bottom.append(card)
            self.story.append(("IN-14", "to the bottom", card))
        else:
            self.discard.append(card)


def loop(rng: Random) -> Iterator[int]:
    """Play the rules by hand; yield the number of decisions after each round."""
    decisions = 0

    def decide(question: str, name: str) -> bool:
        nonlocal decisions
        decisions += 1
        return question != "act" or rng.random() < 0.5

    game = Loop(rng, decide)
    while True:
        game.play_round()
        game.story.clear()
        yield decisions


def rules(rng: Random) -> Iterator[int]:
    """Play the coroutine, answered directly."""
    game = Initiative(seats=[GM], characters=[Character(card, card) for card in CARDS])
    decisions = 0
    playing = game.play()
    question: Any = next(playing)
    while True:
        if type(question) is Draw:
            question = playing.send(question.cards[int(rng.random() * len(question.cards))])
        else:
            decisions += 1
            if question.key == "between":
                game.out.clear()
                yield decisions
            question = playing.send(answer_to(question, rng))


def table(rng: Random) -> Iterator[int]:
    """Play the whole engine, with a new table every hundred rounds, as in a session."""
    decisions = 0
    while True:
        now = Table.new("initiative", dealer=SeededDealer(rng.getrandbits(32)))
        for card in CARDS:
            now.answer(GM, AddCharacter(card, card))
        for _ in range(100):
            now.answer(GM, StartRound())
            decisions += 1
            while (question := now.question).key != "between":  # type: ignore[union-attr]
                assert isinstance(question, Ask)
                now.answer(GM, answer_to(question, rng))
                decisions += 1
            yield decisions


def answer_to(question: Ask, rng: Random) -> Any:
    """Return start, done, or the toss of a coin."""
    if question.key == "between":
        return StartRound()
    if question.key == "turn":
        return Done(question.about["name"])
    return (Act if rng.random() < 0.5 else Wait)(question.about["name"])


def rate(play: Callable[[Random], Iterator[int]], seconds: float, seed: int) -> float:
    """Return the decisions a second over this time."""
    playing = play(Random(seed))
    begun = time.perf_counter()
    for decisions in playing:
        taken = time.perf_counter() - begun
        if taken >= seconds:
            return decisions / taken
    raise AssertionError("rounds never end")


def start_up(*command: str) -> float:
    """Return the milliseconds that a command takes, the best of eleven."""
    times = []
    for _ in range(11):
        begun = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - begun)
    return min(times) * 1000


def main(seconds: float = 1.0) -> None:
    """Measure, and print the results."""
    rates: dict[str, list[float]] = {"loop": [], "rules": [], "table": []}
    for seed in range(5):
        for name, play in (("loop", loop), ("rules", rules), ("table", table)):
            rates[name].append(rate(play, seconds / 5, seed))
    loops = median(rates["loop"])
    print("decisions a second, card initiative with eight characters")
    for name, found in rates.items():
        print(f"  {name:<6} {median(found):>10,.0f}   1/{loops / median(found):.1f} of the loop")
    python = sys.executable
    nothing = start_up(python, "-c", "pass")
    print("start-up, milliseconds, the best of eleven")
    print(f"  python -c pass       {nothing:>6.0f}")
    for what, command in (
        ("import cardhouse", ("-c", "import cardhouse")),
        ("cardhouse --help", ("-m", "cardhouse", "--help")),
    ):
        taken = start_up(python, *command)
        print(f"  {what:<20} {taken:>6.0f}   {taken - nothing:+.0f}")


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
