"""The HTTP part: making tables, what there is to play, transcripts, and the page itself."""

import logging
from asyncio import to_thread
from typing import Annotated, Any, Literal

import msgspec
from litestar import MediaType, Request, Response, get, post
from litestar.datastructures import State
from litestar.params import HeaderParameter, QueryParameter
from msgspec import Meta, Struct

import cardhouse
from cardhouse.cards import Placed
from cardhouse.engine import CardhouseError, Game, catalogue_of, find_game, game_names
from cardhouse.lab.question import games_with_questions
from cardhouse.server import static
from cardhouse.server.house import Deal, House, NewTable
from cardhouse.server.limits import charged
from cardhouse.server.replaying import Replay

PLAYERS_AT_MOST = 19
TRANSCRIPT_BYTES = 8_000_000
FILE_BYTES = 500_000
"""How large a file may be that somebody wrote: an option's, a roster."""
REQUEST_BYTES = 2 * FILE_BYTES
"""Options come from files, and are longer as JSON."""

Json = dict[str, Any]
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
    """A game there is to play. `lab` is whether the lab knows something about it."""

    name: str
    title: str
    tagline: str
    lab: bool


class GameInfo(Struct, frozen=True):
    """A game's rules and words, and what can be chosen when a table is made.

    `options` is a JSON Schema of an object, each property with its default, and one of the format `file` comes from a
    file; `actions` are the words of its answers, `facts` what a game's own view needs to know besides. `players` is the
    largest number of them beside the game master, `usual_players` how many there are places for unless somebody says
    otherwise, `odds` whether the game has any to show, `lab` whether the lab knows something about it.
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
    odds: bool
    lab: bool


Authorization = Annotated[str | None, HeaderParameter(name="Authorization")]
_Players = Annotated[int, Meta(ge=1, le=PLAYERS_AT_MOST)]
_SeatName = Annotated[str, Meta(min_length=1, max_length=40)]
_SeatNames = Annotated[list[_SeatName], Meta(min_length=1, max_length=PLAYERS_AT_MOST)]


class RosterRead(Struct, frozen=True):
    """The sheets of a roster file, in the form in which the game's answers bring them."""

    characters: list[Any]


class LayoutLaid(Struct, frozen=True, forbid_unknown_fields=True):
    """Cards on a real table, and the options of the game that matter for judging them."""

    cards: list[Placed]
    options: Json = {}


class TableWanted(Struct, frozen=True, forbid_unknown_fields=True):
    """A table to be made. `seats` is the number of players beside the game master, or the names of their seats.

    If it is not said, there are as many as is usual for the game. `bots` are those that play a seat, by seat. With
    `deal` `together` every device at the table takes part in what is dealt.
    """

    game: str
    name: str = ""
    options: Json = {}
    seats: _Players | _SeatNames | None = None
    decks: dict[str, str] = {}
    by_hand: list[str] = []
    odds: Literal["off", "gm", "all"] = "gm"
    deal: Literal["", "together"] = ""
    bots: dict[str, str] = {}


@get("/api/health", cache_control=None)
async def health(state: State) -> Response[Health]:
    """Whether the server is there, and can save."""
    saving = _house(state).saver.healthy
    return Response(Health(saving, cardhouse.__version__), status_code=200 if saving else 503)


@get("/api/house")
async def house_info(state: State) -> HouseInfo:
    """Where this house is."""
    return HouseInfo(state["address"], cardhouse.__version__)


@get("/api/games", guards=[charged("games")], sync_to_thread=False)
def games() -> list[GameListed]:
    """What can be played here; a game that can't be loaded is left out."""
    found = []
    for name in game_names():
        try:
            words = catalogue_of(find_game(name)).words
        except CardhouseError as error:
            log.warning("%s is not offered: %s", name, error.message)
        else:
            found.append(GameListed(name, words.title, words.tagline, name in games_with_questions()))
    return found


@get("/api/games/{game:str}", guards=[charged("games")], sync_to_thread=False)
def game_info(game: str) -> GameInfo:
    """A game's rules and words, and what can be chosen when a table is made."""
    kind = find_game(game)
    catalogue = catalogue_of(kind)
    words: Json = msgspec.to_builtins(catalogue.words)
    return GameInfo(
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
        kind.odds is not Game.odds,
        kind.name in games_with_questions(),
    )


def _options_schema(kind: type[Game]) -> Json:
    options = next(field.type for field in msgspec.structs.fields(kind) if field.name == "options")
    (schema,), named = msgspec.json.schema_components([options], ref_template="#/$defs/{name}")
    own: Json = named.pop(schema["$ref"].rpartition("/")[2])
    return {**own, "$defs": named} if named else own


@get(
    "/api/games/{game:str}/options/{option:str}",
    guards=[charged("games")],
    media_type=MediaType.TEXT,
    sync_to_thread=False,
)
def option_file(game: str, option: str) -> str:
    """The file to start from for whoever wants to write their own for an option of the format `file`."""
    return find_game(game).option_file(option)


@post(
    "/api/games/{game:str}/options/{option:str}",
    guards=[charged("files")],
    request_max_body_size=FILE_BYTES,
    status_code=200,
)
async def read_option_file(game: str, option: str, request: Request[Any, Any, State]) -> Json:
    """An option's value, under its name, from the file that is the body of the request.

    What is wrong with the file is told under `mistakes`: line, field, message.
    """
    text = await request.body()
    return {option: await to_thread(find_game(game).read_option_file, option, text)}


@post("/api/games/{game:str}/roster", guards=[charged("files")], request_max_body_size=FILE_BYTES, status_code=200)
async def read_roster(game: str, request: Request[Any, Any, State]) -> RosterRead:
    """Check a roster file, the body of the request, and tell what is in it. Nothing is kept."""
    return RosterRead(await to_thread(find_game(game).read_roster, await request.body()))


@post("/api/games/{game:str}/judge", guards=[charged("layouts")], request_max_body_size=REQUEST_BYTES, status_code=200)
async def judge_layout(game: str, data: LayoutLaid) -> Json:
    """What a game's judge says of a layout, with no table. Nothing is kept."""
    return await to_thread(find_game(game).verdict_on, data.cards, data.options)


@post("/api/tables", guards=[charged("tables")], request_max_body_size=REQUEST_BYTES)
async def make_table(data: TableWanted, state: State) -> NewTable:
    """Make a table. Each link is `/t/{table}#{token}`; whoever opens it sits in that seat."""
    wanted = find_game(data.game).usual_players if data.seats is None else data.seats
    players = [f"p{number}" for number in range(1, wanted + 1)] if isinstance(wanted, int) else wanted
    return await _house(state).create(
        data.game,
        ["gm", *players],
        odds=data.odds,
        options=data.options,
        name=data.name,
        decks=data.decks,
        by_hand=data.by_hand,
        deal=data.deal,
        bots=data.bots,
    )


@post("/api/tables/import", guards=[charged("imports")], request_max_body_size=TRANSCRIPT_BYTES)
async def import_table(request: Request[Any, Any, State], state: State) -> NewTable:
    """Make a table that goes on where a transcript, the body of the request, ends."""
    return await _house(state).import_transcript(await request.body())


@get("/api/tables/{table:str}/transcript", guards=[charged("transcripts")], media_type=MediaType.TEXT)
async def transcript(table: str, state: State, authorization: Authorization = None) -> Response[str]:
    """A table's transcript: for the game master at any time, for the others when it has ended."""
    text = await _house(state).transcript(table, _token(authorization))
    return _download(text, "application/jsonl; charset=utf-8", f"{table}.jsonl")


@get("/api/tables/{table:str}/deal", guards=[charged("deals")])
async def deal(table: str, state: State, authorization: Authorization = None) -> Response[Deal]:
    """How a table that has ended was dealt, for a page to check by itself."""
    found = await _house(state).deal(table, _token(authorization))
    return Response(found, headers={"Cache-Control": "no-store"})


@get("/api/tables/{table:str}/replay", guards=[charged("replays")])
async def replay(
    table: str,
    seat: str,
    state: State,
    after: Annotated[int, QueryParameter(ge=0)] = 0,
    authorization: Authorization = None,
) -> Response[Replay]:
    """What a seat (or `screen`, or with all hands `open`) saw after each entry, some entries at a time.

    For whoever may have the transcript.
    """
    found = await _house(state).replay(table, _token(authorization), seat, after)
    return Response(found, headers={"Cache-Control": "no-store"})


@get("/api/tables/{table:str}/roster", guards=[charged("rosters")], media_type=MediaType.JSON)
async def roster(table: str, state: State, authorization: Authorization = None) -> Response[bytes]:
    """A table's roster file: for the game master at any time, for the others when it has ended."""
    text = await _house(state).roster(table, _token(authorization))
    return _download(text, MediaType.JSON, f"{table}-roster.json")


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


def _download(content: Any, media_type: str, name: str) -> Response[Any]:
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(content, media_type=media_type, headers=headers)


@get(
    [
        "/",
        "/t/{table:str}",
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
        return Response("There is nothing here.\n", status_code=404, media_type=MediaType.TEXT)
    headers = {"Cache-Control": file.caching, "ETag": file.tag, "Vary": "Accept-Encoding"}
    if request.headers.get("if-none-match") == file.tag:
        return Response(None, status_code=304, headers=headers)
    encoding = file.best(request.headers.get("accept-encoding", ""))
    if encoding != "identity":
        headers["Content-Encoding"] = encoding
    return Response(file.copies[encoding], media_type=file.media_type, headers=headers)


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
    transcript,
    deal,
    replay,
    roster,
    index,
    page_file,
]
