"""The counts of studies and the logs of tables, to the bit: a refactoring changes none of them.

Written down before the games' code moved into the games' own folders. A rule that is changed on purpose changes some of
these; a commit that does so says which, and why.
"""

import shlex
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest

from benchmarks.engine import CARDS, answer_to
from cardhouse.engine import GM, SeededDealer, Table
from cardhouse.games.initiative.state import AddCharacter, StartRound
from cardhouse.lab.questions.question import find_question
from cardhouse.lab.questions.settings import cells

STUDIES = [
    line.rsplit(maxsplit=1) for line in (Path(__file__).parent / "nothing_changed.txt").read_text("utf-8").splitlines()
]
"""A question and its settings, as `GAME QUESTION [NAME=VALUE ...]`, and the hash of its first rows."""
LATER = {
    "dogpile game": {"draft_cards", "draft_shuffles"},
    "gunfight last": {"waited", "longest", "turned", "wounds_cards", "wounds_shuffles"},
    "hackjack deadly": {"for_good", "hinders", "wounds_cards", "wounds_shuffles"},
    "initiative order": {"cards"},
}
"""What a question counts that it didn't when the hashes were made; the rest is as it was."""
LONG = ("dogs ", "gunfight ", "dogpile silence players=2 hand_size=7")
"""Studies that take long, most of them for their kernels are compiled first."""
SEED = 2026
EVENING = "d32f56cfb6ca87e2"


def rows_hash(asked: str) -> str:
    game, name, *settings = shlex.split(asked)
    question = find_question(game, name)
    (cell,) = cells(question, dict(setting.split("=", 1) for setting in settings))
    rows = cell.question.rows(SEED, 0, 500 if cell.question.compiled else 4)
    later = LATER.get(f"{game} {name}", set())
    kept = [place for place, measure in enumerate(cell.question.measures()) if measure.key not in later]
    return sha256(rows[:, kept].astype("<i2").tobytes()).hexdigest()[:16]


@pytest.mark.parametrize(
    ("asked", "digest"),
    [
        pytest.param(asked, digest, id=asked, marks=pytest.mark.soak if asked.startswith(LONG) else ())
        for asked, digest in STUDIES
    ],
)
def test_the_rows_of_a_study(asked: str, digest: str) -> None:
    assert rows_hash(asked) == digest


def test_the_log_of_an_evening() -> None:
    rng = Random(SEED)
    table = Table.new("initiative", dealer=SeededDealer(rng.getrandbits(32)))
    for card in CARDS:
        table.answer(GM, AddCharacter(card, card))
    for _ in range(40):
        table.answer(GM, StartRound())
        while (question := table.question).key != "between":  # type: ignore[union-attr]
            table.answer(GM, answer_to(question, rng))  # type: ignore[arg-type]
    assert sha256(table.transcript().encode()).hexdigest()[:16] == EVENING
