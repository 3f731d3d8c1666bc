"""The rules of the gunfight, each by its golden transcripts."""

import pytest

from cardhouse.testing.golden import goldens, named, play
from tests.walkthrough import TRANSCRIPTS


@pytest.mark.parametrize("path", goldens(TRANSCRIPTS / "gunfight"), ids=named)
def test_golden(path):
    play(path)
