"""A cell of a study: one combination of settings."""

import msgspec

from cardhouse.lab.questions.question import Question

MOST_CELLS = 1_000


class Cell(msgspec.Struct, frozen=True):
    """A combination of settings, with the variant that it is compared with.

    `label` distinguishes it from other cells.
    """

    question: Question
    versus: Question | None = None
    label: dict[str, str] = {}
