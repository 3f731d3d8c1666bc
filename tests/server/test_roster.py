"""Characters that outlive a table, and options that come from a file, over real HTTP."""

import json
from typing import Any

import pytest

from cardhouse.engine.authoring.toml_file import LARGEST_FILE
from cardhouse.games.hackjack.wounds.data import WOUNDS_FILE, wounds_from
from cardhouse.server.wire.requests import FILE_BYTES
from tests.server.talking import Person, Server, TableMade


def brought(table: TableMade, sheet: dict[str, Any], **more: Any) -> Person:
    """The game master, who has brought somebody."""
    gm = table.sit("gm")
    gm.do("bring_character", sheet=sheet, **more)
    return gm


def hurt(house: Server, game: str = "hackjack", **more: Any) -> TableMade:
    """A table at which Ada has been hit hard, with cards that people turned over."""
    table = house.make_table(game=game, seats=["ada"], decks={"wounds": "physical"}, options={"limit": 40})
    gm = table.sit("gm")
    gm.do("add_character", name="Ada", hp=7, max_hp=9, controller="ada", scores={"STR": 12}, **more)
    gm.do("damage", target="Ada", amount=9)
    gm.ask({"draw": "wounds", "card": "CK"})
    gm.do("damage", target="Ada", amount=1)
    gm.ask({"draw": "wounds", "card": "H4"})
    return table


def roster(table: TableMade, seat: str = "gm") -> list[dict[str, Any]]:
    """Who is in a table's roster file."""
    status, told = table.server.get(f"/api/tables/{table.id}/roster", table.links[seat])
    assert (status, told["cardhouse_roster"]) == (200, 1), told
    characters: list[dict[str, Any]] = told["characters"]
    return characters


def as_it_lives(gm: Person) -> dict[str, Any]:
    """What a table shows of the first character that another one must show, too."""
    (found, *_) = gm.doc["view"].get("fight", gm.doc["view"])["characters"]
    kept = ("hp", "max_hp", "down", "alive", "death_score", "blood", "trauma", "wounds", "marks", "scores", "recovery")
    return {name: found[name] for name in kept}


@pytest.mark.parametrize(("game", "card"), [("hackjack", {}), ("gunfight", {"card": "HA"})])
def test_wounds_go_along_to_the_next_table(house: Server, game: str, card: dict[str, str]) -> None:
    first = hurt(house, game, **card)
    (sheet,) = roster(first)
    assert (sheet["name"], sheet["death_score"], sheet["blood"], sheet["trauma"]) == ("Ada", 14 + 2, 0, 3)
    assert [(wound["card"], wound["check"]) for wound in sheet["wounds"]] == [("CK", None), ("H4", "open")]
    for other, its_card in (("hackjack", {}), ("gunfight", {"card": "S2", "side": "The Law"})):
        gm = brought(house.make_table(game=other, options={"limit": 40}), sheet, **its_card)
        assert as_it_lives(gm) == as_it_lives(first.sit("gm"))
        (there,) = gm.doc["view"].get("fight", gm.doc["view"])["characters"]
        assert (there["pile"], there["tokens"]) == ([], sheet["death_score"])


def test_the_roster_is_the_game_masters_until_the_end(house: Server) -> None:
    table = hurt(house)
    path = f"/api/tables/{table.id}/roster"
    for token, status, code in (
        (None, 401, "old_link"),
        ("wrong", 401, "old_link"),
        (house.make_table().links["gm"], 401, "old_link"),
        (table.links["ada"], 403, "not_yours"),
        (table.links["screen"], 403, "not_yours"),
    ):
        answer = house.get(path, token)
        assert (answer[0], answer[1]["code"]) == (status, code)
        assert "CK" not in str(answer)
    table.sit("gm").ask({"end": True})
    assert roster(table, "ada") == roster(table)


def test_those_who_hide_are_in_the_game_masters_roster(house: Server) -> None:
    table = house.make_table(game="gunfight")
    table.sit("gm").do("add_character", name="Mole", hp=4, max_hp=4, card="C4", side="Gang", hidden=True)
    assert [sheet["name"] for sheet in roster(table)] == ["Mole"]


def test_a_roster_has_the_portraits_of_its_characters_alone(house: Server) -> None:
    table = hurt(house, "gunfight", card="HA")
    gm = table.sit("gm")
    gm.say(t="name", name="Nan")
    gm.say(t="face", name="Nan", face=2)
    gm.say(t="face", name="Ada", face=4)
    gm.sync()
    assert table.sit("ada").table["table"]["faces"] == {"nan": 2, "ada": 4}
    told = house.get(f"/api/tables/{table.id}/roster", table.links["gm"])[1]
    assert (told["people"], told["faces"]) == ("west", {"ada": 4})
    assert house.post("/api/games/gunfight/roster", told) == (200, {"characters": told["characters"]})


def test_a_game_without_a_roster_and_a_table_that_is_not_there(house: Server) -> None:
    table = house.make_table(game="initiative")
    status, told = house.get(f"/api/tables/{table.id}/roster", table.links["gm"])
    assert (status, told) == (404, {"code": "no_roster", "message": "The game initiative has no roster."})
    status, told = house.post("/api/games/initiative/roster", b"{}")
    assert (status, told["code"]) == (404, "no_roster")
    assert house.get("/api/tables/nowhere9/roster", "x")[0] == 404


@pytest.mark.parametrize("game", ["hackjack", "gunfight"])
def test_a_roster_file_is_checked_and_told(house: Server, game: str) -> None:
    characters = roster(hurt(house))
    text = json.dumps({"cardhouse_roster": 1, "characters": characters})
    assert house.post(f"/api/games/{game}/roster", text.encode()) == (200, {"characters": characters})
    marked = b"\xef\xbb\xbf" + text.encode()
    assert house.post(f"/api/games/{game}/roster", marked) == (200, {"characters": characters})
    little = {"cardhouse_roster": 1, "characters": [{"name": "Ben", "hp": 3, "max_hp": 5}]}
    status, told = house.post(f"/api/games/{game}/roster", little)
    assert (status, told["characters"][0]["alive"]) == (200, True)


def of(**sheet: Any) -> bytes:
    """A roster file with Ben, and Ada of whom this is said."""
    ada = {"name": "Ada", "hp": 3, "max_hp": 5, **sheet}
    return json.dumps({"cardhouse_roster": 1, "characters": [{"name": "Ben", "hp": 3, "max_hp": 5}, ada]}).encode()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b"", "is empty"),
        (b"hello", "isn't valid JSON"),
        (b"\xff\xfe", "is empty"),
        (b"Ren\xe9", "isn't UTF-8"),
        (b"[" * 100_000, "isn't valid JSON"),
        (b"[]", "begins with"),
        (b'{"cardhouse": 1, "game": "hackjack", "seats": ["gm"]}', "begins with"),
        (b'{"cardhouse_roster": "1", "characters": []}', "begins with"),
        (b'{"cardhouse_roster": 2, "characters": [], "wizards": []}', "format 2"),
        (b'{"cardhouse_roster": 1}', "characters"),
        (b'{"cardhouse_roster": 1, "characters": [], "faces": {"ada": 12}}', "faces"),
        (b'{"cardhouse_roster": 1, "characters": {}}', "characters"),
        (b'{"cardhouse_roster": 1, "characters": [7]}', "Character 1: the sheet must be an object"),
        (of(hp="3"), "Character 2 (Ada): hp must be a whole number, not a text"),
        (of(luck=3), "Character 2 (Ada): luck is an unknown field"),
        (of(name="Ben"), "It has Ben twice"),
        (of(name="two\nlines"), "name must be a single line"),
        (of(hp=-1), "Ada: hp must be a whole number from 0 to 1000, not -1"),
        (of(max_hp=0), "Ada: max_hp"),
        (of(death_score=1_000_001), "Ada: death_score"),
        (of(blood=-1), "Ada: blood"),
        (of(trauma=7), "Ada: trauma"),
        (of(down=True), "a character who is down has no HP"),
        (of(hit_die="d7"), "Ada: hit_die can't be d7"),
        (of(to_hit="x" * 41), "Ada: to_hit"),
        (of(scores={"LUCK": 3}), "(Ada): a name in scores can't be 'LUCK'"),
        (of(scores={"STR": 0}), "(Ada): something in scores must be a whole number from 1"),
        (of(wounds=[{"card": "CA"}, {}]), "(Ada): wounds[2].card is missing"),
        (of(recovery=7), "(Ada): recovery must be an object or nothing, not a whole number"),
        (of(recovery={"trauma": 3, "amount": 0, "unit": "weeks"}), "Ada: recovery.amount"),
        (of(wounds=[{"card": "CA"}, {"card": "C1"}]), "Ada: wounds[2].card can't be C1"),
        (of(wounds=[{"card": "SJ", "found": [-1]}]), "Ada: wounds[1].found"),
        (of(wounds=[{"card": "S4", "drops": {"INT": -3}}]), "Ada: wounds[1].drops.INT"),
        (of(marks=[{"card": "RJ", "lasting": {"text": "A scar."}}]), "Ada: marks[1].card"),
    ],
)
def test_a_roster_file_that_cannot_be_used(house: Server, text: bytes, says: str) -> None:
    status, told = house.post("/api/games/hackjack/roster", text)
    assert (status, set(told)) == (400, {"code", "message"}), told
    assert says in told["message"]


def test_files_too_large(house: Server) -> None:
    for path in ("hackjack/roster", "hackjack/options/wounds"):
        status, told = house.post_claiming(f"/api/games/{path}", FILE_BYTES + 1)
        assert (status, told["code"]) == (413, "too_large"), path
        assert house.post(f"/api/games/{path}", b"#" * FILE_BYTES)[0] == 400, path


def test_a_sheet_that_nobody_can_have_is_refused_when_it_is_brought(house: Server) -> None:
    gm = house.make_table(game="hackjack").sit("gm")
    for sheet, says in (
        ({"name": "Ada", "hp": 3}, "max_hp"),
        ({"name": "Ada", "hp": 3, "max_hp": 5, "hit_die": "d7"}, "hit_die"),
        ({"name": "Ada", "hp": 3, "max_hp": 5, "wounds": [{"card": "X"}]}, "wounds[1].card"),
    ):
        error = gm.ask({"do": "bring_character", "sheet": sheet})
        assert (error["t"], error["code"]) == ("error", "not_offered")
        assert says in error["message"]
    gm.do("bring_character", sheet={"name": "Ada", "hp": 3, "max_hp": 5})
    again = gm.ask({"do": "bring_character", "sheet": {"name": "Ada", "hp": 3, "max_hp": 5}})
    assert "a character of this name is here" in again["message"]


MINE = b"""\
[C4]
name = "Sprained arms"
text = "They hurt for a week."
ends = "week"

[CA]
name = "Thrown back"
"""


def test_wounds_of_ones_own(house: Server) -> None:
    """What is read from a file makes a table by whose wounds people suffer."""
    (text,) = [MINE.partition(b"[CA]")[0]]
    status, options = house.post("/api/games/hackjack/options/wounds", text)
    written = {"name": "Sprained arms", "text": "They hurt for a week.", "ends": "week"}
    assert (status, options) == (200, {"wounds": {"C4": written}})
    for game, card in (("hackjack", {}), ("gunfight", {"card": "HA"})):
        table = house.make_table(game=game, options=options, decks={"wounds": "physical"})
        gm = table.sit("gm")
        gm.do("add_character", name="Ada", hp=7, max_hp=7, **card)
        gm.do("damage", target="Ada", amount=9)
        gm.ask({"draw": "wounds", "card": "C4"})
        assert as_it_lives(gm)["wounds"][0]["text"] == "They hurt for a week."
        assert as_it_lives(gm)["trauma"] == 0


@pytest.mark.parametrize("game", ["hackjack", "gunfight"])
def test_the_file_to_start_from_rewrites_nothing(house: Server, game: str) -> None:
    schema = house.get(f"/api/games/{game}")[1]["options"]["properties"]["wounds"]
    assert (schema["format"], schema["contentMediaType"]) == ("file", "application/toml")
    path = f"/api/games/{game}/options/wounds"
    status, text = house.get(path)
    assert (status, text) == (200, WOUNDS_FILE)
    assert house.post(path, text.encode()) == (200, {"wounds": {}})
    windows = text.replace("\n", "\r\n").encode()
    assert house.post(path, b"\xef\xbb\xbf" + windows) == (200, {"wounds": {}})


def test_the_largest_file_makes_a_table(house: Server) -> None:
    """Every wound rewritten, as long as may be."""
    text = WOUNDS_FILE.replace('text = "', f'text = "{"é" * 60} ')
    assert len(text.encode()) < LARGEST_FILE
    status, options = house.post("/api/games/hackjack/options/wounds", text.encode())
    assert (status, len(options["wounds"])) == (200, 52)
    assert wounds_from(options["wounds"])["SA"].text.startswith("é" * 60)
    gm = house.make_table(game="hackjack", options=options).sit("gm")
    assert gm.table["table"]["options"] == options


def test_every_mistake_of_a_wounds_file_is_told(house: Server) -> None:
    text = MINE.replace(b'"week"', b'"weak"') + b"blood = 21\n"
    status, told = house.post("/api/games/gunfight/options/wounds", text)
    assert (status, told["code"]) == (400, "malformed")
    places = [(mistake["line"], mistake["field"]) for mistake in told["mistakes"]]
    assert {(4, "C4.ends"), (8, "CA.blood")} <= set(places)
    assert [line for line, _ in places] == sorted(line for line, _ in places)
    assert all(mistake["field"] in mistake["message"] for mistake in told["mistakes"])
    status, told = house.post("/api/games/hackjack/options/wounds", b"[C4\n")
    assert [mistake["line"] for mistake in told["mistakes"]] == [1]
    status, told = house.post("/api/games/hackjack/options/wounds", b"#" * (LARGEST_FILE + 1))
    assert (status, "200000" in told["message"]) == (400, True)


@pytest.mark.parametrize("path", ["hackjack/options/limit", "hackjack/options/nothing", "initiative/options/wounds"])
def test_an_option_that_comes_from_no_file(house: Server, path: str) -> None:
    for status, told in (house.get(f"/api/games/{path}"), house.post(f"/api/games/{path}", MINE)):
        assert (status, told["code"]) == (404, "not_found")
        assert "comes from a file" in told["message"]


def test_a_game_that_is_not_there(house: Server) -> None:
    for status, told in (
        house.get("/api/games/chess/options/wounds"),
        house.post("/api/games/chess/options/wounds", MINE),
        house.post("/api/games/chess/roster", b"{}"),
    ):
        assert status == 400
        assert "hackjack" in told["message"]
