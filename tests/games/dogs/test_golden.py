"""The rules of Dogs Play Cards, Too, each by its golden transcripts."""

import pytest

from tests.golden import goldens, named, play


@pytest.mark.parametrize("path", goldens("dogs"), ids=named)
def test_golden(path):
    play(path)
