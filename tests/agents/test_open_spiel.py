"""OpenSpiel's games, checked by OpenSpiel's own test and by ours."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import cfr, exploitability, ismcts, mcts
from open_spiel.python.observation import make_observation

from cardhouse.agents import open_spiel
from cardhouse.engine import CardhouseError, Table
from tests.agents.strangers import STRANGERS

GAMES = [
    "cardhouse_dogpile",
    "cardhouse_dogpile(players=3,rounds=2,hand_size=2,reach=1,touching=True,lone_leader=joins)",
    "cardhouse_dogs",
    "cardhouse_dogs(stats=2 1 1 2/1 2 2 1,things=+* o/-,arena=guns,hidden_hands=True)",
]
each_game = pytest.mark.parametrize("name", GAMES)

BARE = "cardhouse_dogs(stats=1 1 1 1,things=,improvised=0,hidden_hands=True)"
"""Two cards each, and two more for each who escalates."""
TINY = BARE.replace(")", ",escalates=False,dealt=S7 H3 D9/D5 C4)")
"""Two cards each and no more, all known to the first player but one of the other's."""


@each_game
def test_openspiels_own_test(name: str):
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=2, serialize=True, verbose=False)


def after(name: str, *moves: str) -> Any:
    """The state after these cards and choices."""
    state = pyspiel.load_game(name).new_initial_state()
    for move in moves:
        state.apply_action(state.string_to_action(move))
    return state


def play(name: str, seed: int) -> Any:
    """The end of a game of random choices, in which nobody gives as long as anything else is open."""
    state, rng = pyspiel.load_game(name).new_initial_state(), Random(seed)
    while not state.is_terminal():
        actions = [a for a in state.legal_actions() if state.action_to_string(a) != "give"] or state.legal_actions()
        state.apply_action(rng.choice(actions))
    return state


@each_game
def test_a_game_is_a_transcript(name: str):
    """It replays through the rules to the same end, and is as long as it is said to be at most."""
    game = pyspiel.load_game(name)
    for seed in range(3):
        state = play(name, seed)
        again = Table.read(state.playing.transcript().splitlines())
        assert again.view("gm") == state.playing.table.view("gm")
        assert again.transcript().rstrip() == str(state)
        drawn = sum(isinstance(said, str) for said in state.playing.moves)
        assert drawn <= game.max_chance_nodes_in_history()
        assert len(state.playing.moves) - drawn <= game.max_game_length()


def test_openspiel_gets_their_properties():
    dogpile, dogs = pyspiel.load_game("cardhouse_dogpile").get_type(), pyspiel.load_game("cardhouse_dogs").get_type()
    hidden = pyspiel.load_game(BARE).get_type()
    kind = pyspiel.GameType
    assert dogpile.utility == kind.Utility.IDENTICAL
    assert dogs.utility == kind.Utility.ZERO_SUM
    informed = [one.information for one in (dogpile, dogs, hidden)]
    imperfect, perfect = kind.Information.IMPERFECT_INFORMATION, kind.Information.PERFECT_INFORMATION
    assert informed == [imperfect, perfect, imperfect]
    assert {one.chance_mode for one in (dogpile, dogs)} == {kind.ChanceMode.EXPLICIT_STOCHASTIC}


def test_chance_is_the_cards_that_are_left_each_as_likely():
    state = after("cardhouse_dogpile(hand_size=1)", "C2")
    outcomes = state.chance_outcomes()
    assert len(outcomes) == 53
    assert "C2" not in {state.action_to_string(action) for action, _ in outcomes}
    assert sum(chance for _, chance in outcomes) == pytest.approx(1)
    assert len({chance for _, chance in outcomes}) == 1


def test_rewards_come_at_the_end():
    name = "cardhouse_dogpile(hand_size=2,rounds=1)"
    dealt = ("C2", "C3", "H8", "S9", "C4")
    assert after(name, *dealt, "C3 at 0,1", "done").returns() == [0, 0]
    assert after(name, *dealt, "C3 at 0,1", "done", "done").returns() == [2, 2]
    ended = after(BARE, "S7", "H2", "D9", "CK", "S7", "give")
    assert (ended.is_terminal(), ended.returns()) == (True, [1, -1])


def known(state: Any, player: int) -> list[Any]:
    """All that a player knows of a state."""
    return [
        state.information_state_string(player),
        state.observation_string(player),
        state.observation_tensor(player),
        state.information_state_tensor(player),
        state.legal_actions(player),
    ]


@pytest.mark.parametrize(
    ("name", "one", "other", "then"),
    [
        (BARE, ["S7", "H2", "D9", "CK"], ["S7", "H2", "DA", "C4"], ["H2"]),
        (
            "cardhouse_dogpile(hand_size=2)",
            ["C2", "C3", "H8", "S9", "C4"],
            ["C2", "C3", "H9", "S2", "C4"],
            ["C2 at 0,1", "done"],
        ),
    ],
)
def test_what_is_hidden_is_not_known(name: str, one: list[str], other: list[str], then: list[str]):
    """Two states that differ in the other's hand are one to a player, before and after it has chosen."""
    for moves in ([], then):
        states = [after(name, *dealt, *moves) for dealt in (one, other)]
        assert known(states[0], 0) == known(states[1], 0)
        assert known(states[0], 1) != known(states[1], 1)


def test_past_observations_are_remembered():
    """Where somebody laid in a round that is over, nobody sees any more; who has a perfect memory knows."""
    name = "cardhouse_dogpile(hand_size=1,rounds=2)"
    rounds = [after(name, "C2", "H8", "S5", f"C2 at {cell}", "done", "DJ", "D2") for cell in ("0,1", "1,1")]
    for player in (0, 1):
        assert len({state.information_state_string(player) for state in rounds}) == 2
        assert len({tuple(state.observation_tensor(player)) for state in rounds}) == 1
        assert len({tuple(state.information_state_tensor(player)) for state in rounds}) == 2


@pytest.mark.parametrize("name", [GAMES[3], "cardhouse_dogpile(rounds=2,reach=1)"])
def test_the_tensor_of_an_information_state_tells_apart_what_the_text_does(name: str):
    """And nothing else: in other worlds that a player can't tell from this one both are the same."""
    known: dict[tuple[float, ...], str] = {}
    state, rng = pyspiel.load_game(name).new_initial_state(), Random(5)
    for _ in range(24):
        for player in range(2 if state.current_player() >= 0 else 0):
            tensor = tuple(state.information_state_tensor(player))
            assert known.setdefault(tensor, state.information_state_string(player)) == state.information_state_string(
                player
            )
        if (player := state.current_player()) >= 0:
            other = state.resample_from_infostate(player, rng.random)
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.information_state_tensor(player) == state.information_state_tensor(player)
            assert other.legal_actions() == state.legal_actions()
        state.apply_action(rng.choice([a for a in state.legal_actions() if state.action_to_string(a) != "give"]))
    assert len(set(known.values())) == len(known) > 10


def test_hidden_cards_are_resampled_evenly():
    state, rng = after(TINY, "S7", "H3", "D9", "C4"), Random(2)
    dealt = Counter(str(state.resample_from_infostate(0, rng.random).playing.moves[2:4]) for _ in range(100))
    assert set(dealt) == {"['D9', 'C4']", "['D5', 'C4']"}
    assert abs(dealt["['D9', 'C4']"] - 50) < 4 * 25**0.5


def test_clones_go_their_own_ways():
    state = after(BARE, "S7", "H2", "D9", "CK")
    before, clone = str(state), state.clone()
    clone.apply_action(clone.string_to_action("give"))
    assert (str(state), state.is_terminal()) == (before, False)
    assert clone.is_terminal()


def test_an_answer_of_several_numbers_can_be_cloned_and_written_down():
    state = after(BARE, "S7", "D6", "D5", "C4", "S7", "C4")
    game = state.get_game()
    for copy in (state.clone(), game.deserialize_state(state.serialize())):
        assert copy.legal_actions() == state.legal_actions() == [state.string_to_action("D5")]
        copy.apply_action(copy.string_to_action("D5"))
        assert copy.action_to_string(copy.legal_actions()[0]) == "see"


def test_observers():
    game = pyspiel.load_game("cardhouse_dogpile")
    state = after("cardhouse_dogpile", "C2", "C3", "H8", "S9", "C4")
    seen = make_observation(game)
    seen.set_from(state, 0)
    assert seen.tensor.tolist() == state.observation_tensor(0)
    assert seen.dict["faces"].shape == (54, 5, 5)
    assert seen.tensor.dtype == np.float32
    recalls = make_observation(game, pyspiel.IIGObservationType(perfect_recall=True))
    recalls.set_from(state, 0)
    assert recalls.tensor.tolist() == state.information_state_tensor(0)
    assert recalls.dict["hand"].tolist() == seen.dict["hand"].tolist()
    assert recalls.dict["memory"].any()
    assert recalls.string_from(state, 0) == state.information_state_string(0)
    everybodys = pyspiel.PrivateInfoType.ALL_PLAYERS
    with pytest.raises(CardhouseError, match="must show public information"):
        make_observation(game, pyspiel.IIGObservationType(perfect_recall=False, private_info=everybodys))
    with pytest.raises(CardhouseError, match="take no parameters here, but got zoom"):
        make_observation(game, None, {"zoom": 2})


@pytest.mark.parametrize(("name", "moves"), [("cardhouse_dogpile(rounds=1,reach=1,hand_size=2)", 3), (GAMES[3], 2)])
def test_openspiels_ismcts_plays_them(name: str, moves: int):
    """Its search through what a player can't tell apart, which deals anew what is hidden."""
    game, rng, chance = pyspiel.load_game(name), np.random.RandomState(1), Random(3)
    bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, rng), 2.0, 6, random_state=rng)
    state = game.new_initial_state()
    chosen = 0
    while not state.is_terminal() and chosen < moves:
        if state.is_chance_node():
            state.apply_action(chance.choice(state.legal_actions()))
            continue
        action = bot.step(state)
        assert action in state.legal_actions()
        chosen += len(state.legal_actions()) > 1
        state.apply_action(action)
    assert state.is_terminal() or chosen == moves


@pytest.mark.soak
def test_openspiels_cfr_solves_a_tiny_conflict_with_hidden_hands():
    """Nobody knows which of two cards the other was dealt: what either could gain by knowing the play goes down."""
    game = pyspiel.load_game(TINY)
    solver = cfr.CFRSolver(game)
    gained = []
    for _ in range(2):
        for _ in range(2):
            solver.evaluate_and_update_policy()
        gained.append(exploitability.exploitability(game, solver.average_policy()))
    assert 0.5 > gained[0] > 1.9 * gained[1] > 0


@pytest.mark.parametrize(("dealt", "said"), [("S7 X9 D9 C4", "X9 is none"), ("S7 H3", "no remaining card for draw 3")])
def test_cards_that_cannot_be_dealt_are_refused(dealt: str, said: str):
    with pytest.raises(CardhouseError, match=said):
        after(TINY.replace("S7 H3 D9/D5 C4", dealt), "S7", "H3").chance_outcomes()


def test_openspiels_algorithms_play_them():
    """Its search, which clones states and samples chance, and its environment for learning."""
    game = pyspiel.load_game("cardhouse_dogs(stats=1 1 1 1,things=,improvised=0)")
    rng = np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 2, 20, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    state = after(str(game), "SK", "HK", "C2", "CA")
    assert bot.step(state) in state.legal_actions()
    environment = rl_environment.Environment(pyspiel.load_game("cardhouse_dogs"), include_full_state=False)
    first = environment.reset()
    assert first.observations["legal_actions"][0]


@pytest.mark.parametrize(
    ("name", "parameters", "said"),
    [
        ("cardhouse_dogpile", {"reach": 9}, "reach must be a whole number from 1 to 6, not 9"),
        ("cardhouse_dogs", {"stats": "9 9 9 9"}, "stats add up to 36, and 9 is the most"),
        ("cardhouse_dogs", {"arena": "shouting"}, "arena can't be shouting here"),
    ],
)
def test_bad_parameters_are_refused_at_once(name, parameters, said):
    with pytest.raises(CardhouseError, match=said):
        pyspiel.load_game(name, parameters)


def test_the_games_are_registered_once():
    """Those of strangers, too, where these were installed when all were: in other tests of the same process."""
    assert set(open_spiel.GAMES) - set(STRANGERS) == {"dogpile", "dogs"}
    assert {"cardhouse_dogpile", "cardhouse_dogs"} <= set(pyspiel.registered_names())
