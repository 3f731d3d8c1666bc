"""The verdict of each game agrees with the final state, over games of bots and random sessions."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from cardhouse.engine import GM, GameVerdict, Table, find_game, game_names, recap_of
from cardhouse.engine.chance.dealers import SeededDealer
from cardhouse.engine.table.scenes import choose_scene, scenes_of
from cardhouse.games.dogpile.rules import Dogpile
from cardhouse.player.openings import opening_of
from cardhouse.player.selfplay import Playthrough, find_player, leading
from cardhouse.testing.evenings import RandomSession

SEEDS = range(8)
ANSWERS = 300


def played_by_bots(game: str, seed: int) -> Table:
    """Return one of the game's scenes after bots have played it to its end."""
    kind, rng = find_game(game), Random(seed)
    table = opening_of(kind, choose_scene(scenes_of(kind), rng), rng).table
    bot = find_player(kind, next(iter(kind.bots)), 1)
    players = dict.fromkeys(table.seats, bot) | {GM: leading(bot, kind, 1)}
    play = Playthrough(table, players, rng)
    for _ in range(ANSWERS):
        if (answer := play.next_answer()) is not None:
            play.give_answer(*answer)
        elif table.asks().get("key") == "judged":
            play.give_answer(GM, {"do": "next_round"})
    return table


def played_at_random(game: str, seed: int) -> Table:
    """Return a table after some random answers."""
    rng = Random(seed)
    table = Table.new(game, (GM, "ada", "ben"), {}, SeededDealer(seed))
    session = RandomSession(table, rng)
    for _ in range(80):
        if (move := session.next()) is None:
            break
        table.answer(move.by, move.answer, chance=move.chance, time=move.time)
    return table


def some_games(game: str) -> Iterator[Table]:
    for seed in SEEDS:
        yield played_by_bots(game, seed)
        yield played_at_random(game, seed)


def by_side(fighters: list[tuple[str, str, bool, bool]]) -> tuple[list[str], list[str]]:
    """Return the winners and losers among fighters: side, seat, can act, lives."""
    left = {side for side, _, acts, _ in fighters if acts} or {side for side, _, _, lives in fighters if lives}
    if len({side for side, *_ in fighters}) < 2 or len(left) > 1:
        return [], []
    won = {seat for side, seat, *_ in fighters if side in left}
    lost = {seat for side, seat, *_ in fighters if side not in left}
    return sorted(won - lost), sorted(lost - won)


def state_of(who: dict[str, Any]) -> tuple[str, bool, bool]:
    """Return a fighter's seat, and whether it can act and lives."""
    return who["controller"], who["idle"] is None, who["alive"]


def hackjack(table: Table, _: Any) -> tuple[list[str], list[str]]:
    people = table.view(GM)["characters"]
    return by_side([(str(who["controller"] == GM), *state_of(who)) for who in people])


def gunfight(table: Table, _: Any) -> tuple[list[str], list[str]]:
    view = table.view(GM)
    sides = {who["name"]: who["side"] for who in (*view["order"]["gone"], *view["order"]["characters"])}
    people = view["fight"]["characters"]
    return by_side([(sides.get(who["name"]) or who["name"], *state_of(who)) for who in people])


def initiative(table: Table, seats: dict[str, str]) -> tuple[list[str], list[str]]:
    view = table.view(GM)
    here = [(who["side"] or who["name"], who["controller"], True, True) for who in view["characters"]]
    gone = [(who["side"] or who["name"], seats[who["name"]], False, False) for who in view["gone"]]
    return by_side([*here, *gone])


def dogpile(table: Table, _: Any) -> tuple[list[str], list[str]]:
    game, verdict = table.game, recap_of(table).verdict
    assert isinstance(game, Dogpile)
    par = verdict.reason.about["par"] if verdict is not None and verdict.reason is not None else 0
    dogs, players = len(game.dogpile), game.players
    return (players if par and dogs > par else [], players if par and dogs < par else [])


def seats_of(table: Table) -> dict[str, str]:
    """Return the seat that played each character last."""
    again = Table(table.header, SeededDealer())
    seats: dict[str, str] = {}
    for entry in table.entries:
        if entry.stands:
            again.replay(enumerate(entry.lines, 1))
            seats.update({who["name"]: who["controller"] for who in again.view(GM)["characters"]})
    return seats


EXPECTED = {"hackjack": hackjack, "gunfight": gunfight, "initiative": initiative, "dogpile": dogpile}


@pytest.mark.parametrize("game", EXPECTED)
def test_the_winners_are_those_of_the_final_state(game: str) -> None:
    decided = 0
    for table in some_games(game):
        verdict = recap_of(table).verdict or GameVerdict()
        expected = EXPECTED[game](table, seats_of(table) if game == "initiative" else {})
        assert (sorted(verdict.winners), sorted(verdict.losers)) == tuple(map(sorted, expected)), table.transcript()
        decided += bool(verdict.winners or verdict.losers)
    assert decided >= len(SEEDS) / 2


def test_dogs_names_the_winners_of_the_last_conflict() -> None:
    for table in some_games("dogs"):
        events = [event for entry in table.entries if entry.stands for event in entry.events]
        won = [event for event in events if event.key in ("wins", "healing_succeeds", "healing_fails")]
        recap = recap_of(table)
        assert (recap.verdict is None) == (not won)
        if recap.verdict is not None:
            assert recap.headline is not None
            assert recap.verdict.reason is not None
            if won[-1].key == "wins":
                assert recap.headline.about["name"] == won[-1].about["names"][0]
            assert recap.verdict.reason.about["stakes"] == won[-1].about["stakes"]
            assert not {*recap.verdict.winners} & {*recap.verdict.losers}
            fallout = {one.about["name"]: one.cards for one in recap.verdict.paid if one.key == "paid_fallout"}
            assert fallout.keys() >= table.view(GM)["outcomes"].keys() or table.view(GM)["conflict"]["winner"] is None
            for name, outcome in table.view(GM)["outcomes"].items():
                assert sorted(fallout[name]) == sorted(outcome["fallout"])


def test_dogpile_holds_its_score_against_par_and_the_best_packs() -> None:
    for table in some_games("dogpile"):
        verdict = recap_of(table).verdict
        if verdict is not None:
            assert isinstance(table.game, Dogpile)
            assert verdict.score is not None
            assert verdict.score.n == len(table.game.dogpile)
            assert verdict.score.par == (verdict.reason.about["par"] if verdict.reason else None)
            assert (verdict.score.best or 0) >= verdict.score.n


@pytest.mark.parametrize("game", ["gunfight", "hackjack", "initiative"])
def test_the_turning_point_takes_a_loser_out(game: str) -> None:
    turns = 0
    for table in some_games(game):
        recap = recap_of(table)
        if recap.verdict is not None and (turn := recap.verdict.turning_point) is not None:
            state = {one.name: one.state for one in recap.people}
            assert state[turn.about["name"]] != "up" or game == "hackjack"
            turns += 1
    assert turns >= len(SEEDS) / 2


def test_a_game_that_only_counts_has_a_verdict_by_its_winnings(monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(EXPECTED) | {"dogs"} == set(game_names())
    table = Table.read(['{"cardhouse":1,"game":"initiative","seats":["gm","ada","ben"]}'])
    for won, verdict in [
        ({"ada": 2, "ben": 1}, GameVerdict(["ada"], ["ben"])),
        ({"ada": 2, "ben": 2}, None),
        ({"ada": 0, "ben": -1}, None),
    ]:
        monkeypatch.setattr(type(table.game), "returns", lambda game, won=won: won)
        assert recap_of(table).verdict == verdict
