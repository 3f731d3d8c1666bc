"""Scenes: openings for one player, written with blanks in `scenes.toml` beside a game's rules (docs/authors.md).

A blank such as `{foe}` or `{foe2}` stands for a value of the pool `foe`, drawn at random. The same blank always stands
for the same value, and no two blanks of a pool do.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from random import Random
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from cardhouse.engine.chance.dealers import SeededDealer
from cardhouse.engine.game.catalogue import folder_of
from cardhouse.engine.game.game import Game
from cardhouse.engine.table.table import Table
from cardhouse.engine.values.error_messages import plainly
from cardhouse.engine.values.errors import BadGame, CardhouseError
from cardhouse.engine.values.questions import GM
from cardhouse.engine.values.transcript import Line

FILE = "scenes.toml"
TITLE = 40
ABOUT = 90
"""The most characters of a title and of the line about a scene, blanks as they are written."""
_BLANK = re.compile(r"\{([a-z_]+)(\d*)\}")

_OF_PLAYERS, _OF_FOES = 100, 200
"""The first numbers of the blanks in a starter cast's further characters."""

Pools = Mapping[str, list[str | int]]


class OpeningScene(Struct, frozen=True, forbid_unknown_fields=True):
    """A scene: the name of its table, what the player in the seat `you` wants, and the answers that set it up.

    `people` has the players' names by seat. `pools` are the scene's own, beside those of the file. `bots` names
    bots of other seats, where they aren't the game's first.
    """

    key: str
    title: str
    about: str
    people: dict[str, str]
    answers: list[dict[str, Any]]
    options: dict[str, Any] = {}
    pools: dict[str, list[str | int]] = {}
    bots: dict[str, str] = {}
    you: str = "p1"


class _ScenesFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A file of scenes, with the pools that all of them share."""

    scenes: list[OpeningScene]
    pools: dict[str, list[str | int]] = {}


class SceneOpening(NamedTuple):
    """A scene with all blanks filled: its table after the answers, and what the player wants."""

    scene: OpeningScene
    table: Table
    about: str


@cache
def scenes_of(game: type[Game]) -> tuple[OpeningScene, ...]:
    """Return a game's scenes, with the pools of their file; none without a file.

    Raises BadGame if the file is invalid.
    """
    path = folder_of(game) / FILE
    if not path.exists():
        return ()
    try:
        found = msgspec.toml.decode(path.read_bytes(), type=_ScenesFile)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        problem = plainly(error, "the file") if isinstance(error, msgspec.ValidationError) else str(error)
        raise BadGame(f"{folder_of(game).name}/{FILE}: {problem}.") from None
    return tuple(msgspec.structs.replace(one, pools={**found.pools, **one.pools}) for one in found.scenes)


def check_scenes(game: type[Game], scenes: Sequence[OpeningScene]) -> None:
    """Raise BadGame, naming the scene, unless keys are unique, texts short, and the player has a seat."""
    keys = [one.key for one in scenes]
    for one in scenes:
        problem = "the key is used twice" if keys.count(one.key) > 1 else ""
        problem = problem or (f"the title is longer than {TITLE} characters" if len(one.title) > TITLE else "")
        problem = problem or (f"the line about it is longer than {ABOUT} characters" if len(one.about) > ABOUT else "")
        problem = problem or (f"the seat {one.you} isn't among its people" if one.you not in one.people else "")
        if problem:
            raise BadGame(f"{folder_of(game).name}/{FILE}, the scene {one.key}: {problem}.")


def choose_scene(scenes: Sequence[OpeningScene], rng: Random, key: str = "", but: str = "") -> OpeningScene:
    """Return the scene with this key, or a random one, if possible not the one with the key `but`.

    Raises CardhouseError if there is no such scene.
    """
    if key:
        found = next((one for one in scenes if one.key == key), None)
        if found is None:
            raise CardhouseError(f'There is no scene "{key[:40]}".', "not_found")
        return found
    return rng.choice([one for one in scenes if one.key != but] or list(scenes))


def open_scene(game: type[Game], scene: OpeningScene, rng: Random) -> SceneOpening:
    """Return a scene with random values in its blanks, and its cards dealt at random.

    Raises BadGame, naming the scene, if a blank has no value left, or an answer isn't offered.
    """
    try:
        filled = _Blanks(scene.pools, rng)
        names = {seat: str(filled.value(name)) for seat, name in scene.people.items()}
        title, options = str(filled.value(scene.title)), filled.value(scene.options)
        dealer = SeededDealer(rng.getrandbits(64))
        table = Table.new(game.name, [GM, *names], options, dealer, names=names, name=title)
        for answer in scene.answers:
            line: Line = filled.value(answer)
            table.answer(line.get("by", GM), {key: value for key, value in line.items() if key != "by"})
        return SceneOpening(scene, table, str(filled.value(scene.about)))
    except CardhouseError as error:
        raise BadGame(f"{folder_of(game).name}/{FILE}, the scene {scene.key}: {error.message}") from None


def joins_of(game: type[Game], scene: OpeningScene) -> list[dict[str, Any]]:
    """Return the answers by which a scene's characters join, with blanks."""
    word = game.prepares.word() if game.prepares is not None else None
    return [answer for answer in scene.answers if answer["do"] == word]


def cast_of(game: type[Game], seats: Sequence[str], rng: Random) -> list[Line]:
    """Return the game master's answers that bring a starter cast to an empty table; none without a fitting scene.

    It is the cast of a random scene with a character for each of these seats, and foes in proportion, as far as
    the pools go.
    """
    scenes = [one for one in scenes_of(game) if _players_in(joins_of(game, one))]
    most = max((len(one.people) for one in scenes if len(one.people) <= len(seats)), default=0)
    if not (scenes := [one for one in scenes if len(one.people) == most] or scenes):
        return []
    scene = rng.choice(scenes)
    joins, blanks = joins_of(game, scene), _Blanks(scene.pools, rng)
    heroes = _players_in(joins)
    foes = [one for one in joins if one not in heroes]
    more = _stretched(foes, round(len(foes) * len(seats) / len(heroes)), _OF_FOES)
    found: list[Line] = []
    for seat, line in (
        *zip(seats, _stretched(heroes, len(seats), _OF_PLAYERS), strict=True),
        *((GM, foe) for foe in more),
    ):
        with suppress(CardhouseError):  # its pool is empty
            found.append({**blanks.value(line), "controller": seat})
    return found


def _players_in(joins: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the first of each player's characters."""
    found: dict[str, dict[str, Any]] = {}
    for one in joins:
        if "controller" in one:
            found.setdefault(one["controller"], one)
    return list(found.values())


def _stretched(lines: Sequence[dict[str, Any]], many: int, mark: int) -> list[dict[str, Any]]:
    """Return this many lines: the first ones, or all and further ones like them, with blanks numbered from `mark`."""
    further = (
        _renumbered(lines[place % len(lines)], mark + place) for place in range(len(lines), many if lines else 0)
    )
    return [*lines[:many], *further]


def _renumbered(line: Mapping[str, Any], number: int) -> dict[str, Any]:
    """Return a line with this number in all its blanks."""
    blanks = rf"{{\g<1>{number}}}"
    return {key: _BLANK.sub(blanks, said) if isinstance(said, str) else said for key, said in line.items()}


class _Blanks:
    """The values of a scene's blanks, drawn as they are met."""

    def __init__(self, pools: Pools, rng: Random) -> None:
        self._left = {name: rng.sample(values, len(values)) for name, values in pools.items()}
        self._found: dict[str, str | int] = {}

    def value(self, given: Any) -> Any:
        """Return plain data with its blanks filled. A text that is one blank becomes the value itself."""
        if isinstance(given, str):
            whole = _BLANK.fullmatch(given)
            return self._of(whole) if whole else _BLANK.sub(lambda found: str(self._of(found)), given)
        if isinstance(given, dict):
            return {key: self.value(one) for key, one in given.items()}
        return [self.value(one) for one in given] if isinstance(given, list) else given

    def _of(self, blank: re.Match[str]) -> str | int:
        if blank[0] not in self._found:
            if not self._left.get(blank[1]):
                raise CardhouseError(f"the pool {blank[1]} has no value for {blank[0]}: add one to it.")
            self._found[blank[0]] = self._left[blank[1]].pop()
        return self._found[blank[0]]
