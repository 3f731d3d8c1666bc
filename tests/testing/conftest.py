import random
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.installed import look_anew
from tests.testing.sound import Change, Install, write_game


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Installs the sound game with changes, for as long as the test runs."""

    def install(*changes: Change) -> None:
        random.seed(1)  # of what games take by mistake
        write_game(tmp_path, *changes)
        look_anew()

    monkeypatch.syspath_prepend(str(tmp_path))
    sys.modules.pop("sound", None)
    yield install
    monkeypatch.undo()
    sys.modules.pop("sound", None)
    look_anew()
