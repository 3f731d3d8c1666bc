"""Equivalents of a request for changes: the command, the page's link, Python code; and JSON."""

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
"""The prefix of parameters in a link that aren't settings, so that no setting has the same name."""


def command_of(asked: ChangeRequest) -> str:
    """Return the command that asks the same."""
    question = asked.question
    words = ["cardhouse", "lab", question.game, asked.way, question.name, *(asked.targets or ())]
    for name, text in _given(question).items():
        words += [f"--{name.replace('_', '-')}", text]
    for name, text in _options(asked):
        words += [f"--{name}", text]
    words += ["--trials", str(asked.many), "--confidence", f"{100 * asked.confidence:g}", "--seed", str(asked.seed)]
    return shlex.join(words)


def link_of(asked: ChangeRequest) -> str:
    """Return the link to the same request on a server's page, without its address; files are only named."""
    question = asked.question
    params = [*_given(question).items(), *((f"{ASK}target", text) for text in asked.targets or ())]
    params += [(f"{ASK}{name}", text) for name, text in _options(asked)]
    params += [
        ("trials", str(asked.many)),
        ("confidence", f"{100 * asked.confidence:g}"),
        ("seed", str(asked.seed)),
    ]
    return f"/lab/{question.game}/{question.name}/{asked.way}?{urlencode(params)}"


def python_of(asked: ChangeRequest) -> str:
    """Return the Python code that asks the same."""
    question = asked.question
    arguments = [repr(question.game), repr(question.name), *map(repr, asked.targets or ())]
    arguments += [f"{name}={text!r}" for name, text in _given(question).items()]
    arguments += [f"of={asked.of!r}"] if asked.of else []
    arguments += [f"vary={list(asked.vary)!r}"] if asked.vary else []
    arguments += [] if asked.targets is None else [f"tries={asked.tries}, starts={asked.starts}"]
    arguments += [f"trials={asked.many}", f"confidence={asked.confidence:g}", f"seed={asked.seed}"]
    return f"lab.{'what_matters' if asked.targets is None else 'find_settings'}({', '.join(arguments)})"


def as_json(found: Found) -> dict[str, Any]:
    """Return the result for programs; shares and their differences are from 0 to 1."""
    return text_sensitivity.as_json(found) if isinstance(found, Sensitivity) else text_tuning.as_json(found)


def _options(asked: ChangeRequest) -> Iterator[tuple[str, str]]:
    """Yield the options besides targets and settings."""
    if asked.of:
        yield "of", asked.of
    for name in asked.vary:
        yield "vary", name
    if asked.targets is not None:
        yield "tries", str(asked.tries)
        yield "starts", str(asked.starts)


def _given(question: Question) -> dict[str, str]:
    """Return the settings that aren't defaults, as users write them; `FILE` for a file without a name."""
    settings = settings_of(type(question))
    return {
        name: "FILE" if text == A_FILE and settings[name].kind == "file" else text
        for name, text in changes(type(question)(), question).items()
    }
