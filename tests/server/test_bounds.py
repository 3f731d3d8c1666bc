"""Every number that a request, a frame, a file or an answer may hold has bounds, by its type."""

import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from litestar.params import KwargDefinition
from msgspec import inspect

from cardhouse.engine import Text, find_game, game_names
from cardhouse.engine.authoring import toml_file
from cardhouse.engine.chance.shared_randomness import Round
from cardhouse.engine.integrity.client_audit import Witness
from cardhouse.engine.values.questions import Action
from cardhouse.engine.values.roster import RosterFile
from cardhouse.engine.values.whole_numbers import LARGEST, Seed
from cardhouse.games.dogs.people import notation
from cardhouse.server.api.responses import RawBody
from cardhouse.server.api.tables import ROUTES
from cardhouse.server.lab.routes import LAB_ROUTES
from cardhouse.server.management.campaign_archive import CampaignFile
from cardhouse.server.management.campaigns import MOST_NOTES
from cardhouse.server.wire.protocol import Frame
from tests.server.talking import Server, new_id

NUMBERS = (int, float)
ALL_ROUTES = (*ROUTES, *LAB_ROUTES)
DTOS = (route.dto for route in ALL_ROUTES)
BODIES = {dto.model_type for dto in DTOS if isinstance(dto, type) and issubclass(dto, RawBody)}
KINDS: list[Any] = [Frame, *sorted(BODIES, key=repr)]
FILES = (CampaignFile, RosterFile, Round, Witness)
LARGE = (*map(str, (2**31, 2**53, 2**63 - 1, 2**63, 2**64, 10**30)), "9" * 5000)
"""Numbers beyond a limit of JavaScript, SQL, C or Python."""


def all_actions() -> set[type[Action]]:
    """The actions of Cardhouse and its games; other tests in this process may have games of their own."""
    for name in game_names():
        find_game(name)
    found, below = set[type[Action]](), [Action]
    while below:
        kinds = below.pop().__subclasses__()
        found.update(kinds)
        below.extend(kinds)
    return {kind for kind in found if kind.__module__.startswith("cardhouse.")}


def unbounded(node: Any, path: str = "", seen: tuple[Any, ...] = ()) -> Iterator[str]:
    """The paths of numbers in a type that may be arbitrarily large or small."""
    if isinstance(node, inspect.IntType | inspect.FloatType):
        if (node.ge is None and node.gt is None) or (node.le is None and node.lt is None):
            yield path
    elif isinstance(node, inspect.StructType):
        if node.cls not in seen:
            for field in node.fields:
                yield from unbounded(field.type, f"{path}.{field.name}", (*seen, node.cls))
    elif isinstance(node, msgspec.Struct):
        for name in node.__struct_fields__:
            value = getattr(node, name)
            for one in value if isinstance(value, tuple) else (value,):
                if isinstance(one, inspect.Type):
                    yield from unbounded(one, path, seen)


@pytest.mark.parametrize("kind", [*KINDS, *FILES], ids=str)
def test_every_number_of_frames_bodies_and_files_has_bounds(kind: Any) -> None:
    assert list(unbounded(inspect.type_info(kind), "")) == []


def test_every_number_of_an_answer_has_bounds() -> None:
    """An offer may narrow them further."""
    assert [path for kind in all_actions() for path in unbounded(inspect.type_info(kind), kind.__name__)] == []


def test_every_number_of_an_address_has_bounds() -> None:
    for route in ALL_ROUTES:
        for name, hint in typing.get_type_hints(route.fn, include_extras=True).items():
            kind, *how = typing.get_args(hint) if typing.get_origin(hint) is typing.Annotated else (hint,)
            if name == "return" or not {kind, *typing.get_args(kind)} & set(NUMBERS):
                continue
            (bounds,) = (one for one in how if isinstance(one, KwargDefinition))
            assert None not in (bounds.ge, bounds.le), f"{sorted(route.paths)}: {name}"


def test_the_limits_of_texts_and_numbers_are_as_documented() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "protocol.md").read_text("utf-8")
    table = page.partition("| of texts and numbers | |")[2].partition("\n\n")[0]
    assert f"or campaign | {Text().most} characters |" in table
    assert f"| {notation.LONGEST_SHEET:,} characters, {notation.LONGEST_LINE} in each line |" in table
    assert f"file | {toml_file.LONGEST_LINE:,} characters |" in table
    assert f"| {MOST_NOTES:,} characters |" in table
    assert f"| {LARGEST:,} (2^53 " in table
    seed = inspect.type_info(Seed)
    assert isinstance(seed, inspect.IntType)
    assert (seed.ge, seed.le) == (-(2**63), 2**63 - 1)
    assert "| 64 bits, signed |" in table


@pytest.mark.parametrize("number", LARGE, ids=lambda number: f"{len(number)} digits, {number[:3]}")
def test_a_number_beyond_all_bounds_is_refused(server: Server, number: str) -> None:
    """In each place of an address, a body and a frame that takes one."""
    table = server.make_table(game="hackjack", seats=2)
    secret, path = {"Authorization": f"Bearer {table.links['gm']}"}, f"/api/tables/{table.id}"
    for address in (
        f"{path}/replay?seat=gm&after={number}",
        f"{path}/lab?seat=gm&at={number}",
        f"{path}/transcript?upto={number}",
        f"{path}/pictures/{number}",
        f"/api/house/tables?after={number}",
    ):
        assert server.raw(address, **secret)[0] < 500, address
    for address, body in (
        (f"{path}/fork", f'{{"seat":"gm","at":{number}}}'),
        ("/api/games/dogpile/judge", f'{{"cards":[{{"card":"SQ","x":{number},"y":0}}]}}'),
        ("/api/lab/hackjack/deadly", f'{{"settings":{{}},"trials":{number}}}'),
        ("/api/lab/hackjack/deadly", f'{{"settings":{{}},"trials":10,"seed":{number}}}'),
        ("/api/lab/hackjack/deadly", '{"settings":{},"until":NaN}'),
        ("/api/lab/hackjack/deadly", '{"settings":{},"confidence":1e999}'),
    ):
        assert server.raw(address, method="POST", body=body, **secret)[0] < 500, (address, body[:80])
    gm, answer = table.sit("gm"), '{"do":"add_character","name":"A","hp":%s,"max_hp":7}'
    for frame in (
        f'{{"t":"story","before":{number}}}',
        f'{{"t":"undo_count","entry":{number}}}',
        f'{{"t":"link","round":{number},"link":"{"0" * 64}"}}',
        f'{{"t":"answer","id":"{new_id()}","at":0,"answer":{{"undo":{number}}}}}',
        f'{{"t":"answer","id":"{new_id()}","at":0,"answer":{answer % number}}}',
    ):
        gm.socket.send(frame)
        gm.sync()
    assert "Traceback" not in server.log.read_text()
