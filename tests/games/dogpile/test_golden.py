"""The rules of Dogpile, each by its golden transcripts."""

import pytest

from cardhouse.testing.golden import goldens, named, play
from tests.walkthrough import TRANSCRIPTS


@pytest.mark.parametrize("path", goldens(TRANSCRIPTS / "dogpile"), ids=named)
def test_golden(path):
    play(path)
