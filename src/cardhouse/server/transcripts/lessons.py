"""Lessons as the page plays them, and tables that go on from a lesson or a game's starting position."""

from random import SystemRandom
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import Raw, Struct

from cardhouse.engine import CardhouseError, Game, SeededDealer, find_game
from cardhouse.engine.table.lessons import (
    MOMENT,
    PREVIEW,
    Lesson,
    LessonPosition,
    Try,
    all_lessons,
    lessons_of,
    moment_of,
    play,
    preview_of,
    transcript_of_lesson,
)
from cardhouse.engine.table.scenes import OpeningScene, choose_scene, joins_of, scenes_of
from cardhouse.engine.table.table import Table
from cardhouse.engine.values.delta import delta
from cardhouse.engine.values.documents import OfferDoc
from cardhouse.engine.values.transcript import Line, body_of
from cardhouse.player.openings import bots_of, opening_of, usual_bots
from cardhouse.server.table.factory import BuiltTable
from cardhouse.server.transcripts.transcript_import import read_in
from cardhouse.server.wire.protocol import About, Seated

Json = dict[str, Any]
_Key = Annotated[str, msgspec.Meta(max_length=40)]


class LessonSummary(Struct, frozen=True):
    """A lesson of a game: its name in addresses, its title, and a line about its content."""

    name: str
    title: str
    about: str


class LessonStep(Struct, frozen=True, omit_defaults=True):
    """The next step of a lesson: a caption (`say` or `ask`), or a log entry.

    `doc` is the entry's change of the document. If the learner is asked, `meant` is the right answer, `offers` what
    their seat may answer, and `all` what it may also do at any time.
    """

    say: str = ""
    ask: str = ""
    otherwise: str = ""
    rules: list[str] = []
    light: list[str] = []
    meant: Line | None = None
    offers: list[OfferDoc] = []
    all: list[OfferDoc] = []
    story: Json | None = None
    doc: Raw | None = None


class LessonResponse(Struct, frozen=True):
    """A lesson: the table as `you` see it at first, and all steps."""

    title: str
    about: str
    you: str
    table: About
    seats: list[Seated]
    doc: Raw
    steps: list[LessonStep]


class ContinuedTable(Struct, frozen=True):
    """A table that goes on from a lesson or another position.

    `links` and `mark` are those of a new table, and `sit` is the player's own seat. `about` describes their character
    and goal, and `scene` is the key of the scene, if the game has several.
    """

    table: str
    links: dict[str, str]
    mark: str
    sit: str
    about: str = ""
    scene: str = ""


class SceneRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Play a game's scene with this key, or any, if possible not the one with the key `but`."""

    scene: _Key = ""
    but: _Key = ""


class Continued(NamedTuple):
    """A table that goes on from a lesson or scene: the player's seat, their goal, and the scene's key."""

    made: BuiltTable
    you: str
    about: str
    scene: str = ""


def lesson_summaries(kind: type[Game]) -> list[LessonSummary]:
    """Return the lessons of a game; none if one can't be read, which the game's tests report."""
    try:
        return [LessonSummary(name, one.about.lesson, one.about.about) for name, one in lessons_of(kind).items()]
    except CardhouseError:
        return []


def has_moment(kind: type[Game]) -> bool:
    """Return whether a game has a scene to play alone."""
    try:
        return bool(scenes_of(kind)) or moment_of(kind) is not None
    except CardhouseError:
        return False


def has_cast(kind: type[Game]) -> bool:
    """Return whether a game's scenes have characters that the game master can add."""
    try:
        return any(joins_of(kind, scene) for scene in scenes_of(kind))
    except CardhouseError:
        return False


def has_preview(kind: type[Game]) -> bool:
    """Return whether a game has a preview."""
    try:
        return preview_of(kind) is not None
    except CardhouseError:
        return False


def find_lesson(kind: type[Game], name: str) -> Lesson:
    """Return a game's lesson, starting position or preview by name.

    Raises CardhouseError if there is none.
    """
    found = next((lesson for lesson in all_lessons(kind) if lesson.name == name), None)
    if found is None:
        raise CardhouseError(f'{kind.name} has no lesson "{name[:40]}".', "not_found")
    return found


def build_lesson(lesson: Lesson) -> LessonResponse:
    """Return a lesson with all its steps.

    Raises BadGame if it can't be played.
    """
    you, header = lesson.about.you, lesson.header
    about = About(
        f"{header.game}-{lesson.name}",
        lesson.about.lesson,
        header.game,
        header.options,
        header.decks,
        header.by_hand,
        "off",
        "",
        "",
        ended=False,
        read_only=None,
    )
    seats = [Seated(seat, header.names.get(seat, ""), here=True) for seat in header.seats]
    doc, steps = _steps(lesson, you)
    return LessonResponse(lesson.about.lesson, lesson.about.about, you, about, seats, doc, steps)


def _steps(lesson: Lesson, you: str) -> tuple[Raw, list[LessonStep]]:
    """Return the initial document and the steps."""
    first = before = Table(lesson.header, SeededDealer()).doc(you)
    steps = []
    for played in play(lesson):
        if played.caption is not None:
            steps.append(_captioned(played, you))
        elif played.entry is not None:
            now = played.table.doc(you)
            steps.append(LessonStep(story=played.table.story(played.entry, you), doc=delta(before, now)))
            before = now
    return Raw(first), steps


def _captioned(played: LessonPosition, you: str) -> LessonStep:
    caption, table = played.caption, played.table
    if isinstance(caption, Try) and played.meant is not None:
        return LessonStep(
            ask=caption.ask,
            otherwise=caption.otherwise,
            rules=caption.rules,
            light=caption.light,
            meant=body_of(played.meant),
            offers=table.offers(you),
            all=table.offers(you, anytime=True),
        )
    return LessonStep(**msgspec.to_builtins(caption))


def continue_lesson(game: str, name: str, wanted: SceneRequest) -> Continued:
    """Return a table that goes on where a lesson ends, or from a scene (`now`), with bots in the other seats.

    Raises CardhouseError if there is no such lesson or scene.
    """
    kind = find_game(game)
    if name == MOMENT and (scenes := scenes_of(kind)):
        return _scene_table(kind, choose_scene(scenes, SystemRandom(), wanted.scene, wanted.but))
    lesson = find_lesson(kind, name)
    if name == PREVIEW:
        raise CardhouseError("A preview can't be continued.", "not_found")
    made = read_in(transcript_of_lesson(lesson).encode())
    made = msgspec.structs.replace(made, bots=bots_for_others(kind, lesson))
    return Continued(made, lesson.about.you, lesson.about.about)


def _scene_table(kind: type[Game], scene: OpeningScene) -> Continued:
    opening = opening_of(kind, scene, SystemRandom())
    made = read_in(opening.table.transcript().encode())
    made = msgspec.structs.replace(made, bots=bots_of(kind, scene))
    return Continued(made, scene.you, opening.about, scene.key)


def bots_for_others(kind: type[Game], lesson: Lesson) -> dict[str, str]:
    """Return the bot for each seat but the learner's: the lesson's choice, otherwise the usual one."""
    usual = usual_bots(kind, lesson.header.seats, lesson.about.you)
    return {seat: lesson.about.bots.get(seat, bot) for seat, bot in usual.items()}
