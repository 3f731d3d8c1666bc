"""A real deck that the page keeps track of, and a deck that a player turns by hand."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from cardhouse.testing.browser.controls import press_until_it_counts
from tests.browser.conftest import Come
from tests.browser.people import DESK, Person, Table

pytestmark = pytest.mark.browser


def types(person: Person, card: str) -> None:
    field = person.choices.get_by_role("textbox")
    person.hand.write(field, card)
    press_until_it_counts(field, lambda: field.press("Enter"))


def types_over(person: Person, card: str) -> None:
    """Types the card that was turned over."""
    person.answers(lambda: types(person, card))


@pytest.mark.soak
def test_a_paper_deck_plays_a_round_with_cards_tapped_and_typed(come: Come, sit_down: Callable[..., Table]):
    gm = come("Mo", DESK)
    gm.makes_table_with("Real deck: Initiative deck", name="Red Gulch")
    table = sit_down("Ada", "Ben", screen=True, gm=gm)
    ada, ben = table.players
    assert table.screen
    gm.adds("Nan", card="ace of hearts", played_by="Ada", more=True)
    gm.adds("Doc", card="queen of spades", played_by="Ben", more=True)
    gm.adds("Mule", card="4 of diamonds")
    gm.chooses("start")
    table.sees_with(gm)

    for person in (gm, ada, ben):
        expect(person.choices).to_contain_text("5 cards")
        assert sorted(names(person.picker)) == sorted(
            ["ace of hearts", "queen of spades", "4 of diamonds", "the red joker", "the black joker"]
        )
    expect(table.screen.choices).to_have_count(0)
    gm.screenshot("paper-desk")
    ada.screenshot("paper-phone")

    ada.turns_over("queen of spades")
    table.sees_with(ada)
    ben.chooses("wait")
    types_over(gm, "rj")  # Doc waits in vain: IN-8
    table.sees_with(gm)
    types_over(ben, "QS")
    ben.chooses("act")
    ben.chooses("done")
    table.sees_with(ben)
    expect(gm.choices).to_contain_text("3 cards")

    # What can't be there is refused, with where it is, and changes nothing.
    # A sentence on a desk takes the room of the round's order, which phones have elsewhere.
    seen = gm.reads(), ben.sees()
    for person, card, sentence in (
        (gm, "QS", "^The queen of spades can.t be .* in the discard"),
        (ada, "red joker", "in the discard"),
        (ben, "10h", "^The 10 of hearts .* nobody.s"),
        (ada, "something", "Type a card like"),
    ):
        assert card not in names(person.picker)
        types(person, card)
        expect(person.choices.get_by_role("alert")).to_contain_text(re.compile(sentence))
        person.screenshot(f"refused-{card.replace(' ', '-')}")
    table.sees_with(gm)
    assert (gm.reads(), ben.sees()) == seen

    ben.turns_over("ace of hearts")
    table.sees_with(ben)
    ada.chooses("act")
    ada.chooses("done")
    table.sees_with(ada)
    expect(gm.choices).to_contain_text("3 cards")
    gm.turns_over("the black joker")
    ada.turns_over("4 of diamonds")
    table.sees_with(ada)
    # One card is left, and everybody knows which: the ace under the deck comes by itself.
    ada.sees_in_story("Mule loses an action to the black joker")
    ada.chooses("done")
    table.sees_with(ada)
    assert table.now() == "start"
    for person in table.everybody:
        person.sees_in_story("Round 1 is over.")
    assert [text for text in gm.story.all_text_contents() if re.search("Nan acts", text)]


def names(group: Locator) -> list[str]:
    """The names of the cards, which stand first in each key, for screen readers."""
    first = "buttons => buttons.map((b) => b.firstElementChild.textContent.replace(',', ''))"
    labels: list[str] = group.get_by_role("button").evaluate_all(first)
    return labels


@pytest.mark.soak
def test_cards_turned_by_hand_are_drawn_when_somebody_taps_the_deck(come: Come, sit_down: Callable[..., Table]):
    gm = come("Mo", DESK)
    gm.makes_table_with("Turn the cards by hand", Players=1)
    table = sit_down("Ada", gm=gm)
    (ada,) = table.players
    gm.adds("Nan", tier="Elite", played_by="Ada", more=True)
    gm.adds("Doc", tier="Leader", played_by="Ada")
    gm.chooses("start")
    table.sees_with(gm)
    for person in table.everybody:
        expect(person.question).to_contain_text("Turn over the next card.")
        expect(person.choice("step")).to_be_visible()
    ada.screenshot("by-hand-phone")

    ada.does(ada.button("Turn the next card", ada.region("Deck")))
    table.sees_with(ada)
    gm.undoes()
    table.sees_with(gm)
    for _ in range(12):
        if gm.choice("start").count():
            break
        word = next(word for word in ("step", "act", "done") if ada.choice(word).count())
        table.chooses(ada, word)
    gm.sees_in_story("Round 1 is over.")
