"""Sixty mistakes of authors, each with its error message and the check that finds it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cardhouse.cli import main
from cardhouse.engine import BadGame, CardhouseError
from cardhouse.testing import Conformance, excused
from cardhouse.testing.serving import serving_house
from tests import asking
from tests.asking import connect
from tests.serving import said_by
from tests.testing.noticing import ACCEPTED, COPY, LEAKS, TESTS, TWINS, WORDS, Suite, answered, loaded, said, started
from tests.testing.sound import Change, Install, write_game


@pytest.mark.parametrize("test", TESTS)
def test_the_sound_game_passes(test: str, install: Install) -> None:
    install()
    getattr(Suite(), test)()


ASKED = "bid = yield from self.ask(self.who_bids)"

MISTAKES: dict[str, tuple[Change, Callable[[], Any], str]] = {
    # What is said.
    "no word for an action": (('ring = "Ring"\n', ""), said, r"sound/words.toml has no words for ring of its actions"),
    "no word for an event": (
        ('rings = "It rings."\n', ""),
        WORDS,
        r"has no words for rings of its events: write under",
    ),
    "no word for a question": (
        ("[asks.ring]", "[asks.sing]"),
        WORDS,
        r"no words for ring of its asks: write \[asks.ring",
    ),
    "no word for a field": (('number = "Number"\n', ""), WORDS, r"has no words for number of its fields"),
    "no word for a value": (('"kind.high" = "high"\n', ""), WORDS, r"no words for kind.high of its values"),
    "no word for a bot": (('[bots.bold]\ntitle = "Bold"\n', ""), said, r"no words for bold of its bots: write \[bots"),
    "no word for an option": (
        ('[options.rounds]\ntitle = "Rounds"\n', ""),
        said,
        r"no words for rounds of its options",
    ),
    "no word for a step": (('[steps.tidy]\ntitle = "Tidy"\n', ""), said, r"no words for tidy of its steps"),
    "no word for a deck": (('[decks.cards]\ntitle = "Cards"\n', ""), said, r"no words for cards of its decks"),
    "no title of the game": (('title = "Sound"\n', ""), said, r"sound/words.toml, line 1: title is missing"),
    "no title of a rule": (('title = "Ringing"\n', ""), said, r"sound/rules.toml, line 5: S-2.title is missing"),
    "a misspelt key": (('text = "Then', 'txt = "Then'), said, r"S-2.txt is an unknown field; did you mean text\?"),
    "no such rule of an event": (
        ('"S-2", "over"', '"S-9", "over"'),
        WORDS,
        r"event over: sound/rules.toml has no rule S-9",
    ),
    "no such rule of a question": (
        ('Ask("ring", "S-2"', 'Ask("ring", "S-9"'),
        WORDS,
        r"question ring: .* has no rule S-9",
    ),
    "a blank that nothing fills": (("round=self.round)", "n=1)"), WORDS, r"event over, {round} has no value"),
    "told to nobody": (('to="gm"', 'to="gms"'), WORDS, r"event draws names gms"),
    # What is called.
    "another name": (
        ('name = "sound"', 'name = "silent"'),
        loaded,
        r"has the name 'silent', but its entry point is called sound",
    ),
    "no name": (('    name = "sound"\n', ""), loaded, r'TheGame has no name.*write name = "sound"'),
    # Rules that aren't run.
    "yield for yield from": (
        (ASKED, ASKED.replace("yield from", "yield")),
        loaded,
        r"sound/__init__.py, line \d+: self.ask",
    ),
    "neither": ((ASKED, "self.ask(self.who_bids)"), loaded, r"self.ask\(…\) does nothing by itself: write yield from"),
    "neither, and kept": ((ASKED, "bid = self.ask(self.who_bids)"), loaded, r"self.ask\(…\) does nothing by itself"),
    "yield, out of sight": (
        (ASKED, "ask = self.ask\n            bid = yield ask(self.who_bids)"),
        started,
        r"yield ask\(…\) itself, which runs .*: write yield from ask\(…\)\. \(In play, sound/__init__.py, line \d+\.\)",
    ),
    "no question": ((ASKED, "bid = yield 5"), started, r"The rules yield an object of type int, which is not a q"),
    "no play": (("    def play(self)", "    def plays(self)"), started, r"TheGame has no play: write def play\(self\)"),
    "no view": (("    def view(self,", "    def viewed(self,"), answered, r"TheGame has no view: write def view"),
    "no meanwhile": (
        ("def meanwhile", "def during"),
        loaded,
        r"at_any_time offers actions that nothing carries out: write TheGame.mean",
    ),
    "over at once": (("self.round < self", "self.round > self"), started, r"ends before it asks a question"),
    # State.
    "state not declared": (
        ("    mine: Card | None = None\n", ""),
        loaded,
        r"line \d+: TheGame.mine is not declared: write",
    ),
    "state not annotated": (
        ("    rung: int = 0", "    rung = 0"),
        loaded,
        r"TheGame.rung has no type, so it isn't saved",
    ),
    "state out of sight": (
        ("self.rung += 1", 'setattr(self, "rang", 1)'),
        ACCEPTED,
        r"TheGame.rang is set but not decl",
    ),
    "state of a wrong type": (
        ("self.rung += 1", 'self.rung = "often"'),
        COPY,
        r"state of TheGame.*Expected `int`, got `str`",
    ),
    "state of a wrong type at once": (
        ("rung: int = 0", 'rung: int = "0"'),
        started,
        r"Expected `int`, got `str`.*rung",
    ),
    "state that can't be written": (
        ("rung: int = 0", "rung: object = object()"),
        started,
        r"TheGame.rung can't be written",
    ),
    "a default list": (("rung: int = 0", "rung: list[int] = [0]"), loaded, r"line \d+ of sound/__init__.py is a list"),
    # Offers.
    "no such seat": (
        ("Offer((GM,), Ring)", 'Offer(("bob",), Ring)'),
        answered,
        r"question ring offers Ring to bob, which is not a s",
    ),
    "a seat without its comma": (
        ("Offer((GM,), Ring)", "Offer((GM), Ring)"),
        answered,
        r'write Offer\(\("gm",\), Ring\), w',
    ),
    "no such seat at any time": (
        ('(("ada",), Ring', '(("eve",), Ring'),
        answered,
        r"TheGame.at_any_time offers Ring to eve",
    ),
    "no such deck": (
        ('self.draw("cards")', 'self.draw("card")'),
        answered,
        r"TheGame has no deck card; TheGame.decks names c",
    ),
    "a deck of no attribute": (
        ('{"cards": "deck"}', '{"cards": "dekc"}'),
        loaded,
        r"TheGame.decks names dekc, which is not an a",
    ),
    "no such die": (
        ('self.roll("1d6")', 'self.roll("d6")'),
        answered,
        r'Dice can.t be written as d6: write "2d6".*line',
    ),
    "no such step": (
        ('self.step("tidy"', 'self.step("tidily"'),
        answered,
        r"TheGame has no step tidily; TheGame.steps names t",
    ),
    "no such field": (
        ('{"number": W', '{"numer": W'),
        started,
        r"question bid offers Bid with a field numer, which the action doesn't",
    ),
    "a field left out": (
        (', {"number": Whole(1, 4)}', ""),
        started,
        r"question bid offers Bid without its field number: add",
    ),
    "an action not listed": (
        ("(Bid, Ring)", "(Bid,)"),
        answered,
        r"offers Ring, which is missing from TheGame.actions",
    ),
    "an action without its comma": (
        ("(Bid, Ring)", "(Bid)"),
        loaded,
        r"TheGame.actions must be a tuple: write actions = \(B",
    ),
    "an empty choice": (
        ("Whole(1, 4)", "Whole(4, 1)"),
        started,
        r"offers Bid with no allowed value for number: make",
    ),
    "an empty list to choose from": (("Whole(1, 4)", "OneOf(())"), started, r"no allowed value for number"),
    "more to choose than there are": (
        ("Whole(1, 4)", "Several((1,), 2, 2)"),
        started,
        r"no allowed value for number",
    ),
    "asked of nobody": (
        ("tuple(self.seats), Bid", "(), Bid"),
        started,
        r"question bid of TheGame has nobody to answer it: name a",
    ),
    "an example its also refuses": (
        (
            '{"number": Whole(1, 4)})',
            '{"number": Whole(1, 4)}, also=lambda it: "is odd" if it.number % 2 else None, examples=({"number": 3},))',
        ),
        ACCEPTED,
        r'offer of Bid has an example that it refuses itself, {"number":3}: is odd\.',
    ),
    "done at any time by nobody": (
        ('        self.rung += 1\n        self.tell("S-2", "rings")\n', ""),
        ACCEPTED,
        r"TheGame.at_any_time offers ring, which had no effect in \d+ moves: carry it out in TheGame.meanwhile",
    ),
    # What replays show.
    "rest in the middle": (
        ("[Offer((GM,), Ring)])", "[Offer((GM,), Ring)], rest=True)"),
        COPY,
        r"question ring has rest=True, but a game that was saved there goes on differently",
    ),
    "chance in rules": (
        ("self.round += 1", "self.round += random.choice([1, 2])"),
        TWINS,
        r"line \d+: random.choice\(…\) is",
    ),
    "chance out of sight": (
        ("self.round += 1", 'self.round += getattr(random, "choice")([1, 2])'),
        TWINS,
        r"The same moves and the same chance give another game.*State.round is \d at the one",
    ),
    "the time of day": (
        ("self.rung += 1", "self.rung = int(time.time())"),
        TWINS,
        r"time.time\(…\) differs in each rep",
    ),
    # Leaks.
    "a view that leaks": (
        ('if audience == "gm" else None', "or None"),
        LEAKS,
        r'view.card is "CA" at the one and "C2" at the',
    ),
    "an event that leaks": (
        ('to="gm", ', ""),
        LEAKS,
        r'story.1.events\[0\].card is "CA" at the one and "C2" at the other',
    ),
    "a question that leaks": (
        ("[Offer((GM,), Ring)])", '[Offer((GM,), Ring)], {"card": self.mine})'),
        LEAKS,
        r'question.with.card is "CA" at the one and "C2" at the other',
    ),
    "odds that leak": (
        ("return {}", 'return {"card": self.mine}'),
        LEAKS,
        r'odds.card is "CA" at the one and "C2" at the o',
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_told(name: str, install: Install) -> None:
    change, found_by, sentence = MISTAKES[name]
    install(change)
    with pytest.raises(CardhouseError, match=sentence) as told:
        found_by()
    assert isinstance(told.value, BadGame) or found_by is loaded
    assert told.value.message[-1] in ".?)"


def test_a_dead_end_is_told(install: Install) -> None:
    closed = "Offer((GM,), Ring)", 'Offer((GM,), Ring, also=lambda ring: "not now")'
    install(closed, ('[Offer(("ada",), Ring)]', "[]"))
    with pytest.raises(BadGame, match=r"The game can't go on: nobody has an offer for the open question ring"):
        Suite().test_what_is_offered_is_accepted()


def test_secrets_without_pairs_are_told(install: Install) -> None:
    install()

    class Forgetful(Conformance):
        game = "sound"

    with pytest.raises(
        BadGame,
        match=r"Not all seats of sound are shown the same \(not everyone gets the event .*Forgetful has no pairs",
    ):
        Forgetful().test_nothing_leaks()


def test_what_is_never_reached_is_told(install: Install, capsys: pytest.CaptureFixture[str]) -> None:
    install(("[actions]", 'never = "Never."\n\n[actions]'))
    Suite().test_what_is_reached()
    assert "sound: " in capsys.readouterr().out
    assert list(Suite().reached().missing()) == ["event never"]
    assert Suite().reached().pairs == Suite.games

    class Everything(Suite):
        everything = True

    with pytest.raises(BadGame, match=r"Random play of sound never reached event never: begin"):
        Everything().test_what_is_reached()
    Everything.unreached = excused(event="never")
    Everything().test_what_is_reached()


def test_the_command_line_says_the_same(install: Install, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    install(("Offer((GM,), Ring)", 'Offer(("bob",), Ring)'))
    file = tmp_path / "evening.jsonl"
    file.write_text('{"cardhouse":1,"game":"sound","seats":["gm"]}\n{"by":"gm","do":"bid","number":3}\n')
    assert main(["replay", str(file)]) == 2
    said = "Line 2: The question ring offers Ring to bob, which is not a seat: name one of self.seats, here gm"
    assert capsys.readouterr().err.startswith(f"cardhouse: {file}: {said}")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            ("Offer((GM,), Ring)", 'Offer(("bob",), Ring)'),
            "The question ring offers Ring to bob, which is not a seat",
        ),
        (('yield from self.roll("1d6")', "while self.mine: pass"), "TheGame was stopped in an endless loop: sound/"),
    ],
    ids=["no such seat", "a loop without end"],
)
@pytest.mark.soak
def test_the_server_says_the_same(change: Change, sentence: str, tmp_path: Path) -> None:
    """And nothing has changed: the question stands."""
    write_game(tmp_path, change)
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])}
    with serving_house("--db", f"sqlite:///{tmp_path / 'cards.db'}", env=env) as (_, said):
        address = said.splitlines()[0].split()[-1]
        made = asking.post(f"{address}api/tables", json={"game": "sound", "seats": ["ada"]}).raise_for_status().json()
        with connect(address.replace("http", "ws") + "ws") as socket:
            said_by(socket, {"t": "sit", "table": made["table"], "token": made["links"]["gm"]}, "table")
            answer = {"t": "answer", "id": "a" * 22, "at": 0, "answer": {"do": "bid", "number": 3}}
            error = said_by(socket, answer, "error")
            assert error["code"] == "bad_game"
            assert error["message"].startswith(sentence)
            again = said_by(socket, {"t": "sit", "table": made["table"], "token": made["links"]["gm"]}, "table")
            assert (again["n"], again["doc"]["asks"]["key"]) == (0, "bid")
