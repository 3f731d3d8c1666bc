"""Designed decks: the counts are right, planted decks are found, and the files are decks."""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import Any

import msgspec
import numpy as np
import pytest

from cardhouse.cli import main
from cardhouse.engine import CardhouseError
from cardhouse.games.dogpile.deck import DogDeck
from cardhouse.games.dogpile.deck_file import deck_of, read_deck, standard_deck
from cardhouse.games.dogpile.lab.design.designed import confirm, design
from cardhouse.games.dogpile.lab.design.make_up import MakeUp, cards_of
from cardhouse.games.dogpile.lab.design.making import deck_data, deck_text
from cardhouse.games.dogpile.lab.design.playing import contacts_of, measure_packs
from cardhouse.games.dogpile.lab.design.search import best_of, start_at
from cardhouse.games.dogpile.lab.design.wanted import Span, Wanted
from cardhouse.games.dogpile.lab.kernels.arranging import BOTH, Goal, arrange, count_all
from cardhouse.games.dogpile.lab.questions import Hard, Silence
from cardhouse.games.dogpile.lab.whole_games import Setting, play_game
from cardhouse.games.dogpile.print import deck_pdf
from cardhouse.lab.questions.proof import check_trial
from cardhouse.print.pen import PAPERS
from tests.thorough import in_soak

SMALL = Wanted(cards=40, pairs=0.25, stack=0.3, players=(2,), hand_size=3, wild=2, starts=2, alike=2)
MADE = MakeUp(9, 4, 8, 10)


def touching(deck: DogDeck) -> tuple[int, int, int, int]:
    """Pairs of cards that may touch beside, above, both ways and either, by what the deck says of each two kinds."""
    found = [0, 0, 0, 0]
    for one, other in combinations(deck.may_be.values(), 2):
        ways = [
            any(fits[kind] & other for kind in range(len(deck.kinds)) if one >> kind & 1)
            for fits in (deck.fits_beside, deck.fits_above)
        ]
        for place, holds in enumerate((*ways, all(ways), any(ways))):
            found[place] += holds
    return found[0], found[1], found[2], found[3]


@pytest.mark.soak
@pytest.mark.parametrize("wild", [*in_soak(0), 2, *in_soak(5)])
def test_what_the_search_counts_is_what_the_deck_says(wild):
    wanted = msgspec.structs.replace(SMALL, wild=wild)
    numbers, suits = cards_of(MADE, wanted, Random(wild))
    goal = Goal(300, 350, 120, 0.4, wanted.plain, 20, 0.1, 1)
    left = arrange(numbers, suits, MADE.many, goal, 3000, 60.0, 5)
    reach, counts = np.zeros(wanted.cards, np.int64), np.zeros(5, np.int64)
    count_all(numbers, suits, reach, counts, goal)
    deck = deck_of(deck_data(numbers, suits, wanted.plain, "Some", ""))
    beside, above, both, either = touching(deck)
    assert counts[: BOTH + 1].tolist() == [beside, above, both]
    assert int(reach.sum()) == 2 * either
    assert [float(chance) * wanted.of_pairs for chance in contacts_of(deck)] == pytest.approx(touching(deck))
    # As many of each, counted as the cards were changed one by one, is what they come to in one go.
    lacking = sum(max(0, goal.least - its) ** 2 for its in reach.tolist())
    missed = [max(0.0, abs(is_it - wish) - 0.4) ** 2 for is_it, wish in zip(counts[:3], goal[:3], strict=True)]
    assert left == pytest.approx(0.1 * lacking + 10 * sum(missed[:2]) + missed[2] + 1000 * counts[4])
    assert list(map(int.bit_count, numbers[: wanted.plain].tolist())).count(2) == MADE.two_numbers


def test_the_chances_of_contact_of_the_standard_deck():
    """Twelve steps of a number, each in four by four suits; four suits of 13; jokers with all 52 and each other."""
    contacts = contacts_of(standard_deck())
    jokers = 2 * 52 + 1
    assert contacts.beside == pytest.approx((12 * 16 + jokers) / 1431)
    assert contacts.above == pytest.approx((4 * 78 + jokers) / 1431)
    assert contacts.both == pytest.approx((12 * 4 + jokers) / 1431)


def planted() -> tuple[dict[str, Any], Wanted]:
    """A deck made by chance, and all that it does as what is wanted."""
    numbers, suits = cards_of(MADE, SMALL, Random(8))
    goal = Goal(0.27 * SMALL.of_pairs, 0.31 * SMALL.of_pairs, 0.2 * SMALL.of_pairs, 0, SMALL.plain, 0, 0.0, 2)
    arrange(numbers, suits, MADE.many, goal, 5000, 60.0, 1)
    data = deck_data(numbers, suits, SMALL.plain, "Planted", "")
    contacts = contacts_of(deck_of(data))
    mean, _ = measure_packs(data, SMALL, 77, 20_000)
    chances = {"pairs": float(contacts.beside), "stack": float(contacts.above)}
    return data, msgspec.structs.replace(SMALL, **chances, mean_pack=mean)


@pytest.mark.soak
def test_a_planted_target_is_found_and_holds_on_fresh_deals():
    _, wanted = planted()
    found = [one for start in range(wanted.starts) if (one := start_at(wanted, start))]
    designed = confirm(wanted, best_of(wanted, found), rounds=10_000)
    assert designed.met, designed.claims
    assert [claim.exact for claim in designed.claims] == [True, True, False]
    assert designed.claims[2].value == pytest.approx(wanted.mean_pack, abs=0.1)
    assert [table.players for table in designed.tables] == list(range(2, 9))
    assert not designed.advice
    again = start_at(wanted, 0)
    assert again is not None
    assert again.data == found[0].data


def test_an_impossible_order_says_what_would_help():
    wanted = msgspec.structs.replace(SMALL, mean_pack=4.5)
    found = start_at(wanted, 0)
    assert found is not None
    designed = confirm(wanted, [found], rounds=4000)
    assert not designed.met
    sentence = designed.advice[-1]
    assert "comes no nearer to 4.5 than" in sentence
    assert "would do it" in sentence


@pytest.mark.soak
def test_its_cards_with_two_numbers_or_suits_are_played_by_the_rules():
    data, _ = planted()
    assert any(isinstance(line.get("number"), list) for line in data["cards"].values())
    for question in (Silence(deck=data, players=3), Hard(deck=data, players=2), Silence(deck=data, bot="reader")):
        assert question.compiled == (getattr(question, "bot", "sure") == "sure")
        for trial in range(4):
            check_trial(question, 3, trial)
    assert play_game(Setting(("sure", "bold"), {"deck": data, "hand_size": 3}, 3), 1).rounds == 3


def test_its_file_is_a_deck_that_prints(tmp_path, capsys):
    file = tmp_path / "mine.toml"
    words = ["--cards", "30", "--pairs", "30%", "--stack", "35%", "--players", "2", "--hand-size", "2", "--seed", "3"]
    more = ["--starts", "1", "--alike", "2", "--cores", "1", "--rounds", "400", "--out", str(file)]
    assert main(["lab", "dogpile", "design", *words, *more]) == 0
    said = capsys.readouterr().out
    assert "counted" in said
    assert f"Written: {file}" in said
    text = file.read_text("utf-8")
    assert text.startswith(
        f"# cardhouse lab dogpile design {' '.join(words[:10])} --alike 2 --starts 1 --seed 3 --rounds 400"
    )
    data = read_deck(text)
    assert deck_text(data, ["again"]).splitlines()[1:] == text.splitlines()[text.splitlines().index("") :]
    assert deck_pdf(deck_of(data), PAPERS["a4"], backs=False).startswith(b"%PDF")
    assert main(["lab", "dogpile", "silence", "--deck", str(file), "--players", "2", "--trials", "50", "--afresh"]) == 0
    assert "30 cards" in data["text"]


@pytest.mark.soak
def test_a_deck_is_designed_for_a_team_that_has_agreed_on_something():
    wanted = msgspec.structs.replace(SMALL, bot="best", stack=0.4013, alike=3, starts=1)
    found = start_at(wanted, 0)
    assert found is not None
    assert found.made.suits <= 4
    assert found.made.numbers * found.made.suits <= 62
    assert found.made[2:] == (0, 0)
    designed = confirm(wanted, [found], rounds=400)
    assert [claim.met for claim in designed.claims] == [True, True]
    for kind in (Silence, Hard):
        question = kind(deck=dict(found.data), players=2, hand_size=3, bot="best")
        assert question.compiled
        for trial in range(3):
            check_trial(question, 3, trial)


def test_a_search_that_is_stopped_tells_what_it_has():
    told = []
    looks = iter(range(1000))
    wanted = msgspec.structs.replace(SMALL, starts=50)
    found = design(wanted, workers=1, rounds=400, tell=lambda done, best: told.append(done), halt=lambda: bool(told))
    assert found is not None
    assert (found.stopped, found.rounds, found.tables, found.advice) == (True, 40, (), ())
    assert 1 <= found.starts < 50
    assert design(wanted, workers=1, halt=lambda: next(looks) >= 0) is None


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ({"pairs": None, "stack": None}, "Nothing is wanted of this deck"),
        ({"pairs": 1.5}, "pairs takes a chance between 0% and 100%, not 150%"),
        ({"pairs": 0.09}, "the 2 jokers, which touch every card, make 9.9% alone"),
        ({"mean_pack": 30.0}, "mean-pack takes a number of dogs up to 7, not 30"),
        ({"cards": 5}, "cards takes a whole number from 7 to 300 here, not 5"),
        ({"players": (9,)}, "players takes numbers from 1 to 8"),
        (
            {"bot": "reader"},
            "reader plays a few dozen rounds a second, and a search takes millions; design for sure or",
        ),
        ({"bot": "best", "two_suits": Span(0.1, 0.2)}, "knows no cards with two numbers or suits"),
        ({"bot": "best", "suits": Span(5, 8)}, "plays with 4 suits and 62 kinds of card at most"),
        ({"wild": 6}, "wild takes a whole number from 0 to 5 here, not 6"),
        ({"numbers": Span(9, 4)}, "numbers takes a range within 3 and 60, not 9 to 4"),
    ],
)
def test_what_can_not_be_wanted_is_refused(change, wrong):
    with pytest.raises(CardhouseError, match=wrong):
        msgspec.structs.replace(SMALL, **change).check()
