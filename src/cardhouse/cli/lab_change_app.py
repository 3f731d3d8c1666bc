"""The commands `cardhouse lab GAME sensitivity` and `tune`: important settings, and settings that meet targets.

Both work for any question of any game, and have its settings as options.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple

import typer
from click.exceptions import ClickException

from cardhouse.cli.lab_app import NONE, Afresh, Confidence, Cores, On, Report, Seed, Trials, command_for
from cardhouse.cli.options import Json
from cardhouse.cli.plugins import Group
from cardhouse.engine import CardhouseError

if TYPE_CHECKING:
    from cardhouse.lab.questions.question import Finding, Question

Of = Annotated[
    str,
    typer.Option(
        metavar="FINDING", help="The finding to explain, by its key or its words; by default the question's first."
    ),
]
Vary = Annotated[
    list[str],
    typer.Option(
        metavar="NAME[=VALUES]", help="A setting to change, with its range: limit=15..30, wounds. May be repeated."
    ),
]
Targets = Annotated[
    list[str], typer.Argument(metavar="TARGET...", help='The targets, such as "won = 50%" "rounds < 8".')
]
Tries = Annotated[int, typer.Option(metavar="N", min=1, help="Candidates per search, at most.")]
Starts = Annotated[int, typer.Option(metavar="N", min=1, max=20, help="Independent searches.")]


def _for_sensitivity(
    *,
    of: Of = "",
    vary: Vary = NONE,
    trials: Trials = None,
    confidence: Confidence = 95,
    seed: Seed = 0,
    report: Report = NONE,
    cores: Cores = None,
    on: On = None,
    afresh: Afresh = False,
    json: Json = False,
) -> None:
    """Declare the options of every question."""


def _for_tune(
    *,
    targets: Targets,
    vary: Vary = NONE,
    tries: Tries = 200,
    starts: Starts = 3,
    trials: Trials = None,
    confidence: Confidence = 95,
    seed: Seed = 0,
    report: Report = NONE,
    cores: Cores = None,
    on: On = None,
    afresh: Afresh = False,
    json: Json = False,
) -> None:
    """Declare the options of every question."""


def _ask(question: type[Question], texts: dict[str, str], given: dict[str, Any]) -> None:
    from cardhouse.cli.lab_change import ask

    ask(question, texts, given)


class ChangeCommand(NamedTuple):
    """A command for all questions: its texts and options, and the findings that its options name."""

    title: str
    about: str
    sample: str
    for_all: Callable[..., None]
    named: Callable[[Mapping[str, Any]], Sequence[str]]


def _named_finding(parameters: Mapping[str, Any]) -> Sequence[str]:
    return [parameters["of"]] if parameters.get("of") else []


def _named_targets(parameters: Mapping[str, Any]) -> Sequence[str]:
    from cardhouse.lab.search.targets import split_target

    return [split_target(text).said for text in parameters.get("targets") or ()]


ABOUT_ALL: Final = {
    "sensitivity": ChangeCommand(
        "What matters most?",
        "What matters most? The lab changes one setting at a time, or one piece of a file, replays the same deals, and "
        "ranks the changes by their effect on a finding. Name the question if several have that finding.",
        'sensitivity --of "FINDING"',
        _for_sensitivity,
        _named_finding,
    ),
    "tune": ChangeCommand(
        "Which settings meet these targets?",
        "Which settings meet these targets? The lab searches the settings named with --vary, and confirms the result "
        "on new deals. Name the question if several have these findings.",
        'tune "FINDING = 50%" --vary SETTING=1..9',
        _for_tune,
        _named_targets,
    ),
}


def about_all(name: str, game: str, questions: Mapping[str, type[Question]]) -> typer.Typer:
    """Return the command with a subcommand per question; it may be left out if the findings determine it."""
    about = ABOUT_ALL[name]

    class OfFindings(Group):
        """Finds the question by the named findings, if none is given."""

        def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
            if args and args[0] not in questions and "--help" not in args:
                args = [self._meant(ctx, args), *args]
            return super().parse_args(ctx, args)

        def _meant(self, ctx: Any, args: list[str]) -> str:
            fitting = [one for one in questions if len(questions) == 1 or self._has(ctx, one, args)]
            if len(fitting) == 1:
                return fitting[0]
            which = ", ".join(fitting or questions)
            why = "Several questions have these findings" if fitting else "No question has these findings"
            raise CardhouseError(f"{why}; name the question: cardhouse lab {game} {name} QUESTION. Questions: {which}.")

        def _has(self, ctx: Any, question: str, args: list[str]) -> bool:
            """Return whether a question has all the named findings."""
            from cardhouse.lab.words.finding_lookup import find_finding

            command = self.get_command(ctx, question)
            try:
                with command.make_context(question, list(args), parent=ctx, resilient_parsing=True) as tried:
                    found_in = about.named(tried.params)
                findings: Sequence[Finding] = questions[question]().findings()
                return bool(found_in) and all(find_finding(findings, one) for one in found_in)
            except (ClickException, CardhouseError):
                return False

    app = typer.Typer(
        name=name, cls=OfFindings, add_completion=False, help=f"{about.about}\n\ncardhouse lab {game} {about.sample}"
    )
    for question in questions.values():
        help_text = f"{about.about}\n\n{question.title} {question.about}"
        app.command(question.name, help=help_text, short_help=question.title)(
            command_for(question, about.for_all, _ask)
        )
    return app
