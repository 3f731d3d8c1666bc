"""Helpers with which the tests of agents play."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from cardhouse.agents.playing import Playing
from cardhouse.agents.scene import Scene
from cardhouse.engine import Refused, SeededDealer
from cardhouse.games.dogpile.agent import DogpileScene
from cardhouse.games.dogs.agent import DogsScene
from cardhouse.games.gunfight.agent import GunfightScene
from cardhouse.games.hackjack.agent import HackjackScene
from cardhouse.games.initiative.agent import InitiativeScene

SCENES: dict[str, Scene] = {
    "dogpile": DogpileScene(rounds=2),
    "dogpile, three, touching": DogpileScene(players=3, rounds=2, reach=1, hand_size=3, touching=True),
    "dogs": DogsScene(),
    "dogs, hidden": DogsScene(stats="2 1 1 2/1 2 2 1", things="+* o/-", arena="guns", hidden_hands=True),
    "gunfight": GunfightScene(hp=1),
    "hackjack": HackjackScene(players=3, jokers=True),
    "initiative": InitiativeScene(players=3),
}


def random_game(scene: Scene, seed: int, *, paper: bool = False) -> Iterator[Playing]:
    """A game of random choices, stopped before each and at the end. Nobody gives a conflict up as long as it can."""
    rng = Random(seed)
    playing = Playing(scene, SeededDealer(seed), paper=paper, remembers=True)
    while not playing.is_over:
        yield playing
        if playing.drawing is not None:
            playing.name_card(rng.choice(playing.drawing.cards))
        else:
            playing.choose(rng.choice(without_giving(playing)))
    yield playing


def without_giving(playing: Playing) -> list[int]:
    """What is open, but for giving up, if there is anything else."""
    words = playing.scene.words
    return [number for number in playing.open if words[number] != "give"] or playing.open


def is_taken(playing: Playing, answer: Any) -> bool:
    """Whether the table takes this answer of the seat that is asked."""
    assert playing.seat is not None
    try:
        playing.copy().table.answer(playing.scene.speaker(playing.seat, answer), answer)
    except Refused:
        return False
    return True


def dealt(scene: Scene, cards: Sequence[str]) -> Playing:
    """A game with paper decks in which these cards are drawn first."""
    playing = Playing(scene, paper=True, remembers=True)
    for card in cards:
        playing.name_card(card)
    return playing


def choose(playing: Playing, *words: str) -> None:
    """The seats that are asked choose what is called so."""
    for word in words:
        playing.choose(list(playing.scene.words).index(word))


def piece(playing: Playing, seat: str, name: str) -> list[int]:
    """The numbers of one piece of what a seat sees."""
    places = {piece.name: place for piece, place in playing.scene.layout.slices()}
    return playing.observation(seat)[places[name]]
