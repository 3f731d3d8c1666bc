"""Characters at every role-playing table: they join, leave, change hands, hide, are revealed and act."""

import pytest

from cardhouse.engine import (
    GM,
    SCREEN,
    Game,
    HandOver,
    NamedAction,
    Offer,
    Person,
    RemoveCharacter,
    Show,
    Whole,
    acting,
    choosers,
    controllers,
    handing_over,
    joining,
    knows_of,
    leaving,
    named,
    showing,
    told_of,
)

NAN = Person(name="Nan", controller="ada")
DOC = Person(name="Doc")
RAT = Person(name="Rat", controller="ben", hidden=True)
PEOPLE = [NAN, DOC, RAT]


class Join(NamedAction, frozen=True):
    luck: int = 1
    controller: str = GM
    hidden: bool = False


class Act(NamedAction, frozen=True):
    luck: int = 0


@pytest.fixture
def game() -> Game:
    return Game(seats=[GM, "ada", "ben"])


def test_the_controller_chooses_or_the_game_master_in_its_place():
    assert choosers("ada") == ("ada", GM)
    assert choosers(GM) == (GM,)
    assert controllers([NAN, DOC, NAN]) == ("ada", GM)


def test_a_character_is_found_by_name():
    assert named(PEOPLE, "Doc") is DOC
    with pytest.raises(KeyError, match="Eve"):
        named(PEOPLE, "Eve")


def test_a_hidden_one_is_known_to_its_choosers_only():
    assert [seat for seat in (GM, "ada", "ben", SCREEN) if knows_of(seat, RAT)] == [GM, "ben"]
    assert all(knows_of(seat, NAN) for seat in (GM, "ada", "ben", SCREEN))
    assert told_of(RAT) == ("ben", GM)
    assert told_of(NAN) == ()


def test_a_character_joins_under_a_unique_name(game):
    offer = joining(game, PEOPLE, Join, {"luck": Whole(1, 3)}, optional=("luck",), may_hide=True)
    assert list(offer.fields) == ["name", "luck", "controller", "hidden"]
    assert offer.problems(Join("Eve")) == []
    assert offer.problems(Join("Eve", 3, "ben", True)) == []
    assert offer.problems(Join("Rat")) == ["name can't be Rat: that is taken"]
    assert offer.problems(Join("Eve", 4, "eve"))[0].startswith("luck must be a whole number from 1 to 3")


def test_hiding_is_offered_only_if_allowed(game):
    offer = joining(game, PEOPLE, Join)
    assert offer.problems(Join("Eve", hidden=True)) == ["hidden can't be given here"]


def test_an_action_is_one_characters(game):
    offer = acting(NAN, Act, luck=Whole(1, 2))
    assert offer.by == ("ada", GM)
    assert offer.problems(Act("Nan", 2)) == []
    assert offer.problems(Act("Doc", 2)) == ["name can't be Doc here; it may be Nan"]


def names(offers: list[Offer]) -> list[object]:
    return [offer.fields["name"].schema() for offer in offers]


def test_what_the_game_master_may_do_to_whom(game):
    assert names(showing(PEOPLE)) == [{"const": "Rat"}]
    assert names(handing_over(game, PEOPLE)) == names(leaving(PEOPLE)) == [{"enum": ["Nan", "Doc", "Rat"]}]
    assert handing_over(game, PEOPLE)[0].problems(HandOver("Doc", "ada")) == []
    assert {offer.by for offer in (*showing(PEOPLE), *handing_over(game, PEOPLE), *leaving(PEOPLE))} == {(GM,)}
    assert leaving(PEOPLE)[0].do is RemoveCharacter
    assert showing(PEOPLE)[0].do is Show


def test_without_characters_nothing_is_offered(game):
    assert showing([NAN, DOC]) == handing_over(game, []) == leaving([]) == []
