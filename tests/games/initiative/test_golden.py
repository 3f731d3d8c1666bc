"""The rules of card initiative, each by its golden transcripts."""

import pytest

from cardhouse.testing.golden import goldens, named, play
from tests.walkthrough import TRANSCRIPTS


@pytest.mark.parametrize("path", goldens(TRANSCRIPTS / "initiative"), ids=named)
def test_golden(path):
    play(path)
