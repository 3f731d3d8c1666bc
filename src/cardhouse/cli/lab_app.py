"""The commands `cardhouse lab GAME QUESTION`, generated from the questions and their settings."""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cardhouse.cli.options import Json
from cardhouse.cli.plugins import Group, broken

if TYPE_CHECKING:
    from cardhouse.lab.questions.question import Question
    from cardhouse.lab.questions.settings import Setting

Trials = Annotated[
    int | None, typer.Option(metavar="N", min=1, help="Games to simulate per combination.", show_default=False)
]
Until = Annotated[
    str, typer.Option(metavar="PERCENT", help="Simulate until every share is known to within this, such as 0.1%.")
]
Confidence = Annotated[
    float, typer.Option(metavar="PERCENT", min=50, max=99.99, help="The confidence of each interval, in percent.")
]
Seed = Annotated[int, typer.Option(metavar="N", min=0, help="Seed of the deals; the same seed gives the same result.")]
Versus = Annotated[
    list[str],
    typer.Option("--vs", metavar="NAME=VALUE", help="Compare with a variant on the same deals: limit=25."),
]
Report = Annotated[
    list[str],
    typer.Option(metavar="FILE", help="Save a report: .html, .png, .svg, .csv or .parquet."),
]
Columns = Annotated[str, typer.Option(metavar="KEY,...", help="The findings to show as columns: dead,survived.")]
Cores = Annotated[int | None, typer.Option(metavar="N", min=1, show_default="all", help="Cores to use.")]
On = Annotated[str | None, typer.Option(metavar="URL", help="A Dask cluster to use: tcp://HOST:8786.")]
Rules = Annotated[
    str,
    typer.Option(
        metavar="FILE", help="Your own rules, a Python file with a class Mine(Game); compare with --vs rules=own."
    ),
]
Afresh = Annotated[bool, typer.Option("--afresh", help="Start again instead of continuing a stopped run.")]
Transcript = Annotated[
    int | None, typer.Option(metavar="N", min=0, help="Only play trial N by the rules and print its transcript.")
]
NONE: list[str] = []
WIDEST = 50
"""Longer lists of choices are moved to the option's help text."""


class LabGroup(Group):
    """The games with lab questions, loaded only when needed."""

    def list_commands(self, ctx: Any) -> list[str]:
        from cardhouse.lab.questions.question import games_with_questions

        return games_with_questions()

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        from cardhouse.engine import CardhouseError

        if cmd_name not in self.list_commands(ctx):
            return None
        try:
            return typer.main.get_group(_game_app(cmd_name))
        except CardhouseError as error:
            return broken(cmd_name, error.message)


lab_app = typer.Typer(cls=LabGroup)


@lab_app.callback()
def lab_() -> None:
    """Simulate a game's rules a million times, or calculate them.

    Each simulated number has a confidence interval.

    cardhouse lab hackjack
    cardhouse lab hackjack deadly --hp 4,8,12 --vs limit=25
    """


def _game_app(game: str) -> typer.Typer:
    """Return the commands for a game."""
    from cardhouse.cli.lab_change_app import ABOUT_ALL, about_all
    from cardhouse.cli.lab_design_app import add_designs
    from cardhouse.engine import catalogue_of, find_game
    from cardhouse.lab.questions.design import designs_of
    from cardhouse.lab.questions.question import questions_of

    title = catalogue_of(find_game(game)).words.title
    app = typer.Typer(
        name=game,
        cls=Group,
        add_completion=False,
        help=f"{title}: questions about its rules.",
    )
    questions = questions_of(game)
    for question in questions.values():
        help_text = f"{question.title}\n\n{question.about}\n\ncardhouse lab {game} {question.name}"
        app.command(question.name, help=help_text, short_help=question.title)(command_for(question, _for_all, _ask))
    for name in ABOUT_ALL:
        if questions and name not in questions:
            app.add_typer(about_all(name, game, questions), name=name, short_help=ABOUT_ALL[name].title)
    add_designs(app, designs_of(game))
    return app


def _ask(question: type[Question], texts: dict[str, str], given: dict[str, Any]) -> None:
    from cardhouse.cli.lab import LabOptions, ask

    ask(question, texts, LabOptions(**given))


def command_for(
    question: type[Question],
    for_all: Callable[..., None],
    ask: Callable[[type[Question], dict[str, str], dict[str, Any]], None],
) -> Callable[..., None]:
    """Return a command function for a question, with its settings and the parameters of `for_all` as options."""
    from cardhouse.lab.questions.settings import settings_of

    settings = settings_of(question)

    def command(**given: Any) -> None:
        texts = {name: text for name in settings if (text := given.pop(name)) is not None}
        ask(question, texts, given)

    parameters = [_parameter(setting) for setting in settings.values()]
    parameters += signature(for_all, eval_str=True).parameters.values()
    command.__signature__ = signature(command).replace(parameters=parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {one.name: one.annotation for one in parameters}
    return command


def _parameter(setting: Setting) -> Parameter:
    """Return a setting as an option. Its type is text, because it may list several values."""
    metavar = {"whole": "N", "number": "N", "yes_no": "yes|no", "text": "TEXT", "file": "FILE"}.get(setting.kind)
    shown = setting.shown(setting.default)
    choices = "|".join(setting.choices)
    text, metavar = setting.text, metavar or choices
    if len(metavar) > WIDEST:
        text, metavar = f"{text}: {choices.replace('|', ', ')}", "NAME"
    option = typer.Option(metavar=metavar, help=f"{text[:1].upper()}{text[1:]}.", show_default=shown or "none")
    kind = Annotated[str | None, option]
    return Parameter(setting.name, Parameter.KEYWORD_ONLY, default=None, annotation=kind)


def _for_all(
    *,
    trials: Trials = None,
    until: Until = "",
    confidence: Confidence = 95,
    seed: Seed = 0,
    versus: Versus = NONE,
    report: Report = NONE,
    transcript: Transcript = None,
    cores: Cores = None,
    on: On = None,
    afresh: Afresh = False,
    rules: Rules = "",
    columns: Columns = "",
    json: Json = False,
) -> None:
    """Declare the options of every question."""
