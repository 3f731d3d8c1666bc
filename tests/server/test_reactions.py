"""Reactions: seen by all, stored nowhere, limited, and off while the game wants silence."""

import pytest

from cardhouse.server.table.reactions import BURST
from tests.server.talking import Person, Server


def hears(person: Person) -> list[tuple[str, str]]:
    """What was thrown up to now, by whom, as this person was told."""
    person.sync()
    return [(frame["seat"], frame["sign"]) for frame in person.frames if frame["t"] == "thrown"]


def test_a_reaction_is_seen_by_all_and_not_stored(server: Server) -> None:
    table = server.make_table(seats=["p1", "p2"])
    people = [table.sit(seat) for seat in ("gm", "p1", "p2", "screen")]
    gm, p1 = people[:2]
    p1.say(t="throw", sign="hat")
    p1.sync()
    gm.say(t="throw", sign="laugh")
    gm.sync()
    assert [hears(person) for person in people] == [[("p1", "hat"), ("gm", "laugh")]] * 4
    assert [line for line in table.transcript() if "by" in line] == []
    assert table.sit("p2").story == [], "who comes later hears nothing of it"


@pytest.mark.parametrize(
    ("seat", "frame", "code"),
    [
        ("screen", {"sign": "hat"}, "not_yours"),
        ("p1", {"sign": "tomato"}, "malformed"),
        ("p1", {"sign": None}, "malformed"),
        ("p1", {}, "malformed"),
        ("p1", {"sign": "hat", "seat": "gm"}, "malformed"),
    ],
)
def test_invalid_reactions_are_refused(server: Server, seat: str, frame: dict[str, object], code: str) -> None:
    table = server.make_table(seats=["p1"])
    gm, person = table.sit("gm"), table.sit(seat)
    person.say(t="throw", **frame)
    assert person.hear("thrown", "error")["code"] == code
    assert hears(gm) == []


def test_reactions_are_limited_by_seat_over_all_devices(server: Server) -> None:
    table = server.make_table(seats=["p1", "p2"])
    phone, tablet, ben = table.sit("p1"), table.sit("p1"), table.sit("p2")
    for number in range(BURST + 2):
        one = (phone, tablet)[number % 2]
        one.say(t="throw", sign="fire")
        one.sync()
    refused = [frame["code"] for one in (phone, tablet) for frame in one.frames if frame["t"] == "error"]
    assert set(refused) == {"too_many"}
    thrown = len(hears(ben))
    assert BURST <= thrown == BURST + 2 - len(refused)
    ben.say(t="throw", sign="luck")
    assert hears(ben)[-1] == ("p2", "luck"), "others may"


def test_reactions_are_refused_while_the_game_wants_silence(server: Server) -> None:
    table = server.make_table(game="dogpile", seats=["p1", "p2"])
    status, told = server.get("/api/games/dogpile")
    assert (status, told["silent_at"]) == (200, ["turn"])
    gm, p1 = table.sit("gm"), table.sit("p1")
    gm.say(t="throw", sign="luck")
    gm.sync()
    gm.do("begin", first="p1")
    p1.catch_up(1)
    for person in (gm, p1):
        person.say(t="throw", sign="gasp")
        assert person.hear("thrown", "error") | {"message": ""} == {"t": "error", "code": "not_offered", "message": ""}
    assert hears(gm) == [("gm", "luck")]
    p1.do("pass")
    p1.say(t="throw", sign="tear")
    assert hears(gm)[-1] == ("p1", "tear")


@pytest.mark.soak
def test_a_reaction_is_seen_at_all_servers(two: tuple[Server, Server]) -> None:
    one, other = two
    table = one.make_table(seats=["p1"])
    gm, ada = table.sit("gm"), Person(other, table.id, table.links["p1"])
    ada.say(t="throw", sign="hat")
    assert gm.hear("thrown") == {"t": "thrown", "seat": "p1", "sign": "hat"}
    assert hears(ada) == [("p1", "hat")]
