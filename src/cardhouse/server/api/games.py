"""HTTP routes of games: the list, each game's description, and checks of files and layouts without a table."""

import logging
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Annotated, Any

import msgspec
from litestar import MediaType, Request, Response, get, post
from litestar.datastructures import State
from litestar.params import QueryParameter
from msgspec import Struct

from cardhouse.engine import CardhouseError, Game, catalogue_of, find_game, game_names
from cardhouse.engine.authoring.forms import forms_of
from cardhouse.engine.game.catalogue import Rule, Words
from cardhouse.engine.table.scenes import cast_of
from cardhouse.lab.questions.question import games_with_questions
from cardhouse.server.access.quotas import makes_tables
from cardhouse.server.access.rate_limits import rate_limited
from cardhouse.server.api.responses import RawBody, cancel_on_disconnect, manager_of, response_of, sent
from cardhouse.server.core import static_cache
from cardhouse.server.core.compression import run_and_gzip
from cardhouse.server.core.game_icons import sign_of
from cardhouse.server.core.game_pages import GamePage, World, page_of
from cardhouse.server.core.static_cache import cached
from cardhouse.server.core.visitors import visitor_of
from cardhouse.server.files.upload_checks import LayoutLaid, characters, option_value, verdict
from cardhouse.server.management.rematch import brings_characters
from cardhouse.server.table.factory import PLAYERS_AT_MOST
from cardhouse.server.transcripts import lessons
from cardhouse.server.transcripts.lessons import ContinuedTable, LessonResponse, LessonSummary
from cardhouse.server.wire.protocol import FRAME_BYTES
from cardhouse.server.wire.requests import FILE_BYTES, REQUEST_BYTES

Json = dict[str, Any]
log = logging.getLogger("cardhouse.server")


class FormSummary(Struct, frozen=True):
    """An option whose file has a form on the page, and the form's title."""

    option: str
    title: str


class GameSummary(Struct, frozen=True):
    """A game that can be played. `lab` is whether the lab has questions about it.

    `usual_options` are the page's defaults, `sign` is its icon as SVG (empty for none), `world` is how its table looks,
    `judge` whether it has a page to check a layout, `minute` whether it has pictures of how it is played, `lessons` are
    its lessons, `moment` is whether it has a starting position in the middle of play, and `preview` whether it has a
    preview; `forms` are its editors on the page, `people` is the style of its portraits.
    """

    name: str
    title: str
    tagline: str
    lab: bool
    usual_options: Json
    sign: str
    world: World | None
    judge: bool
    minute: bool
    lessons: list[LessonSummary]
    moment: bool
    preview: bool
    forms: list[FormSummary]
    people: str


class GameInfo(Struct, frozen=True):
    """A game's words, the titles of its rules by id, and the choices for a new table.

    `options` is a JSON Schema of an object, each property with its default; a property of the format `file` comes
    from a file. `actions` are the names of its actions, `facts` are for the game's own view. `players` is the largest
    number of players besides the game master, `usual_players` the default number, `usual_options` are the page's
    defaults, `cast` is whether it has a starter cast, `odds` whether it has odds, `continues` whether its characters
    come along to a next session, `lab` whether the lab has questions about it, `silent_at` are the keys of questions
    at which reactions are off, `forms` are the options with forms, `people` is the style of its portraits, `page` has
    the addresses of its own modules (docs/page-contract.md).
    """

    name: str
    version: int
    title: str
    tagline: str
    rules: dict[str, str]
    words: Json
    options: Json
    decks: list[str]
    steps: list[str]
    actions: list[str]
    facts: Json
    players: int
    usual_players: int
    usual_options: Json
    cast: bool
    odds: bool
    continues: bool
    lab: bool
    silent_at: list[str]
    forms: list[str]
    people: str
    page: GamePage


class GameDetails(Struct, frozen=True):
    """A game's rules in full, and the values that its options offer without a file, for the dialogs that show them.

    `rules` are by id, `ready` by option and name.
    """

    rules: dict[str, Rule]
    ready: dict[str, Json]


class RosterRead(Struct, frozen=True):
    """The sheets of a roster file, in the form in which the game's actions take them."""

    characters: list[Any]


@get("/api/games", guards=[rate_limited("games")], compressed_already=True, **response_of(list[GameSummary]))
async def games(request: Request[Any, Any, State]) -> Response[Any]:
    """Return the games that can be played here; games that can't be loaded are left out."""
    return static_cache.answer(await cached(_games), request)


def _games() -> static_cache.File:
    found = []
    for name in game_names():
        try:
            found.append(_summary_of(name))
        except CardhouseError as error:
            log.warning("%s is not offered: %s", name, error.message)
    return _json_file(found)


def _summary_of(name: str) -> GameSummary:
    kind, page = find_game(name), page_of(name)
    words = catalogue_of(kind).words
    lab = name in games_with_questions()
    return GameSummary(
        name,
        words.title,
        words.tagline,
        lab,
        _usual_options(name),
        sign_of(name),
        page.world,
        page.judge is not None,
        page.minute is not None,
        lessons.lesson_summaries(kind),
        lessons.has_moment(kind),
        lessons.has_preview(kind),
        [FormSummary(option, _title_of(words, option)) for option in _forms(name)],
        kind.people,
    )


@get("/api/games/{game:str}", guards=[rate_limited("games")], compressed_already=True, **response_of(GameInfo))
async def game_info(game: str, request: Request[Any, Any, State]) -> Response[Any]:
    """Return a game's words, the titles of its rules, and the choices for a new table."""
    return static_cache.answer(await cached(_game_info, find_game(game)), request)


def _game_info(kind: type[Game]) -> static_cache.File:
    catalogue = catalogue_of(kind)
    words: Json = msgspec.to_builtins(catalogue.words)
    info = GameInfo(
        kind.name,
        kind.version,
        words["title"],
        words["tagline"],
        {name: rule.title for name, rule in catalogue.rules.items()},
        words,
        _options_schema(kind),
        list(kind.decks),
        list(kind.steps),
        [action.word() for action in kind.actions],
        kind.facts(),
        min(kind.most_players or PLAYERS_AT_MOST, PLAYERS_AT_MOST),
        len(kind.usual_seats()) - 1,
        _usual_options(kind.name),
        lessons.has_cast(kind),
        kind.odds is not Game.odds,
        brings_characters(kind),
        kind.name in games_with_questions(),
        list(kind.silent_at),
        _forms(kind.name),
        kind.people,
        page_of(kind.name),
    )
    return _json_file(info)


@get(
    "/api/games/{game:str}/details",
    guards=[rate_limited("games")],
    compressed_already=True,
    **response_of(GameDetails),
)
async def game_details(game: str, request: Request[Any, Any, State]) -> Response[Any]:
    """Return a game's rules in full, and the values of its options that need no file."""
    return static_cache.answer(await cached(_game_details, find_game(game)), request)


def _game_details(kind: type[Game]) -> static_cache.File:
    return _json_file(GameDetails(dict(catalogue_of(kind).rules), kind.ready_options()))


def _title_of(words: Words, option: str) -> str:
    """Return the title of an option, or of another editor on the page."""
    return words.options[option].title if option in words.options else words.page.get(f"make_{option}", option)


def _forms(game: str) -> list[str]:
    """Return the options that have a form; none if they can't be loaded, which the form's route reports."""
    try:
        return list(forms_of(game))
    except CardhouseError:
        return []


def cache_game(game: str) -> None:
    """Compute a game's description in advance.

    Raises CardhouseError if it can't be loaded.
    """
    static_cache.preload(_game_info, find_game(game))


def cache_games() -> None:
    """Compute all games' descriptions in advance: several first requests at once would delay all tables."""
    static_cache.preload(_games)
    for name in game_names():
        with suppress(CardhouseError):  # reported when the game is requested
            cache_game(name)


def _usual_options(game: str) -> Json:
    return dict(find_game(game).usual_options)


def _options_schema(kind: type[Game]) -> Json:
    options = next(field.type for field in msgspec.structs.fields(kind) if field.name == "options")
    (schema,), named = msgspec.json.schema_components([options], ref_template="#/$defs/{name}")
    own: Json = named.pop(schema["$ref"].rpartition("/")[2])
    return {**own, "$defs": named} if named else own


def _json_file(content: Any) -> static_cache.File:
    return static_cache.computed_file(msgspec.json.encode(content), MediaType.JSON)


@get(
    "/api/games/{game:str}/options/{option:str}",
    guards=[rate_limited("games")],
    media_type=MediaType.TEXT,
    compressed_already=True,
    **response_of(str, MediaType.TEXT),
)
async def option_file(game: str, option: str, request: Request[Any, Any, State]) -> Response[Any]:
    """Return the template file for an option of the format `file`."""
    return static_cache.answer(await cached(_option_file, find_game(game), option), request)


def _option_file(kind: type[Game], option: str) -> static_cache.File:
    return static_cache.computed_file(kind.option_file(option).encode(), "text/plain; charset=utf-8")


@get(
    "/api/games/{game:str}/lessons/{lesson:str}",
    guards=[rate_limited("games")],
    compressed_already=True,
    **response_of(LessonResponse),
)
async def lesson_told(game: str, lesson: str, request: Request[Any, Any, State]) -> Response[Any]:
    """Return a complete lesson of a game, step by step, as the learner sees it."""
    kind = find_game(game)
    lessons.find_lesson(kind, lesson)
    return static_cache.answer(await cached(_lesson, kind, lesson), request)


def _lesson(kind: type[Game], name: str) -> static_cache.File:
    return _json_file(lessons.build_lesson(lessons.find_lesson(kind, name)))


@post(
    "/api/games/{game:str}/lessons/{lesson:str}/tables",
    guards=makes_tables(),
    request_max_body_size=FRAME_BYTES,
)
async def play_on(game: str, lesson: str, request: Request[Any, Any, State]) -> ContinuedTable:
    """Create a table that goes on where a lesson ends, or from one of the game's scenes (`now`).

    Bots play the other seats, if the game has any.
    """
    body = await request.body()
    find_game(game)
    making = manager_of(request.app.state).continue_lesson_table(visitor_of(request), game, lesson, body)
    return await cancel_on_disconnect(request, making)


@get("/api/games/{game:str}/cast", guards=[rate_limited("games")], **response_of(list[Json]))
async def cast(
    game: str,
    players: Annotated[int, QueryParameter(ge=1, le=PLAYERS_AT_MOST)] = 1,
    seed: Annotated[int, QueryParameter(ge=0, le=2**32 - 1)] = 0,
) -> list[Json]:
    """Return the game master's answers that bring a starter cast to an empty table: characters of players, and foes."""
    return cast_of(find_game(game), [f"p{number + 1}" for number in range(players)], Random(seed))


@post(
    "/api/games/{game:str}/options/{option:str}",
    guards=[rate_limited("files")],
    request_max_body_size=FILE_BYTES,
    status_code=200,
    compressed_already=True,
    **response_of(Json, status=200),
)
async def read_option_file(game: str, option: str, request: Request[Any, Any, State]) -> Response[Any]:
    """Return an option's value, under its name, from the file in the body of the request.

    Errors in the file are listed under `mistakes`: line, field, message.
    """
    find_game(game)
    return await _run_in_worker(request, option_value, game, option, await request.body())


@post(
    "/api/games/{game:str}/roster",
    guards=[rate_limited("files")],
    request_max_body_size=FILE_BYTES,
    status_code=200,
    compressed_already=True,
    **response_of(RosterRead, status=200),
)
async def read_roster(game: str, request: Request[Any, Any, State]) -> Response[Any]:
    """Check the roster file in the body of the request, and return its content. Nothing is stored."""
    find_game(game)
    return await _run_in_worker(request, characters, game, await request.body())


@post(
    "/api/games/{game:str}/judge",
    guards=[rate_limited("layouts")],
    request_max_body_size=REQUEST_BYTES,
    status_code=200,
    compressed_already=True,
    dto=RawBody[LayoutLaid],
    return_dto=None,
    **response_of(Json, status=200),
)
async def judge_layout(game: str, data: bytes, request: Request[Any, Any, State]) -> Response[Any]:
    """Return a judge's verdict on a layout, without a table. Nothing is stored."""
    find_game(game)
    return await _run_in_worker(request, verdict, game, data)


async def _run_in_worker(request: Request[Any, Any, State], function: Callable[..., Any], *args: Any) -> Response[Any]:
    """Return the result of a worker's function on uploaded content."""
    work = manager_of(request.app.state).workers.run(visitor_of(request), run_and_gzip, function, *args)
    return sent(await cancel_on_disconnect(request, work), request, MediaType.JSON)


ROUTES = [
    games,
    game_info,
    game_details,
    cast,
    lesson_told,
    play_on,
    option_file,
    read_option_file,
    read_roster,
    judge_layout,
]
