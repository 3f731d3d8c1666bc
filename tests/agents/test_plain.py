"""Agents for any game, from its offers and views, checked by PettingZoo's and OpenSpiel's tests and by ours."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from random import Random
from typing import Any

import pyspiel
import pytest
from pettingzoo.test import api_test, seed_test

from cardhouse.agents import open_spiel
from cardhouse.agents.pettingzoo import environment_of
from cardhouse.agents.plain import PlainScene, plain_scene
from cardhouse.agents.playing import Playing
from cardhouse.agents.registry import scenes
from cardhouse.agents.scene import make_scene
from cardhouse.engine import CardhouseError, SeededDealer, Table
from tests.agents.strangers import STRANGERS, TOYS, found_in, install_strangers

OURS = ("dogpile", "dogs", "gunfight", "hackjack", "initiative")
each_stranger = pytest.mark.parametrize("game", STRANGERS)
each_game = pytest.mark.parametrize("game", STRANGERS + OURS)
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:We recommend agents to be named"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros"),
]


@pytest.fixture(scope="module", autouse=True)
def strangers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with found_in(install_strangers(tmp_path_factory.mktemp("strangers")), TOYS):
        yield


def scene_of(game: str, **parameters: Any) -> PlainScene:
    scene = make_scene(plain_scene(game), {"answers": 12, **parameters})
    assert isinstance(scene, PlainScene)
    return scene


def step(playing: Playing, rng: Random) -> None:
    """One choice, card or die at random."""
    if playing.drawing is not None:
        playing.name_card(rng.choice(playing.drawing.cards))
    elif playing.rolling is not None:
        playing.name_face(rng.randint(1, playing.rolling.count_and_sides()[1]))
    else:
        playing.choose(rng.choice(playing.open))


def random_game(scene: PlainScene, seed: int, *, paper: bool = False) -> Iterator[Playing]:
    """A game of random choices, stopped before each and at the end."""
    rng, playing = Random(seed), Playing(scene, SeededDealer(seed), paper=paper, remembers=True)
    while not playing.is_over:
        yield playing
        step(playing, rng)
    yield playing


# Other people's tests.


@each_game
def test_pettingzoos_own_tests(game: str):
    environment = environment_of(plain_scene(game))
    for agent in (one := environment(answers=15, render_mode="ansi")).possible_agents:
        one.action_space(agent).seed(1)
    api_test(one, num_cycles=30)
    seed_test(lambda: environment(answers=15), num_cycles=30)


@each_stranger
def test_openspiels_own_test(game: str):
    if game not in open_spiel.GAMES:
        open_spiel.GAMES[game] = open_spiel.register(plain_scene(game))
    pyspiel.random_sim_test(
        pyspiel.load_game(f"cardhouse_{game}(answers=8)"), num_sims=2, serialize=True, verbose=False
    )


@pytest.mark.parametrize("game", OURS)
def test_openspiels_own_test_of_our_games_without_their_scenes(game: str):
    kind = type("PlainGame", (open_spiel.CardhouseGame,), {"kind": plain_scene(game)})
    pyspiel.random_sim_test(kind({"answers": 5}), num_sims=1, serialize=False, verbose=False)


# Which games, and how.


def test_every_game_without_a_scene_has_a_plain_one():
    found = scenes()
    assert [game for game, kind in found.items() if issubclass(kind, PlainScene)] == sorted(STRANGERS)
    assert set(OURS) < set(found)


def test_options_of_the_game_are_parameters():
    scene = scene_of("highest", rounds=1, players=3)
    assert scene.players == ("gm", "player_0", "player_1", "player_2")
    *_, playing = random_game(scene, 1)
    assert len(playing.log) == 4
    assert not playing.is_cut_off
    for wrong, said in (({"rounds": 99}, "rounds"), ({"gm": "nobody"}, "gm must be one of agent, first")):
        with pytest.raises(CardhouseError, match=said):
            scene_of("highest", **wrong)


def test_the_game_master_can_be_played_by_a_bot():
    scene = scene_of("red_dog", gm="careful", answers=40)
    assert scene.players == ("player_0", "player_1")
    *_, playing = random_game(scene, 1)
    by_gm = [entry.lines[0]["do"] for entry in playing.log if entry.by == "gm"]
    assert {"more", "stop"} >= set(by_gm) != set()


# What is said.


@each_game
def test_a_game_is_a_transcript_and_goes_on_from_copies(game: str):
    for paper in (False, True):
        copy = None
        for place, playing in enumerate(random_game(scene_of(game), 3, paper=paper)):
            if place == 5:
                copy, again = playing.copy(), pickle.loads(pickle.dumps(playing))
                assert copy.transcript() == again.transcript() == playing.transcript()
                assert (copy.open, copy.seat, copy.picked, copy.faces) == (
                    again.open,
                    again.seat,
                    again.picked,
                    again.faces,
                )
        assert Table.read(playing.transcript().splitlines()).transcript() == playing.transcript()


@each_game
def test_a_number_means_the_same_at_all_times(game: str):
    """Every setting with the same options and seats has the same words, no two alike."""
    words = scene_of(game).words
    assert len(set(words)) == len(words)
    assert scene_of(game, answers=3).words == words


def test_games_without_fields_have_an_action_for_each_word():
    assert scene_of("highest").words == ("take",)
    assert scene_of("red_dog").words == ("more", "stop")


def test_an_answer_is_spelled_by_its_word_and_its_fields():
    scene = scene_of("toy", players=1)
    playing = Playing(scene, paper=True)
    words = scene.words
    say(playing, "guess", "4")
    playing.name_face(1)
    playing.name_face(3)
    for card in ("C2", "C5"):
        playing.name_card(card)
    say(playing, "keep")
    assert [words[number] for number in playing.open] == ["C2", "C5", "(done)"]
    say(playing, "C5", "(done)", "true")
    assert [entry.lines[0] for entry in playing.log if entry.kind == "do"] == [
        {"by": "gm", "do": "guess", "number": 4},
        {"by": "player_0", "do": "keep", "cards": ["C5"], "back_on_top": True},
    ]


def say(playing: Playing, *words: str) -> None:
    for word in words:
        playing.choose(playing.scene.words.index(word))


def test_a_bots_answer_has_numbers():
    playing = Playing(scene_of("red_dog"), SeededDealer(1))
    while not playing.is_over:
        (number,) = playing.numbers_of("careful", Random(1))
        assert playing.scene.words[number] in ("more", "stop")
        playing.choose(number)


# What is seen.


@each_game
def test_observations_fit_the_layout(game: str):
    scene = scene_of(game)
    most = scene.layout.most()
    for playing in random_game(scene, 1):
        for seat in scene.players:
            row = playing.observation(seat)
            assert all(0 <= number <= top for number, top in zip(row, most, strict=True))


def test_what_is_hidden_is_not_seen():
    """Of the toy: the player draws two cards, and the others see how many; here the cards are others."""
    scene = scene_of("toy", players=1)
    games = []
    for cards in (("C2", "C5"), ("C3", "CA")):
        playing = Playing(scene, paper=True, remembers=True)
        say(playing, "guess", "4")
        for face in (1, 3):
            playing.name_face(face)
        for card in cards:
            playing.name_card(card)
        games.append(playing)
    one, other = games
    assert known(one, "gm") == known(other, "gm")
    assert known(one, "player_0") != known(other, "player_0")
    for game, card in ((one, "C5"), (other, "CA")):
        say(game, "keep", card)  # what has been picked is nobody else's to see before it is said
    assert known(one, "gm") == known(other, "gm")


def known(playing: Playing, seat: str) -> list[Any]:
    """All that a seat knows of a game."""
    return [playing.observation(seat), playing.memory[seat], playing.open if playing.seat == seat else []]


def test_observations_can_be_looked_up():
    scene = scene_of("highest")
    playing = Playing(scene, paper=True)
    say(playing, "take")
    playing.name_card("H7")
    places = {piece.name: place for piece, place in scene.layout.slices()}
    row = playing.observation("player_0")
    assert row[places["view.deck_left"]] == [51, 0]
    cards = row[places["view.players.0.card.0"]]
    assert scene.vocabulary.strings[cards.index(1)] == "H7"


def test_a_view_of_lists_in_lists_has_a_row_that_is_not_too_long():
    scene = scene_of("dogs")
    assert scene.layout.size < 11_000


# What it is worth.


def test_a_games_returns_are_the_reward():
    *_, playing = random_game(scene_of("highest", rounds=3, answers=20), 1)
    won = {player["seat"]: player["wins"] for player in playing.table.view("gm")["players"]}
    assert playing.scores == won
    assert sum(won.values()) > 0


def test_a_game_that_counts_nothing_is_worth_nothing():
    *_, playing = random_game(scene_of("red_dog"), 1)
    assert set(playing.scores.values()) == {0.0}
