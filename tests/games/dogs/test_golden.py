"""The rules of Dogs Play Cards, Too, each by its golden transcripts."""

import pytest

from cardhouse.testing.golden import goldens, named, play
from tests.walkthrough import TRANSCRIPTS


@pytest.mark.parametrize("path", goldens(TRANSCRIPTS / "dogs"), ids=named)
def test_golden(path):
    play(path)
