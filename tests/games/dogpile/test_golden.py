"""The rules of Dogpile, each by its golden transcripts."""

import pytest

from tests.golden import goldens, named, play


@pytest.mark.parametrize("path", goldens("dogpile"), ids=named)
def test_golden(path):
    play(path)
