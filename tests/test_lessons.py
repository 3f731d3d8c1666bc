"""Every lesson of every installed game is played through, and each rule that none of them names is named here."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardhouse.engine import CardhouseError, catalogue_of, find_game, game_names, read_header
from cardhouse.engine.lessons import Try, lessons_of, moment_of, play, preview_of
from cardhouse.server.lessons import bots_beside, go_on, tell

UNMET = Path(__file__).with_name("rules_no_lesson_names.txt")
"""What no lesson tells, a game a line: `game: RULE RULE`. Whoever writes a lesson takes away what it tells."""
MOST_SHOWN = 14
"""So many entries of a moving picture, those at the beginning included, are some twenty seconds."""
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
        assert len(tell(lesson).steps) == len(steps)


@pytest.mark.parametrize("game", game_names())
def test_each_game_has_a_moving_picture(game: str):
    preview = preview_of(find_game(game))
    assert preview, f"{game} has nothing to be looked at"
    happens = [step for step in tell(preview).steps if step.story]
    assert MOST_SHOWN / 2 <= len(happens) <= MOST_SHOWN
    with pytest.raises(CardhouseError, match="nothing to play on from"):
        go_on(game, preview.name)


@pytest.mark.parametrize("game", game_names())
def test_where_a_lesson_ends_one_can_play_on(game: str):
    kind = find_game(game)
    moment = moment_of(kind)
    assert moment, f"{game} has no good moment to begin in"
    for name, lesson in {**lessons_of(kind), moment.name: moment}.items():
        made, sit = go_on(game, name)
        assert made.bots == dict(bots_beside(kind, lesson))
        assert sit == lesson.about.you
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
