"""Every lesson of every installed game is played, and each rule that no lesson names is listed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from cardhouse.engine import GM, HOUSE, STORY, CardhouseError, Table, catalogue_of, find_game, game_names, read_header
from cardhouse.engine.chance.sample_answers import some_answer
from cardhouse.engine.game.recap import recap_of
from cardhouse.engine.table.lessons import Try, lessons_of, moment_of, play, preview_of
from cardhouse.player.monte_carlo import look_ahead
from cardhouse.server.transcripts.lessons import bots_for_others, build_lesson, continue_lesson

UNMET = Path(__file__).with_name("rules_no_lesson_names.txt")
"""What no lesson tells, a game a line: `game: RULE RULE`. Whoever writes a lesson takes away what it tells."""
MOST_SHOWN = 14
"""So many entries of a moving picture, those at the beginning included, are some twenty seconds."""
FEW_PLAYOUTS = 8
LONGEST_SCENE = 150
"""So many answers are five minutes: a bot takes two seconds, and somebody who thinks three times as long."""
SHORTEST, LONGEST = 10, 45
"""So many captions and entries are three to six minutes."""


@pytest.mark.parametrize("game", game_names())
def test_each_game_can_be_learned_by_playing(game: str):
    lessons = lessons_of(find_game(game))
    assert 1 <= len(lessons) <= 3
    for lesson in lessons.values():
        steps = list(play(lesson))
        assert SHORTEST <= len(lesson.captions) <= LONGEST, lesson.file
        assert sum(isinstance(caption, Try) for caption in lesson.captions) >= 3, lesson.file
        assert len(build_lesson(lesson).steps) == len(steps)


@pytest.mark.parametrize("game", game_names())
def test_each_game_has_a_moving_picture(game: str):
    preview = preview_of(find_game(game))
    assert preview, f"{game} has nothing to be looked at"
    happens = [step for step in build_lesson(preview).steps if step.story]
    assert MOST_SHOWN / 2 <= len(happens) <= MOST_SHOWN
    with pytest.raises(CardhouseError, match="A preview can't be continued"):
        continue_lesson(game, preview.name)


@pytest.mark.parametrize("game", game_names())
def test_where_a_lesson_ends_one_can_play_on(game: str):
    kind = find_game(game)
    moment = moment_of(kind)
    assert moment, f"{game} has no good moment to begin in"
    for name, lesson in {**lessons_of(kind), moment.name: moment}.items():
        made, about = continue_lesson(game, name)
        assert made.bots == dict(bots_for_others(kind, lesson))
        assert about == lesson.about
        assert len(made.bots) == len(read_header(made.header).seats) - 1
        assert made.portions


@pytest.mark.parametrize("game", game_names())
def test_a_scene_is_played_against_bots_to_its_end(game: str):
    """Whoever plays alone decides for their own characters only, and more than once; then there is a recap."""
    kind = find_game(game)
    moment = moment_of(kind)
    assert moment
    you, bots = moment.about.you, bots_for_others(kind, moment)
    assert you != GM
    assert moment.about.about
    *_, last = play(moment)
    table, rng = last.table, Random(1)
    assert table.asks()["seats"][0] == you, "the first decision is one's own"
    assert not any("for" in offer for offer in table.offers(you))
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
        table.answer(seat, answer, time=1000)
        decided += seat == you
    else:
        pytest.fail(f"it goes on and on: {table.asks()}")
    assert decided >= 2
    assert recap_of(table).figures


def _answer(table: Table, seat: str, bots: Mapping[str, str], rng: Random) -> dict[str, Any] | None:
    """What a bot in this seat says; whoever plays alone plays like the game's first, and else says what is offered."""
    first = next(iter(table.kind.bots))
    bot = bots.get(seat, first)
    if bot == HOUSE:
        return look_ahead(table, seat, rng, lambda played: played >= FEW_PLAYOUTS)
    answer = table.kind.bots[bot](table.seen(seat, STORY), rng)
    if answer is None and seat not in bots:
        answer = some_answer(rng.choice(msgspec.to_builtins(table.offers(seat))), rng)
    return answer


def test_each_rule_that_no_lesson_names_is_on_the_list():
    found = ""
    for game in game_names():
        kind = find_game(game)
        told = set().union(*(lesson.rules for lesson in lessons_of(kind).values()))
        parts = {rule for part in kind.parts.values() for rule in catalogue_of(part).rules}
        own = set(catalogue_of(kind).rules) - parts
        found += f"{game}: {' '.join(sorted(own - told, key=lambda rule: int(rule.rpartition('-')[2])))}\n"
    assert found == UNMET.read_text("utf-8")
