"""The rules of the gunfight, each by its golden transcripts."""

import pytest

from tests.golden import goldens, named, play


@pytest.mark.parametrize("path", goldens("gunfight"), ids=named)
def test_golden(path):
    play(path)
