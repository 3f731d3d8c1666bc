"""Every lesson of every installed game is played, and each rule that no lesson names is listed."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardhouse.engine import CardhouseError, catalogue_of, find_game, game_names, read_header
from cardhouse.engine.table.lessons import Try, lessons_of, play, preview_of
from cardhouse.server.transcripts.lessons import SceneRequest, bots_for_others, build_lesson, continue_lesson

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
        continue_lesson(game, preview.name, SceneRequest())


@pytest.mark.parametrize("game", game_names())
def test_where_a_lesson_ends_one_can_play_on(game: str):
    kind = find_game(game)
    for name, lesson in lessons_of(kind).items():
        made, you, about, scene = continue_lesson(game, name, SceneRequest())
        assert made.bots == dict(bots_for_others(kind, lesson))
        assert (you, about, scene) == (lesson.about.you, lesson.about.about, "")
        assert len(made.bots) == len(read_header(made.header).seats) - 1
        assert made.portions


def test_each_rule_that_no_lesson_names_is_on_the_list():
    found = ""
    for game in game_names():
        kind = find_game(game)
        told = set().union(*(lesson.rules for lesson in lessons_of(kind).values()))
        parts = {rule for part in kind.parts.values() for rule in catalogue_of(part).rules}
        own = set(catalogue_of(kind).rules) - parts
        found += f"{game}: {' '.join(sorted(own - told, key=lambda rule: int(rule.rpartition('-')[2])))}\n"
    assert found == UNMET.read_text("utf-8")
