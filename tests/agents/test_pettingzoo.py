"""PettingZoo's environments, checked by PettingZoo's own tests and by ours."""

from __future__ import annotations

import runpy
import sys
from collections.abc import Iterator

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from cardhouse.agents.pettingzoo import ENVIRONMENTS, CardhouseEnv, DogpileEnv, DogsEnv, env
from cardhouse.engine import CardhouseError, SeededDealer, Table
from cardhouse.games.dogpile.rules import Dogpile

# PettingZoo knows the environments whose observations are dictionaries with a mask by a list of its own, and warns of
# all others; and of a mask without a 1 it warns even where an agent's game is over, and nothing is open to it.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros"),
]

each_game = pytest.mark.parametrize("game", ENVIRONMENTS)


@each_game
def test_pettingzoos_own_tests(game: str):
    for environment in (env(game, render_mode="ansi"), ENVIRONMENTS[game]()):
        for agent in environment.possible_agents:
            environment.action_space(agent).seed(1)
        api_test(environment, num_cycles=60)
    seed_test(lambda: env(game), num_cycles=60)


def play(environment: CardhouseEnv, seed: int) -> Iterator[tuple[str, dict[str, np.ndarray], float]]:
    """A game of random choices: each agent's observations and rewards, up to the last."""
    environment.reset(seed=seed)
    for agent in environment.agents:
        environment.action_space(agent).seed(seed)
    for agent in environment.agent_iter():
        seen, reward, ended, cut_off, _ = environment.last()
        assert seen is not None
        assert not cut_off
        yield agent, seen, reward
        environment.step(None if ended else int(environment.action_space(agent).sample(seen["action_mask"])))


@each_game
def test_a_game_is_a_transcript(game: str):
    """It replays through the rules to the same end, and what agents were given is what it was worth."""
    environment = ENVIRONMENTS[game]()
    for seed in range(3):
        given = dict.fromkeys(environment.possible_agents, 0.0)
        for agent, _, reward in play(environment, seed):
            given[agent] += reward
        playing = environment.playing
        assert given == pytest.approx(playing.scores)
        assert environment.agents == []
        again = Table.read(playing.transcript().splitlines(), SeededDealer(99))
        assert again.transcript() == playing.transcript()


@each_game
def test_the_mask_is_for_the_agent_to_move(game: str):
    environment = ENVIRONMENTS[game]()
    for agent, seen, _ in play(environment, 4):
        playing = environment.playing
        asked = playing.seat == agent
        assert np.flatnonzero(seen["action_mask"]).tolist() == (playing.open if asked else [])
        for other in set(environment.agents) - {agent}:
            assert not environment.observe(other)["action_mask"].any()


@each_game
def test_the_same_seed_is_the_same_game_and_the_next_follows_from_it(game: str):
    one, other = ENVIRONMENTS[game](), ENVIRONMENTS[game]()

    def openings(environment: CardhouseEnv) -> list[bytes]:
        found = []
        for seed in (5, None, None):
            environment.reset(seed=seed)
            found.append(b"".join(environment.observe(agent)["observation"].tobytes() for agent in environment.agents))
        return found

    assert openings(one) == openings(other)


def test_a_seed_is_a_deal():
    """Others are other deals."""
    environment, seen = DogpileEnv(), set()
    for seed in range(5):
        environment.reset(seed=seed)
        seen.add(environment.observe("player_0")["observation"].tobytes())
    assert len(seen) == 5


def test_an_action_that_is_not_open_is_refused_and_changes_nothing():
    environment = env("dogs")
    environment.reset(seed=1)
    before = environment.unwrapped.playing.transcript()
    with pytest.raises(CardhouseError, match=r"^52 \(see\) is not open to player_0 now\. Open: .* and \d+ more\.$"):
        environment.step(52)
    with pytest.raises(CardhouseError, match=r"99 \(not an action\) is not open to player_0"):
        environment.step(99)
    with pytest.raises(CardhouseError, match="player_0 must choose an action"):
        environment.step(None)
    assert environment.unwrapped.playing.transcript() == before
    environment.step(np.int64(environment.last()[0]["action_mask"].argmax()))
    assert environment.unwrapped.playing.transcript() != before


def test_no_game_before_the_first():
    with pytest.raises(CardhouseError, match=r"call reset\(\)"):
        DogsEnv().step(0)


def test_it_is_shown_as_the_table_tells_it():
    environment = DogpileEnv(render_mode="ansi", rounds=1)
    environment.reset(seed=1)
    shown = environment.render()
    assert shown is not None
    assert "draws 5 cards" in shown.splitlines()[1]
    game = environment.playing.table.game
    assert isinstance(game, Dogpile)
    assert not any(card in shown for card in game.hands["player_0"])
    assert DogpileEnv().render() is None


def test_parameters_are_the_scenes():
    environment = DogpileEnv(players=3, reach=1, jokers=0)
    assert environment.possible_agents == ["player_0", "player_1", "player_2"]
    assert environment.action_space("player_0").n == 52 * 8 + 1


@pytest.mark.parametrize(
    ("game", "parameters", "said"),
    [
        ("poker", {}, 'no environment "poker"; there are dogpile, dogs'),
        ("dogs", {"render_mode": "human"}, 'render_mode can be "ansi", or left out, not "human"'),
        ("dogs", {"players": 3}, "dogs has no parameter players. Available: stats"),
        ("hackjack", {"rounds": 0}, "rounds must be a whole number from 1 to 100, not 0"),
    ],
)
def test_bad_parameters_are_refused_at_once(game, parameters, said):
    with pytest.raises(CardhouseError, match=said):
        env(game, **parameters)


@pytest.mark.parametrize(("module", "missing"), [("pettingzoo", "pettingzoo"), ("open_spiel", "pyspiel")])
def test_without_the_extra_it_says_how_to_get_it(module: str, missing: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, missing, None)
    monkeypatch.delitem(sys.modules, f"cardhouse.agents.{module}", raising=False)
    with pytest.raises(ImportError, match=r"pip install 'cardhouse\[agents\]'"):
        runpy.run_module(f"cardhouse.agents.{module}")
