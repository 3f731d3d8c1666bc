"""The HTTP part: making tables, what there is to play, transcripts, and the page itself."""

import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Annotated, Any, TypeVar

import msgspec
from litestar import MediaType, Request, Response, get, post
from litestar.datastructures import State
from litestar.params import HeaderParameter, QueryParameter
from msgspec import Struct

import cardhouse
from cardhouse.engine import CardhouseError, Game, catalogue_of, find_game, game_names
from cardhouse.engine.roster import RosterFile
from cardhouse.lab.question import games_with_questions
from cardhouse.server import static
from cardhouse.server.answering import Unread, as_long_as_asked, sent, tells
from cardhouse.server.bodies import PLAYERS_AT_MOST, LayoutLaid, SeatWanted, TableWanted
from cardhouse.server.connections import FRAME_BYTES
from cardhouse.server.door import PlayerSeats, SeatTaken
from cardhouse.server.house import House, NewTable
from cardhouse.server.kept import Deal
from cardhouse.server.leased_record import Gone
from cardhouse.server.limits import charge, charged
from cardhouse.server.packing import packed
from cardhouse.server.reading import characters, option_value, verdict
from cardhouse.server.replaying import Replay
from cardhouse.server.static import once
from cardhouse.server.visitors import visitor_of

TRANSCRIPT_BYTES = 8_000_000
FILE_BYTES = 500_000
"""How large a file may be that somebody wrote: an option's, a roster."""
REQUEST_BYTES = 2 * FILE_BYTES
"""Options come from files, and are longer as JSON."""

Json = dict[str, Any]
T = TypeVar("T")
log = logging.getLogger("cardhouse.server")


class Health(Struct, frozen=True):
    """`saving` is False while the database is away."""

    saving: bool
    version: str


class HouseInfo(Struct, frozen=True):
    """`address` is the one that phones should use."""

    address: str
    version: str


class GameListed(Struct, frozen=True):
    """A game there is to play. `lab` is whether the lab knows something about it.

    `usual_options` are those that a page had better choose where nobody chooses any.
    """

    name: str
    title: str
    tagline: str
    lab: bool
    usual_options: Json


class GameInfo(Struct, frozen=True):
    """A game's rules and words, and what can be chosen when a table is made.

    `options` is a JSON Schema of an object, each property with its default, and one of the format `file` comes from a
    file; `actions` are the words of its answers, `facts` what a game's own view needs to know besides. `players` is the
    largest number of them beside the game master, `usual_players` how many there are places for unless somebody says
    otherwise, `usual_options` are those that a page had better choose where nobody does, `odds` whether the game has
    any to show, `lab` whether the lab knows something about it.
    """

    name: str
    version: int
    title: str
    tagline: str
    rules: Json
    words: Json
    options: Json
    decks: list[str]
    steps: list[str]
    actions: list[str]
    facts: Json
    players: int
    usual_players: int
    usual_options: Json
    odds: bool
    lab: bool


Authorization = Annotated[str | None, HeaderParameter(name="Authorization")]


class RosterRead(Struct, frozen=True):
    """The sheets of a roster file, in the form in which the game's answers bring them."""

    characters: list[Any]


@get("/api/health", cache_control=None)
async def health(state: State) -> Response[Health]:
    """Whether the server is there, and can save."""
    saving = _house(state).saver.healthy
    return Response(Health(saving, cardhouse.__version__), status_code=200 if saving else 503)


@get("/api/house")
async def house_info(state: State) -> HouseInfo:
    """Where this house is."""
    return HouseInfo(state["address"], cardhouse.__version__)


@get("/api/games", guards=[charged("games")], compressed_already=True, **tells(list[GameListed]))
async def games(request: Request[Any, Any, State]) -> Response[Any]:
    """What can be played here; a game that can't be loaded is left out."""
    return static.answer(await once(_games), request)


def _games() -> static.File:
    found = []
    for name in game_names():
        try:
            words = catalogue_of(find_game(name)).words
        except CardhouseError as error:
            log.warning("%s is not offered: %s", name, error.message)
        else:
            found.append(
                GameListed(name, words.title, words.tagline, name in games_with_questions(), _usual_options(name))
            )
    return _json_file(found)


@get("/api/games/{game:str}", guards=[charged("games")], compressed_already=True, **tells(GameInfo))
async def game_info(game: str, request: Request[Any, Any, State]) -> Response[Any]:
    """A game's rules and words, and what can be chosen when a table is made."""
    return static.answer(await once(_game_info, find_game(game)), request)


def _game_info(kind: type[Game]) -> static.File:
    catalogue = catalogue_of(kind)
    words: Json = msgspec.to_builtins(catalogue.words)
    info = GameInfo(
        kind.name,
        kind.version,
        words["title"],
        words["tagline"],
        msgspec.to_builtins(catalogue.rules),
        words,
        _options_schema(kind),
        list(kind.decks),
        list(kind.steps),
        [action.word() for action in kind.actions],
        kind.facts(),
        min(kind.most_players or PLAYERS_AT_MOST, PLAYERS_AT_MOST),
        kind.usual_players,
        _usual_options(kind.name),
        kind.odds is not Game.odds,
        kind.name in games_with_questions(),
    )
    return _json_file(info)


def hold_games() -> None:
    """Make what is told of games before anybody asks: several who ask first at once would hold up all tables."""
    static.hold(_games)
    for name in game_names():
        with suppress(CardhouseError):  # it is told when somebody asks for the game
            static.hold(_game_info, find_game(name))


def _usual_options(game: str) -> Json:
    return dict(find_game(game).usual_options)


def _options_schema(kind: type[Game]) -> Json:
    options = next(field.type for field in msgspec.structs.fields(kind) if field.name == "options")
    (schema,), named = msgspec.json.schema_components([options], ref_template="#/$defs/{name}")
    own: Json = named.pop(schema["$ref"].rpartition("/")[2])
    return {**own, "$defs": named} if named else own


def _json_file(content: Any) -> static.File:
    return static.held(msgspec.json.encode(content), MediaType.JSON)


@get(
    "/api/games/{game:str}/options/{option:str}",
    guards=[charged("games")],
    media_type=MediaType.TEXT,
    compressed_already=True,
    **tells(str, MediaType.TEXT),
)
async def option_file(game: str, option: str, request: Request[Any, Any, State]) -> Response[Any]:
    """The file to start from for whoever wants to write their own for an option of the format `file`."""
    return static.answer(await once(_option_file, find_game(game), option), request)


def _option_file(kind: type[Game], option: str) -> static.File:
    return static.held(kind.option_file(option).encode(), "text/plain; charset=utf-8")


@post(
    "/api/games/{game:str}/options/{option:str}",
    guards=[charged("files")],
    request_max_body_size=FILE_BYTES,
    status_code=200,
    compressed_already=True,
    **tells(Json, status=200),
)
async def read_option_file(game: str, option: str, request: Request[Any, Any, State]) -> Response[Any]:
    """An option's value, under its name, from the file that is the body of the request.

    What is wrong with the file is told under `mistakes`: line, field, message.
    """
    find_game(game)
    return await _worked_out(request, option_value, game, option, await request.body())


@post(
    "/api/games/{game:str}/roster",
    guards=[charged("files")],
    request_max_body_size=FILE_BYTES,
    status_code=200,
    compressed_already=True,
    **tells(RosterRead, status=200),
)
async def read_roster(game: str, request: Request[Any, Any, State]) -> Response[Any]:
    """Check a roster file, the body of the request, and tell what is in it. Nothing is kept."""
    find_game(game)
    return await _worked_out(request, characters, game, await request.body())


@post(
    "/api/games/{game:str}/judge",
    guards=[charged("layouts")],
    request_max_body_size=REQUEST_BYTES,
    status_code=200,
    compressed_already=True,
    dto=Unread[LayoutLaid],
    return_dto=None,
    **tells(Json, status=200),
)
async def judge_layout(game: str, data: bytes, request: Request[Any, Any, State]) -> Response[Any]:
    """What a game's judge says of a layout, with no table. Nothing is kept."""
    find_game(game)
    return await _worked_out(request, verdict, game, data)


async def _worked_out(request: Request[Any, Any, State], function: Callable[..., Any], *args: Any) -> Response[Any]:
    """What a worker makes of what a visitor has sent."""
    working = _house(request.app.state).workers.run(visitor_of(request), packed, function, *args)
    return sent(await as_long_as_asked(request, working), request, MediaType.JSON)


@post(
    "/api/tables",
    guards=[charged("tables")],
    request_max_body_size=REQUEST_BYTES,
    dto=Unread[TableWanted],
    return_dto=None,
)
async def make_table(data: bytes, request: Request[Any, Any, State], state: State) -> NewTable:
    """Make a table. Each link is `/t/{table}#{token}`, and whoever opens it sits in that seat; but for `door`.

    That is `/j/{table}#{token}`, and whoever opens it takes a free seat.
    """
    return await as_long_as_asked(request, _house(state).make(visitor_of(request), data))


@post("/api/tables/import", guards=[charged("imports")], request_max_body_size=TRANSCRIPT_BYTES)
async def import_table(request: Request[Any, Any, State], state: State) -> NewTable:
    """Make a table that goes on where a transcript, the body of the request, ends."""
    text = await request.body()
    return await as_long_as_asked(request, _house(state).import_transcript(visitor_of(request), text))


@get("/api/tables/{table:str}/seats", guards=[charged("doors")])
async def seats(
    table: str, request: Request[Any, Any, State], state: State, authorization: Authorization = None
) -> Response[PlayerSeats]:
    """The players' seats at a table, for whoever has the secret of its door."""
    asked = _house(state).seats(table, _token(authorization))
    return Response(await _at_the_door(request, asked), headers={"Cache-Control": "no-store"})


@post(
    "/api/tables/{table:str}/seats",
    guards=[charged("doors")],
    request_max_body_size=FRAME_BYTES,
    dto=Unread[SeatWanted],
    return_dto=None,
)
async def take_seat(
    table: str, data: bytes, request: Request[Any, Any, State], state: State, authorization: Authorization = None
) -> Response[SeatTaken]:
    """Take a free seat at a table, with the secret of its door; the answer has the secret of a link of one's own."""
    asked = _house(state).take_seat(table, _token(authorization), data)
    return Response(await _at_the_door(request, asked), status_code=201, headers={"Cache-Control": "no-store"})


async def _at_the_door(request: Request[Any, Any, State], asked: Awaitable[T]) -> T:
    """What comes of it; who has a wrong secret, or one of no table, pays for that as at a socket."""
    try:
        return await asked
    except CardhouseError as error:
        if isinstance(error, Gone) or error.code == "old_link":
            charge(request, "wrong links")
        raise


@get(
    "/api/tables/{table:str}/transcript",
    guards=[charged("transcripts")],
    compressed_already=True,
    **tells(str, "application/jsonl"),
)
async def transcript(
    table: str, request: Request[Any, Any, State], state: State, authorization: Authorization = None
) -> Response[Any]:
    """A table's transcript: for the game master at any time, for the others when it has ended."""
    asked = _house(state).transcript(visitor_of(request), table, _token(authorization))
    content = await as_long_as_asked(request, asked)
    return sent(content, request, "application/jsonl; charset=utf-8", _as_file(f"{table}.jsonl"))


@get("/api/tables/{table:str}/deal", guards=[charged("deals")], compressed_already=True, **tells(Deal))
async def deal(
    table: str, request: Request[Any, Any, State], state: State, authorization: Authorization = None
) -> Response[Any]:
    """How a table that has ended was dealt, for a page to check by itself."""
    asked = _house(state).deal(visitor_of(request), table, _token(authorization))
    return sent(await as_long_as_asked(request, asked), request, MediaType.JSON, {"Cache-Control": "no-store"})


@get("/api/tables/{table:str}/replay", guards=[charged("replays")], compressed_already=True, **tells(Replay))
async def replay(
    table: str,
    seat: str,
    request: Request[Any, Any, State],
    state: State,
    after: Annotated[int, QueryParameter(ge=0)] = 0,
    authorization: Authorization = None,
) -> Response[Any]:
    """What a seat (or `screen`, or with all hands `open`) saw after each entry, some entries at a time.

    For whoever may have the transcript.
    """
    asked = _house(state).replay(visitor_of(request), table, _token(authorization), seat, after)
    return sent(await as_long_as_asked(request, asked), request, MediaType.JSON, {"Cache-Control": "no-store"})


@get("/api/tables/{table:str}/roster", guards=[charged("rosters")], compressed_already=True, **tells(RosterFile))
async def roster(
    table: str, request: Request[Any, Any, State], state: State, authorization: Authorization = None
) -> Response[Any]:
    """A table's roster file: for the game master at any time, for the others when it has ended."""
    asked = _house(state).roster(visitor_of(request), table, _token(authorization))
    content = await as_long_as_asked(request, asked)
    return sent(content, request, MediaType.JSON, _as_file(f"{table}-roster.json"))


def _token(authorization: str | None) -> str:
    """The secret that somebody names.

    Raises CardhouseError if they don't.
    """
    scheme, _, token = (authorization or "").partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise CardhouseError(
            "Say who you are: the header Authorization: Bearer, and the secret of your link.", "old_link"
        )
    return token.strip()


def _as_file(name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}


@get(
    [
        "/",
        "/t",
        "/t/{table:str}",
        "/j",
        "/j/{table:str}",
        "/replay",
        "/replay/{table:str}",
        "/judge",
        "/judge/{game:str}",
        "/lab",
        "/lab/{game:str}",
        "/lab/{game:str}/{question:str}",
    ],
    include_in_schema=False,
    compressed_already=True,
)
async def index(request: Request[Any, Any, State], state: State) -> Response[Any]:
    """The page, which reads its own address."""
    return _file(static.INDEX, request, state)


@get("/{path:path}", include_in_schema=False, compressed_already=True)
async def page_file(path: str, request: Request[Any, Any, State], state: State) -> Response[Any]:
    """A file of the page."""
    return _file(path.lstrip("/"), request, state)


def _file(name: str, request: Request[Any, Any, State], state: State) -> Response[Any]:
    files: dict[str, static.File] = state["page"]
    if not files:
        return Response(static.NOT_BUILT, status_code=503 if name == static.INDEX else 404, media_type=MediaType.TEXT)
    file = files.get(name)
    if file is None:
        if "text/html" in request.headers.get("accept", ""):  # somebody reads it: the page says so, with a way on
            page = files[static.INDEX]
            return Response(page.copies["identity"], status_code=404, media_type=page.media_type)
        return Response("There is nothing here.\n", status_code=404, media_type=MediaType.TEXT)
    return static.answer(file, request)


def _house(state: State) -> House:
    house: House = state["house"]
    return house


ROUTES = [
    health,
    house_info,
    games,
    game_info,
    option_file,
    read_option_file,
    read_roster,
    judge_layout,
    make_table,
    import_table,
    seats,
    take_seat,
    transcript,
    deal,
    replay,
    roster,
    index,
    page_file,
]
