"""A form that is asked for again starts with everything it needs."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Come
from tests.browser.people import PHONE, House, Resumed
from tests.walkthrough import ROOT

pytestmark = pytest.mark.browser

TWO_TO_CHOOSE = ROOT / "tests" / "transcripts" / "dogs" / "DV-29-injured-and-all-right.jsonl"


@pytest.mark.soak
def test_a_second_fallout_choice_of_the_same_kind_takes_no_more_than_the_first(come: Come, house: House):
    """Ben owes two for the long term (DV-29); both times he lets a Stat fall, the first there is (DV-32)."""
    lines = TWO_TO_CHOOSE.read_text("utf-8").splitlines()
    ben = Resumed(house, [line for line in lines if "fallout_choice" not in line]).sits(come("Ben", PHONE), "ben")
    choosing = ben.region("Ben: long-term fallout (2 to choose)")
    expect(choosing.get_by_role("radio", checked=True)).to_have_count(0)
    expect(choosing.get_by_role("radio", name="Make a trait significant", exact=True)).to_have_count(0)
    ben.hand.tick(choosing.get_by_role("radio", name="Subtract 1 from a Stat"))
    ben.does(ben.button("Choose", choosing))
    last = ben.region("Ben: long-term fallout")
    expect(last.get_by_role("radio", checked=True)).to_have_count(0)  # what costs something is never chosen beforehand
    ben.hand.tick(last.get_by_role("radio", name="Subtract 1 from a Stat"))
    ben.does(ben.button("Choose", last))
    expect(last).to_have_count(0)
