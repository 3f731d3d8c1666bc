"""Bad input at a table of Dogs Play Cards, Too: a clear error, and nothing changed."""

import json
from collections.abc import Sequence
from typing import Any

import pytest

from tests.server.talking import Frame, Server, TableMade, new_id

SEATS = ("gm", "p1", "p2")
STATS = {"acuity": 3, "body": 2, "heart": 2, "will": 2}
ADA: Frame = {"name": "Ada", "stats": STATS, "things": [{"name": "A good shot"}, {"name": "A Colt", "gun": True}]}
BEN: Frame = {"name": "Ben", "stats": {**STATS, "acuity": 2}, "things": [{"name": "A hat"}]}
HANDS = {"Ada": ["C9", "S4", "H4", "D3", "CK"], "Ben": ["SK", "D5", "C2", "H2"]}
OPENING: Frame = {"do": "open_conflict", "stakes": "Who is right?", "sides": [["Ben"], ["Ada"]], "arena": "talking"}


def table_after(server: Server, *lines: Frame, **header: Any) -> TableMade:
    """A table at which Ada and Ben are, p1's and p2's, after these lines."""
    made: list[Frame] = [
        {"cardhouse": 1, "game": "dogs", "seats": list(SEATS), **header},
        {"by": "p1", "do": "create", **ADA},
        {"by": "p2", "do": "create", **BEN},
        *lines,
    ]
    status, told = server.post("/api/tables/import", "\n".join(map(json.dumps, made)).encode())
    assert status == 201, told
    return TableMade(server, told["table"], told["links"])


def opened(server: Server, *lines: Frame, **header: Any) -> TableMade:
    """The same, and Ben has opened a conflict with Ada: these are their hands."""
    cards = [{"draw": "dogs", "card": card} for name in ("Ben", "Ada") for card in HANDS[name]]
    return table_after(server, {"by": "gm", **OPENING}, *cards, *lines, **header)


Refusal = tuple[str, Any, str]
"""Who says what, and a part of what they are told."""


def check_refused(table: TableMade, refusals: Sequence[Refusal], code: str = "not_offered") -> None:
    """All this is refused in these words, and everybody has before them what they had."""
    people = {one: table.sit(one) for one in (*SEATS, "screen")}
    before = [(person.n, person.doc, person.offers) for person in people.values()]
    for seat, answer, says in refusals:
        error = people[seat].ask(answer, id=(own := new_id()))
        assert (error["t"], error["code"], error["id"]) == ("error", code, own), (answer, error)
        assert says in error["message"], (answer, error["message"])
        assert len(error["message"]) < 900
        assert error["message"].endswith((".", "…"))
        assert "Traceback" not in error["message"]
    for person in people.values():
        person.sync()
    assert before == [(person.n, person.doc, person.offers) for person in people.values()]


# In a conflict.


@pytest.fixture(scope="module")
def to_see(server: Server) -> TableMade:
    """Ada is to See a nine."""
    return opened(server, {"by": "p2", "do": "raise", "name": "Ben", "card": "SK"})


@pytest.fixture(scope="module")
def to_raise(server: Server) -> TableMade:
    """Ben has the go."""
    return opened(server)


def see(*cards: Any, **more: Any) -> Frame:
    return {"do": "see", "name": "Ada", "cards": list(cards), **more}


def test_who_is_to_see(to_see: TableMade) -> None:
    said: list[tuple[Frame, str]] = [
        (see("C9"), "cards are worth 9, and the Raise is 14."),
        (see("C9", "S4"), "cards are worth 13, and the Raise is 14."),
        (see("HK"), "cards can't hold HK; it may hold CK, C9, S4, H4, D3"),
        (see("CK", "SK"), "cards can't hold SK"),
        (see("CK", "CK"), "cards can't hold the same one twice"),
        (see(), "cards must be a list of 1 to 5"),
        (see(*["CK"] * 500), "cards must be a list of 1 to 5"),
        (see("CK", reverse=True), "reverse takes a single card worth 28, twice the Raise"),
        (see("CK", sideways="CK"), "sideways can't be given here"),
        (see("CK", reverse="yes"), "Expected `bool | null`"),
        (see("CK", by="p2"), "`by`"),
        (see(["CK"]), "Expected `str`"),
        (see(7), "Expected `str`"),
        ({"do": "see", "name": "Ada", "cards": {"CK": 1}}, "Expected `array`"),
        ({"do": "see", "name": "Ada", "cards": "CK"}, "Expected `array`"),
        ({"do": "see", "name": "Ada"}, "`cards`"),
        ({"do": "see", "name": "Ben", "cards": ["D5"]}, "name can't be Ben here; it may be Ada"),
        ({"do": "see", "name": None, "cards": ["CK"]}, "Expected `str`"),
        ({"do": "raise", "name": "Ada", "card": "CK"}, '"raise" is not open to p1 now'),
        ({"do": "bring", "name": "Ada", "thing": "A horse"}, "thing can't be A horse here; it may be A good shot"),
        ({"do": "bring", "name": "Ada", "thing": ["A Colt"]}, "Expected `str`"),
        ({"do": "bring", "name": "Ben", "thing": "A Colt"}, "name can't be Ben here; it may be Ada"),
        ({"do": "bring", "name": "Ada"}, "`thing`"),
        ({"do": "improvise", "name": "Ada", "desperate": 1}, "Expected `bool`"),
        ({"do": "escalate", "name": "Ada", "arena": "talking"}, "arena can't be talking here"),
        ({"do": "escalate", "name": "Ada", "arena": "dancing"}, "it may be physical, fighting, guns"),
        ({"do": "escalate", "name": "Ada"}, "arena is missing"),
        ({"do": "escalate", "name": "Ada", "stats": ["acuity", "will"], "pile": "guns"}, "arena is missing"),
        (
            {"do": "help", "name": "Ada", "card": "C9", "whom": "Ada"},
            "it is Ada's own Raise or See, and help must come from",
        ),
        ({"do": "give", "name": "Ben"}, "name can't be Ben here; it may be Ada"),
        ({"do": "give"}, "`name`"),
        ({"do": "fallout_choice", "name": "Ada", "choice": "fewer_cards"}, '"fallout_choice" is not open to p1 now'),
        (OPENING, '"open_conflict" is not open to p1 now'),
        ({"do": "float", "thing": "+", "for": "Ada"}, '"float" is not open to p1 now'),
        ({"do": "step", "step": "fallout"}, '"step" is not open to p1 now'),
        ({"draw": "dogs", "card": "S5"}, "No card or roll is expected from p1 now"),
        ({"draw": "dogs", "card": None}, "No card or roll is expected from p1 now"),
    ]
    check_refused(to_see, [("p1", answer, says) for answer, says in said])


def test_who_has_not_the_go_or_not_that(to_raise: TableMade) -> None:
    ben = {"do": "raise", "name": "Ben", "card": "SK"}
    own_arena = {"do": "escalate", "name": "Ben", "pile": "guns"}
    refusals: list[Refusal] = [
        ("p1", {"do": "raise", "name": "Ada", "card": "CK"}, '"raise" is not open to p1 now'),
        ("p1", ben, '"raise" is not open to p1 now'),
        ("p1", {"do": "give", "name": "Ada"}, '"give" is not open to p1 now'),
        ("gm", {"do": "raise", "name": "Ada", "card": "CK"}, "name can't be Ada here; it may be Ben"),
        ("p2", see("CK"), '"see" is not open to p2 now'),
        ("p2", {**ben, "card": "CK"}, "card can't be CK here; it may be SK, D5, C2, H2"),
        ("p2", {**ben, "card": ["SK"]}, "Expected `str`"),
        ("p2", {**ben, "arena": "guns"}, "arena can't be guns here"),
        ("p2", {**ben, "against": []}, "against must be a list of 1 to 1"),
        ("p2", {**ben, "against": ["Ben"]}, "against can't hold Ben"),
        ("p2", {**ben, "against": ["Ada"] * 999}, "against must be a list of 1 to 1"),
        ("p2", {**ben, "sideways": "SK"}, "sideways can't be given here"),
        ("gm", {**own_arena, "stats": ["will", "will"]}, "the same one twice"),
        ("gm", {**own_arena, "stats": ["will"]}, "stats must be a list of 2"),
        ("gm", {**own_arena, "stats": ["luck", "will"]}, "Invalid enum value 'luck'"),
        ("gm", {**own_arena, "stats": ["heart", "acuity"], "pile": "talking"}, "stats and pile are those of talking"),
        ("gm", {"do": "float", "thing": "+*", "for": "Ada"}, "thing can't be +* here; it may be -, o, +, o*"),
        ("gm", {"do": "float", "thing": "+", "for": "Cy"}, "for can't be Cy here; it may be Ben, Ada"),
        ("gm", {"do": "remove_character", "name": "Ada"}, '"remove_character" is not open to gm now'),
        ("gm", {"do": "hand_over", "name": "Ada", "controller": "p9"}, "controller can't be p9 here"),
    ]
    check_refused(to_raise, refusals)
    check_refused(to_raise, [("screen", {"do": "give", "name": "Ben"}, "for spectators")], "not_yours")


def test_a_helper_later_turns_a_card_sideways(server: Server) -> None:
    drawn = (*HANDS["Ben"], "C9", "S4", "H4", "D3", "C10", "C3", "CQ", "C5", "C6", "C7", "C8", "CJ")
    help_cy = {"do": "help", "name": "Ada", "card": "S4", "whom": "Cy"}
    table = table_after(
        server,
        {"by": "gm", "do": "npc", "name": "Cy", "type": "C"},
        {"by": "gm", **OPENING, "sides": [["Ben"], ["Ada", "Cy"]]},
        *({"draw": "dogs", "card": card} for card in drawn),
        {"by": "p2", "do": "raise", "name": "Ben", "card": "D5"},
        {"by": "p1", **help_cy},
        {"by": "gm", "do": "see", "name": "Cy", "cards": ["C5"]},
    )
    said: list[tuple[Frame, str]] = [
        (see("C9", "H4"), "sideways must be one of C9, H4, for help that Ada gave: that card counts half"),
        (see("C9", "H4", sideways="C10"), "sideways must be one of C9, H4"),
        (see("C9", "H4", sideways="S4"), "sideways can't be S4 here"),
        (see("C9", sideways="H4"), "sideways can't be H4: the only card played is C9"),
        (see("C9"), "cards are worth 4, and the Raise is 5"),
        (see("C9", "D3", sideways=["C9"]), "Expected `str | null`"),
        (help_cy, "it is Ada's own Raise or See, and help must come from"),
    ]
    check_refused(table, [("p1", answer, says) for answer, says in said])


def test_who_can_see_in_no_way_at_all(server: Server) -> None:
    """Nothing is offered to See with, and whoever tries is told why."""
    lines: list[Frame] = [
        {"by": "gm", **OPENING},
        *({"draw": "dogs", "card": card} for card in (*HANDS["Ben"], "C3", "S3", "D3", "HA", "SA")),
        {"by": "p2", "do": "raise", "name": "Ben", "card": "SK"},
    ]
    table = table_after(server, *lines)
    p1 = table.sit("p1")
    assert "see" not in [offer["do"] for offer in p1.offers]
    p1.close()
    said: list[tuple[Frame, str]] = [
        (see("C3"), "cards are worth 3, and the Raise is 14."),
        (see("C3", "S3", "D3", "HA", "SA"), "cards are worth 11, and the Raise is 14."),
        (see("C3", "CK"), "cards can't hold CK"),
    ]
    check_refused(table, [("p1", answer, says) for answer, says in said])


# Between conflicts.


@pytest.fixture(scope="module")
def town(server: Server) -> TableMade:
    """Ada and Ben, and nothing at stake."""
    return table_after(server)


def test_conflicts_that_cannot_be(town: TableMade) -> None:
    said: list[tuple[Frame, str]] = [
        ({"sides": [["Ben"]]}, "sides must be two or more"),
        ({"sides": [["Ben", "Ada"], []]}, "sides must be two or more, each with a character on it"),
        ({"sides": []}, "sides must be two or more"),
        ({"sides": [["Ben"], ["Cy"]]}, "sides: there is no Cy; there are Ada, Ben"),
        ({"sides": [["Ben"], ["Ben"]]}, "sides: Ben is there twice"),
        ({"sides": [["Ben"], ["Ada"] * 400]}, "sides: 401 are too many; 30 is the most"),
        ({"sides": [["Ben"], [["Ada"]]]}, "Expected `str`"),
        ({"sides": {"Ben": "Ada"}}, "Expected `array`"),
        ({"sides": "Ben, Ada"}, "Expected `array`"),
        ({"stakes": ""}, "stakes must be a text"),
        ({"stakes": "x" * 201}, "stakes may have 200 characters at most; this has 201"),
        ({"stakes": "two\nlines"}, "stakes must be a single line"),
        ({"stakes": 7}, "Expected `str`"),
        ({"arena": "dancing"}, "arena can't be dancing here"),
        ({"arena": None}, "arena is missing; it may be talking, physical, fighting, guns, or stats and pile"),
        ({"stats": ["body", "will"]}, "give an arena, or stats and pile of your own"),
        ({"arena": None, "stats": ["body", "will"]}, "arena is missing"),
        ({"arena": None, "stats": ["body"] * 2, "pile": "guns"}, "stats can't hold the same one twice"),
        ({"starter": "Cy"}, "starter can't be Cy here"),
        ({"demonic": {"dice": 6, "side": 0}}, "Expected `int` <= 5"),
        ({"demonic": {"dice": 2}}, "demonic.side must say which side, from 0 to 1"),
        ({"demonic": {"dice": 2, "side": 2}}, "demonic.side must say which side, from 0 to 1"),
        ({"demonic": {"dice": 2, "side": 0, "deep": [[[]]]}}, "unknown field `deep`"),
        ({"demonic": 5}, "Expected `object | null`"),
        ({"spare": ["Ben"]}, "spare must be a list of 0 to 0"),
        ({"follow_up": "yes"}, "Expected `bool`"),
    ]
    check_refused(town, [("gm", {**OPENING, **change}, says) for change, says in said])


def test_characters_that_cannot_be(town: TableMade) -> None:
    ten = {**STATS, "acuity": 4}
    eight = {**STATS, "will": 1}
    dice = "Acuity 3d6\nBody 2d6\nHeart 2d6\nWill 2d6"
    marks = [
        {"name": f"{group} {mark}", "group": group, "kind": mark}
        for group in ("trait", "relationship")
        for mark in "-o+"
    ]
    said: list[tuple[Frame, str]] = [
        ({"stats": ten}, "stats add up to 10, and 9 is the most"),
        ({"stats": {**STATS, "will": 0}}, "stats: will is 0, and each Stat starts at 1 or more"),
        ({"stats": {**STATS, "will": -1}}, "stats: will is -1"),
        ({"stats": {**STATS, "will": 2**70}}, "stats"),
        ({"stats": {**STATS, "will": "2"}}, "Expected `int`"),
        ({"stats": {**STATS, "luck": 1}}, "unknown field `luck`"),
        ({"stats": [3, 2, 2, 2]}, "Expected `object | null`"),
        ({}, "stats are missing, or dice in their place"),
        ({"stats": STATS, "name": ""}, "name must be a text"),
        ({"stats": STATS, "name": "Ada"}, "name can't be Ada: that is taken"),
        ({"stats": STATS, "name": "The fallout"}, "name can't be The fallout: that is taken"),
        ({"stats": STATS, "name": "x" * 41}, "name may have 40 characters at most"),
        ({"stats": STATS, "controller": "p2"}, "controller can't be given here"),
        ({"stats": STATS, "npc": True}, "npc can't be given here"),
        ({"stats": STATS, "template": "well_rested"}, "template can't be well_rested here"),
        ({"stats": STATS, "template": "well_rounded"}, "this template has the traits - o +, not none"),
        ({"stats": eight, "template": "well_rounded", "things": marks}, "8, and this template has 9 points"),
        ({"stats": STATS, "things": [{"name": "x"}, {"name": "x"}]}, "things: x is there twice"),
        ({"stats": STATS, "things": [{"name": "x"}] * 500}, "things: 500 are too many; 40 is the most"),
        ({"stats": STATS, "things": [{"name": "x", "kind": "++"}]}, "Invalid enum value '++'"),
        ({"stats": STATS, "things": [{"name": "Demonic Influence"}]}, "things[1].name can't be Demonic Influence"),
        ({"stats": STATS, "things": [{"name": "x\u202e\x00"}]}, "things[1].name must be a single line"),
        ({"stats": STATS, "things": [[[[]]]]}, "Expected `object`"),
        ({"dice": "Acuity 3d6"}, "the sheet lacks Body, Heart, Will"),
        ({"dice": f"{dice}\nA good shot 2d7"}, "line 5: 2d7: there are d4, d6, d8 and d10, and no d7"),
        ({"dice": f"{dice}\nA good shot 2dx"}, 'line 5: "2dx" isn\'t dice. Write them like 2d6'),
        ({"dice": f"{dice}\nA good shot 99d6"}, "line 5: 99d6: a thing has 1 to 20 dice"),
        ({"dice": f"{dice}\n2d6"}, "line 5: the dice have no name before them"),
        ({"dice": f"{dice}\nWill 2d6"}, "line 5: Will is here twice"),
        ({"dice": dice.replace("3d6", "3d8")}, "line 1: Stats are d6, and Acuity is"),
        ({"dice": "x" * 10_001}, "dice may have 10000 characters at most"),
        ({"dice": dice, "template": "well_rounded"}, "give no template and no things with them"),
        ({"dice": dice, "stats": ten}, "stats add up to 10"),
        ({"dice": ["2d6"]}, "Expected `str | null`"),
    ]
    check_refused(town, [("p1", {"do": "create", "name": "Cy", **answer}, says) for answer, says in said])


def test_what_the_game_master_cannot_do_now(town: TableMade) -> None:
    cy = {"do": "npc", "name": "Cy", "type": "A"}
    bring = {"do": "bring_character"}
    said: list[tuple[Frame, str]] = [
        ({**cy, "type": "E"}, "Invalid enum value 'E'"),
        ({"do": "npc", "name": "Cy"}, "`type`"),
        ({**cy, "members": [{"name": "x"}] * 31}, "31 are too many; 30 is the most"),
        ({**cy, "members": [{"name": "x"}] * 2}, "x is there twice"),
        ({**cy, "members": [{"name": ""}]}, "[1].name must be a text"),
        ({**bring, "sheet": {"name": "Cy", "stats": {**STATS, "acuity": 4}}}, "stats add up to 10"),
        ({**bring, "sheet": ADA}, "a character of this name is here"),
        ({**bring, "sheet": {"name": "Cy"}}, "stats is missing"),
        ({**bring, "sheet": []}, "Expected `object`"),
        ({**bring, "sheet": {**BEN, "name": "Cy", "kept": ["X"]}}, "kept can't be X"),
        ({**bring, "sheet": {**BEN, "name": "Cy", "kept": ["C2"] * 2}}, "it holds a card twice"),
        ({"do": "open_healing", "healer": "Ada", "patient": "Ben"}, '"open_healing" is not open to gm now'),
        ({"do": "let_die", "name": "Ben"}, '"let_die" is not open to gm now'),
        ({"do": "set_stats", "name": "Ada", "stats": STATS}, '"set_stats" is not open to gm now'),
        ({"do": "open_initiation", "name": "Cy", "stakes": "Who?"}, "name can't be Cy here"),
        ({"do": "open_initiation", "name": "Ada", "stakes": "Who?", "arena": "x"}, "arena can't be x here"),
        ({"do": "new_town", "town": 3}, "`town`"),
        ({"do": "float", "thing": "+", "for": "Ada"}, '"float" is not open to gm now'),
        ({"do": "experience_choice", "name": "Ada", "choice": "raise_stat"}, "is not open to gm now"),
        ({"do": "raise", "name": "Ben", "card": "SK"}, '"raise" is not open to gm now'),
    ]
    check_refused(town, [("gm", answer, says) for answer, says in said])


def test_choices_that_cannot_be_made(server: Server) -> None:
    """Ada, who has nine points, has learned something in a conflict, and suffered for it."""
    learned = opened(
        server,
        {"by": "p2", "do": "raise", "name": "Ben", "card": "SK"},
        {"by": "p1", "do": "see", "name": "Ada", "cards": ["C9", "S4", "D3"]},
        {"draw": "dogs", "card": "H9"},
        {"draw": "dogs", "card": "D9"},
        {"draw": "dogs", "card": "C3"},
        {"by": "p1", "do": "give", "name": "Ada"},
    )
    learning: list[tuple[Frame, str]] = [
        ({"choice": "raise_stat", "stat": "body"}, "lower is missing; it may be acuity, heart, will"),
        ({"choice": "raise_stat", "stat": "body", "lower": "body"}, "lower can't be body here"),
        ({"choice": "raise_stat"}, "stat is missing"),
        ({"choice": "raise_stat", "stat": "luck", "lower": "body"}, "Invalid enum value 'luck'"),
        ({"choice": "new_regular", "thing": "A Colt", "group": "trait"}, "thing can't be A Colt: that is taken"),
        ({"choice": "new_regular", "thing": "", "group": "trait"}, "thing must be a text"),
        ({"choice": "new_regular", "thing": "A horse", "group": "belonging"}, "group can't be belonging here"),
        ({"choice": "make_significant", "thing": "A horse"}, "thing can't be A horse here"),
        ({"choice": "change_kind", "thing": "A good shot", "kind": "o"}, "kind can't be o here"),
        ({"choice": "fly"}, "Invalid enum value 'fly'"),
        ({"choice": "new_belonging", "thing": ["A horse"]}, "Expected `str | null`"),
    ]
    suffering: list[tuple[Frame, str]] = [
        ({"choice": "leave_scene"}, "choice can't be leave_scene here"),
        ({"choice": "lower_stat"}, "stat is missing"),
        ({"choice": "lower_stat", "stat": "body", "thing": "A Colt"}, "thing can't be given here"),
        ({"choice": "lose_belonging", "thing": "A Colt"}, "choice can't be lose_belonging here"),
        ({"choice": "make_troublesome", "thing": "A horse"}, "thing can't be A horse here"),
    ]
    refusals: list[Refusal] = [
        *(("p1", {"do": "experience_choice", "name": "Ada", **answer}, says) for answer, says in learning),
        *(("p1", {"do": "fallout_choice", "name": "Ada", **answer}, says) for answer, says in suffering),
        ("gm", OPENING, '"open_conflict" is not open to gm now'),
        ("p2", {"do": "fallout_choice", "name": "Ada", "choice": "lower_stat", "stat": "body"}, "is not open to p2"),
    ]
    check_refused(learned, refusals)


# Shapes, and cards of paper.


DEEP = "[" * 6_000 + "]" * 6_000


def test_shapes_beyond_all_measure(to_see: TableMade) -> None:
    gm, p1 = to_see.sit("gm"), to_see.sit("p1")
    number, stats = gm.n, json.dumps(STATS)
    for answer in (
        f'{{"do":"see","name":"Ada","cards":{DEEP}}}',
        f'{{"do":"create","name":"Cy","stats":{DEEP}}}',
        f'{{"do":"create","name":"Cy","stats":{stats},"things":{DEEP}}}',
        f'{{"do":"bring_character","sheet":{{"name":"Cy","stats":{stats},"history":{DEEP}}}}}',
        f'{{"do":"bring_character","sheet":{{"name":{DEEP}}}}}',
        '{"do":"bring_character","sheet":' + '{"a":' * 300 + "1" + "}" * 301,
        '{"do":"see","name":"Ada","cards":[' + '"CK",' * 3_000 + '"C9"]}',
        '{"do":"raise","name":"Ada","card":"' + "🂮" * 3_000 + '"}',
        '{"do":"create","name":"Cy","stats":{"acuity":1e999,"body":1,"heart":1,"will":1}}',
        '{"do":"create","name":"Cy","stats":{"acuity":' + "9" * 10_000 + ',"body":1,"heart":1,"will":1}}',
        '{"do":"give","name":"Ada","name":7}',
    ):
        p1.socket.send(f'{{"t":"answer","id":"{new_id()}","at":{number},"answer":{answer}}}')
        error = p1.hear("error", "change")
        assert error["t"] == "error", (answer[:80], error)
        assert error["code"] in ("too_large", "malformed", "not_offered"), error
        assert len(error["message"]) < 900
    for person in (gm, p1):
        person.sync()
        assert person.n == number


def test_cards_that_cannot_be_turned_over(server: Server) -> None:
    table = opened(server, {"by": "p2", "do": "bring", "name": "Ben", "thing": "A hat"}, decks={"dogs": "physical"})
    said: list[tuple[Any, str]] = [
        ("S5b", "of a second deck, and here is one"),
        ("SK", "in Ben's hand"),
        ("RJ", "no card; cards are written like"),
        ("", "no card; cards are written like"),
        (None, "no card; cards are written like"),
        (["S5"], "no card; cards are written like"),
        (7, "no card; cards are written like"),
    ]
    check_refused(table, [("p2", {"draw": "dogs", "card": card}, says) for card, says in said])
