"""Mistakes in a first game, each with its error message and the check that finds it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cardhouse.engine import BadGame, CardhouseError
from tests.testing.noticing import (
    ACCEPTED,
    BOTS,
    SHOWN,
    TWINS,
    WORDS,
    answered,
    impatient,
    loaded,
    said,
    started,
)
from tests.testing.sound import TEXTS, Change, Install

ASKED = "bid = yield from self.ask(self.who_bids)"
BESIDE = "class TheGame(Game):"
VIEWED = "SoundView(self.round, len(self.deck)"

MISTAKES: dict[str, tuple[list[Change], Callable[[], Any], str]] = {
    # Rules beside the class.
    "yield for yield from, in a function": (
        [
            (ASKED, "bid = yield from bidding(self)"),
            (BESIDE, f"def bidding(game):\n    return (yield game.ask(game.who_bids))\n\n\n{BESIDE}"),
        ],
        loaded,
        r"sound/__init__.py, line \d+: game.ask\(…\) does nothing by itself: write yield from game.ask",
    ),
    "neither, in a function": (
        [
            (ASKED, "bid = bidding(self)"),
            (BESIDE, f"def bidding(game: 'TheGame'):\n    game.ask(game.who_bids)\n\n\n{BESIDE}"),
        ],
        loaded,
        r"line \d+: game.ask\(…\) does nothing by itself: write yield from game.ask",
    ),
    "a function of rules that isn't run": (
        [
            (ASKED, f"bidding(self)\n            {ASKED}"),
            (BESIDE, f"def bidding(game):\n    yield from game.ask(game.who_bids)\n\n\n{BESIDE}"),
        ],
        loaded,
        r"line \d+: bidding\(…\) does nothing by itself: write yield from bidding\(…\)",
    ),
    "rules returned out of rules": (
        [
            (
                '            yield from self.roll("1d6")',
                "            if self.round > 9:\n                return self.ask(self.who_rings)",
            )
        ],
        loaded,
        r"line \d+: self.ask\(…\) is returned but never run, .*write return \(yield from self.ask",
    ),
    "a question that isn't returned": (
        [('return Ask("ring"', 'Ask("ring"')],
        loaded,
        r"line \d+: Ask\(…\) is created but not used: write return Ask",
    ),
    "the question for the method that asks": (
        [("self.ask(self.who_rings)", "self.ask(self.who_rings())")],
        answered,
        r"self.ask got the question ring itself: .*without parentheses",
    ),
    "rules that ask nothing": (
        [
            (
                "    def play(self) -> Rules[None]:\n        while",
                "    def play(self):\n        return\n\n    def played(self) -> Rules[None]:\n        while",
            )
        ],
        started,
        r"TheGame.play asks no question: write yield from",
    ),
    "a card before the first question": (
        [("        while self.round < self", '        yield from self.draw("cards")\n        while self.round < self')],
        started,
        r"TheGame.play must ask a question before it first draws",
    ),
    "an offer that is yielded": (
        [(ASKED, "bid = yield Offer((GM,), Ring)")],
        started,
        r"The rules yield an object of type Offer, which is not a question: write yield from self.ask",
    ),
    "fields in a list": (
        [('{"number": Whole(1, 4)}', '["number"]')],
        started,
        r"TheGame asks a malformed question .*Offer\(\(seats\), Action, {field",
    ),
    "rules that stumble": (
        [("self.rung += 1", "self.mine.suit")],
        ACCEPTED,
        r"The game crashed at sound/__init__.py, line \d+: AttributeError: '\w+' object has no attribute 'suit'",
    ),
    "whose answer it was, after a card": (
        [('yield from self.roll("1d6")', 'self.tell("S-1", "drew", kind="high", seat=self.by)')],
        TWINS,
        r"line \d+: after self.draw\(…\), self.by may be the seat that .* save it before, as in seat = self.by",
    ),
    # Loops.
    "a loop that asks nothing": (
        [("self.round += 1", "while self.round < 9:\n                self.rung = max(1, self.rung)")],
        impatient("test_what_is_offered_is_accepted"),
        r"TheGame was stopped in an endless loop: sound/__init__.py, lines? \d+.*, in play\.",
    ),
    "a loop that never gets to ask": (
        [(ASKED, f"while True:\n                yield from self.ask(lambda: None)\n            {ASKED}")],
        impatient("test_what_is_offered_is_accepted"),
        r"TheGame was stopped in an endless loop: sound/__init__.py, lines? \d+.*, in play\.",
    ),
    "a loop that only rolls": (
        [('yield from self.roll("1d6")', 'while True:\n                yield from self.roll("1d6")')],
        answered,
        r"TheGame draws, rolls or asks for the time more than 10000 times without a question",
    ),
    "a loop that only draws": (
        [
            (
                'yield from self.roll("1d6")',
                'while True:\n                self.deck.add((yield from self.draw("cards")))',
            )
        ],
        answered,
        r"TheGame draws, rolls or asks for the time more than 10000 times without a question",
    ),
    "a loop that only asks for the time": (
        [('yield from self.roll("1d6")', "while True:\n                yield from self.now()")],
        answered,
        r"TheGame draws, rolls or asks for the time more than 10000 times without a question",
    ),
    "a loop that only tells": (
        [('yield from self.roll("1d6")', 'while True:\n                self.tell("S-2", "over", round=1)')],
        answered,
        r"TheGame logs more than 20000 events without a question, the last of them over \(S-2\).*self.ask",
    ),
    "a loop in a view": (
        [("        return SoundView(", "        while self.round:\n            pass\n        return SoundView(")],
        impatient("test_everything_said_has_words"),
        r"TheGame was stopped in an endless loop: sound/__init__.py, lines? \d+.*, in view\.",
    ),
    "cards taken from the list that is gone through": (
        [
            (
                "self.round += 1",
                "for card in self.deck.loose:\n                self.deck.loose.pop()\n            self.round += 1",
            )
        ],
        TWINS,
        r"line \d+: self.deck.loose is changed inside its own loop, .*in list\(self.deck.loose\)",
    ),
    "a pause": (
        [("self.rung += 1", "self.rung += 1 + (time.sleep(0) or 0)")],
        TWINS,
        r"line \d+: time.sleep\(…\) would block all tables of a server",
    ),
    # Views, odds and bots.
    "another type in a view": (
        [(VIEWED, 'SoundView(f"{self.round}", len(self.deck)')],
        WORDS,
        r"TheGame.view\(gm\) doesn't match its declaration SoundView: Expected `int`, got `str` - at `\$.round`",
    ),
    "a view that isn't returned": (
        [(f"return {VIEWED}", VIEWED)],
        answered,
        r"TheGame.view returns nothing: it must return a msgspec.Struct",
    ),
    "a view that can't be written": (
        [(VIEWED, "SoundView(object(), len(self.deck)")],
        answered,
        r"TheGame.view returns data that JSON can't hold .*Return only",
    ),
    "a view that stumbles": (
        [(VIEWED, "SoundView(self.round // 0, len(self.deck)")],
        answered,
        r"TheGame.view crashed at sound/__init__.py, line \d+: ZeroDivisionError",
    ),
    "odds that stumble": (
        [("return {}", 'return {"card": 1 // 0}')],
        SHOWN,
        r"TheGame.odds crashed at sound/__init__.py, line \d+: ZeroDivisionError",
    ),
    "what may always be done stumbles": (
        [('return [Offer(("ada",), Ring)]', "return [Offer((self.nobody,), Ring)]")],
        answered,
        r"TheGame.at_any_time crashed at sound/__init__.py, line \d+: AttributeError: .*'nobody'",
    ),
    "a bot that never answers": (
        [('return {"do": "bid", "number": 3}', "return None"), ('return {"do": "ring"} if', "return None if")],
        BOTS,
        r"The bot bold was asked \d+ times and never answered: have it return one of seen.offers",
    ),
    "a bot that says what isn't offered": (
        [('{"do": "bid", "number": 3}', '{"do": "bid", "number": 9}')],
        BOTS,
        r'The bot bold answers {"do":"bid","number":9} for \w+, which is not offered to it: .*number',
    ),
    "a bot that stumbles": (
        [('seen.asks["key"] == "bid"', 'seen.view["rounds"] == 1')],
        BOTS,
        r"The bot bold crashed at sound/__init__.py, line \d+: KeyError",
    ),
    # What is called, and what it is by default.
    "two actions of one name": (
        [
            (BESIDE, f"class BID(Action, frozen=True):\n    pass\n\n\nBID.__struct_config__\n\n\n{BESIDE}"),
            ("(Bid, Ring)", "(Bid, Ring, Clash)"),
            ("class SoundView", 'class Clash(Action, frozen=True, tag="ring"):\n    pass\n\n\nclass SoundView'),
        ],
        loaded,
        r"TheGame.actions has two classes called ring: rename one",
    ),
    "a field called like a part of the line": (
        [("    number: int\n", '    number: int\n    by: str = ""\n')],
        loaded,
        r"Bid.by has a name that the engine uses in every action",
    ),
    "a method in the way of the engine's": (
        [("def who_rings", "def roll"), ("self.who_rings", "self.roll")],
        loaded,
        r"TheGame.roll hides the engine's method roll",
    ),
    "state in the way of the engine's": (
        [("    rung: int = 0", '    rung: int = 0\n    by: str = ""')],
        loaded,
        r"TheGame.by is an attribute that the engine needs",
    ),
    "an option's wrong default": (
        [("rounds: int = 2", 'rounds: int = "2"')],
        loaded,
        r"The default of SoundOptions.rounds is '2', .*Expected `int`, got `str`",
    ),
    "an option without a default": (
        [("rounds: int = 2", "rounds: int"), ("SoundOptions = SoundOptions()", "SoundOptions = SoundOptions(2)")],
        loaded,
        r"SoundOptions.rounds has no default",
    ),
    "a usual option that isn't there": (
        [('    steps = ("tidy",)', '    steps = ("tidy",)\n    usual_options = {"round": 3}')],
        loaded,
        r"TheGame.usual_options names round, which is not an option. Options: rounds",
    ),
    "a deck that is a list": (
        [("deck: Deck = msgspec.field(default_factory=lambda: Deck.of(STANDARD[:6]))", "deck: list[str] = []")],
        answered,
        r"(The deck cards of TheGame is a list: it must be a Deck|TheGame.view crashed)",
    ),
    # Texts.
    "a deck misspelt in the words": (
        [("[decks.cards]", "[decks.card]")],
        said,
        r"has no words for cards of its decks: .* There is card: is it misspelt\?",
    ),
    "words that are no TOML": (
        [('bid = "Bid"', 'bid = "Bid')],
        said,
        r"sound/words.toml can't be read: .*line \d+",
    ),
    "rules without a text": ([(TEXTS, "")], WORDS, r"question bid: sound/rules.toml has no rule S-1: write \[S-1\]"),
    # What is installed.
    "a module that fails": (
        [("STANDARD, Card, Deck\n", "STANDARD, Card, Deck\n\nNUMBER = int('two')\n")],
        loaded,
        r"The game sound can't be loaded: sound/__init__.py, line \d+: ValueError: ",
    ),
    "a module with an error of writing": (
        [("class TheGame(Game):", "class TheGame(Game)")],
        loaded,
        r"The game sound can't be loaded: sound/__init__.py, line \d+: expected ':'",
    ),
    "another class than the entry point's": (
        [("class TheGame(Game):", "class OurGame(Game):")],
        loaded,
        r"its entry point names sound:TheGame, and sound has no TheGame: name sound:OurGame in pyproject.toml",
    ),
    "no game": (
        [("class TheGame(Game):", "class TheGame:\n    pass\n\n\nclass OurGame(Game):")],
        loaded,
        r"The entry point of the game sound doesn't name a subclass of cardhouse.Game",
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_newcomers_mistake_is_told(name: str, install: Install) -> None:
    changes, found_by, sentence = MISTAKES[name]
    install(*changes)
    with pytest.raises(CardhouseError, match=sentence) as told:
        found_by()
    assert isinstance(told.value, BadGame) or found_by is loaded


def test_words_in_another_encoding_are_told(install: Install, tmp_path: Path) -> None:
    install()
    words = tmp_path / "sound" / "words.toml"
    words.write_bytes(words.read_bytes().replace(b"It rings.", b"Es l\xe4utet."))
    with pytest.raises(BadGame, match=r"sound/words.toml, line \d+: this isn't UTF-8"):
        said()


def test_a_missing_file_of_texts_is_told(install: Install, tmp_path: Path) -> None:
    install()
    (tmp_path / "sound" / "rules.toml").unlink()
    with pytest.raises(BadGame, match=r"A game needs a rules.toml, and sound/ has none"):
        said()


def test_what_a_game_stumbles_over_is_not_told_to_players(install: Install) -> None:
    """The card would be."""
    install(("self.rung += 1", "{}[self.mine]"))
    with pytest.raises(BadGame, match=r"crashed at sound/__init__.py, line \d+: KeyError\.$") as told:
        answered()
    assert isinstance(told.value.__cause__, KeyError)
