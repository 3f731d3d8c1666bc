"""How the same is asked elsewhere about changes: on the command line, a house's page, in Python; and for programs."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

from cardhouse.lab.questions.question import Question
from cardhouse.lab.questions.settings import A_FILE, changes, settings_of
from cardhouse.lab.reports import text_sensitivity, text_tuning
from cardhouse.lab.search.requests import ChangeRequest, Found
from cardhouse.lab.search.sensitivity import Sensitivity

ASK = "ask."
"""What stands in an address before everything that is no setting, lest a setting be called the same."""


def command_of(asked: ChangeRequest) -> str:
    """What asks the same on the command line."""
    question = asked.question
    words = ["cardhouse", "lab", question.game, asked.way, question.name, *(asked.targets or ())]
    for name, text in _given(question).items():
        words += [f"--{name.replace('_', '-')}", text]
    for name, text in _said(asked):
        words += [f"--{name}", text]
    words += ["--trials", str(asked.many), "--confidence", f"{100 * asked.confidence:g}", "--seed", str(asked.seed)]
    return shlex.join(words)


def link_of(asked: ChangeRequest) -> str:
    """Where a house's page asks the same, below its address; a file's name stands for it, and it is to be chosen."""
    question = asked.question
    said = [*_given(question).items(), *((f"{ASK}target", text) for text in asked.targets or ())]
    said += [(f"{ASK}{name}", text) for name, text in _said(asked)]
    said += [
        ("trials", str(asked.many)),
        ("confidence", f"{100 * asked.confidence:g}"),
        ("seed", str(asked.seed)),
    ]
    return f"/lab/{question.game}/{question.name}/{asked.way}?{urlencode(said)}"


def python_of(asked: ChangeRequest) -> str:
    """What asks the same in Python."""
    question = asked.question
    said = [repr(question.game), repr(question.name), *map(repr, asked.targets or ())]
    said += [f"{name}={text!r}" for name, text in _given(question).items()]
    said += [f"of={asked.of!r}"] if asked.of else []
    said += [f"vary={list(asked.vary)!r}"] if asked.vary else []
    said += [] if asked.targets is None else [f"tries={asked.tries}, starts={asked.starts}"]
    said += [f"trials={asked.many}", f"confidence={asked.confidence:g}", f"seed={asked.seed}"]
    return f"lab.{'what_matters' if asked.targets is None else 'find_settings'}({', '.join(said)})"


def as_json(found: Found) -> dict[str, Any]:
    """What was found, for programs; shares and their differences are from 0 to 1."""
    return text_sensitivity.as_json(found) if isinstance(found, Sensitivity) else text_tuning.as_json(found)


def _said(asked: ChangeRequest) -> Iterator[tuple[str, str]]:
    """What is said beside targets and settings, by its option."""
    if asked.of:
        yield "of", asked.of
    for name in asked.vary:
        yield "vary", name
    if asked.targets is not None:
        yield "tries", str(asked.tries)
        yield "starts", str(asked.starts)


def _given(question: Question) -> dict[str, str]:
    """The settings that are not the usual ones, as one writes them; a file is `FILE` where it has no name."""
    settings = settings_of(type(question))
    return {
        name: "FILE" if text == A_FILE and settings[name].kind == "file" else text
        for name, text in changes(type(question)(), question).items()
    }
