"""Every rule has text, code and a golden transcript, and everything a game says has words; for every installed game."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path

import pytest
from msgspec.structs import fields, replace

from cardhouse.engine import (
    GM,
    HOUSE,
    Catalogue,
    Game,
    Table,
    catalogue_of,
    find_game,
    game_names,
    read_header,
    read_lines,
)
from cardhouse.engine.game.catalogue import blanks
from cardhouse.testing.golden import NoDealer, goldens, rule_of
from scripts.site import rules_of
from tests.walkthrough import ROOT, TRANSCRIPTS

GAMES = [find_game(name) for name in game_names()]
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


ROOMS = ("lab", "print", "commands")


def sources(game: type[Game]) -> dict[str, str]:
    """The Python files of a game's rules, in its folder and the rooms of it that are not the lab's or others'."""
    folder = Path(inspect.getfile(game)).parent
    files = [path for path in folder.rglob("*.py") if path.relative_to(folder).parts[0] not in ROOMS]
    return {str(path.relative_to(folder)): path.read_text("utf-8") for path in files}


def own(game: type[Game]) -> Catalogue:
    """The rules and words of a game without those of the games it consists of, which have tests of their own."""
    whole = catalogue_of(game)
    parts = [catalogue_of(part) for part in game.parts.values()]
    theirs = {rule for part in parts for rule in part.rules}
    said = {*EVERY_TABLES, *(key for part in parts for key in part.words.events)}
    events = {key: text for key, text in whole.words.events.items() if key not in said}
    rules = {rule: text for rule, text in whole.rules.items() if rule not in theirs}
    return Catalogue(rules, replace(whole.words, events=events))


def cited(game: type[Game], catalogue: Catalogue) -> set[str]:
    """The rule ids that a game's code cites: those that begin like one of its catalogue's."""
    prefixes = {rule.partition("-")[0] for rule in catalogue.rules}
    pattern = re.compile(rf"\b(?:{'|'.join(prefixes)})-\d+\b")
    return {rule for text in sources(game).values() for rule in pattern.findall(text)}


@each_game
def test_every_rule_is_cited_by_code(game):
    catalogue = own(game)
    uncited = [
        rule for rule, text in catalogue.rules.items() if rule not in cited(game, catalogue) and not text.no_code
    ]
    assert not uncited, f"no code of {game.name} cites {', '.join(uncited)}"


@each_game
def test_every_rule_that_code_cites_has_a_text(game):
    catalogue = catalogue_of(game)
    unknown = sorted(cited(game, catalogue) - set(catalogue.rules))
    assert not unknown, f"rules.toml of {game.name} lacks {', '.join(unknown)}"


@each_game
def test_every_rule_says_something(game):
    for rule, text in catalogue_of(game).rules.items():
        assert text.title.strip(), rule
        assert text.text.strip(), rule


@each_game
def test_every_rule_has_a_golden_transcript(game):
    shown = {rule_of(path) for path in goldens(TRANSCRIPTS / game.name)}
    missing = [rule for rule in own(game).rules if rule not in shown]
    assert not missing, f"tests/transcripts/{game.name} has nothing for {', '.join(missing)}"


@each_game
def test_every_golden_transcript_is_about_a_rule(game):
    rules = catalogue_of(game).rules
    assert not [path.name for path in goldens(TRANSCRIPTS / game.name) if rule_of(path) not in rules]


@each_game
def test_every_event_told_in_code_has_words(game):
    told = {key for text in sources(game).values() for key in keys_told(text)}
    named = {text for source in sources(game).values() for text in strings_of(source)}
    assert named >= set(own(game).words.events)
    assert told <= set(catalogue_of(game).words.events)


PUT_RIGHT = ("put_right", "put_right_of", "put_right_cards", "put_right_of_cards", "put_right_hidden")
EVERY_TABLES = ("has_chosen", "chose_anew", "undone", "redone", "seat_added", "device_added", "ended", *PUT_RIGHT)


def strings_of(source: str) -> set[str]:
    """All strings in a source: a key may be handed on before it is told."""
    return {
        node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant) and type(node.value) is str
    }


def keys_told(source: str) -> set[str]:
    """The keys of all `self.tell(rule, key, …)`."""
    calls = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))
    keys = (
        call.args[1]
        for call in calls
        if isinstance(call.func, ast.Attribute) and call.func.attr == "tell" and len(call.args) > 1
    )
    return {
        node.value
        for key in keys
        for node in ([key.body, key.orelse] if isinstance(key, ast.IfExp) else [key])
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


@each_game
def test_everything_said_in_the_golden_transcripts_has_words_and_every_blank_is_filled(game):
    words = catalogue_of(game).words
    said: set[str] = set()
    asked: set[str] = set()
    for path in goldens(TRANSCRIPTS / game.name):
        texts = path.read_text("utf-8").splitlines()
        table = Table(read_header(texts[0]), NoDealer())
        lines = [line for _, line in read_lines(texts[1:])]
        starts = [place for place, line in enumerate(lines) if "by" in line]
        for start, end in zip(starts, [*starts[1:], None], strict=True):
            table.replay(list(enumerate(lines[start:end])))
            for event in table.entries[-1].events:
                said.add(event.key)
                assert blanks(words.events[event.key]) <= set(event.about), event
            asks = table.asks()
            asked.add(asks["key"])
            for text in (words.asks[asks["key"]].you, words.asks[asks["key"]].others):
                assert blanks(text) <= set(asks["with"]), asks
            for offer in table.offers(GM, anytime=True):
                word = next(offer[kind] if kind == "do" else kind for kind in ("do", "draw", "roll") if kind in offer)
                assert word in words.actions
                assert set(offer["fields"]) <= set(words.fields)
                assert blanks(words.actions.get(f"{word}.{asks['key']}", "")) <= set(asks["with"])
    assert said >= set(own(game).words.events), (
        f"never told in a golden transcript: {set(own(game).words.events) - said}"
    )
    assert asked <= set(words.asks)


@each_game
def test_every_action_option_step_deck_and_bot_has_a_name(game):
    words = catalogue_of(game).words
    actions = {action.word() for action in game.actions}
    assert actions <= set(words.actions)
    options = next(field.type for field in fields(game) if field.name == "options")
    assert {field.name for field in fields(options)} == set(words.options)
    assert set(game.steps) == set(words.steps)
    assert set(game.decks) == set(words.decks)
    assert list(words.bots) == [*game.bots, HOUSE]  # the game's own come first, wherever one is chosen


ORIGINALS = {
    "initiative": ["Playing Card Based Initiative System", "a blog", "15 January 2015", "author is unknown"],
    "hackjack": ["Hackjack", "a blog", "author is unknown"],
    "gunfight": ["Card initiative and Hackjack", "ours"],
    "dogpile": ["Dogpile", "Nice Games Club podcast", "names are unknown"],
    "dogs": [
        "Dogs Play Cards, Too",
        "“Paul_T.”",
        "RPGnet Wiki",
        "Dogs in the Vineyard",
        "The Princes' Kingdom",
        "Afraid",
    ],
}
GUIDES = {"gunfight": "hackjack"}
"""The games that are explained in another one's guide."""


def on_one_line(document: str) -> str:
    """A document's text, whatever its line breaks."""
    return " ".join((ROOT / document).read_text("utf-8").split())


@pytest.mark.parametrize("game", ORIGINALS)
def test_guide_notice_and_rules_credit_the_same_original(game: str):
    original = catalogue_of(find_game(game)).words.original
    assert [named for named in ORIGINALS[game] if named not in original] == []
    assert original in on_one_line(f"docs/{GUIDES.get(game, game)}.md")
    assert original in on_one_line("NOTICE.md")
    assert original in rules_of(game)


def test_the_readme_credits_every_original():
    text = on_one_line("README.md")
    originals = [named for game in ("initiative", "hackjack", "dogpile", "dogs") for named in ORIGINALS[game]]
    assert [named for named in originals if named not in text] == []
