"""Lessons: transcripts with captions, in which a newcomer plays a seat (docs/authors.md, "Lessons").

Each is a file in the folder `lessons` next to a game's rules. Two files there aren't lessons: `now.jsonl` is a scene
for one player, a transcript to play on from, and `preview.jsonl` is about twenty seconds of play to watch.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypeVar

import msgspec
from msgspec import Meta, Struct

from cardhouse.engine.chance.dealers import SeededDealer
from cardhouse.engine.game.catalogue import catalogue_of, folder_of
from cardhouse.engine.game.game import Game
from cardhouse.engine.table.log import Entry
from cardhouse.engine.table.table import Table
from cardhouse.engine.values.error_messages import plainly
from cardhouse.engine.values.errors import BadGame, BadTranscript, CardhouseError
from cardhouse.engine.values.questions import Over
from cardhouse.engine.values.transcript import Header, Line, is_answer, read_header, read_lines

FOLDER = "lessons"
MOMENT = "now"
"""The name of the file from which `Play` starts."""
PREVIEW = "preview"
"""The name of the file that the home page plays as an animated preview of the game."""
LETTERS = 150
"""The longest caption in characters: a newcomer with a table to look at doesn't read more."""

T = TypeVar("T")
_Caption = Annotated[str, Meta(min_length=1, max_length=LETTERS)]


class LessonHeader(Struct, frozen=True, forbid_unknown_fields=True):
    """The second line of a lesson: its title, the newcomer's seat, and one line about it.

    `bots` names the bots of the other seats, where they aren't the game's first.
    """

    lesson: Annotated[str, Meta(min_length=1, max_length=40)]
    you: str
    about: Annotated[str, Meta(max_length=90)] = ""
    bots: dict[str, str] = {}


class Say(Struct, frozen=True, forbid_unknown_fields=True):
    """A caption, with the rules that it explains."""

    say: _Caption
    rules: list[str] = []


class Try(Struct, frozen=True, forbid_unknown_fields=True):
    """A task for the newcomer: give the answer on the next line.

    `otherwise` is shown for any other answer. The button or card of the intended answer is highlighted automatically.
    If other controls must be used first, `light` lists them in order, each by a part of its label.
    """

    ask: _Caption
    otherwise: _Caption
    rules: list[str] = []
    light: list[str] = []


Caption = Say | Try


class Beat(NamedTuple):
    """A caption, or an answer with the chance that follows it; lines have their numbers in the file."""

    line: int
    caption: Caption | None
    answer: list[tuple[int, Line]]


class Lesson(NamedTuple):
    """A lesson as read. `file` is its path for the author, with its folder."""

    name: str
    file: str
    header: Header
    about: LessonHeader
    beats: list[Beat]

    @property
    def captions(self) -> list[Caption]:
        """All captions, in order."""
        return [beat.caption for beat in self.beats if beat.caption is not None]

    @property
    def rules(self) -> set[str]:
        """The rules that its captions name."""
        return {rule for caption in self.captions for rule in caption.rules}


class LessonPosition(NamedTuple):
    """A step of a lesson: after a caption has appeared, or after an entry."""

    table: Table
    caption: Caption | None
    entry: Entry | None
    meant: Line | None
    """For a caption with a task: the intended line."""


@cache
def lessons_of(game: type[Game]) -> Mapping[str, Lesson]:
    """Return a game's lessons by name, in the order of their file names.

    Raises BadGame, naming file and line, if one can't be read.
    """
    return {name: lesson for name, lesson in _all(game).items() if name not in (MOMENT, PREVIEW)}


def all_lessons(game: type[Game]) -> list[Lesson]:
    """Return a game's lessons, with its starting scene and preview, if it has them.

    Raises BadGame, naming file and line, if one can't be read.
    """
    return list(_all(game).values())


def moment_of(game: type[Game]) -> Lesson | None:
    """Return a game's starting scene, if it has one.

    Raises BadGame, naming file and line, if it can't be read.
    """
    return _all(game).get(MOMENT)


def preview_of(game: type[Game]) -> Lesson | None:
    """Return a game's preview, if it has one.

    Raises BadGame, naming file and line, if it can't be read.
    """
    return _all(game).get(PREVIEW)


@cache
def _all(game: type[Game]) -> dict[str, Lesson]:
    paths = sorted((folder_of(game) / FOLDER).glob("*.jsonl"))
    return {path.stem: read_lesson(game, path) for path in paths}


def read_lesson(game: type[Game], path: Path) -> Lesson:
    """Read a lesson without playing it.

    Raises BadGame, naming file and line.
    """
    file = f"{path.parent.name}/{path.name}"
    texts = path.read_text("utf-8").splitlines()
    try:
        return _read(game, path.stem, file, texts)
    except BadTranscript as error:
        raise _bad(file, error) from None


def _bad(file: str, error: BadTranscript) -> BadGame:
    return BadGame(f"{file}, line {error.line}: {error.message.removeprefix(f'Line {error.line}: ')}")


def _read(game: type[Game], name: str, file: str, texts: list[str]) -> Lesson:
    """Parse a lesson. Raises BadTranscript."""
    header = _header(game, texts)
    lines = iter(read_lines(texts[1:]))
    number, first = next(lines, (2, {}))
    about = _as(number, first, LessonHeader)
    if about.you not in header.seats:
        raise BadTranscript(
            number, CardhouseError(f'There is no seat "{about.you}" to sit in. Seats: {", ".join(header.seats)}.')
        )
    lesson = Lesson(name, file, header, about, list(_beats(lines)))
    if not any(beat.answer for beat in lesson.beats):
        raise BadTranscript(number, CardhouseError("This lesson has no moves: write the moves and chance below."))
    known = catalogue_of(game).rules
    for before, beat in zip([None, *lesson.beats], lesson.beats, strict=False):
        _check(beat, before, about.you, known)
    return lesson


def _header(game: type[Game], texts: list[str]) -> Header:
    try:
        header = read_header(texts[0] if texts else "")
        if header.game != game.name:
            raise CardhouseError(f"This is a lesson of {header.game}, but it is in the folder of {game.name}.")
    except CardhouseError as error:
        raise BadTranscript(1, error) from None
    return header


def _beats(lines: Iterable[tuple[int, Line]]) -> Iterator[Beat]:
    """Yield captions and answers in turn. Raises BadTranscript."""
    group: list[tuple[int, Line]] = []
    for number, line in lines:
        caption = _caption(number, line)
        if group and (caption is not None or is_answer(line)):
            yield Beat(group[0][0], None, group)
            group = []
        if caption is not None:
            yield Beat(number, caption, [])
        else:
            group.append((number, line))
    if group:
        yield Beat(group[0][0], None, group)


def _caption(number: int, line: Line) -> Caption | None:
    if "say" in line and "by" not in line:
        return _as(number, line, Say)
    if "ask" in line and "by" not in line:
        return _as(number, line, Try)
    return None


def _as(number: int, line: Line, kind: type[T]) -> T:
    try:
        return msgspec.convert(line, kind)
    except msgspec.ValidationError as error:
        raise BadTranscript(number, CardhouseError(f"{plainly(error, 'this line')}.")) from None


def _check(beat: Beat, before: Beat | None, you: str, known: Mapping[str, Any]) -> None:
    """Raise BadTranscript unless a beat can follow the one before it."""
    problem = ""
    if beat.caption is not None:
        unknown = [rule for rule in beat.caption.rules if rule not in known]
        problem = f"The game has no rule {unknown[0]}." if unknown else ""
    elif not is_answer(beat.answer[0][1]):
        problem = "A card or roll must follow its move directly: move the caption before the move."
    if before is not None and isinstance(before.caption, Try) and (beat.caption or beat.answer[0][1].get("by") != you):
        beat, problem = before, f"After a line with ask, write the right move: the next line must be a move by {you}."
    if problem:
        raise BadTranscript(beat.line, CardhouseError(problem))


def play(lesson: Lesson) -> Iterator[LessonPosition]:
    """Play a lesson from its beginning, stopping at each caption and after each answer.

    Raises BadGame, naming file and line, if it can't be played or isn't a valid lesson.
    """
    try:
        yield from _play(lesson)
    except BadTranscript as error:
        raise _bad(lesson.file, error) from None


def _play(lesson: Lesson) -> Iterator[LessonPosition]:
    try:
        table = Table(lesson.header, SeededDealer())
    except CardhouseError as error:
        raise BadTranscript(1, error) from None
    for beat, after in zip(lesson.beats, [*lesson.beats[1:], None], strict=True):
        if beat.caption is None:
            table.replay(beat.answer)
            yield LessonPosition(table, None, table.entries[-1], None)
        else:
            meant = after.answer[0][1] if after and isinstance(beat.caption, Try) else None
            yield LessonPosition(table, beat.caption, None, meant)
    last = lesson.beats[-1]
    if lesson.name == PREVIEW:
        _check_preview(lesson)
    elif lesson.name != MOMENT:
        _check_end(lesson, last)
    elif isinstance(table.question, Over):
        raise BadTranscript(
            last.line,
            CardhouseError("The game is over at the end of this moment: end it earlier, so that it can be played on."),
        )


def _check_preview(lesson: Lesson) -> None:
    asked = [beat.line for beat in lesson.beats if isinstance(beat.caption, Try)]
    if asked:
        raise BadTranscript(asked[0], CardhouseError("A preview can't ask for a move: write say instead of ask."))


def _check_end(lesson: Lesson, last: Beat) -> None:
    if not any(isinstance(caption, Try) for caption in lesson.captions):
        raise BadTranscript(2, CardhouseError("This lesson asks for no move: add a line with ask."))
    if not isinstance(last.caption, Say):
        raise BadTranscript(last.line, CardhouseError("A lesson must end with a line that has say."))


def transcript_of_lesson(lesson: Lesson) -> str:
    """Return a lesson as a transcript to play on from, without its captions and with everything dealt.

    Raises BadGame if it can't be played.
    """
    *_, last = play(lesson)
    return last.table.transcript()
