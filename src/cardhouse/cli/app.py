"""The commands, their options and what their help says; each imports what it works with only when it is run."""

import os
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from cardhouse import __version__

UNFAIR = 1
MISTAKEN = 2

app = typer.Typer(pretty_exceptions_enable=False)

File = Annotated[str, typer.Argument(metavar="FILE", help="A transcript; - for standard input.", show_default=False)]
Seat = Annotated[str, typer.Option(metavar="NAME", help="Whose view: a seat, or screen for what all may see.")]
Seed = Annotated[int, typer.Option(metavar="N", help="What is dealt where the transcript leaves a draw or roll out.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object, for programs.")]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status: 2 for what the user got wrong, 1 for a deal that was not fair."""
    try:
        status = app(args=arguments, prog_name="cardhouse", standalone_mode=False)
        sys.stdout.flush()
    except typer.TyperException as error:
        context = getattr(error, "ctx", None)
        command = context.command_path if context else "cardhouse"
        return complain(f"{error.format_message()} ({command} --help tells more.)", error.exit_code)
    except BrokenPipeError:
        # Whoever read has gone, as `head` does; what is still to be written goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except Exception as error:
        from cardhouse.engine import CardhouseError

        if not isinstance(error, CardhouseError):
            raise
        from cardhouse.cli.words import instead

        return complain(error.message + instead(error), UNFAIR if error.code == "unfair" else MISTAKEN)
    return status if isinstance(status, int) else 0


def complain(sentence: str, status: int) -> int:
    """Tell people what went wrong; returns the exit status given."""
    # A file may hold anything; what moves a terminal's cursor is shown, not sent.
    shown = "".join(letter if letter.isprintable() or letter == "\n" else "\ufffd" for letter in sentence)
    typer.echo(f"cardhouse: {shown}", err=True)
    return status


def version(wanted: bool) -> None:
    """Print the version and stop."""
    if wanted:
        typer.echo(f"cardhouse {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def cardhouse(
    context: typer.Context,
    _version: Annotated[
        bool, typer.Option("--version", callback=version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """A house for card-driven tabletop play: a table on the web, a rules engine, exact odds.

    Begin with cardhouse serve, and open the address it prints. Each command tells more: cardhouse serve --help.
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help(), nl=False)


@app.command()
def replay(
    file: File,
    seat: Seat = "gm",
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Print the table that a transcript leads to, as one seat sees it.

    A line that can't be applied stops it: what is wrong, in which line, and what was offered there; exit status 2.

    cardhouse replay fight.jsonl               as the game master sees it
    cardhouse replay fight.jsonl --seat ada    as Ada does
    cardhouse replay - --json < fight.jsonl    for a program
    """
    from cardhouse.cli import transcripts

    transcripts.replay(file, seat, seed, json)


@app.command()
def odds(
    file: File,
    seat: Seat = "gm",
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Print the exact odds at the end of a transcript, from what one seat may know.

    In card initiative, for each character still to come: the chance that its card is the next; the chance that it
    acts (again) this round; and the mean number of turns before its own, if everybody who may choose acts at once.

    cardhouse odds fight.jsonl
    cardhouse odds fight.jsonl --seat screen --json
    """
    from cardhouse.cli import transcripts

    transcripts.odds(file, seat, seed, json)


@app.command()
def verify(file: File) -> None:
    """Check that a table's cards were dealt fairly.

    Deals every card and die again from the seed that the table told at its end, with no connection to anything.
    Cards and rolls that people named are theirs to vouch for. Exit status 1 if something was not dealt fairly.

    cardhouse verify fight.jsonl
    """
    from cardhouse.cli import transcripts

    transcripts.verify(file)


@app.command()
def games() -> None:
    """List the games that are installed.

    Any package can bring more; CONTRIBUTING.md shows how to write one.
    """
    from cardhouse.cli import rules

    rules.print_games()


@app.command("rules")
def rules_(
    game: Annotated[str, typer.Argument(metavar="GAME", help="Its name, as cardhouse games lists it.")],
    id: Annotated[str, typer.Argument(metavar="ID", help="One rule only.", show_default=False)] = "",
) -> None:
    """Print the rules of a game, or one of them.

    cardhouse rules initiative
    cardhouse rules initiative IN-10
    """
    from cardhouse.cli import rules

    rules.print_rules(game, id)
