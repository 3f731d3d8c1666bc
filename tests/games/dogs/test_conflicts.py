"""Hundreds of random conflicts, compared with a ledger kept by the rules alone; all possible ways to See."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random
from typing import Any

import msgspec
import pytest

from cardhouse.engine import GM, Ask, Draw, Offer, Refused
from cardhouse.games.dogs.actions import See
from tests.games.dogs.ledger import Ledger, outcome
from tests.games.dogs.playing import all_is_sound, game_of, next_answer, some_table
from tests.thorough import many

TABLES = many(40, 12)
CONFLICTS = 25
"""So many at each table."""
LONGEST = 400
"""More answers than a conflict can take, as the cards are that there are."""
EVERY_WAY = 5
"""With up to so many cards in hand, all ways to See are tried; with more, some."""


class Conflicts:
    """A table at which one conflict follows another, each with its books. `seen` counts what there was."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        self.table = some_table(self.rng)
        self.seen: Counter[str] = Counter()

    def play(self) -> None:
        """So many conflicts, and what comes between."""
        while self.seen["conflicts"] < CONFLICTS:
            by, answer = next_answer(self.table, self.rng)
            if answer.get("do", "").startswith("open_"):
                self.conflict(by, answer)
            else:
                self.table.answer(by, answer)
                all_is_sound(self.table)

    def conflict(self, by: str, answer: dict[str, Any]) -> None:
        """One conflict, to the last card of its fallout."""
        table = self.table
        ledger = Ledger(answer, table.header.options, table.view(GM))
        self.seen.update(["conflicts", f"of {len(ledger.names)}", answer["do"]])
        for _ in range(LONGEST):
            entry = table.answer(by, answer)
            all_is_sound(table)
            ledger.note(entry)
            if isinstance(table.question, Ask) and table.question.key in ("raise", "see"):
                ledger.compare(table.view(GM)["conflict"])
            self.look(ledger)
            if ledger.winners is not None and isinstance(table.question, Ask) and table.question.rest:
                break
            by, answer = next_answer(table, self.rng)
        else:
            raise AssertionError("this conflict has no end")
        game = game_of(table)
        for name in ledger.people.keys() & {*ledger.names}:
            assert not game.named(name).later
            assert not game.named(name).away
        self.seen.update({key: ledger.told[key] for key in WANTED})

    def look(self, ledger: Ledger) -> None:
        """What is offered is in order, and what may See is what the books say."""
        question = self.table.question
        if not isinstance(question, Ask) or question.key not in ("raise", "see"):
            self.seen["drawn by hand"] += isinstance(question, Draw)
            return
        offer = self.rng.choice(question.offers)
        if offer.examples:
            example = {"do": offer.do.word(), **self.rng.choice(offer.examples)}
            assert not offer.problems(msgspec.convert(example, offer.do)), example
        for see in question.offers:
            if see.do is See:
                self.compare_ways(see, ledger)
        game = game_of(self.table)
        self.seen["reshuffled below blows"] += bool(game.former)

    def compare_ways(self, offer: Offer, ledger: Ledger) -> None:
        """Of the cards in hand, those are taken that the rules say can See."""
        assert ledger.raised is not None
        name = ledger.to_see[0]
        hand = ledger.hands[name]
        helped, owes = ledger.helped(), bool(ledger.owes[name])
        ways = [cards for number in range(1, min(EVERY_WAY, len(hand)) + 1) for cards in combinations(hand, number)]
        any_does = False
        for cards in ways if len(hand) <= EVERY_WAY else self.rng.sample(ways, 6):
            sideways = self.rng.choice(cards) if owes else None
            reverse = self.rng.choice([None, None, True, False])
            does = outcome(cards, sideways, ledger.raised["value"], helped, reverse) is not None
            any_does |= does
            problems = offer.problems(See(name, list(cards), sideways, reverse))
            assert (not problems) == does, (cards, sideways, reverse, problems)
        assert offer.is_open or not any_does
        self.seen["ways"] += len(ways)
        self.seen["closed"] += not offer.is_open


WANTED = (
    *("blocks", "reverses", "takes_blow", "takes_it", "helps", "raises_sideways", "gives", "must_give_see"),
    *("must_give_raise", "keeps", "starts_with", "gets_prizes", "kept_in_vain", "spared", "shuffled", "escalates"),
    *("improvises", "goes_desperate", "draws_for", "draws_line", "no_line_left", "draws_members", "turned_over"),
    *("severity", "jack_draw", "learns", "dying", "mortally_wounded", "injured", "copes", "healed", "dies", "expires"),
)
"""What so many conflicts must have had in them."""


@pytest.mark.soak
def test_conflicts_by_the_hundred_agree_with_the_books_and_have_all_there_is_in_them() -> None:
    seen: Counter[str] = Counter()
    for seed in range(TABLES):
        played = Conflicts(seed)
        try:
            played.play()
        except (AssertionError, Refused) as error:
            error.add_note(f"with seed {seed}, after this transcript:\n{played.table.transcript()}")
            raise
        seen.update(played.seen)
    assert seen["conflicts"] >= TABLES * CONFLICTS
    wanted = [*WANTED, *(f"of {number}" for number in range(2, 7)), "closed", "drawn by hand", "reshuffled below blows"]
    assert not [what for what in wanted if not seen[what]]
