"""The scenes of each game: Play opens differently each time, and each scene can be played to its end."""

from collections.abc import Mapping
from random import Random
from typing import Any

import msgspec
import pytest

from cardhouse.engine import (
    GM,
    HOUSE,
    STORY,
    CardhouseError,
    Table,
    find_game,
    game_names,
    read_header,
    recap_of,
)
from cardhouse.engine.chance.sample_answers import some_answer
from cardhouse.engine.table.scenes import OpeningScene, cast_of, check_scenes, open_scene, scenes_of
from cardhouse.engine.values.errors import BadGame
from cardhouse.player.monte_carlo import look_ahead
from cardhouse.player.openings import bots_of, opening_of
from cardhouse.server.transcripts.lessons import Continued, SceneRequest, continue_lesson

LONGEST_SCENE = 400
FEW_PLAYOUTS = 1
PLAYED = 20


def opening(found: Continued) -> tuple[str, tuple[str, ...], str]:
    """Return what tells one opening from another, apart from cards: scene, people, and the line about it."""
    header = read_header(found.made.header)
    return found.scene, tuple(header.names.values()), found.about


@pytest.mark.parametrize("game", game_names())
def test_play_opens_differently_each_time(game: str) -> None:
    assert len(scenes_of(find_game(game))) >= 6
    found, last = [], ""
    for _ in range(PLAYED):
        found.append(continue_lesson(game, "now", SceneRequest(but=last)))
        assert found[-1].scene != last
        last = found[-1].scene
    assert len({one.scene for one in found}) >= 4
    assert len(set(map(opening, found))) >= 15


@pytest.mark.parametrize("players", [1, 2, 4, 7])
@pytest.mark.parametrize("game", ["gunfight", "hackjack", "initiative"])
def test_a_starter_cast_has_a_character_for_each_player_and_foes(game: str, players: int) -> None:
    seats = [f"p{number + 1}" for number in range(players)]
    for seed in range(PLAYED):
        table = Table.new(game, [GM, *seats])
        cast = cast_of(find_game(game), seats, Random(seed))
        for line in cast:
            table.answer(GM, line)
        played = [line["controller"] for line in cast]
        assert [seat for seat in played if seat != GM] == seats
        assert GM in played
        assert table.number == len(cast)


@pytest.mark.parametrize("game", ["dogs", "dogpile"])
def test_a_game_whose_scenes_add_no_characters_has_no_starter_cast(game: str) -> None:
    assert cast_of(find_game(game), ["p1"], Random(1)) == []


@pytest.mark.parametrize("game", game_names())
def test_the_same_scene_can_be_chosen(game: str) -> None:
    for scene in scenes_of(find_game(game)):
        found = continue_lesson(game, "now", SceneRequest(scene=scene.key))
        assert (found.scene, found.you) == (scene.key, scene.you)
        assert found.made.bots == bots_of(find_game(game), scene)
        assert len(found.made.bots) == len(scene.people)
    with pytest.raises(CardhouseError, match='There is no scene "nowhere"'):
        continue_lesson(game, "now", SceneRequest(scene="nowhere"))


@pytest.mark.parametrize("game", game_names())
def test_a_scene_is_played_against_bots_to_its_end(game: str) -> None:
    """A person alone decides first, and only for their own characters; the recap at the end has a verdict."""
    kind = find_game(game)
    for scene in scenes_of(kind):
        table, rng, bots = opening_of(kind, scene, Random(1)).table, Random(1), bots_of(kind, scene)
        assert not any("for" in offer for offer in table.offers(scene.you))
        decided = 0
        for _ in range(LONGEST_SCENE):
            asks = table.asks()
            if table.ended or asks["kind"] == "over":
                break
            seat, answer = next(
                (seat, answer)
                for seat in asks.get("waits_for") or asks["seats"]
                if (answer := _answer(table, seat, bots, rng)) is not None
            )
            decided += seat == scene.you
            table.answer(seat, answer, time=1000)
        else:
            pytest.fail(f"{scene.key} goes on and on: {table.asks()}")
        assert decided >= 1
        assert recap_of(table).verdict is not None, scene.key


def _answer(table: Table, seat: str, bots: Mapping[str, str], rng: Random) -> dict[str, Any] | None:
    """Return what a bot in this seat says; the player plays like the game's first, or says what is offered."""
    bot = bots.get(seat, next(iter(table.kind.bots)))
    if bot == HOUSE:
        return look_ahead(table, seat, rng, lambda played: played >= FEW_PLAYOUTS)
    answer = table.kind.bots[bot](table.seen(seat, STORY), rng)
    if answer is None and seat not in bots:
        answer = some_answer(rng.choice(msgspec.to_builtins(table.offers(seat))), rng)
    return answer


def scene_of(**more: Any) -> OpeningScene:
    answers = [{"do": "add_character", "name": "{who}", "card": "{card}"}]
    pools: dict[str, list[str | int]] = {"who": ["Ada", "Ben"], "card": ["HK"]}
    return OpeningScene("key", "A title", "You are {who}.", {"p1": "{who}"}, answers, pools=pools, **more)


def test_a_blank_stands_for_one_value_and_no_two_for_the_same() -> None:
    kind = find_game("initiative")
    for seed in range(5):
        opened = open_scene(kind, scene_of(), Random(seed))
        (who,) = opened.table.view(GM)["characters"]
        assert opened.about == f"You are {who['name']}."
        assert who["card"] == "HK"
    with pytest.raises(BadGame, match="the scene key: the pool who has no value for"):
        open_scene(kind, msgspec.structs.replace(scene_of(), about="{who1} {who2} {who3}"), Random(1))
    with pytest.raises(BadGame, match="never asks its player, p1, anything"):
        opening_of(find_game("dogpile"), msgspec.structs.replace(scene_of(), answers=[]), Random(1))
    with pytest.raises(BadGame, match="the scene key: the seat p9 isn't among its people"):
        check_scenes(kind, [scene_of(you="p9")])
    with pytest.raises(BadGame, match="the scene key: the key is used twice"):
        check_scenes(kind, [scene_of(), scene_of()])
