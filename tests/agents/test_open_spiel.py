"""OpenSpiel's games of ours, by OpenSpiel's own test and by ours."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import mcts
from open_spiel.python.observation import make_observation

from cardhouse.agents import open_spiel
from cardhouse.engine import CardhouseError, Table

GAMES = [
    "cardhouse_dogpile",
    "cardhouse_dogpile(players=3,rounds=2,hand_size=2,reach=1,touching=True,lone_leader=joins)",
    "cardhouse_dogs",
    "cardhouse_dogs(stats=2 1 1 2/1 2 2 1,things=+* o/-,arena=guns,hidden_hands=True)",
]
each_game = pytest.mark.parametrize("name", GAMES)

BARE = "cardhouse_dogs(stats=1 1 1 1,things=,improvised=0,hidden_hands=True)"
"""Two cards each, and two more for each who escalates."""


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
        drawn = sum(isinstance(said, str) for said in state.playing.said)
        assert drawn <= game.max_chance_nodes_in_history()
        assert len(state.playing.said) - drawn <= game.max_game_length()


def test_what_openspiel_is_told_of_them():
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


def test_what_has_been_seen_is_remembered():
    """Where somebody laid in a round that is over, nobody sees any more; who has a perfect memory knows."""
    name = "cardhouse_dogpile(hand_size=1,rounds=2)"
    rounds = [after(name, "C2", "H8", "S5", f"C2 at {cell}", "done", "DJ", "D2") for cell in ("0,1", "1,1")]
    for player in (0, 1):
        assert len({state.information_state_string(player) for state in rounds}) == 2
        assert len({tuple(state.observation_tensor(player)) for state in rounds}) == 1


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
    assert recalls.tensor is None
    assert recalls.string_from(state, 0) == state.information_state_string(0)
    everybodys = pyspiel.PrivateInfoType.ALL_PLAYERS
    with pytest.raises(CardhouseError, match="sees what one player does"):
        make_observation(game, pyspiel.IIGObservationType(perfect_recall=False, private_info=everybodys))
    with pytest.raises(CardhouseError, match="take no parameters; there are zoom"):
        make_observation(game, None, {"zoom": 2})


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
def test_bad_parameters_are_told_at_once(name, parameters, said):
    with pytest.raises(CardhouseError, match=said):
        pyspiel.load_game(name, parameters)


def test_the_games_are_registered_once():
    assert set(open_spiel.GAMES) == {"dogpile", "dogs"}
    assert {"cardhouse_dogpile", "cardhouse_dogs"} <= set(pyspiel.registered_names())
