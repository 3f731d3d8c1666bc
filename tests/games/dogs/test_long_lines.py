"""Sheets with long lines are refused at once, and ornaments before a name cost no more than their length (DV-5)."""

import pytest

from cardhouse.engine import CardhouseError
from cardhouse.games.dogs.people.notation import LONGEST_LINE, read_sheet, tidied


@pytest.mark.parametrize("end", ["!", "2d", "d6x", "(2d6", "+", "*"])
def test_a_long_line_is_refused(end: str) -> None:
    line = "acuity" + " " * LONGEST_LINE + end
    with pytest.raises(CardhouseError, match=rf"line 1: this has {len(line)} characters; {LONGEST_LINE} is the most"):
        read_sheet(line)


@pytest.mark.parametrize("ornament", ["-", "_", "- ", "*-", "1. "])
def test_a_rule_of_ornaments_is_read(ornament: str) -> None:
    """Before, forty dashes took longer than anyone waits."""
    assert tidied(ornament * 1000 + "Good shot 2 d 6").endswith("Good shot 2d6")
    tidied(ornament * 1000)
