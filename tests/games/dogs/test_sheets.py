"""Sheets: what a character takes to another table, valid files, and sheets written by hand."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardhouse.engine import GM, CardhouseError, SeededDealer, Table
from cardhouse.games.dogs.people.notation import read_sheet, scaled, written
from cardhouse.games.dogs.people.sheet import GROUPS, KINDS, STATS, Stats, Thing
from cardhouse.games.dogs.rules import Dogs
from tests.games.dogs.playing import BEN, all_is_sound, game_of, next_answer, some_table, stats, thing
from tests.thorough import many

OTHERS = ("רִבְקָה 🐕‍🦺", "بِلال", "ゴン太", 'a"b\\c', "Zoë 🤠🤠", "x" * 40)
"""What people are called, too."""


def a_new_table(seed: int = 0) -> Table:
    """One with two decks, at which nobody is."""
    return Table.new("dogs", (GM, "ada"), {"decks": 2}, SeededDealer(seed))


def roster_of(table: Table) -> list[dict[str, Any]]:
    """Who is in its roster file, as it is read again."""
    return Dogs.read_roster(table.roster())


# There and back.


@pytest.mark.parametrize("seed", range(12))
def test_whoever_was_in_conflicts_comes_to_the_next_table_as_they_left_this(seed: int) -> None:
    rng = Random(seed)
    table = some_table(rng)
    while len(table.entries) < 150 or game_of(table).under_way or game_of(table).busy:
        table.answer(*next_answer(table, rng))
    sheets = roster_of(table)
    again = a_new_table(seed)
    for sheet in sheets:
        again.answer(GM, {"do": "bring_character", "sheet": sheet, "controller": "ada"})
        all_is_sound(again)
    assert roster_of(again) == sheets
    taken = {card for sheet in sheets for card in (*sheet["kept"], *sheet["wounds"])}
    assert not taken & {*game_of(again).deck.cards()}
    for _ in range(30):
        again.answer(*next_answer(again, rng))
        all_is_sound(again)
    roster_of(again)


def brought(table: Table, **sheet: Any) -> dict[str, Any]:
    """Somebody of this sheet comes; what stands on it then."""
    table.answer(GM, {"do": "bring_character", "sheet": {**BEN, **sheet}})
    all_is_sound(table)
    return roster_of(table)[-1]


def test_cards_are_taken_from_where_they_are_and_from_nowhere_else() -> None:
    table = Table.new("dogs", (GM, "ada"), dealer=SeededDealer(0), decks={"dogs": "physical"})
    assert brought(table, name="Cy", kept=["S5", "S5b"])["kept"] == ["S5"], "there is one deck"
    assert brought(table, name="Dot", kept=["S5", "H5"], condition="injured", wounds=["C7"])["kept"] == ["H5"]
    table.answer(GM, {"do": "remove_character", "name": "Dot"})
    assert brought(table, name="Eve", kept=["H5"])["kept"] == ["H5"], "it was in the discard"


def test_what_lies_face_down_or_is_being_drawn_is_nobodys() -> None:
    """Else one could find out which card it is, and the last card could be gone before it is drawn."""
    table = Table.new("dogs", (GM, "ada"), dealer=SeededDealer(0), decks={"dogs": "physical"})
    for name in ("Ada", "Ben"):
        table.answer(GM, {"do": "create", **BEN, "name": name})
    opening = {"do": "open_conflict", "stakes": "Who?", "sides": [["Ada"], ["Ben"]], "arena": "guns"}
    table.answer(GM, opening)
    assert brought(table, name="Cy", kept=["S5"])["kept"] == []
    for card in ("CK", "CQ", "CJ", "C10", "D10", "D9", "D8", "D7"):
        table.answer("ada", {"draw": "dogs", "card": card})
    assert brought(table, name="Dot", kept=["S5"])["kept"] == ["S5"]
    table.answer(GM, {"do": "raise", "name": "Ada", "card": "CK"})
    table.answer(GM, {"do": "see", "name": "Ben", "cards": ["D10", "D9"]})
    assert brought(table, name="Eve", kept=["S6"])["kept"] == []
    assert brought(table, name="Fay", kept=["D9"])["kept"] == ["D9"], "all saw it go to the discard"


def test_where_hands_are_hidden_only_the_game_master_takes_cards_out() -> None:
    table = Table.new("dogs", (GM, "ada"), {"hidden_hands": True}, SeededDealer(0))
    table.answer("ada", {"do": "bring_character", "sheet": {**BEN, "kept": ["S5"]}})
    assert roster_of(table)[0]["kept"] == []
    assert brought(table, name="Cy", kept=["S5"])["kept"] == ["S5"]


@pytest.mark.parametrize("name", OTHERS)
def test_names_of_every_script(name: str) -> None:
    rng = Random(name)
    table = a_new_table()
    things = [{**thing(rng, group, "+*"), "name": f"{name} {group}"} for group in GROUPS]
    table.answer("ada", {"do": "create", "name": name, "stats": stats(rng, 9), "things": things})
    table.answer(GM, {"do": "npc", "name": "Ben", "type": "A", "members": [{"name": name}]})
    table.answer(GM, {"do": "open_conflict", "stakes": name, "sides": [[name], ["Ben"]], "arena": "guns"})
    table.answer("ada", {"do": "bring", "name": name, "thing": f"{name} trait"})
    while game_of(table).under_way:
        table.answer(*next_answer(table, rng))
    sheets = roster_of(table)
    assert sheets[0]["name"] == name
    again = a_new_table()
    for sheet in sheets:
        again.answer(GM, {"do": "bring_character", "sheet": sheet})
    assert roster_of(again) == sheets


# Files that can't be used.

TEN = {"acuity": 4, "body": 2, "heart": 2, "will": 2}
TROUBLE = {"effect": "troublesome_trait", "thing": "A limp"}


@pytest.mark.parametrize(
    ("ada", "says"),
    [
        ({"stats": TEN}, "Ada: stats add up to 10, and 9 is the most"),
        ({"stats": {**TEN, "will": -1}}, "Ada: stats.will must be a whole number from 0 to 9, not -1"),
        ({"stats": {**TEN, "will": 2.5}}, "Character 2 (Ada): stats.will must be a whole number, not"),
        ({"stats": {"acuity": 2}}, "(Ada): stats.body is missing"),
        ({"luck": 3}, "(Ada): luck is an unknown field"),
        ({"things": [{"name": "x", "kind": "++"}]}, "(Ada): things[1].kind can't be '++'"),
        ({"things": [{"name": "x"}, {"name": "x"}]}, "Ada: things: x is there twice"),
        ({"things": [{"name": "x" * 81}]}, "Ada: things[1].name may have 80 characters at most"),
        ({"things": [{"name": "Demonic Influence"}]}, "Ada: things[1].name can't be Demonic Influence"),
        ({"things": [{"name": f"{n}"} for n in range(41)]}, "Ada: things: 41 are too many; 40 is the most"),
        ({"kept": ["S11"]}, "Ada: kept can't be S11"),
        ({"kept": ["RJ"]}, "Ada: kept can't be RJ"),
        ({"kept": ["S5"], "wounds": ["S5"]}, "Ada: it holds a card twice"),
        ({"condition": "tired"}, "(Ada): condition can't be 'tired'"),
        ({"owed": ["luck"]}, "(Ada): owed[1] can't be 'luck'"),
        ({"owed": ["experience"] * 101}, "Ada: owed must be a whole number from 0 to 100, not 101"),
        ({"later": [{"effect": "sleepy"}]}, "(Ada): later[1].effect can't be 'sleepy'"),
        ({"later": [{"effect": "counts_troublesome"}]}, "Ada: later must be a text"),
        ({"later": [TROUBLE], "things": [{"name": "A limp"}]}, "Ada: later can't be A limp: that is taken"),
        ({"later": [TROUBLE, TROUBLE]}, "Ada: later can't be A limp: that is taken"),
        ({"members": 31}, "Ada: members must be a whole number from 0 to 30, not 31"),
        ({"fast": "E"}, "(Ada): fast can't be 'E'"),
        ({"name": "Ben"}, "It has Ben twice"),
        ({"name": "The fallout"}, "The fallout: name can't be The fallout: that is taken"),
        ({"name": "two\nlines"}, "name must be a single line"),
        ({"name": ["Ada"]}, "Character 2: name must be a text, not a list"),
    ],
)
def test_a_roster_file_that_cannot_be_used(ada: dict[str, Any], says: str) -> None:
    text = json.dumps({"cardhouse_roster": 1, "characters": [BEN, {**BEN, "name": "Ada", **ada}]})
    with pytest.raises(CardhouseError) as error:
        Dogs.read_roster(text.encode())
    assert says in error.value.message
    assert error.value.message.endswith(".")


# Written by hand (DV-2, DV-5).

LETTERS = st.characters(categories=("Lu", "Ll", "Lo", "Mn", "So"))
NAMES = st.lists(st.text(LETTERS, min_size=2, max_size=8), min_size=1, max_size=4).map(
    lambda words: "My " + " ".join(words)
)
MARKED = st.builds(Thing, NAMES, st.sampled_from(GROUPS), st.sampled_from(KINDS), st.booleans(), st.booleans())
DICE = st.fixed_dictionaries({stat: st.integers(1, 20) for stat in STATS})


@given(st.lists(MARKED, max_size=12), st.permutations(STATS), st.data())
def test_a_sheet_reads_as_it_was_written(things: list[Thing], order: list[str], data: st.DataObject) -> None:
    points = {stat: data.draw(st.integers(1, 6)) for stat in order}
    lines = [f"{stat.capitalize()} {points[stat]}" for stat in order]
    for group in GROUPS:
        lines += [f"{group.capitalize()}s:", *(written(thing) for thing in things if thing.group == group)]
    read = read_sheet(data.draw(st.sampled_from(["\n", "\r\n", ";", " ; "])).join(lines))
    assert read.stats == Stats(**points)
    assert read.things == [thing for group in GROUPS for thing in things if thing.group == group]
    assert (read.one_die, read.scaled) == ([], False)


@given(DICE)
@settings(max_examples=many(300, 60))
def test_dice_become_nine_points_in_proportion(dice: dict[Any, int]) -> None:
    points = msgspec.structs.asdict(scaled(dice))
    assert sum(points.values()) == 9
    assert min(points.values()) >= 1
    for stat in STATS:
        for other in STATS:
            assert dice[stat] <= dice[other] or points[stat] >= points[other]
    total = sum(dice.values())
    if all(9 * number >= total for number in dice.values()):  # nobody has to be raised to 1
        assert all(abs(points[stat] - 9 * dice[stat] / total) < 1 for stat in STATS)
