"""The live odds: the table's bots play out a conflict by the rules, without hidden cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from math import isclose
from random import Random
from typing import Any

import msgspec

from cardhouse.cards import STANDARD, Card, Deck
from cardhouse.engine import GM, PHYSICAL, SCREEN, Action, Ask, Draw, Game, Header, SeededDealer, Snapshot, Table
from cardhouse.engine.table.enumerate import walk
from cardhouse.games.dogs.bots.bold import bold
from cardhouse.games.dogs.bots.bots import BOTS, POLICIES
from cardhouse.games.dogs.bots.odds import standard_error
from cardhouse.games.dogs.bots.policies import Policy, Situation
from cardhouse.games.dogs.bots.simulation import Simulation, simulation_of, situation_of
from cardhouse.games.dogs.people.sheet import STATS, Character, Thing
from cardhouse.games.dogs.rules import Dogs
from cardhouse.games.dogs.state import ARENAS, Conflict, DogsOptions, FaceDown, Participant
from tests.games.dogs.duels import NO_STATS
from tests.games.dogs.playing import game_of, next_answer, some_table

# The simulation is the game.


def test_a_conflict_goes_on_as_it_does_at_a_table_with_bots():
    """Of any conflict, however far it is: with the same draws everybody says the same, and the same side wins."""
    sizes: Counter[int] = Counter()
    said = 0
    for seed in range(16):
        rng = Random(f"odds {seed}")
        table = under_way(rng)
        name = rng.choice([*POLICIES])
        sizes[len(game_of(table).contested.participants)] += 1
        simulation = msgspec.json.decode(simulation_of(game_of(table)), type=Simulation)
        answers, draws = played_by_bots(table, name)
        by_simulation: list[dict[str, Any]] = []
        simulation.policy = recording(POLICIES[name], by_simulation)
        side = simulation.play_out(scripted(draws))
        assert by_simulation == answers
        winner = game_of(table).contested.winner
        assert winner is not None
        assert {one.side for one in game_of(table).contested.participants if one.name in winner} == {side}
        said += len(answers)
    assert said > 200
    assert max(sizes) >= 5


def under_way(rng: Random) -> Table:
    """A table in the middle of a conflict."""
    while True:
        table = some_table(rng, paper=False)
        for _ in range(rng.randint(5, 60)):
            table.answer(*next_answer(table, rng))
        if game_of(table).under_way is not None and table.asks()["key"] in ("raise", "see"):
            return table


def played_by_bots(table: Table, name: str) -> tuple[list[dict[str, Any]], list[Card | None]]:
    """What the bots of a table say until the conflict is decided, and what is drawn then."""
    answers: list[dict[str, Any]] = []
    draws: list[Card | None] = []
    while game_of(table).under_way is not None:
        assert isinstance(table.question, Ask)
        seat = game_of(table).controller(game_of(table).contested.named(table.question.about["name"]))
        answer = BOTS[name](table.seen(seat), Random(0))
        assert answer is not None
        entry = table.answer(seat, answer)
        answers.append(answer)
        draws += [line["card"] for line in entry.lines[1:]]
    return answers, draws


def scripted(draws: Sequence[Card | None]) -> Any:
    """A deal of just these cards."""
    left = iter(draws)

    def deal(draw: Draw) -> Card | None:
        card = next(left)
        assert (card is None) == draw.face_down
        return card

    return deal


def recording(policy: Policy, said: list[dict[str, Any]]) -> Policy:
    """The policy, with a list of what it says."""

    def recorded(now: Situation) -> Action:
        action = policy(now)
        said.append(msgspec.to_builtins(action))
        return action

    return recorded


# The odds.

LOOSE = ("SK", "C3", "D10", "SA")


def small(*, hidden_hands: bool = False, down: int = 0, named: Card | None = None) -> Table:
    """Ada against Ben, each with a thing to bring, and so few cards left that every deal can be gone through.

    So many cards lie face down on Ben's pile, and one that the log has named.
    """
    blows = [FaceDown(0)] * down + ([FaceDown(0, named)] if named else [])
    conflict = Conflict(
        stakes="Who leaves?",
        sides=[["Ada"], ["Ben"]],
        participants=[
            Participant("Ada", 0, hand=["C9", "D4", "H4"], arenas=list(ARENAS)),
            Participant("Ben", 1, hand=["S7", "H8", "C5"], arenas=list(ARENAS), blows={"talking": blows}),
        ],
        starter="Ada",
    )
    game = Dogs(
        seats=[GM, "ada", "ben"],
        options=DogsOptions(improvised=0, decks=1, hidden_hands=hidden_hands),
        deck=Deck(loose=[card for card in LOOSE if card != named], face_down=down),
        decks_in=1,
        characters=[
            Character(name="Ada", stats=NO_STATS, things=[Thing("A good shot", kind="+")], controller="ada"),
            Character(name="Ben", stats=NO_STATS, things=[Thing("A coat")], controller="ben"),
        ],
        conflict=conflict,
    )
    options = {"improvised": 0, "decks": 1, "hidden_hands": hidden_hands}
    header = Header(cardhouse=1, game="dogs", seats=[GM, "ada", "ben"], options=options)
    return Table(header, SeededDealer(1), Snapshot(0, 0, msgspec.Raw(msgspec.json.encode(game))))


def as_bold_would(game: Game, question: Ask) -> Action | None:
    """The bold policy, for the enumerated dealer, until the conflict is decided."""
    assert isinstance(game, Dogs)
    if game.under_way is None:
        return None
    simulation = msgspec.json.decode(simulation_of(game), type=Simulation)
    return bold(situation_of(simulation, simulation.contested.named(question.about["name"])))


def test_they_are_the_exact_chances_but_for_their_error():
    table = small()
    exact = Fraction(0)
    for way in walk(table, as_bold_would):
        assert isinstance(way.game, Dogs)
        exact += way.chance * (way.game.contested.winner == ["Ada"])
    assert 0.2 < exact < 0.8
    ada, ben = table.odds("ada", trials=800)["sides"]
    assert abs(ada["wins"] - exact) < 4 * ada["error"] < 0.08
    assert (ada["names"], ben["names"], ada["wins"] + ben["wins"]) == (["Ada"], ["Ben"], 1)


def test_a_state_has_its_odds_and_more_trials_a_smaller_error():
    odds = small().odds(GM)
    assert odds == small().odds(GM) == small().odds(SCREEN)
    assert (odds["trials"], odds["policy"]) == (200, "bold")
    few, many = (small().odds(GM, trials=trials)["sides"][0] for trials in (10, 1000))
    assert few["error"] == standard_error(round(10 * few["wins"]), 10) > 3 * many["error"]
    assert isclose(standard_error(500, 1000), 0.0158, rel_tol=0.01)
    assert isclose(standard_error(0, 100), standard_error(100, 100))
    assert 0.009 < standard_error(0, 100) < 0.01


def test_what_lies_face_down_is_not_told_by_them():
    """Whichever card the log named, or if it named none."""
    seen = [small(down=1).odds(GM), *(small(named=card).odds(GM) for card in LOOSE)]
    assert all(odds == seen[0] for odds in seen)
    assert simulation_of(small(down=1).game) != simulation_of(small().game)  # type: ignore[arg-type]


def test_where_hands_are_hidden_they_are_the_game_masters_alone():
    table = small(hidden_hands=True)
    assert [table.odds(seat) for seat in ("ada", "ben", SCREEN)] == [{}] * 3
    assert len(table.odds(GM)["sides"]) == 2


def test_there_are_none_where_nothing_is_under_way_or_somebody_draws():
    table = Table.new("dogs", [GM, "ada"], decks={"dogs": PHYSICAL})
    for name in ("Ada", "Ben"):
        table.answer("ada", {"do": "create", "name": name, "stats": dict.fromkeys(STATS, 2)})
    assert table.odds(GM) == {}
    table.answer(GM, {"do": "open_conflict", "stakes": "Who leaves?", "sides": [["Ada"], ["Ben"]], "arena": "guns"})
    for card in STANDARD[:8]:
        assert table.odds(GM) == {}
        table.answer(GM, {"draw": "dogs", "card": card})
    assert len(table.odds(GM, trials=3)["sides"]) == 2
    table.answer("ada", {"do": "give", "name": "Ada"})
    assert table.odds(GM) == {}
