"""Lessons as files: the errors an author gets, with their places."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardhouse.engine import BadGame, find_game
from cardhouse.engine.table.lessons import LessonPosition, Say, play, read_lesson, transcript_of_lesson

HEADER = '{"cardhouse": 1, "game": "initiative", "seats": ["gm", "p1"]}'
ABOUT = '{"lesson": "Act", "you": "p1"}'
ADA = '{"by": "gm", "do": "add_character", "name": "Ada", "card": "HK", "controller": "p1"}'
BEN = '{"by": "gm", "do": "add_character", "name": "Ben", "card": "S2"}'
START = '{"by": "gm", "do": "start_round"}'
DRAWN = '{"draw": "initiative", "card": "HK"}'
TRY = '{"ask": "Act now.", "otherwise": "Not that.", "rules": ["IN-12"]}'
ACT = '{"by": "p1", "do": "act", "name": "Ada"}'
SAY = '{"say": "That is it.", "rules": ["IN-13"]}'
GOOD = [HEADER, ABOUT, ADA, BEN, START, DRAWN, TRY, ACT, SAY]


def played(folder: Path, lines: list[str], name: str = "1-act") -> list[str]:
    """The captions of a lesson and the numbers of its entries, as they come up."""
    path = folder / f"{name}.jsonl"
    path.write_text("\n".join(lines))
    return [_said(one) for one in play(read_lesson(find_game("initiative"), path))]


def _said(one: LessonPosition) -> str:
    if one.entry is not None:
        return str(one.entry.number)
    return one.caption.say if isinstance(one.caption, Say) else str((one.meant or {})["do"])


def test_captions_and_entries_come_in_the_order_of_the_file(tmp_path: Path):
    assert played(tmp_path, GOOD) == ["1", "2", "3", "act", "4", "That is it."]


def test_a_lesson_is_a_transcript(tmp_path: Path):
    played(tmp_path, GOOD)
    text = transcript_of_lesson(read_lesson(find_game("initiative"), tmp_path / "1-act.jsonl"))
    header, *lines = text.splitlines()
    assert '"initiative"' in header
    assert [line for line in lines if '"draw"' not in line] == [
        line.replace('": ', '":').replace(', "', ',"') for line in (ADA, BEN, START, ACT)
    ]


def without(line: str) -> list[str]:
    return [one for one in GOOD if one != line]


MISTAKES = {
    "an empty file": ([], "line 1: This file isn't a transcript"),
    "another game's": ([HEADER.replace("initiative", "dogs"), *GOOD[1:]], "line 1: This is a lesson of dogs"),
    "a seat there is none of": ([HEADER, ABOUT.replace("p1", "p7"), *GOOD[2:]], 'line 2: There is no seat "p7"'),
    "no second line": ([HEADER, *GOOD[2:]], "line 2: "),
    "a misspelt field": ([*GOOD[:8], SAY.replace("rules", "rule")], "line 9: rule is an unknown field"),
    "a caption that is too long": ([*GOOD[:8], SAY.replace("it", "it " * 60)], "line 9: say "),
    "no word for another answer": ([line.replace("otherwise", "light") for line in GOOD], "line 7: "),
    "a rule there is none of": ([*GOOD[:8], SAY.replace("13", "99")], "line 9: The game has no rule IN-99"),
    "an answer that is not the newcomer's": (
        [*GOOD[:7], ACT.replace("p1", "gm"), SAY],
        "line 7: After a line with ask",
    ),
    "nothing below what is asked": ([*GOOD[:7], SAY], "line 7: After a line with ask"),
    "a caption before what was dealt": ([*GOOD[:5], SAY, *GOOD[5:]], "line 7: A card or roll must follow"),
    "an answer that isn't offered": ([*GOOD[:7], ACT.replace("act", "done"), SAY], 'line 8: "done" is not open to p1'),
    "nothing asked": (without(TRY), "line 2: This lesson asks for no move"),
    "no last word": (GOOD[:8], "line 8: A lesson must end with"),
    "nothing happens": ([HEADER, ABOUT, SAY], "line 2: This lesson has no moves"),
    "no JSON": ([*GOOD[:8], "Well done!"], "line 9: This is not a JSON object"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_names_its_file_and_line(tmp_path: Path, mistake: str):
    lines, told = MISTAKES[mistake]
    with pytest.raises(BadGame) as error:
        played(tmp_path, lines)
    assert error.value.message.startswith(f"{tmp_path.name}/1-act.jsonl, {told}")


def test_a_moment_needs_no_captions_but_a_game_that_goes_on(tmp_path: Path):
    assert played(tmp_path, [HEADER, ABOUT, ADA, BEN, START, DRAWN], "now") == ["1", "2", "3"]
    header, *rest = (
        '{"cardhouse": 1, "game": "dogpile", "seats": ["gm", "p1"], "options": {"rounds": 1, "hand_size": 1}}',
        ABOUT,
        '{"by": "gm", "do": "begin"}',
        '{"by": "p1", "do": "pass"}',
    )
    path = tmp_path / "now.jsonl"
    path.write_text("\n".join([header, *rest]))
    with pytest.raises(BadGame, match="line 4: The game is over"):
        list(play(read_lesson(find_game("dogpile"), path)))


def test_a_preview_asks_no_one(tmp_path: Path):
    assert played(tmp_path, [HEADER, ABOUT, ADA, BEN, SAY, START, DRAWN], "preview")[-1] == "3"
    with pytest.raises(BadGame, match=r"preview\.jsonl, line 7: A preview can't ask"):
        played(tmp_path, GOOD, "preview")
