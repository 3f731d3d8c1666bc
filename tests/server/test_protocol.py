"""Every frame of docs/protocol.md, over real sockets, on SQLite and PostgreSQL."""

import hashlib
import json
import time

from tests.server.talking import Frame, Person, Server, TableMade, new_id

PAPER = {"initiative": "physical"}
DEALT = {"initiative": "virtual"}


def turn_over(person: Person, card: str) -> None:
    assert person.ask({"draw": "initiative", "card": card})["t"] == "change"


def duel(house: Server, **wanted: object) -> TableMade:
    """A table with two characters, Ada of p1 and Nan of p2, and a deck of paper unless `wanted` says otherwise."""
    table = house.make_table(**{"seats": ["p1", "p2"], "decks": PAPER, **wanted})
    gm = table.sit("gm")
    gm.do("add_character", name="Ada", card="HK", controller="p1")
    gm.do("add_character", name="Nan", card="S10", controller="p2")
    gm.close()
    return table


def play(people: dict[str, Person], answers: int) -> None:
    """Somebody who may gives the first answer that is offered, again and again; all hear of each."""
    for _ in range(answers):
        seat = people["gm"].doc["asks"]["seats"][0]
        offer = people[seat].offers[0]
        people[seat].do(offer["do"], **{name: field["const"] for name, field in offer["fields"].items()})
        for person in people.values():
            person.catch_up(people[seat].n)


def test_sit_brings_all_that_the_seat_may_know(house: Server) -> None:
    table = house.make_table(name="Red Gulch", seats=["p1"], options={"join_now": True}, by_hand=["draw"], odds="all")
    gm = table.sit("gm")
    assert gm.table["n"] == 0
    assert gm.table["table"] == {
        "id": table.id,
        "name": "Red Gulch",
        "game": "initiative",
        "options": {"join_now": True},
        "decks": {},
        "by_hand": ["draw"],
        "odds": "all",
        "commitment": table.commitment,
        "deal": "",
        "ended": False,
        "read_only": None,
        "door": table.mark,
    }
    assert set(gm.table) == {
        "t",
        "n",
        "now",
        "you",
        "table",
        "seats",
        "doc",
        "offers",
        "mine",
        "story",
        "more",
        "head",
        "rounds",
        "page",
        "redo",
    }
    assert abs(gm.table["now"] / 1000 - time.time()) < 3600  # in Unix milliseconds
    assert [seat["seat"] for seat in gm.table["seats"]] == ["gm", "p1", "screen"]
    assert set(gm.doc) == {"view", "asks"}
    assert gm.doc["asks"] | {"with": {}} == {
        "key": "nobody",
        "kind": "ask",
        "rule": "IN-1",
        "seats": ["gm"],
        "with": {},
    }
    screen = table.sit("screen")
    assert (screen.table["you"], screen.table["offers"], screen.table["mine"]) == ("screen", [], False)


def test_a_change_reaches_everyone_and_deltas_add_up(house: Server) -> None:
    table = duel(house, decks=DEALT)
    people = {seat: table.sit(seat) for seat in ("gm", "p1", "p2", "screen")}
    changed = people["gm"].do("start_round")
    assert changed["n"] == 3
    people["p1"].catch_up(3)
    assert "ack" not in people["p1"].frames[-1]
    for person in people.values():
        person.catch_up(3)
    play(people, 12)
    for seat, person in people.items():
        late = table.sit(seat)
        assert late.doc == person.doc
        assert late.offers == person.offers
        assert late.mine == person.mine
        assert [entry["n"] for entry in late.story] == list(range(1, person.n + 1))


def test_offers_are_left_out_when_they_have_not_changed(house: Server) -> None:
    table = duel(house)
    gm, p1 = table.sit("gm"), table.sit("p1")
    gm.do("start_round")
    offers = gm.offers
    changed = gm.do("add_character", name="Zoe", card="C2")
    assert "offers" not in changed
    assert gm.offers == offers
    p1.catch_up(4)
    assert "mine" not in p1.frames[-1]


def test_the_same_id_is_done_once(house: Server) -> None:
    table = duel(house)
    gm = table.sit("gm")
    same = new_id()
    first = gm.ask({"do": "start_round"}, id=same)
    assert first["ack"] == same
    assert gm.ask({"do": "start_round"}, id=same) == {"t": "ack", "id": same, "n": 3}
    again = table.sit("gm")
    assert again.ask({"do": "start_round"}, id=same) == {"t": "ack", "id": same, "n": 3}
    assert len([line for line in table.transcript() if line.get("do") == "start_round"]) == 1


def test_an_id_of_another_answer_is_refused_and_never_acknowledged(house: Server) -> None:
    table = duel(house, decks=DEALT)
    gm, p1 = table.sit("gm"), table.sit("p1")
    same = new_id()
    assert gm.ask({"do": "start_round"}, id=same)["ack"] == same
    p1.catch_up(gm.n)
    before = len(table.transcript())
    for person, answer in ((p1, {"do": "start_round"}), (p1, {"undo": 1}), (gm, {"undo": 1})):
        told = person.ask(answer, id=same)
        assert (told["t"], told["code"]) == ("error", "taken")
        assert "new random id" in told["message"]
    assert len(table.transcript()) == before


def test_two_answer_at_once_and_one_of_them_is_told_so(house: Server) -> None:
    table = duel(house, decks=DEALT)
    gm, p1, p2 = table.sit("gm"), table.sit("p1"), table.sit("p2")
    for _ in range(10):
        n = gm.do("start_round")["n"]
        p1.catch_up(n)
        p2.catch_up(n)
        other = {"p1": p1, "p2": p2}[gm.doc["asks"]["seats"][0]]
        answer = {"do": gm.offers[0]["do"], "name": gm.offers[0]["fields"]["name"]["const"]}
        told = both_answer((gm, other), answer)
        assert sorted(frame["t"] for frame in told) == ["change", "error"]
        error = next(frame for frame in told if frame["t"] == "error")
        assert error["code"] in ("stale", "not_offered")
        gm.sync()
        assert gm.ask({"undo": 2})["t"] == "change"
        assert gm.doc["asks"]["key"] == "between"


def both_answer(people: tuple[Person, Person], answer: Frame) -> list[Frame]:
    """Two people say the same before either can have heard of the other; what each is told."""
    ids = [new_id() for _ in people]
    for person, own in zip(people, ids, strict=True):
        person.say(t="answer", id=own, at=person.n, answer=answer)
    told = []
    for person, own in zip(people, ids, strict=True):
        while own not in ((frame := person.next()).get("ack"), frame.get("id")):
            pass
        told.append(frame)
    return told


def test_what_is_stale_is_refused(house: Server) -> None:
    gm = duel(house).sit("gm")
    gm.do("start_round")
    turn_over(gm, "HK")
    gm.do("wait", name="Ada")
    refused = gm.ask({"undo": 1}, at=4)
    assert (refused["t"], refused["code"]) == ("error", "stale")
    refused = gm.ask({"draw": "initiative", "card": "S10"}, at=3)
    assert refused["code"] == "stale"
    assert refused["offers"] == gm.offers


def test_undo_takes_back_and_is_told(house: Server) -> None:
    table = duel(house)
    gm, chooser, other = table.sit("gm"), table.sit("p1"), table.sit("p2")
    gm.do("start_round")
    turn_over(gm, "HK")
    chooser.catch_up(gm.n)
    chooser.do("wait", name="Ada")
    assert chooser.mine
    other.catch_up(chooser.n)
    assert not other.mine
    assert other.ask({"undo": 1})["code"] == "nothing_to_undo"
    undone = chooser.ask({"undo": 1})
    assert undone["story"][0]["undo"] == [undone["n"] - 1]
    late = table.sit("p1")
    assert [entry["n"] for entry in late.story if entry.get("undone")] == [undone["n"] - 1]
    assert gm.ask({"undo": 99})["code"] == "stale"
    gm.catch_up(undone["n"])
    assert gm.ask({"undo": 99})["code"] == "nothing_to_undo"


def test_a_redo_is_offered_to_its_player_and_repeats_the_cards(house: Server) -> None:
    table = duel(house)
    gm, chooser, other = table.sit("gm"), table.sit("p1"), table.sit("p2")
    gm.do("start_round")
    turn_over(gm, "HK")
    chooser.catch_up(gm.n)
    chooser.do("wait", name="Ada")
    before = chooser.doc
    assert chooser.ask({"undo": 1})["redo"] == 1
    for person in (gm, other):
        person.catch_up(chooser.n)
    assert [table.sit(seat).table["redo"] for seat in ("gm", "p1", "p2", "screen")] == [1, 1, 0, 0]
    assert other.ask({"redo": 1})["code"] == "nothing_to_redo"
    redone = chooser.ask({"redo": 1})
    assert (redone["redo"], redone["story"][0]["redo"]) == (0, [redone["n"] - 2])
    assert chooser.doc == before
    gm.catch_up(redone["n"])
    assert gm.ask({"redo": 1})["code"] == "nothing_to_redo"
    assert [entry["n"] for entry in table.sit("p1").story if entry.get("undone")] == []


def test_the_game_master_is_told_how_many_moves_an_undo_takes_back(house: Server) -> None:
    table = duel(house)
    gm, ada = table.sit("gm"), table.sit("p1")
    gm.do("start_round")
    for person, entry, count in ((gm, 1, 3), (gm, 0, 3), (gm, 3, 1), (gm, 4, 0), (ada, 1, 0)):
        person.say(t="undo_count", entry=entry)
        assert person.hear("undo_count") == {"t": "undo_count", "n": gm.n, "entry": entry, "count": count}


def test_offers_frame_has_what_may_be_done_at_any_time(house: Server) -> None:
    table = duel(house)
    gm, p1 = table.sit("gm"), table.sit("p1")
    gm.say(t="offers")
    offers = gm.hear("offers")
    assert offers["n"] == 2
    words = {offer["do"]: offer.get("anytime", False) for offer in offers["offers"]}
    assert words["start_round"] is False
    assert words["add_character"] is words["remove_character"] is True
    p1.say(t="offers")
    assert p1.hear("offers")["offers"] == []


def test_a_face_is_chosen_for_all_to_see(house: Server) -> None:
    table = duel(house)
    gm, p1, screen = table.sit("gm"), table.sit("p1"), table.sit("screen")
    p1.say(t="name", name="Amy")
    p1.hear("seats")
    gm.do("add_character", name="Fox", card="S9", controller="p1", hidden=True)
    for person, name, face in ((p1, "Amy", 2), (p1, "Ada", 11), (gm, "Nan", 5), (p1, "Ada", 0)):
        person.say(t="face", name=name, face=face)
        for one in (gm, p1, screen):
            told = one.hear("settings").get("faces", {})
            assert told.get(name.lower(), 0) == face
    for name in ("Nan", "Fox", "Ada "):
        p1.say(t="face", name=name, face=1)
        assert p1.hear("error")["code"] == "not_yours"
    gm.say(t="face", name="Fox", face=1)
    assert gm.hear("error")["code"] == "not_yours", "a name that is hidden would be told to everybody"
    assert table.sit("p2").table["table"]["faces"] == {"amy": 2, "nan": 5}
    assert all("face" not in line for line in table.transcript())


def test_odds_go_to_those_who_want_and_may_see_them(house: Server) -> None:
    table = duel(house, odds="gm")
    gm, p1, screen = table.sit("gm"), table.sit("p1"), table.sit("screen")
    for person in (gm, p1, screen):
        person.say(t="odds", on=True)
    gm.do("start_round")
    assert gm.hear("odds")["n"] == 3
    gm.say(t="set", odds="all")
    for person in (gm, p1, screen):
        assert person.hear("settings")["odds"] == "all"
    assert p1.hear("odds")["n"] == 3
    assert screen.hear("odds")["odds"] == p1.frames[-1]["odds"]
    gm.say(t="set", odds="off")
    for person in (gm, p1, screen):
        person.hear("settings")
    turn_over(gm, "HK")
    for person in (gm, p1, screen):
        person.catch_up(4)
        person.sync()
        told = [frame["t"] == "settings" and frame["odds"] for frame in person.frames]
        since = told.index("off")
        assert all(frame["t"] != "odds" for frame in person.frames[since:])
    assert table.sit("p2").table["table"]["odds"] == "off"


def test_odds_are_off_for_who_says_so(house: Server) -> None:
    table = duel(house, odds="all")
    gm, p1 = table.sit("gm"), table.sit("p1")
    p1.say(t="odds", on=True)
    p1.hear("odds")
    p1.say(t="odds", on=False)
    p1.sync()
    gm.do("start_round")
    p1.catch_up(3)
    p1.sync()
    assert [frame["t"] for frame in p1.frames].count("odds") == 1


def test_story_goes_back_page_by_page(house: Server) -> None:
    table = house.make_table()
    gm = table.sit("gm")
    for _ in range(60):
        gm.do("add_character", name="Ada", card="HK")
        gm.do("remove_character", name="Ada")
    late = table.sit("p1")
    assert [entry["n"] for entry in late.story] == list(range(81, 121))
    assert late.table["more"]
    late.say(t="story", before=81)
    page = late.hear("story")
    assert [entry["n"] for entry in page["entries"]] == list(range(41, 81))
    assert page["more"]
    late.say(t="story", before=41)
    page = late.hear("story")
    assert [entry["n"] for entry in page["entries"]] == list(range(1, 41))
    assert not page["more"]
    assert page["entries"] == gm.story[:40]
    late.say(t="story", before=0)
    assert late.hear("story") == {"t": "story", "entries": [], "more": False}
    assert [entry["n"] for entry in table.sit("p1").story] == list(range(81, 121))


def test_who_was_away_gets_the_story_since(house: Server) -> None:
    table = house.make_table()
    gm = table.sit("gm")
    for _ in range(60):
        gm.do("add_character", name="Ada", card="HK")
        gm.do("remove_character", name="Ada")
    back = Person(house, table.id, table.links["p1"], since=50)
    assert [entry["n"] for entry in back.story] == list(range(51, 121))
    back = Person(house, table.id, table.links["p1"], since=119)
    assert len(back.story) == 40


def test_seats_tell_who_is_there(house: Server) -> None:
    table = house.make_table(seats=["p1"])
    gm = table.sit("gm")
    gm.hear("seats")
    p1 = table.sit("p1")
    assert {"seat": "p1", "name": "", "here": True} in gm.hear("seats")["seats"]
    p1.say(t="name", name="Ada")
    assert {"seat": "p1", "name": "Ada", "here": True} in gm.hear("seats")["seats"]
    p1.close()
    assert {"seat": "p1", "name": "Ada", "here": False} in gm.hear("seats")["seats"]
    assert table.transcript()[0]["names"] == {"p1": "Ada"}


def test_names_of_all_peoples(house: Server) -> None:
    table = house.make_table(seats=["p1", "شخص"])
    p1 = table.sit("p1")
    for name in ("أبو نواس", "עדה", "👩‍👩‍👧‍👦 ½ Ångström", "名", "Z̷a̷l̷g̷o"):
        p1.say(t="name", name=name)
        while {"seat": "p1", "name": name, "here": True} not in p1.hear("seats")["seats"]:
            pass
        assert {"seat": "p1", "name": name, "here": True} in table.sit("شخص").table["seats"]
        gm = table.sit("gm")
        gm.do("add_character", name=name, card="HA")
        assert table.sit("p1").doc["view"]["characters"][0]["name"] == name
        gm.do("remove_character", name=name)


def test_reissue_gives_a_new_link_and_ends_the_old(house: Server) -> None:
    table = house.make_table(seats=["p1"])
    gm, p1 = table.sit("gm"), table.sit("p1")
    gm.say(t="reissue", seat="p1")
    link = gm.hear("link")
    assert link["seat"] == "p1"
    assert p1.hear("error")["code"] == "old_link"
    p1.say(t="answer", id=new_id(), at=0, answer={"undo": 1})
    assert p1.hear("error")["code"] == "sit_first"
    p1.say(t="sit", table=table.id, token=table.links["p1"])
    assert p1.hear("error")["code"] == "old_link"
    p1.say(t="sit", table=table.id, token=link["token"])
    assert p1.hear("table")["you"] == "p1"
    gm.say(t="reissue", seat="gm")
    own = gm.hear("link")
    gm.do("add_character", name="Ada", card="HA")
    assert Person(house, table.id, own["token"]).seat == "gm"


def test_a_seat_is_added_with_its_link(house: Server) -> None:
    table = house.make_table(seats=["p1"])
    gm = table.sit("gm")
    assert gm.ask({"seat": "p2"})["t"] == "change"
    link = gm.hear("link")
    assert link["seat"] == "p2"
    p2 = Person(house, table.id, link["token"])
    assert p2.seat == "p2"
    assert [seat["seat"] for seat in p2.table["seats"]] == ["gm", "p1", "p2", "screen"]
    gm.do("add_character", name="Ada", card="HA", controller="p2")


def test_the_end_tells_the_seed_that_was_committed_to(house: Server) -> None:
    table = duel(house)
    gm, p1 = table.sit("gm"), table.sit("p1")
    gm.do("start_round")
    status, refused = house.get(f"/api/tables/{table.id}/transcript", table.links["p1"])
    assert (status, refused["code"]) == (403, "not_yours")
    assert "seed" not in json.dumps(table.transcript())
    assert gm.ask({"end": True})["doc"]["asks"] is not None
    assert gm.doc["asks"]["kind"] == "over"
    p1.catch_up(4)
    seed = table.transcript("p1")[-1]["seed"]
    assert hashlib.sha256(bytes.fromhex(seed)).hexdigest() == table.commitment
    assert gm.ask({"do": "start_round"})["code"] == "ended"
    assert gm.ask({"undo": 1})["code"] == "ended"
    assert table.sit("p1").table["table"]["ended"]


def test_a_pong_has_the_servers_time(house: Server) -> None:
    gm = house.make_table().sit("gm")
    before = gm.table["now"]
    gm.say(t="ping")
    pong = gm.hear("pong")
    assert set(pong) == {"t", "now"}
    assert before <= pong["now"] <= time.time() * 1000


def test_sitting_down_again_on_one_socket_brings_the_whole(house: Server) -> None:
    table, other = duel(house), duel(house)
    gm = table.sit("gm")
    gm.say(t="sit", table=other.id, token=other.links["p1"])
    frame = gm.hear("table")
    assert (frame["you"], frame["table"]["id"]) == ("p1", other.id)
    assert table.sit("p1").table["seats"][0]["here"] is False


def test_cards_from_a_paper_deck(house: Server) -> None:
    table = duel(house)
    gm, p1 = table.sit("gm"), table.sit("p1")
    gm.do("start_round")
    assert gm.doc["asks"]["kind"] == "draw"
    assert gm.offers == [
        {"draw": "initiative", "fields": {"card": {"enum": ["HK", "S10", "RJ", "BJ"], "format": "card"}}}
    ]
    p1.catch_up(3)
    refused = p1.ask({"draw": "initiative", "card": "C7"})
    assert refused["code"] == "not_offered"
    assert "C7" in refused["message"]
    turn_over(p1, "HK")
    gm.catch_up(4)
    assert gm.doc["asks"]["with"]["name"] == "Ada"


def test_the_game_master_puts_right_what_may_be_and_nobody_else(house: Server) -> None:
    table = duel(house)
    gm, ada = table.sit("gm"), table.sit("p1")
    gm.say(t="amendable")
    may = gm.hear("amendable")
    assert may["n"] == gm.n
    assert {"what": "round", "now": 0, "schema": {"type": "integer", "minimum": 0, "maximum": 9999}} in may["amendable"]
    assert [one["now"] for one in may["amendable"] if one["what"] == "card"] == ["HK", "S10"]
    ada.say(t="amendable")
    assert ada.hear("amendable")["amendable"] == []
    said = {"put_right": "card", "of": "Ada", "to": "HQ"}
    assert ada.ask(said) | {"id": ""} == {
        "t": "error",
        "id": "",
        "code": "not_yours",
        "message": "Only the game master can edit by hand.",
    }
    assert gm.ask(said)["t"] == "change"
    ada.catch_up(gm.n)
    assert ada.doc["view"]["characters"][0]["card"] == "HQ"
    event = {"rule": "by_hand", "key": "put_right_of_cards", "by": "gm", "name": "Ada", "what": "card"}
    assert ada.story[-1]["events"] == [{**event, "was": ["HK"], "now": ["HQ"]}]
    assert gm.ask({"undo": 1})["t"] == "change"
    ada.catch_up(gm.n)
    assert ada.doc["view"]["characters"][0]["card"] == "HK"
    again = gm.ask({**said, "to": "S10"})
    assert again["code"] == "not_offered"
    assert "card of Ada can't be S10 here; it may be HK, CA" in again["message"]
