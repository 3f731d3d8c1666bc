"""Strangers, players and game masters who ask for heavy work repeatedly."""

import json
import time
from itertools import cycle
from typing import Any

from websockets.exceptions import WebSocketException

from benchmarks.attacks.files import large_pictures, large_roster, nested_wounds, slow_layout, slow_wounds, wrong_wounds
from benchmarks.attacks.target import Prepared, Target, address, attack
from benchmarks.attacks.transcripts import LONG, long_transcript
from benchmarks.attacks.web import Web
from tests.server.talking import Person, TableMade, new_id

WOUNDS = "/api/games/hackjack/options/wounds"
GAMES = ("initiative", "hackjack", "gunfight", "dogpile", "dogs")
STUDY = "/api/lab/initiative/order"
LONG_STUDY = {"settings": {"mine": "1-13", "theirs": "1-7"}, "trials": 10_000_000}
FIGHTERS = ({"name": "Jeb", "npc": True}, {"name": "Ada", "controller": "p1"})
"""The first one, played by the game master, begins."""
THINGS = [{"name": f"Trait {number}", "kind": "+", "significant": True} for number in range(10)]
DOGS_TABLES = 20
BOT_TABLES = 8
PAINTERS, PICTURES_EACH = 8, 4
POLL_SECONDS = 0.2


def source_of(number: int) -> dict[str, Any]:
    """Return the options that make a person join from this table's own address, and not the attacker's."""
    return {"source_address": (f"127.2.0.{number + 1}", 0)}


@attack(shared=True)
def wounds_files(target: Target) -> Prepared:
    """Wounds files of 133 kB, posted by 12 clients: a valid one, and two with as many mistakes as possible."""
    files = [("POST", WOUNDS, file) for file in (slow_wounds(), wrong_wounds(), nested_wounds())]
    yield
    target.ask_again_and_again(12, *files)


@attack()
def replays(target: Target) -> Prepared:
    """A game master replays a table of 10,000 entries at various places, by 4 clients."""
    table = target.import_table(0, long_transcript())
    path = f"/api/tables/{table.id}/replay?seat=gm&after="
    starts = (0, LONG // 2, LONG - 400, LONG - 1)
    yield
    target.ask_again_and_again(4, *(("GET", f"{path}{after}", None, table.links["gm"]) for after in starts))


@attack()
def transcripts(target: Target) -> Prepared:
    """A game master fetches the transcript of a table of 10,000 entries, by 4 clients."""
    table = target.import_table(0, long_transcript())
    yield
    target.ask_again_and_again(4, ("GET", f"/api/tables/{table.id}/transcript", None, table.links["gm"]))


@attack()
def game_infos(target: Target) -> Prepared:
    """Everything about each game, requested by 8 clients."""
    yield
    target.ask_again_and_again(8, *(("GET", f"/api/games/{game}") for game in GAMES))


@attack()
def odds_of_dogs(target: Target) -> Prepared:
    """20 tables of Dogs at which bots fight, and everyone receives the odds."""
    tables = [target.make_table(number, game="dogs", seats=["p1"], odds="all") for number in range(DOGS_TABLES)]
    people = [characters_at(table, number) for number, table in enumerate(tables)]
    yield

    def work(number: int) -> None:
        gm, p1 = people[number]
        for person in (gm, p1):
            person.say(t="odds", on=True)
            person.say(t="bot", seat=person.seat, bot="bold")
        gm.say(**conflict(gm))
        listen(target, gm)

    target.at_once(DOGS_TABLES, work)


def characters_at(table: TableMade, number: int) -> tuple[Person, Person]:
    """Return a game master and a player of Dogs, with a character each."""
    gm, p1 = table.sit("gm", **source_of(number)), table.sit("p1", **source_of(number))
    for who in FIGHTERS:
        gm.do("create", stats={"acuity": 3, "body": 2, "heart": 2, "will": 2}, things=THINGS, **who)
    return gm, p1


def conflict(gm: Person) -> dict[str, Any]:
    """Return the game master's answer that opens a conflict."""
    sides = [[who["name"]] for who in FIGHTERS]
    answer = {"do": "open_conflict", "stakes": "The well", "sides": sides, "arena": "talking"}
    return {"t": "answer", "id": new_id(), "at": gm.n, "answer": answer}


def listen(target: Target, person: Person) -> None:
    """Count the odds that a person receives until the end."""
    try:
        for _ in target.turns():
            target.count("served", person.next(max(0.1, target.left))["t"] == "odds")
    except TimeoutError:
        return
    except (OSError, WebSocketException):
        target.count("closed")


@attack(shared=True)
def layouts(target: Target) -> Prepared:
    """The worst layout for Dogpile's judge, which takes ten seconds of a core, by 4 clients."""
    body = json.dumps(slow_layout()).encode()
    yield
    target.ask_again_and_again(4, ("POST", "/api/games/dogpile/judge", body))


@attack()
def rosters(target: Target) -> Prepared:
    """A roster file of 2,000 characters, by 8 clients."""
    file = large_roster()
    yield
    target.ask_again_and_again(8, ("POST", "/api/games/hackjack/roster", file))


@attack(once=True)
def pictures(target: Target) -> Prepared:
    """8 visitors bring 4 pictures of the largest size at once, in three formats, again and again.

    One visitor has brought one of each before: the process that reads them takes as much memory for any of them.
    """
    files = large_pictures()
    tables = [target.make_table(number, game="initiative", seats=2) for number in range(PAINTERS)]
    for table in tables:
        table.sit("gm").do("add_character", name="Ada", card="HK")

    def bring(number: int, file: bytes, web: Web) -> int:
        table = tables[number % PAINTERS]
        return web.ask("POST", f"/api/tables/{table.id}/pictures?name=Ada", file, table.links["gm"])[0]

    for file in files:
        bring(0, file, target.web(address(PAINTERS)))
    yield

    def work(number: int) -> None:
        web = target.web(address(number % PAINTERS))
        for turn in target.turns():
            target.count_status(bring(number, files[(number + turn) % len(files)], web))

    target.at_once(PAINTERS * PICTURES_EACH, work)


@attack()
def let_bot_at_dogpile(target: Target) -> Prepared:
    """8 tables of Dogpile where a player lets a bot answer and the game master undoes it, repeatedly."""
    people = [dogpile_at(target, number) for number in range(BOT_TABLES)]
    yield
    target.at_once(BOT_TABLES, lambda number: let_bots(target, *people[number], bots=("bold", "reader", "sure")))


@attack()
def let_bot_at_dogs(target: Target) -> Prepared:
    """8 tables of Dogs where the game master lets a bot answer and undoes it, repeatedly."""
    tables = [target.make_table(number, game="dogs", seats=["p1"]) for number in range(BOT_TABLES)]
    people = [characters_at(table, number)[0] for number, table in enumerate(tables)]
    for gm in people:
        gm.say(**conflict(gm))
        gm.hear("change", "error")
    yield
    target.at_once(BOT_TABLES, lambda number: let_bots(target, people[number], people[number], bots=("bold", "plain")))


def dogpile_at(target: Target, number: int) -> tuple[Person, Person]:
    """Return a game master, and the player who begins."""
    table = target.make_table(number, game="dogpile", seats=["p1", "p2"], options={"rounds": 5})
    gm, p1 = table.sit("gm", **source_of(number)), table.sit("p1", **source_of(number))
    gm.do("begin", first="p1")
    return gm, p1


def let_bots(target: Target, gm: Person, player: Person, bots: tuple[str, ...]) -> None:
    """Let a bot answer for the player, and undo it, repeatedly."""
    choices = cycle(bots)
    for _ in target.turns():
        if target.say(player, {"t": "let_bot", "bot": next(choices)}) == "served":
            at = max(gm.n, player.n)
            target.say(gm, {"t": "answer", "id": new_id(), "at": at, "answer": {"undo": 1}})


@attack(shared=True)
def studies(target: Target) -> Prepared:
    """The largest possible study, started and stopped repeatedly, by 4 clients.

    One has been played before: the process that plays them takes as much memory for any of them.
    """
    study_that_is_over(target)
    yield

    def work(_: int) -> None:
        web = target.web()
        for _ in target.turns():
            status, said = web.post(STUDY, LONG_STUDY)
            target.count_status(status)
            if status == 201:
                path = f"/api/lab/runs/{json.loads(said)['id']}"
                time.sleep(POLL_SECONDS)
                target.count_status(web.get(path)[0])
                target.count_status(web.ask("DELETE", path)[0])

    target.at_once(4, work)


@attack(once=True)
def reports(target: Target) -> Prepared:
    """The report of a finished study, by 4 clients; another one's has been requested once.

    Drawing its plots takes 90 MB for any report, and one report is written at a time.
    """
    target.web().get(f"{study_that_is_over(target)}/report.html")
    path = study_that_is_over(target)
    yield
    target.ask_again_and_again(4, ("GET", f"{path}/report.html"), ("GET", path))


def study_that_is_over(target: Target) -> str:
    """Return the path of a finished study of thirteen combinations."""
    web = target.web()
    _, said = web.post(STUDY, {"settings": {"mine": "1-13"}, "trials": 20_000})
    path = f"/api/lab/runs/{json.loads(said)['id']}"
    for _ in target.turns():
        _, said = web.ask("GET", path)
        if b'"over"' in said or said[:2] == b"\x1f\x8b":
            break
        time.sleep(POLL_SECONDS)
    return path
