"""The rules of Hackjack, each by its golden transcripts."""

import pytest

from cardhouse.testing.golden import goldens, named, play
from tests.walkthrough import TRANSCRIPTS


@pytest.mark.parametrize("path", goldens(TRANSCRIPTS / "hackjack"), ids=named)
def test_golden(path):
    play(path)
