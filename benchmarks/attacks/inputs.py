"""Inputs that once stopped the server, broke a page or leaked: long lines, huge numbers, wrong codes, odd names."""

import time
from typing import Any

from benchmarks.attacks.crowd import GAME_MASTERS, each_says
from benchmarks.attacks.target import Prepared, Target, address, attack
from benchmarks.attacks.web import ATTACKER, Web
from cardhouse.games.dogs.people.notation import LONGEST_LINE, LONGEST_SHEET
from cardhouse.server.access.rate_limits import RATE_LIMITS
from cardhouse.server.core.tokens import new_code
from tests.server.talking import Person, TableMade, new_id

FAR = 2**63
"""One more than databases can count to."""
NEARLY_DICE = "acuity" + " " * (LONGEST_SHEET - len("acuity!")) + "!"
LINE = LONGEST_LINE - 1
SHEETS = tuple(
    "\n".join([line[:LINE]] * (LONGEST_SHEET // LONGEST_LINE))
    for line in ("acuity" + " " * LINE, "- " * LINE, "1. " * LINE, "2d6 + " * LINE, "(2d" * LINE, "+" * LINE)
)
"""The longest sheets with the longest lines, none of which is a Stat or a thing."""
INHERITED = ("__proto__", "constructor", "toString", "valueOf", "hasOwnProperty")
"""The names that every object of JavaScript has."""
GAMES: dict[str, dict[str, Any]] = {
    "initiative": {"card": "HK"},
    "hackjack": {"hp": 7, "max_hp": 7},
    "gunfight": {"hp": 4, "max_hp": 4},
}
"""The fields of a character in each game, besides its name."""
GUESSER, GUESSERS = 200, 8
ALLOWED_SECONDS = 1 / (20 * RATE_LIMITS["wrong links"].rate)
"""The time after which the limit allows one more wrong code."""
RIGHT_SECONDS = 0.5
"""How long somebody with the right code waits, so that no other limit than that of wrong codes is in the way."""


def masters_of(target: Target, game: str, many: int = GAME_MASTERS) -> list[Person]:
    """Return many people with the game master's link of a table."""
    table = target.make_table(0, game=game, seats=2)
    return [table.sit("gm", source_address=(ATTACKER, 0)) for _ in range(many)]


def answer(person: Person, do: dict[str, Any]) -> dict[str, Any]:
    return {"t": "answer", "id": new_id(), "at": person.n, "answer": do}


@attack(refused=True)
def dice_lines(target: Target) -> Prepared:
    """10 people at a table of Dogs create characters with a line of 10,000 characters for dice, as fast as possible."""
    people = masters_of(target, "dogs")
    yield
    each_says(target, people, lambda person, _: answer(person, {"do": "create", "name": "A", "dice": NEARLY_DICE}))


@attack(refused=True)
def long_sheets(target: Target) -> Prepared:
    """10 people at a table of Dogs create characters with the longest sheets, whose lines are nearly right."""
    people = masters_of(target, "dogs")
    yield

    def create(person: Person, turn: int) -> dict[str, Any]:
        return answer(person, {"do": "create", "name": "A", "dice": SHEETS[turn % len(SHEETS)]})

    each_says(target, people, create)


@attack(refused=True)
def long_texts(target: Target) -> Prepared:
    """10 people with the game master's link send the longest texts for a character, of blanks, marks and ligatures."""
    people = masters_of(target, "hackjack")
    texts = ("- " * 5_000, "a" + "\u0301\u0323" * 1_200, "\ufdfa" * 2_400)
    yield

    def add(person: Person, turn: int) -> dict[str, Any]:
        right = {"do": "add_character", "name": "A", "hp": 7, "max_hp": 7}
        text = texts[turn % len(texts)]
        wrong = ({"name": text}, {"do": text}, {"hp": text}, {"controller": text}, {text: 1})
        return answer(person, {**right, **wrong[turn % len(wrong)]})

    each_says(target, people, add)


@attack()
def inherited_names(target: Target) -> Prepared:
    """Characters and players called __proto__, constructor or toString, at tables of three games."""
    people = [person for game in GAMES for person in masters_of(target, game, 3)]
    games = [game for game in GAMES for _ in range(3)]
    yield

    def work(number: int) -> None:
        def frame(turn: int) -> dict[str, Any]:
            name, person = INHERITED[(number + turn) % len(INHERITED)], people[number]
            add = {"do": "add_character", "name": name, **GAMES[games[number]]}
            return (answer(person, add), {"t": "name", "name": name}, answer(person, {"undo": 1}))[turn % 3]

        target.play(people[number], frame)

    target.at_once(len(people), work)


@attack(refused=True)
def far_positions(target: Target) -> Prepared:
    """Forks, replays, transcripts and questions for the lab at entry 2**63 of a table, by 4 clients."""
    table = target.make_table(0, game="hackjack", seats=2)
    path, token = f"/api/tables/{table.id}", table.links["gm"]
    yield
    target.ask_again_and_again(
        4,
        ("POST", f"{path}/fork", {"seat": "gm", "at": FAR}, token),
        ("GET", f"{path}/lab?seat=gm&at={FAR}", None, token),
        ("GET", f"{path}/replay?seat=gm&after={FAR}", None, token),
        ("GET", f"{path}/transcript?upto={FAR}", None, token),
        ("GET", f"{path}/pictures/{FAR}", None, token),
        ("POST", "/api/games/dogpile/judge", {"cards": [{"card": "SQ", "x": FAR, "y": 0}]}, token),
    )


@attack(refused=True)
def screen_links(target: Target) -> Prepared:
    """The link of a finished table's screen forks it and asks for all that isn't on the screen, by 4 clients."""
    table = target.make_table(0, game="initiative", seats=2)
    gm = table.sit("gm")
    gm.do("add_character", name="Ada", card="HK")
    gm.ask({"end": True})
    path, token = f"/api/tables/{table.id}", table.links["screen"]
    yield
    hidden = ("transcript", "deal", "roster", "replay?seat=open", "lab?seat=open")
    target.ask_again_and_again(
        4,
        ("POST", f"{path}/fork", {"seat": "gm", "at": 1}, token),
        *(("GET", f"{path}/{what}", None, token) for what in hidden),
    )


@attack(refused=True)
def wrong_codes(target: Target) -> Prepared:
    """8 visitors guess join codes as fast as they can; another one over the limit gives the right code again and again.

    The right code counts as refused only if the limit of wrong ones was the reason.
    """
    table = target.make_table(0, game="initiative", seats=2)
    guesser = Web(target.port, address(GUESSER))
    while not is_over_limit(*guesser.post("/api/doors", {"code": new_code()})):
        time.sleep(RIGHT_SECONDS / 2)
    yield
    target.at_once(GUESSERS + 1, lambda number: guess(target, number) if number else insist(target, table, guesser))


def is_over_limit(status: int, said: bytes) -> bool:
    """Return whether a code was refused because of too many wrong ones."""
    return status == 429 and b"wrong" in said


def guess(target: Target, number: int) -> None:
    """Guess from an address of its own."""
    web = target.web(address(GUESSER + number))
    for _ in target.turns():
        target.count_status(web.post("/api/doors", {"code": new_code()})[0])


def insist(target: Target, table: TableMade, web: Web) -> None:
    """Give the right code each time that a wrong one has just used up what was left of the limit.

    One more code becomes allowed every few seconds: an answer counts only if none can have become allowed since the
    limit was last seen.
    """
    none_left_at = None
    for _ in target.turns():
        began = time.monotonic()
        status, said = web.post("/api/doors", {"code": new_code()})
        target.count_status(status)
        if status != 429 and none_left_at is not None:
            over = is_over_limit(*web.post("/api/doors", {"code": table.links["door"]}))
            if time.monotonic() - none_left_at < ALLOWED_SECONDS:
                target.count("asked")
                target.count("refused" if over else "served")
        if none_left_at is not None or is_over_limit(status, said):
            none_left_at = began
        time.sleep(RIGHT_SECONDS)
