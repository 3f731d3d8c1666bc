"""Uploaded portraits: recoded, limited, seen only by those who see their owner, and deleted."""

import asyncio
import json
import zlib
from collections import Counter
from contextlib import closing
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from sqlalchemy import text

from cardhouse.engine import CardhouseError
from cardhouse.engine.values.portraits import FACES
from cardhouse.server.access.uploads import Uploads, read_body
from cardhouse.server.api.tables import PICTURE_BYTES
from cardhouse.server.files.recoding import MOST_PIXELS, SIDE, recoded
from cardhouse.server.persistence.pictures import MOST_PICTURES
from cardhouse.server.persistence.repository import Store
from tests.server.talking import FAST, Server, TableMade, running

SECRET = b"51.4778 N, 0.0014 W"
"""As a camera notes where a picture was taken."""


def picture_of(kind: str = "PNG", size: tuple[int, int] = (600, 400), **more: Any) -> bytes:
    """A file with a picture, blue on its left and red on its right."""
    image = Image.new("RGB", size, "#c03020")
    image.paste("#2030c0", (0, 0, size[0] // 2, size[1]))
    file = BytesIO()
    image.save(file, kind, **more)
    return file.getvalue()


def bring(table: TableMade, seat: str, name: str, file: bytes) -> tuple[int, Any]:
    path = f"/api/tables/{table.id}/pictures?name={name}"
    return table.server.post(path, file, Authorization=f"Bearer {table.links[seat]}")


def look(table: TableMade, seat: str, face: int) -> tuple[int, bytes]:
    """What somebody in this seat gets for a picture."""
    headers = {"Authorization": f"Bearer {table.links[seat]}"} if seat else {}
    status, told, found = table.server.raw(f"/api/tables/{table.id}/pictures/{face}", **headers)
    assert "no-store" in told["cache-control"]
    return status, found


def a_table(house: Server, **wanted: Any) -> TableMade:
    """Doc is p1's, and Fox the game master's."""
    table = house.make_table(seats=2, **wanted)
    gm = table.sit("gm")
    more = [{"hp": 1, "max_hp": 1}] * 2 if wanted.get("game") == "hackjack" else [{"card": "HK"}, {"card": "S4"}]
    gm.do("add_character", name="Doc", controller="p1", **more[0])
    gm.do("add_character", name="Fox", **more[1])
    return table


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_a_picture_is_recoded_and_shown_to_all_who_see_its_owner(house: Server, kind: str) -> None:
    table = a_table(house)
    exif = Image.Exif()
    exif[0x010E], exif[0x0112] = SECRET.decode(), 6  # its description; turned on its side
    status, told = bring(table, "p1", "Doc", picture_of(kind, exif=exif.tobytes()))
    assert (status, told["face"] >= FACES) == (201, True), told
    for seat in ("gm", "p1", "p2", "screen"):
        assert table.sit(seat).table["table"]["faces"] == {"doc": told["face"]}
        status, found = look(table, seat, told["face"])
        assert status == 200
        assert SECRET not in found
        image = Image.open(BytesIO(found))
        assert (image.format, image.size) == ("JPEG", (SIDE, SIDE))
        assert not image.getexif()
        colours = image.convert("RGB").getpixel((SIDE // 2, 8))  # what was left is above now
        assert isinstance(colours, tuple)
        assert colours[2] > colours[0]
    assert "face" not in str(table.transcript())
    assert str(told["face"]) not in str(house.get(f"/api/tables/{table.id}/evening", table.links["gm"]))


def test_a_picture_is_chosen_by_those_who_may_choose_a_portrait(house: Server) -> None:
    table, file = a_table(house), picture_of()
    for seat, name in (("p2", "Doc"), ("screen", "Doc"), ("p1", "Fox"), ("gm", "Nobody"), ("gm", "")):
        status, told = bring(table, seat, name, file)
        assert (status, told["code"]) == (403, "not_yours"), (seat, name)
    status, told = house.post(f"/api/tables/{table.id}/pictures?name=Doc", file)
    assert (status, told["code"]) == (401, "old_link")
    status, told = house.post(
        f"/api/tables/{table.id}/pictures?name=Doc", file, Authorization=f"Bearer {house.make_table().links['gm']}"
    )
    assert (status, told["code"]) == (401, "old_link")
    assert table.sit("gm").table["table"].get("faces", {}) == {}
    assert bring(table, "gm", "Doc", file)[0] == 201


def test_a_picture_is_hidden_with_its_character(house: Server) -> None:
    table = house.make_table(game="gunfight", seats=2)
    gm, mole = table.sit("gm"), {"name": "Mole", "hp": 4, "max_hp": 4, "side": "Gang"}
    gm.do("add_character", **mole, card="C4", controller="p1")
    face = bring(table, "p1", "Mole", picture_of())[1]["face"]
    assert look(table, "p2", face)[0] == 200
    gm.do("remove_character", name="Mole")
    gm.do("add_character", **mole, card="C5", hidden=True)
    for seat, status in (("gm", 200), ("p1", 404), ("p2", 404), ("screen", 404), ("", 401)):
        assert look(table, seat, face)[0] == status, seat
    assert look(table, "p2", face) == look(table, "p2", face + 1), "as if there were none"
    assert bring(table, "gm", "Mole", picture_of())[1]["code"] == "not_yours"
    for odd in (0, FACES, 2**63, 2**200):
        assert look(table, "gm", odd)[0] in (400, 404)  # beyond all bounds, or none


def bomb() -> bytes:
    """A PNG of few bytes that says it has as many pixels as four bytes can count."""

    def chunk(kind: bytes, what: bytes) -> bytes:
        return len(what).to_bytes(4, "big") + kind + what + zlib.crc32(kind + what).to_bytes(4, "big")

    side = (50_000).to_bytes(4, "big")
    head = chunk(b"IHDR", side + side + bytes([8, 2, 0, 0, 0]))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(bytes(10_000_000))) + chunk(b"IEND", b"")


SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'


@pytest.mark.parametrize(
    ("file", "says"),
    [
        (b"", "isn't a picture"),
        (SVG, "isn't a picture"),
        (picture_of("GIF"), "isn't a picture"),
        (picture_of("TIFF"), "isn't a picture"),
        (picture_of("PNG")[:300], "isn't a picture"),
        (picture_of("JPEG")[:300], "isn't a picture"),
        (picture_of("WEBP")[:100], "isn't a picture"),
        (picture_of("PNG", (2001, 2000)), "million pixels"),
        (picture_of("WEBP", (16_000, 251)), "million pixels"),
        (bomb(), ""),
    ],
)
def test_a_file_that_is_no_small_picture_is_refused(house: Server, file: bytes, says: str) -> None:
    table = a_table(house)
    answered, told = bring(table, "p1", "Doc", file)
    assert (answered, says in told["message"]) == (400, True), told
    assert table.sit("gm").table["table"].get("faces", {}) == {}
    assert MOST_PIXELS < 2001 * 2000


def test_nothing_is_read_of_a_file_that_may_not_be_brought(house: Server) -> None:
    table = a_table(house)
    for seat, name in (("p2", "Doc"), ("screen", "Doc"), ("gm", "Nobody")):
        path, link = f"/api/tables/{table.id}/pictures?name={name}", f"Bearer {table.links[seat]}"
        status, told = house.post_claiming(path, PICTURE_BYTES, Authorization=link)
        assert (status, told["code"]) == (403, "not_yours"), seat


def test_few_uploads_are_in_work_and_one_of_each_visitor() -> None:
    async def come() -> tuple[int, int]:
        uploads, now, most = Uploads(2), Counter[str](), Counter[str]()

        async def upload(visitor: str) -> None:
            async with uploads.turn(visitor):
                now.update((visitor, "all"))
                most.update({who: max(0, now[who] - most[who]) for who in (visitor, "all")})
                await asyncio.sleep(0)
                now.subtract((visitor, "all"))

        visitors = [f"192.0.2.{number % 5}" for number in range(20)]
        await asyncio.gather(*map(upload, visitors))
        return most.pop("all"), max(most.values())

    assert asyncio.run(come()) == (2, 1)


def test_an_upload_that_comes_too_slowly_gives_its_turn_away() -> None:
    class Endless:
        async def body(self) -> bytes:
            return await asyncio.Future()

    with pytest.raises(CardhouseError, match="took longer than 0 seconds"):
        asyncio.run(read_body(Endless(), seconds=0))  # type: ignore[arg-type]


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "I;16", "RGB", "RGBA"])
def test_pictures_of_all_modes_are_recoded(mode: str) -> None:
    file = BytesIO()
    Image.new("RGBA", (300, 200), "#c03020").convert("L" if mode == "I;16" else mode).convert(mode).save(file, "PNG")
    image = Image.open(BytesIO(recoded(file.getvalue())))
    assert (image.mode, image.size) == ("RGB", (SIDE, SIDE))


def test_a_file_too_large_is_refused_by_its_length(house: Server) -> None:
    table = a_table(house)
    path, link = f"/api/tables/{table.id}/pictures?name=Doc", f"Bearer {table.links['p1']}"
    status, told = house.post_claiming(path, PICTURE_BYTES + 1, Authorization=link)
    assert (status, told["code"]) == (413, "too_large")


def test_pictures_are_limited_and_go_when_nobody_has_them(database: str, tmp_path: Path) -> None:
    with running(database, *FAST, log=tmp_path / "log") as server:
        table = a_table(server, game="hackjack")
        gm = table.sit("gm")
        file = picture_of("JPEG", (64, 64))
        first = bring(table, "p1", "Doc", file)[1]["face"]
        for _ in range(MOST_PICTURES):  # one takes the place of the one before
            second = bring(table, "p1", "Doc", file)[1]["face"]
        assert (look(table, "gm", first)[0], look(table, "gm", second)[0]) == (404, 200)
        for number in range(MOST_PICTURES - 1):
            gm.do("add_character", name=f"No {number}", hp=1, max_hp=1)
            assert bring(table, "gm", f"No%20{number}", file)[0] == 201
        status, told = bring(table, "gm", "Fox", file)
        assert (status, told["code"]) == (507, "full")
        gm.say(t="face", name="Doc", face=3)
        gm.sync()
        assert look(table, "gm", second)[0] == 404
        assert bring(table, "gm", "Fox", file)[0] == 201
        assert "Traceback" not in (tmp_path / "log").read_text()


def test_the_next_table_has_the_pictures_and_files_have_none(house: Server) -> None:
    table = a_table(house)
    face = bring(table, "p1", "Doc", picture_of())[1]["face"]
    gm = table.sit("gm")
    status, made = house.post(
        f"/api/tables/{table.id}/campaign", {"name": "Red Gulch"}, Authorization=f"Bearer {table.links['gm']}"
    )
    assert status == 201, made
    gm.ask({"end": True})
    status, next_ = house.post(f"/api/tables/{table.id}/again", {}, Authorization=f"Bearer {table.links['gm']}")
    assert status == 201, next_
    new = TableMade(house, next_["table"], table.links)
    assert new.sit("p1").table["table"]["faces"] == {"doc": face}
    file = house.get(f"/api/campaigns/{made['campaign']}/file", made["token"])[1]
    assert str(face) not in json.dumps(file)


def test_a_table_takes_its_pictures_with_it(database: str, tmp_path: Path) -> None:
    with running(database, *FAST, log=tmp_path / "log") as server:
        table = a_table(server)
        assert bring(table, "p1", "Doc", picture_of())[0] == 201
    count = text("SELECT count(*) FROM pictures")
    with closing(Store(database)) as store:
        with store.engine.connect() as connection:
            assert connection.scalar(count) == 1
        assert store.delete(table.id)
        with store.engine.connect() as connection:
            assert connection.scalar(count) == 0


def test_bringing_pictures_is_charged(database: str, tmp_path: Path) -> None:
    with running(database, log=tmp_path / "log") as server:
        table = a_table(server)
        file = picture_of("JPEG", (64, 64))
        found = [bring(table, "p1", "Doc", file)[0] for _ in range(12)]
        assert found[0] == 201
        assert found[-1] == 429
    with running(database, *FAST, "--most-size", "1MB", log=tmp_path / "log") as server:
        status, told = bring(TableMade(server, table.id, table.links), "p1", "Doc", file)
        if database.startswith("postgres"):  # an empty one of these is larger
            assert (status, told["code"]) == (507, "full")
