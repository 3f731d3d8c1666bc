"""A game of several games is one game: one table, one log, one catalogue."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from cardhouse.engine import (
    GM,
    PHYSICAL,
    SCREEN,
    Ask,
    CardhouseError,
    OneOf,
    Options,
    Refused,
    SeededDealer,
    Table,
    catalogue_of,
    find_game,
    options_of_all,
)
from cardhouse.testing import shown

SEATS = (GM, "ada", "ben")
DRESS = {"do": "dress", "who": "ada", "as": "wolf"}
GUESS = {"do": "guess", "number": 4}


def new(game: str, **header) -> Table:
    return Table.new(game, SEATS, dealer=SeededDealer(3), **header)


def keys(table: Table, seat: str = GM) -> list[str]:
    """The keys of what the last answer meant, as a seat is told it."""
    return [event["key"] for event in table.story(table.entries[-1], seat)["events"]]


# One table.


def test_the_rules_of_the_parts_run_as_its_own(duo):
    table = new(duo)
    assert table.asks()["key"] == "dress"
    table.answer(GM, DRESS)
    assert table.asks()["key"] == "guess"
    entry = table.answer("ada", GUESS)
    assert [line.get("roll") or line.get("draw") for line in entry.lines[1:]] == ["2d3", "pile", "pile"]
    assert table.asks() == {"key": "keep", "kind": "ask", "rule": "T-2", "seats": ["ben"], "with": {}}
    assert table.view("ben")["toy"]["round"] == 1


def test_a_parts_events_and_disclosures_reach_the_table(duo):
    table = new(duo)
    table.answer(GM, DRESS)
    assert keys(table) == ["dressed", "guessed"]
    assert table.may_take_back(GM), "nothing has been drawn"
    entry = table.answer("ada", GUESS)
    assert entry.events[0].key == "rolled"
    assert entry.learned
    assert not table.may_take_back("ada")


def test_the_whole_game_decides_what_is_offered_at_any_time(duo):
    table = new(duo)
    for answer in ({"do": "hum"}, DRESS, {"do": "hum"}, {"do": "say", "text": "hello"}, GUESS):
        table.answer(GM, answer)
    assert [entry.meanwhile for entry in table.entries] == [True, False, True, True, False]
    assert table.view(SCREEN)["hummed"] == 2
    assert table.view(SCREEN)["toy"]["said"] == ["hello"]


def test_at_any_time_also_while_a_part_waits_for_a_card_or_dice(duo):
    table = new(duo, decks={"pile": PHYSICAL, "dice": PHYSICAL})
    table.answer(GM, DRESS)
    table.answer(GM, GUESS)
    table.answer(GM, {"do": "hum"})
    table.answer("ben", {"roll": "2d3", "dice": [1, 3]})
    table.answer(GM, {"do": "hum"})
    assert table.asks() == {"key": "draw", "kind": "draw", "seats": ["ben"], "with": {"deck": "pile"}}
    with pytest.raises(Refused, match="C9 can't be the next card: it is not in this deck"):
        table.answer("ben", {"draw": "pile", "card": "C9"})
    table.answer("ben", {"draw": "pile", "card": "C3"})
    assert keys(table, "ben") == []
    assert table.view("ben")["toy"]["hand"] == ["C3"]
    assert table.view(SCREEN)["hummed"] == 2


def test_a_seat_that_is_added_is_added_in_the_parts(duo):
    table = new(duo)
    table.answer(GM, {"seat": "eve"})
    table.answer(GM, {"do": "hum"})
    assert table.offers(GM)[0]["fields"]["who"] == {"enum": [GM, "ada", "ben", "eve"], "format": "seat"}
    table.answer(GM, {**DRESS, "who": "eve"})
    table.answer("eve", GUESS)
    assert table.asks()["seats"] == ["eve"], "who plays is the last seat"


def test_a_step_of_a_part_is_done_by_hand(duo):
    table = new(duo, by_hand=["tidy"])
    table.answer(GM, DRESS)
    table.answer(GM, GUESS)
    table.answer("ben", {"do": "keep", "cards": []})
    assert table.asks()["kind"] == "step"
    table.answer("ada", {"do": "step", "step": "tidy"})
    assert table.asks()["key"] == "guess"


def test_read_from_json_the_parts_are_parts_again(duo):
    table = new(duo)
    game: Any = msgspec.json.decode(msgspec.json.encode(table.game), type=table.kind)
    assert game.toy.whole is game.coat.whole is game.whole is game
    assert game.toy.seats is game.coat.seats is game.seats
    assert game.toy.by_hand is game.by_hand


# Whose switches.


class Half(Options, frozen=True):
    lucky: bool = False
    tricks: list[str] = []


def test_a_part_plays_by_the_options_of_the_whole(duo):
    game: Any = new(duo, options={"lucky": True, "rounds": 2}).game
    assert (game.toy.options.lucky, game.toy.options.rounds) == (True, 2)


def test_what_the_whole_has_no_switch_for_stays_as_it_is():
    assert Half(lucky=True).those_of(Half(tricks=["a"])) == Half(lucky=True)
    assert Options().those_of(Half(tricks=["a"])) == Half(tricks=["a"])


def test_the_options_of_all_parts_are_those_of_the_whole(duo):
    toys = type(find_game(duo)(seats=[]).options)

    class Lone(Options, frozen=True):
        once_yes_no = {"tricks": ("none", "all")}
        tricks: str = "none"

    both: Any = options_of_all(toys, Lone)
    assert both.__struct_fields__ == ("lucky", "rounds", "tricks")
    assert both(rounds=5).those_of(toys()) == toys(rounds=5)
    assert both.as_now({"tricks": True}) == {"tricks": "all"}
    with pytest.raises(TypeError, match="two parts have an option lucky"):
        options_of_all(toys, Half)


# Who is told.


def test_events_go_to_one_seat_or_to_all_but_one(duo):
    """Every seat is an audience here, but an event may name either."""
    table = new(duo)
    table.answer(GM, {**DRESS, "who": "ben"})
    told = {seat: keys(table, seat) for seat in (*SEATS, SCREEN)}
    assert told == {
        GM: ["dressed", "guessed"],
        "ada": ["dressed", "guessed"],
        "ben": ["dressed", "worn"],
        SCREEN: ["dressed", "guessed"],
    }


def test_events_go_to_one_seat_of_an_audience(duo):
    """Of those who know the same otherwise, the one that is named is told, and not the one that is left out."""
    table = new(duo)
    event = table.answer(GM, DRESS).events
    assert [one.is_told("ada", "players") for one in event] == [True, True, False]
    assert [one.is_told("ben", "players") for one in event] == [True, False, True]
    assert [one.is_told("ben", "ada") for one in event] == [True, True, False], "who is of the audience that is named"


# A field called `as`, and an object as a field.


def test_a_field_whose_name_is_no_name_of_pythons(duo):
    table = new(duo)
    (offer,) = table.offers(GM)
    assert offer["fields"]["as"] == {"enum": ["wolf", "sheep"], "default": "sheep"}
    assert offer["optional"] == ["as", "sizes"]
    with pytest.raises(Refused, match=r"Invalid enum value 'cow' - at `\$\.as`"):
        table.answer(GM, {**DRESS, "as": "cow"})
    with pytest.raises(Refused, match="unknown field `as_`"):
        table.answer(GM, {"do": "dress", "who": "ada", "as_": "wolf"})
    assert table.answer(GM, DRESS).lines == [{"by": GM, **DRESS}]
    table.answer(GM, {"do": "hum"})
    table.answer(GM, {"undo": 1})
    assert table.view("ada")["coat"]["worn"] == {"ada": "wolf"}
    again = Table.read(table.transcript().splitlines())
    assert [shown(again, seat) for seat in SEATS] == [shown(table, seat) for seat in SEATS]


def test_it_may_be_left_out_like_any_other(duo):
    table = new(duo)
    entry = table.answer(GM, {"do": "dress", "who": "ada", "as": "sheep"})
    assert entry.lines == [{"by": GM, "do": "dress", "who": "ada"}], "what it is anyway is not written down"
    assert table.view("ada")["coat"]["worn"] == {"ada": "sheep"}


def test_the_offers_name_it_as_the_answer_does(duo):
    table = new(duo)
    assert isinstance(table.question, Ask)
    (offer,) = table.question.offers
    dress: Any = offer.do
    action = dress("ada", "wolf")
    assert offer.problems(action) == []
    only_sheep = msgspec.structs.replace(offer, fields={**offer.fields, "as": OneOf(("sheep",))})
    assert only_sheep.problems(action) == ["as can't be wolf here; it may be sheep"]
    nothing = msgspec.structs.replace(offer, fields={name: offer.fields[name] for name in ("who", "sizes")})
    assert nothing.problems(action) == ["as can't be given here"]
    assert only_sheep.distance(action) == (0, 1)
    assert only_sheep.distance(dress("ada", "sheep")) == (-1, 0)


def test_an_object_is_read_as_its_type_says(duo):
    table = new(duo)
    with pytest.raises(Refused, match=r"Expected `int`, got `str` - at `\$\.sizes"):
        table.answer(GM, {**DRESS, "sizes": {"back": "wide"}})
    table.answer(GM, {**DRESS, "sizes": {"sleeves": 3}})
    assert table.view(SCREEN)["coat"]["sizes"] == {"sleeves": 3}


# One catalogue.


def test_the_texts_of_the_parts_are_its_own(duo):
    catalogue = catalogue_of(find_game(duo))
    assert set(catalogue.rules) == {"D-1", "T-1", "T-2", "T-3", "T-4", "C-1", "C-2"}
    words = catalogue.words
    assert set(words.asks) >= {"guess", "dress", "keep", "step"}
    assert set(words.actions) >= {"hum", "guess", "keep", "dress", "undo"}
    assert words.actions["keep.keep"] == "Keep those"


def test_its_own_words_override_those_of_its_parts(duo):
    catalogue = catalogue_of(find_game(duo))
    assert catalogue.rules["T-4"].title == "Talk, or hum"
    assert (catalogue.words.title, catalogue.words.tagline) == ("Duo", "Both in one.")
    assert catalogue.words.events["said"] == "Somebody says: {text}"
    assert catalogue.words.asks["keep"].you == "Which will it be?"
    toy = catalogue_of(find_game(duo).parts["toy"])
    assert (toy.words.events["said"], toy.words.title) == ("{text}", "Toy"), "the part by itself says what it says"


def test_the_later_parts_words_override_the_earlier_ones(duo):
    words = catalogue_of(find_game(duo)).words
    assert words.fields["number"] == "Size"
    assert words.events["drew_something"] == "A coat is drawn."
    assert words.fields["text"] == "Text"


# What if?


def test_the_odds_may_depend_on_something(duo):
    table = new(duo)
    assert (table.odds("ada"), table.odds("ada", more=3)) == ({"left": 6}, {"left": 8})
    with pytest.raises(CardhouseError) as error:
        table.odds("ada", damage=3)
    assert error.value.message == "The odds of duo don't take damage; they take more."


def test_the_odds_may_depend_on_nothing(toy):
    with pytest.raises(CardhouseError) as error:
        new(toy).odds("ada", damage=3)
    assert error.value.message == "The odds of toy don't take damage; they take no parameters."
