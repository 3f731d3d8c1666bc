"""The HTTP part, on SQLite and PostgreSQL; and the page, which is only files to the server."""

import gzip
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cardhouse.engine import Table, catalogue_of, find_game
from cardhouse.server.api.tables import TRANSCRIPT_BYTES
from cardhouse.server.core import static_cache
from cardhouse.server.wire.requests import REQUEST_BYTES
from tests.server.talking import Person, Server, TableMade


def test_health_and_house(house: Server) -> None:
    assert house.get("/api/health")[1]["saving"] is True
    assert house.get("/api/house")[1]["address"] == house.address


def test_games(house: Server) -> None:
    status, games = house.get("/api/games")
    assert status == 200
    told = {
        "name",
        "title",
        "tagline",
        "lab",
        "usual_options",
        "sign",
        "world",
        "judge",
        "minute",
        "lessons",
        "moment",
        "preview",
        "forms",
        "people",
    }
    assert told == set(games[0])
    game = house.get("/api/games/initiative")[1]
    catalogue = catalogue_of(find_game("initiative"))
    assert game["rules"] == {name: rule.title for name, rule in catalogue.rules.items()}
    details = house.get("/api/games/initiative/details")[1]
    assert details == {"rules": msgspec.to_builtins(catalogue.rules), "ready": {}}
    assert game["words"]["events"] == catalogue.words.events
    assert game["options"]["properties"]["join_now"] == {"type": "boolean", "default": False}
    assert (game["decks"], game["steps"]) == (["initiative"], ["draw"])
    assert "add_character" in game["actions"]
    status, told = house.get("/api/games/chess")
    assert status == 400
    assert "initiative" in told["message"]


def test_a_lesson_is_told_whole_and_played_on_from(house: Server) -> None:
    status, games = house.get("/api/games")
    lesson, *_ = next(game["lessons"] for game in games if game["name"] == "dogpile")
    address = f"/api/games/dogpile/lessons/{lesson['name']}"
    status, told = house.get(address)
    assert (status, told["title"], told["you"]) == (200, lesson["title"], "p2")
    assert [step["meant"]["do"] for step in told["steps"] if "ask" in step] == ["lay", "lay", "lay"]
    hands = told["steps"][0]["doc"]["view"]["hands"]
    assert '"SA"' in json.dumps(hands)
    assert '"HQ"' not in json.dumps(hands), "nobody else's hand is told"
    status, made = house.post(f"{address}/tables", {})
    assert (status, made["sit"], sorted(made["links"])) == (201, "p2", ["door", "gm", "p1", "p2", "p3", "screen"])
    scenes = "/api/games/dogpile/lessons/now/tables"
    status, made = house.post(scenes, {"scene": "beach"})
    assert (status, made["sit"], made["scene"]) == (201, "p1", "beach")
    assert house.post(scenes, {"but": "beach"})[1]["scene"] != "beach"
    assert house.post(scenes, {"scene": "nowhere"})[0] == 404
    assert house.post("/api/games/dogpile/lessons/preview/tables", {})[0] == 404
    for unknown in ("/api/games/dogpile/lessons/9-none", "/api/games/chess/lessons/now"):
        status, told = house.get(unknown)
        assert status >= 400
        assert told["message"]


def test_a_table_is_made_with_a_link_for_each_seat(house: Server) -> None:
    status, made = house.post("/api/tables", {"game": "initiative"})
    assert status == 201
    assert list(made["links"]) == ["gm", "p1", "p2", "p3", "p4", "screen", "door"]
    assert len(set(made["links"].values())) == 7
    assert {len(token) for seat, token in made["links"].items() if seat != "door"} == {22}
    assert len(made["links"]["door"]) == 8
    _, made = house.post("/api/tables", {"game": "initiative", "seats": ["ada", "nan"], "name": "Red Gulch"})
    assert list(made["links"]) == ["gm", "ada", "nan", "screen", "door"]


@pytest.mark.parametrize(
    ("wanted", "names"),
    [
        ({}, "game"),
        ({"game": 7}, "game"),
        ({"game": "chess"}, "chess"),
        ({"game": "initiative", "seats": 0}, "seats"),
        ({"game": "initiative", "seats": 20}, "seats"),
        ({"game": "initiative", "seats": []}, "seats"),
        ({"game": "initiative", "seats": ["gm"]}, "same name"),
        ({"game": "initiative", "seats": ["a", "a"]}, "same name"),
        ({"game": "initiative", "seats": ["screen"]}, "screen"),
        ({"game": "initiative", "seats": ["a\x00b"]}, "seat"),
        ({"game": "initiative", "seats": ["x" * 41]}, "40"),
        ({"game": "initiative", "options": {"fly": True}}, "fly"),
        ({"game": "initiative", "options": {"join_now": "yes"}}, "join_now"),
        ({"game": "initiative", "options": []}, "options"),
        ({"game": "initiative", "decks": {"tarot": "physical"}}, "tarot"),
        ({"game": "initiative", "decks": {"initiative": "marked"}}, "marked"),
        ({"game": "initiative", "by_hand": ["shave"]}, "shave"),
        ({"game": "initiative", "odds": "some"}, "odds"),
        ({"game": "initiative", "name": "x" * 41}, "name"),
        ({"game": "initiative", "name": "two\nlines"}, "name"),
        ({"game": "initiative", "seed": "00"}, "seed"),
        ([], "object"),
        (b"{", ""),
        (b"", ""),
        (b"\xff", ""),
    ],
)
def test_a_table_that_cannot_be_made(house: Server, wanted: Any, names: str) -> None:
    status, told = house.post("/api/tables", wanted)
    assert (status, set(told)) == (400, {"code", "message"}), told
    assert names in told["message"]
    assert "Traceback" not in told["message"]


def test_a_request_too_large(house: Server) -> None:
    """It is refused by its length: whoever is still sending then may find the line cut before the answer is read."""
    for path, most in (("/api/tables", REQUEST_BYTES), ("/api/tables/import", TRANSCRIPT_BYTES)):
        status, told = house.post_claiming(path, most + 1)
        assert (status, told["code"]) == (413, "too_large"), path


def test_what_is_not_there(house: Server) -> None:
    for path in ("/api/nothing", "/api/tables", "/../../etc/passwd", "/assets/../../store.py", "/%2e%2e/store.py"):
        assert house.raw(path)[0] in (404, 405), path
    status, told = house.get("/api/tables/nowhere9/transcript", "x")
    assert (status, told["code"]) == (404, "no_such_seat")


def played(house: Server, *, end: bool) -> TableMade:
    table = house.make_table(seats=["p1"])
    gm, p1 = table.sit("gm"), table.sit("p1")
    p1.say(t="name", name="Ada")
    p1.sync()
    gm.do("add_character", name="Ada", card="HA", controller="p1")
    gm.do("add_character", name="Shadow", card="SK", hidden=True)
    gm.do("start_round")
    if end:
        gm.ask({"end": True})
    return table


def test_transcripts_are_the_game_masters_until_the_end(house: Server) -> None:
    table = played(house, end=False)
    path = f"/api/tables/{table.id}/transcript"
    for token, status, code in (
        (None, 401, "old_link"),
        ("", 401, "old_link"),
        ("wrong", 401, "old_link"),
        (house.make_table().links["gm"], 401, "old_link"),
        (table.links["p1"], 403, "not_yours"),
        (table.links["screen"], 403, "not_yours"),
    ):
        answer = house.get(path, token)
        assert (answer[0], answer[1]["code"]) == (status, code)
        assert "Shadow" not in str(answer)
    header, *lines = table.transcript()
    assert header["names"] == {"p1": "Ada"}
    assert header["commitment"] == table.commitment
    replayed = Table.read([json.dumps(line) for line in (header, *lines)])
    assert replayed.view("gm") == table.sit("gm").doc["view"]
    ended = played(house, end=True)
    assert ended.transcript("p1") == ended.transcript("gm")


def test_the_screens_link_only_watches(house: Server) -> None:
    """It shows the recap after the end, without the link to the replay, which can be forked."""
    table = played(house, end=True)
    path, screen = f"/api/tables/{table.id}", table.links["screen"]
    for document in ("transcript", "deal", "roster", "replay?seat=screen", "replay?seat=open", "lab?seat=open"):
        status, answer = house.get(f"{path}/{document}", screen)
        assert (status, answer["code"]) == (403, "not_yours"), document
    status, answer = house.post(f"{path}/fork", {"seat": "p1", "at": 1}, Authorization=f"Bearer {screen}")
    assert (status, answer["code"]) == (403, "not_yours")
    assert house.get(f"{path}/evening", screen)[1]["look"] == ""
    assert house.get(f"{path}/evening", table.links["p1"])[1]["look"]


def test_an_unfinished_transcript_is_played_on(house: Server) -> None:
    table = played(house, end=False)
    lines = table.transcript()
    status, made = house.post("/api/tables/import", "\n".join(map(json.dumps, lines)).encode())
    assert status == 201, made
    again = TableMade(house, made["table"], made["links"])
    assert again.id != table.id
    assert set(again.links) == {"gm", "p1", "screen", "door"}
    assert made["commitment"] == ""
    gm = again.sit("gm")
    assert gm.doc == table.sit("gm").doc
    assert gm.table["n"] == 3
    assert {"seat": "p1", "name": "Ada", "here": False} in gm.table["seats"]
    gm.do("add_character", name="Zoe", card="C2")
    assert again.transcript()[1 : len(lines)] == lines[1:]


def test_a_finished_transcript_stays_finished(house: Server) -> None:
    table = played(house, end=True)
    lines = table.transcript()
    _, made = house.post("/api/tables/import", "\n".join(map(json.dumps, lines)).encode())
    again = TableMade(house, made["table"], made["links"])
    assert made["commitment"] == table.commitment
    assert again.sit("p1").table["table"]["ended"]
    assert again.transcript("p1") == lines


def test_a_transcript_written_by_hand_gets_its_cards_dealt(house: Server) -> None:
    text = b"""{"cardhouse": 1, "game": "initiative", "seats": ["gm", "ada"]}
{"by": "gm", "do": "add_character", "name": "Ada", "card": "HA", "controller": "ada"}
{"by": "gm", "do": "start_round"}
"""
    status, made = house.post("/api/tables/import", text)
    assert status == 201
    lines = TableMade(house, made["table"], made["links"]).transcript()
    assert "draw" in lines[3]


def begun(line: bytes) -> bytes:
    return b'{"cardhouse": 1, "game": "initiative", "seats": ["gm"]}\n' + line


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b"", "the file is empty"),
        (b"hello", "line 1"),
        (b"\xff\xfe", "the file is empty"),
        (b'{"cardhouse": 2, "game": "initiative", "seats": ["gm"]}', "newer"),
        (b'{"cardhouse": 1, "game": "initiative", "version": 9, "seats": ["gm"]}', "version 9"),
        (b'{"cardhouse": 1, "game": "chess", "seats": ["gm"]}', "chess"),
        (b'{"cardhouse": 1, "game": "initiative", "seats": ["gm"]}\n{"by": "gm", "do": "fly"}', "line 2"),
        (b'{"cardhouse": 1, "game": "initiative", "seats": ["gm"]}\n\n{"by": "p1", "undo": 1}', "line 3"),
        (
            (
                b'{"cardhouse": 1, "game": "initiative", "seats": ["gm"]}\n'
                b'{"by": "gm", "seat": "a", "id": "x"}\n{"by": "gm", "seat": "b", "id": "x"}'
            ),
            "line 3",
        ),
        (begun(b'{"by": "gm", "seat": "a", "id": 7}'), "line 2"),
        (begun(b'{"by": "gm", "seat": "a", "id": "a\\u0000b"}'), "line 2"),
        (begun(b'{"by": "gm", "seat": "a", "id": "' + b"x" * 65 + b'"}'), "line 2"),
        (b'{"cardhouse": 1, "game": "initiative", "seats": ["gm"], "names": {"gm": "a\\u0000b"}}', "line 1"),
        (b'{"cardhouse": 1, "game": "initiative", "seats": ["gm"], "name": "two\\nlines"}', "line 1"),
        (
            b'{"cardhouse": 1, "game": "initiative", "seats": ["gm", %s]}'
            % b", ".join(b'"p%d"' % seat for seat in range(60)),
            "line 1: a table has 60 seats at most",
        ),
        (
            begun(b"\n".join(b'{"by": "gm", "seat": "p%d"}' % seat for seat in range(60))),
            "line 61: a table has 60 seats at most",
        ),
    ],
)
def test_a_transcript_that_cannot_be_read(house: Server, text: bytes, says: str) -> None:
    status, told = house.post("/api/tables/import", text)
    assert status == 400
    assert says in told["message"].lower()


def test_the_schema_is_there_and_fetches_nothing(house: Server) -> None:
    status, headers, body = house.raw("/schema")
    assert status == 200
    schema = json.loads(body)
    assert {"/api/health", "/api/house", "/api/games", "/api/games/{game}", "/api/tables", "/api/tables/import"} <= set(
        schema["paths"]
    )
    assert "json" in headers["content-type"]
    for path in ("/schema/openapi.yaml", "/schema/redoc", "/schema/swagger", "/schema/elements", "/schema/rapidoc"):
        assert house.raw(path)[0] == 404


def test_headers_keep_the_page_to_itself(house: Server) -> None:
    for path in ("/", "/t/abc", "/api/health", "/api/nothing", "/schema"):
        _, headers, _ = house.raw(path)
        assert headers["referrer-policy"] == "no-referrer", path
        assert headers["x-content-type-options"] == "nosniff"
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self';" in policy
        assert "://" not in policy
        assert "access-control-allow-origin" not in headers


def test_files_of_the_page(tmp_path: Path) -> None:
    assert static_cache.read_page(tmp_path) == {}
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<!doctype html>")
    (tmp_path / "assets" / "app-1a2b.js").write_text("let it = 1")
    (tmp_path / "assets" / "app-1a2b.js.br").write_bytes(b"br")
    (tmp_path / "assets" / "app-1a2b.js.gz").write_bytes(b"gz")
    (tmp_path / ".built-from").write_text("x")
    files = static_cache.read_page(tmp_path)
    assert set(files) == {"index.html", "assets/app-1a2b.js"}
    script = files["assets/app-1a2b.js"]
    assert "javascript" in script.media_type
    assert "immutable" in script.caching
    assert files["index.html"].caching == "no-cache"
    assert [script.best(accepted) for accepted in ("gzip, br", "gzip", "br;q=0, gzip", "", "identity")] == [
        "br",
        "gzip",
        "gzip",
        "identity",
        "identity",
    ]


@pytest.mark.parametrize(
    "path", ["/", "/api/games", "/api/games/hackjack", "/api/games/hackjack/options/wounds", "/api/lab"]
)
def test_unchanged_data_is_not_sent_again(house: Server, path: str) -> None:
    status, headers, body = house.raw(path)
    told = {name: headers[name] for name in ("etag", "cache-control", "vary")}
    assert (status, told["cache-control"], told["vary"]) == (200, "no-cache", "Accept-Encoding")
    _, packed, content = house.raw(path, **{"Accept-Encoding": "gzip"})
    assert packed["content-encoding"] == "gzip"
    assert gzip.decompress(content) == body
    assert packed["etag"] == told["etag"]
    assert told["etag"].startswith('W/"')  # the same for other bytes, it can't be a strong one
    opaque = told["etag"].removeprefix("W/")
    for known in (told["etag"], opaque, f'"other", {told["etag"]}', "*"):
        for encoding in ("gzip", "identity"):
            asked = {"If-None-Match": known, "Accept-Encoding": encoding}
            status, headers, nothing = house.raw(path, **asked)
            assert (status, nothing) == (304, b"")
            assert {name: headers[name] for name in told} == told
    for other in ('"other"', f"{opaque[:-2]}", 'W/""', ""):
        assert house.raw(path, **{"If-None-Match": other})[::2] == (200, body)


def test_who_sits_is_told_by_the_link(house: Server) -> None:
    table = house.make_table()
    assert table.links.pop("door"), "that is no seat's"
    assert [Person(house, table.id, token).seat for token in table.links.values()] == list(table.links)
