"""Card initiative in the lab."""

from __future__ import annotations

from cardhouse.lab.question import Question

QUESTIONS: tuple[type[Question], ...] = ()
