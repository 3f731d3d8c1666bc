"""A campaign: a link that keeps a group's characters and leads from one session to the next."""

import asyncio
import json
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from benchmarks.attacks.files import slow_layout
from cardhouse.server.management import campaigns
from cardhouse.server.management.campaign_view import Campaign
from tests.server.insiders import open_house
from tests.server.talking import FAST, Person, Server, TableMade, running
from tests.server.test_again import led_to, next_of
from tests.server.test_roster import as_it_lives, hurt


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def founded(table: TableMade, seat: str = "gm", name: str = "Red Gulch", **more: Any) -> tuple[int, Any]:
    path = f"/api/tables/{table.id}/campaign"
    return table.server.post(path, {"name": name, **more}, **bearer(table.links[seat]))


def begun(table: TableMade) -> tuple[str, str]:
    """A campaign's id and secret."""
    status, made = founded(table)
    assert (status, set(made)) == (201, {"campaign", "token"}), made
    return made["campaign"], made["token"]


def shown(server: Server, campaign: str, token: str) -> Any:
    status, told = server.get(f"/api/campaigns/{campaign}", token)
    assert status == 200, told
    return told


def goes_on(server: Server, campaign: str, token: str) -> tuple[int, Any]:
    return server.post(f"/api/campaigns/{campaign}/evening", {}, **bearer(token))


@pytest.mark.parametrize(("game", "card"), [("hackjack", {}), ("gunfight", {"card": "HA", "side": "The Law"})])
def test_next_friday_the_same_people_come_as_they_were_left(
    database: str, tmp_path: Path, game: str, card: dict[str, str]
) -> None:
    with running(database, *FAST, log=tmp_path / "log") as server:
        table = hurt(server, game, **card)
        table.sit("gm").do("add_character", name="A foe", hp=3, max_hp=3, **({"card": "SK"} if card else {}))
        ada = table.sit("ada")
        ada.say(t="name", name="Ada 👒")
        ada.say(t="face", name="Ada", face=3)
        ada.sync()
        campaign, token = begun(table)
        server.kill()
        server.start()
        ada = table.sit("ada")
        status, made = goes_on(server, campaign, token)
        assert status == 201, made
        assert led_to(ada) == made["table"]
        new = TableMade(server, made["table"], table.links)
        gm = Person(server, new.id, token)
        assert (gm.seat, gm.table["table"]["campaign"]) == ("gm", campaign)
        assert as_it_lives(gm) == as_it_lives(table.sit("gm"))
        people = gm.doc["view"].get("fight", gm.doc["view"])["characters"]
        assert [(who["name"], who["controller"]) for who in people] == [("Ada", "ada"), ("A foe", "gm")]
        told = shown(server, campaign, token)
        assert told["faces"] == gm.table["table"]["faces"] == {"ada": 3}
        assert (told["name"], [one["table"] for one in told["evenings"]]) == ("Red Gulch", [new.id, table.id])
        assert [(one["goes_on"], one["people"]) for one in told["evenings"]] == [
            (True, ["Ada 👒"]),
            (False, ["Ada 👒"]),
        ]
        assert server.get(f"/api/tables/{table.id}/replay?seat=gm", token)[0] == 200, "past evenings can be replayed"
        assert goes_on(server, campaign, token)[1]["table"] not in (new.id, table.id)
        assert "Traceback" not in server.log.read_text()


CROWDS: dict[str, list[dict[str, Any]]] = {
    "initiative": [
        {"do": "add_character", "name": "Doc", "card": "HK", "side": "The Law", "controller": "ada"},
        {"do": "add_character", "name": "Clerk", "card": "S4"},
        {"do": "add_character", "name": "Sniper", "card": "C9", "side": "Posse", "hidden": True},
    ],
    "hackjack": [
        {"do": "add_character", "name": "Doc", "hp": 7, "max_hp": 9, "controller": "ada"},
        {"do": "add_character", "name": "Bandit", "hp": 3, "max_hp": 4},
        {"do": "add_character", "name": "Deputy", "hp": 5, "max_hp": 5},
        {"put_right": "alive", "of": "Bandit", "to": False},
    ],
    "gunfight": [
        {"do": "add_character", "name": "Bandit", "hp": 3, "max_hp": 4, "card": "C9", "side": "Posse"},
        {"do": "add_character", "name": "Doc", "hp": 7, "max_hp": 9, "card": "HK", "side": "Law", "controller": "ada"},
        {"do": "add_character", "name": "Sniper", "hp": 5, "max_hp": 5, "card": "C2", "side": "Posse", "hidden": True},
        {"put_right": "alive", "of": "Bandit", "to": False},
    ],
    "dogs": [
        {"do": "npc", "name": "The mob", "type": "B", "members": [{"name": "The clumsy one", "kind": "-"}]},
        {"do": "create", "name": "Steward", "dice": "Acuity 3d6\nBody 4d6\nHeart 3d6\nWill 5d6", "npc": True},
        {"do": "create", "name": "Doc", "dice": "Acuity 3d6\nBody 4d6\nHeart 3d6\nWill 5d6", "controller": "ada"},
        {"put_right": "condition", "of": "Steward", "to": "dead"},
    ],
}


def crowd_of(person: Person) -> list[Any]:
    """The characters that somebody sees, each with what outlives a table; in a gunfight also with their cards."""
    view = person.doc["view"]
    ordered = view["order"]["characters"] if "fight" in view else []
    order = {who["name"]: (who["card"], who["side"]) for who in ordered}
    lost = ("pile", "tokens", "drawn", "declared", "last", "id")
    people = view.get("fight", view)["characters"]
    return [({k: v for k, v in who.items() if k not in lost}, order.get(who["name"])) for who in people]


@pytest.mark.parametrize("game", CROWDS)
def test_every_character_comes_to_the_next_session_as_it_was(house: Server, game: str) -> None:
    table = house.make_table(game=game, seats=["ada"])
    gm, ada = table.sit("gm"), table.sit("ada")
    campaign, token = begun(table)
    for line in CROWDS[game]:
        gm.ask(line)
    gm.sync()
    ada.sync()
    before = crowd_of(gm), crowd_of(ada)
    assert len(before[0]) >= 3
    status, told = house.get(f"/api/campaigns/{campaign}/characters", token)
    assert (status, told["options"]) == (200, {})
    names = {one["answer"].get("sheet", one["answer"])["name"]: one["seat"] for one in told["characters"]}
    assert names == {who["name"]: "ada" if who["name"] == "Doc" else "gm" for who, _ in before[0]}
    second = TableMade(house, goes_on(house, campaign, token)[1]["table"], table.links)
    assert (crowd_of(second.sit("gm")), crowd_of(second.sit("ada"))) == before
    second.sit("gm").ask({"end": True})
    third = next_of(second)
    assert (crowd_of(third.sit("gm")), crowd_of(third.sit("ada"))) == before, "playing again is the next session"
    assert shown(house, campaign, token)["evenings"][0]["entries"] == len(before[0])
    third.sit("gm").ask({"undo": 1})
    assert len(crowd_of(third.sit("gm"))) == len(before[0]) - 1, "each came by an answer of its own"


@pytest.mark.parametrize("game", CROWDS)
def test_without_a_campaign_they_come_or_stay_as_the_game_master_says(house: Server, game: str) -> None:
    table = house.make_table(game=game, seats=["ada"])
    gm = table.sit("gm")
    for line in CROWDS[game]:
        gm.ask(line)
    before = crowd_of(gm)
    gm.ask({"end": True})
    second = next_of(table)
    assert crowd_of(second.sit("gm")) == before
    second.sit("gm").ask({"end": True})
    assert crowd_of(next_of(second, characters=False).sit("gm")) == []


def test_who_plays_again_stays_in_the_campaign(house: Server) -> None:
    table = house.make_table(game="dogpile", seats=["p1", "p2", "p3"])
    campaign, token = begun(table)
    table.sit("gm").ask({"end": True})
    new = next_of(table)
    assert [one["table"] for one in shown(house, campaign, token)["evenings"]] == [new.id, table.id]
    assert Person(house, new.id, token).seat == "gm"


def test_an_evening_that_has_not_begun_is_the_next_one(house: Server) -> None:
    table = house.make_table()
    assert goes_on(house, *begun(table)) == (201, {"table": table.id})


def test_notes_are_kept(house: Server) -> None:
    campaign, token = begun(house.make_table())
    said = {"name": "Tombstone", "notes": "The Steward lies.\nWe know it."}
    assert house.post(f"/api/campaigns/{campaign}", said, **bearer(token))[0] == 200
    told = shown(house, campaign, token)
    assert (told["name"], told["notes"]) == (said["name"], said["notes"])
    unfit: list[Any] = [
        {"name": ""},
        {"name": "a\nb"},
        {"name": "A", "notes": "x" * 20_001},
        {"name": "A", "more": 1},
        [],
    ]
    for wrong in unfit:
        status, refused = house.post(f"/api/campaigns/{campaign}", wrong, **bearer(token))
        assert (status, bool(refused["message"])) == (400, True), wrong
    assert shown(house, campaign, token)["name"] == "Tombstone"


def test_only_the_game_master_begins_one_and_only_its_link_opens_it(house: Server) -> None:
    table = house.make_table()
    for seat in ("p1", "screen"):
        assert founded(table, seat)[1]["code"] == "not_yours"
    assert founded(table, "door")[1]["code"] == "old_link"
    campaign, token = begun(table)
    assert founded(table)[1]["code"] == "taken"
    assert Person(house, table.id, token).seat == "gm", "who asks a second time takes no link away"
    assert table.sit("gm").seat == "gm"
    for secret in (table.links["gm"], "nonsense"):
        for status, refused in (
            house.get(f"/api/campaigns/{campaign}", secret),
            goes_on(house, campaign, secret),
            house.post(f"/api/campaigns/{campaign}", {"name": "A"}, **bearer(secret)),
        ):
            assert (status, refused["code"]) == (401, "old_link")
    for other in ("nowhere2", table.id, "x" * 100):
        assert house.get(f"/api/campaigns/{other}", token)[1]["code"] == "old_link"


# As a file.

EVENING = {"at": 1, "transcript": '{"cardhouse":1,"game":"initiative","seats":["gm"]}'}
FILE = {"cardhouse_campaign": 1, "name": "A", "notes": "", "evenings": [EVENING]}


def file_of(server: Server, campaign: str, token: str) -> tuple[int, Any]:
    return server.get(f"/api/campaigns/{campaign}/file", token)


def test_a_campaign_is_taken_to_another_house_as_one_file(house: Server) -> None:
    table = hurt(house)
    table.sit("gm").say(t="face", name="Ada", face=5)
    campaign, token = begun(table)
    house.post(f"/api/campaigns/{campaign}", {"name": "Red Gulch", "notes": "The Steward lies."}, **bearer(token))
    last = goes_on(house, campaign, token)[1]["table"]
    status, file = file_of(house, campaign, token)
    assert (status, len(file["evenings"])) == (200, 2)
    status, back = house.post("/api/campaigns/import", file)
    assert status == 201, back
    assert back["campaign"] != campaign
    told, before = shown(house, back["campaign"], back["token"]), shown(house, campaign, token)
    assert (told["name"], told["notes"]) == (before["name"], before["notes"])
    kept = ("name", "game", "at", "people", "entries", "goes_on")
    assert [{key: one[key] for key in kept} for one in told["evenings"]] == [
        {key: one[key] for key in kept} for one in before["evenings"]
    ]
    gm, ada = Person(house, back["table"], back["token"]), Person(house, back["table"], back["links"]["ada"])
    assert (gm.seat, ada.seat) == ("gm", "ada")
    assert as_it_lives(gm) == as_it_lives(Person(house, last, token))
    assert told["faces"] == gm.table["table"]["faces"] == {"ada": 5}
    first = told["evenings"][1]["table"]
    assert house.get(f"/api/tables/{first}/replay?seat=gm", back["token"])[0] == 200
    assert Person(house, first, back["token"]).table["table"]["next"] == back["table"]
    again = file_of(house, back["campaign"], back["token"])[1]["evenings"]
    assert again[0] == file["evenings"][0], "what has ended stays as it is; the other is dealt from a new seed"
    links = [*table.links.values(), token]
    assert not [secret for secret in links if secret in str(file)], "no secret is in it"


def test_the_file_tells_nothing_that_nobody_may_know_yet(house: Server) -> None:
    table = house.make_table(game="dogpile", seats=["p1", "p2", "p3"])
    campaign, token = begun(table)
    gm = table.sit("gm")
    gm.do("begin")
    assert file_of(house, campaign, token)[1]["code"] == "not_yours"
    gm.ask({"end": True})
    assert file_of(house, campaign, token)[0] == 200
    assert file_of(house, campaign, table.links["gm"])[1]["code"] == "old_link"


@pytest.mark.parametrize(
    ("file", "said"),
    [
        (b"{", "isn't valid JSON"),
        (b"[]", "isn't a campaign"),
        (b'{"cardhouse_campaign":2}', "newer"),
        (b'{"cardhouse_campaign":1,"name":"A","notes":"","evenings":[]}', "evenings"),
        (b'{"cardhouse_campaign":1,"name":"A","notes":"","evenings":[{"at":1,"transcript":"x"}]}', "Session 1"),
        (json.dumps({**FILE, "name": "a\nb"}).encode(), "name"),
        (json.dumps({**FILE, "evenings": [{**EVENING, "faces": {"ada": 12}}]}).encode(), "faces"),
        (json.dumps({**FILE, "evenings": [{**EVENING, "faces": {f"a{n}": 1 for n in range(101)}}]}).encode(), "faces"),
    ],
)
def test_a_file_that_can_not_be_used_is_refused_with_a_sentence(house: Server, file: bytes, said: str) -> None:
    status, refused = house.post("/api/campaigns/import", file)
    assert (status, said in refused["message"]) == (400, True), refused


POSSE = {
    "name": "Black Posse",
    "hidden": True,
    "foes": [
        {"count": 2, "line": {"name": "Bandit", "hp": 4, "max_hp": 4, "tier": "experienced", "side": "Posse"}},
        {"line": {"name": "Nan", "hp": 9, "max_hp": 9, "card": "SQ", "to_hit": "Winchester +3"}},
    ],
}


def prepares(server: Server, campaign: str, token: str, *encounters: Any) -> tuple[int, Any]:
    return server.post(f"/api/campaigns/{campaign}/encounters", {"encounters": encounters}, **bearer(token))


def brings(server: Server, campaign: str, token: str, **wanted: Any) -> tuple[int, Any]:
    return server.post(f"/api/campaigns/{campaign}/encounters/bring", wanted, **bearer(token))


def test_foes_are_prepared_kept_brought_in_and_taken_along(house: Server) -> None:
    table = house.make_table(game="gunfight", seats=["ada"])
    gm, ada = table.sit("gm"), table.sit("ada")
    campaign, token = begun(table)
    form = shown(house, campaign, token)["form"]
    assert list(form["fields"]) == ["name", "hp", "max_hp", "hit_die", "to_hit", "tier", "side"]
    assert set(form["fields"]) - set(form["optional"]) == {"name", "hp", "max_hp", "tier"}
    assert form["hides"]
    assert prepares(house, campaign, "another", POSSE)[0] == 401
    status, told = prepares(house, campaign, token, POSSE)
    assert (status, told["encounters"]) == (200, [POSSE])
    for wrong, says in (
        (
            {"name": "Cy", "hp": -1, "max_hp": 4, "tier": "leader"},
            "^Gang, Cy: HP must be a whole number",
        ),
        ({"name": "Cy"}, r"^Gang, Cy: HP is missing\.$"),
        ({"name": "Cy", "count": 3, "hp": 4, "max_hp": 4}, r"^Gang, Cy: there is no count in this game\. Leave it out"),
        ({"hp": 4, "max_hp": 4, "tier": "leader"}, "Gang: an NPC's name is missing"),
    ):
        status, refused = prepares(house, campaign, token, {"name": "Gang", "foes": [{"line": wrong}]})
        assert status == 400
        assert re.search(says, refused["message"]), refused
    assert shown(house, campaign, token)["encounters"] == [POSSE], "what can't be changes nothing"
    gm.do("add_character", name="Bandit", hp=4, max_hp=4, card="SQ")
    status, brought = brings(house, campaign, token, encounter="Black Posse")
    assert (status, brought["names"]) == (200, ["Bandit 2", "Bandit 3"])
    assert re.match("Nan: .* card can't be SQ here", brought["problems"][0]), brought
    gm.catch_up(3)
    ada.catch_up(3)
    assert [who["name"] for who in gm.doc["view"]["fight"]["characters"]] == ["Bandit", "Bandit 2", "Bandit 3"]
    assert [who["name"] for who in ada.doc["view"]["fight"]["characters"]] == ["Bandit"], "they lie in wait"
    assert brings(house, campaign, token, encounter="Nobody's")[0] == 404
    file = house.raw(f"/api/campaigns/{campaign}/file", **bearer(token))[2]
    status, back = house.post("/api/campaigns/import", json.loads(file))
    assert status == 201, back
    again = shown(house, back["campaign"], back["token"])
    assert again["encounters"] == [POSSE]
    status, brought = brings(house, back["campaign"], back["token"], encounter="Black Posse", hidden=False)
    assert brought["names"] == ["Bandit 4", "Bandit 5"]


@pytest.mark.parametrize("game", ["initiative", "hackjack", "gunfight", "dogs"])
def test_the_form_of_a_foe_begins_with_one_that_can_be_saved(house: Server, game: str) -> None:
    campaign, token = begun(house.make_table(game=game))
    form = shown(house, campaign, token)["form"]
    assert set(form["fields"]) - set(form["optional"]) == set(form["start"])
    status, told = prepares(house, campaign, token, {"name": "Gang", "foes": [{"line": form["start"], "count": 2}]})
    assert (status, told["encounters"][0]["foes"]) == (200, [{"line": form["start"], "count": 2}])


def test_nothing_is_stored_of_a_foe_that_is_not_used(house: Server) -> None:
    campaign, token = begun(house.make_table(game="hackjack"))
    foe = {"name": "B", "hp": 4, "max_hp": 4}
    for junk in ("x" * 900_000, {"a": [1] * 50_000}, None):
        for field in ("do", "controller", "hidden"):
            status, told = prepares(house, campaign, token, {"name": "E", "foes": [{"line": {**foe, field: junk}}]})
            if junk is None:
                assert (status, told["encounters"][0]["foes"]) == (200, [{"line": foe}])
            else:
                assert (status, told["message"][:35]) == (400, "E: each NPC may take 10,000 bytes. ")
    status, file = file_of(house, campaign, token)
    assert len(json.dumps(file)) < 2_000


def test_each_added_npc_counts_against_the_limit(tmp_path: Path) -> None:
    with running(f"sqlite:///{tmp_path}/cards.db", "--rate", "0.001", "--burst", "12", log=tmp_path / "log") as server:
        campaign, token = begun(server.make_table(game="hackjack"))
        foes = [{"line": {"name": f"B{kind}", "hp": 4, "max_hp": 4}, "count": 10} for kind in range(5)]
        assert prepares(server, campaign, token, {"name": "E", "foes": foes})[0] == 200
        status, brought = brings(server, campaign, token, encounter="E")
        assert (status, len(brought["names"])) == (200, 50)
        assert brings(server, campaign, token, encounter="E")[1]["code"] == "too_many", "80 may come at once"


def test_a_campaign_with_long_headers_is_read_by_a_worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def read_here(*_: Any) -> Campaign:
        raise AssertionError("the event loop waits for this")

    monkeypatch.setattr(campaigns, "view_of", read_here)
    deck = slow_layout()["options"]["deck"]
    cards = {f"c{number}": {"text": "x" * 100, **deck["cards"]["p0"]} for number in range(200)}
    options = {"deck": {**deck, "cards": {**deck["cards"], **cards}}}

    async def story() -> None:
        async with open_house(f"sqlite:///{tmp_path}/cards.db") as here:
            made = await here.create("dogpile", ["gm", "p1"], odds="gm", options=options, name="Long")
            begun = await campaigns.begin(here, made.table, made.links["gm"], b'{"name":"A"}')
            told = await campaigns.show(here, "somebody", begun.campaign, begun.token)
            assert [(one.game, one.name) for one in told.evenings] == [("dogpile", "Long")]

    asyncio.run(story())


@pytest.mark.parametrize(
    ("game", "fields", "hides"),
    [
        ("initiative", ["name", "tier", "side"], True),
        ("hackjack", ["name", "hp", "max_hp", "hit_die", "to_hit"], False),
        ("dogs", ["name", "type"], False),
    ],
)
def test_each_game_says_what_can_be_prepared(house: Server, game: str, fields: list[str], hides: bool) -> None:
    campaign, token = begun(house.make_table(game=game))
    form = shown(house, campaign, token)["form"]
    assert (list(form["fields"]), form.get("hides", False)) == (fields, hides)


def test_where_nobody_is_prepared_there_is_no_form(house: Server) -> None:
    campaign, token = begun(house.make_table(game="dogpile", seats=["ada"]))
    assert shown(house, campaign, token)["form"] is None
    status, refused = prepares(house, campaign, token, {"name": "Gang", "foes": [{"line": {"name": "Cy"}}]})
    assert (status, refused["message"]) == (404, "This game has no encounters.")


def test_a_new_link_of_the_game_masters_leaves_that_of_the_campaign(house: Server) -> None:
    table = house.make_table(seats=["ada"])
    campaign, token = begun(table)
    gm = table.sit("gm")
    gm.say(t="reissue", seat="gm")
    new = gm.hear("link")["token"]
    for link in (new, token):
        assert Person(house, table.id, link).seat == "gm"
    assert goes_on(house, campaign, token)[0] == 201


def test_a_new_campaign_link_ends_the_old_one_everywhere(house: Server) -> None:
    table = house.make_table(game="hackjack", seats=["ada"])
    table.sit("gm").do("add_character", name="Ada", hp=5, max_hp=5, controller="ada")
    campaign, old = begun(table)
    last = goes_on(house, campaign, old)[1]["table"]
    there = [Person(house, one, old) for one in (table.id, last)]
    own = table.sit("gm")
    status, made = house.post(f"/api/campaigns/{campaign}/link", {}, **bearer(old))
    assert (status, made["campaign"]) == (201, campaign)
    for person in there:
        assert person.hear("error")["code"] == "old_link", "who is there by the old link is sent away"
    assert own.is_open
    for status, refused in (
        house.get(f"/api/campaigns/{campaign}", old),
        house.post(f"/api/campaigns/{campaign}/link", {}, **bearer(old)),
        house.get(f"/api/tables/{table.id}/replay?seat=gm", old),
        house.get(f"/api/tables/{last}/transcript", old),
    ):
        assert (status, refused["code"]) == (401, "old_link")
    assert shown(house, campaign, made["token"])["name"] == "Red Gulch"
    for one in (table.id, last):
        assert Person(house, one, made["token"]).seat == "gm"
    new = goes_on(house, campaign, made["token"])[1]["table"]
    assert Person(house, new, made["token"]).seat == "gm"


def test_asking_twice_for_the_next_session_makes_one_table(house: Server) -> None:
    table = house.make_table(game="hackjack", seats=["ada"])
    table.sit("gm").do("add_character", name="Ada", hp=5, max_hp=5, controller="ada")
    campaign, token = begun(table)
    path = f"/api/campaigns/{campaign}/evening"

    def asks(_: int) -> str:
        status, made = house.post(path, {"after": table.id}, **bearer(token))
        assert status == 201, made
        return str(made["table"])

    with ThreadPoolExecutor(2) as two:
        tables = {*two.map(asks, range(2)), asks(0)}
    assert len(tables) == 1
    (new,) = tables
    people = Person(house, new, token).doc["view"]["characters"]
    assert [who["name"] for who in people] == ["Ada"]
    assert len(shown(house, campaign, token)["evenings"]) == 2
