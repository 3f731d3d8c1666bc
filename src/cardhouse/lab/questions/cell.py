"""A cell of a study: one combination of settings."""

import msgspec

from cardhouse.lab.questions.question import Question

MOST_CELLS = 1_000


class Cell(msgspec.Struct, frozen=True):
    """One combination of settings, with what it is compared with; `label` is what tells it from the other cells."""

    question: Question
    versus: Question | None = None
    label: dict[str, str] = {}
