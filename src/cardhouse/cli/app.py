"""The commands with their options and help; each imports its implementation only when it runs."""

import os
import sys
from collections.abc import Sequence
from typing import Annotated, Literal

import typer

from cardhouse import __version__
from cardhouse.cli.lab_app import lab_app
from cardhouse.cli.options import Database, File, Json, Seat, Seed, default_database
from cardhouse.cli.plugins import Group
from cardhouse.cli.tables_app import tables_app

UNFAIR = 1
MISTAKEN = 2

app = typer.Typer(pretty_exceptions_enable=False, cls=Group)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status: 2 for a user's mistake, 1 for an unfair deal."""
    try:
        status = app(args=arguments, prog_name="cardhouse", standalone_mode=False)
        sys.stdout.flush()
    except typer.TyperException as error:
        context = getattr(error, "ctx", None)
        command = context.command_path if context else "cardhouse"
        return complain(f"{error.format_message()} (See {command} --help.)", error.exit_code)
    except typer.Abort:
        return complain("Cancelled. Nothing has changed.", 1)
    except BrokenPipeError:
        # The reader is gone, for example `head`: discard the remaining output.
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
    """Print an error and return the exit status `status`."""
    # A file may contain anything: terminal control characters are replaced.
    shown = "".join(letter if letter.isprintable() or letter == "\n" else "\ufffd" for letter in sentence)
    typer.echo(f"cardhouse: {shown}", err=True)
    return status


def version(wanted: bool) -> None:
    """Print the version and stop."""
    if wanted:
        typer.echo(f"cardhouse {__version__}")
        raise typer.Exit


@app.callback()
def cardhouse(
    _version: Annotated[
        bool, typer.Option("--version", callback=version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Play card-driven tabletop games in a browser.

    Start with `cardhouse serve`, and open the address it prints. For a command's options, add --help.
    """


@app.command()
def serve(
    host: Annotated[str, typer.Option(metavar="HOST", help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option(
            metavar="PORT", min=0, max=65535, show_default="8137, or the next free port", help="The port; 0 takes any."
        ),
    ] = None,
    lan: Annotated[bool, typer.Option("--lan", help="Let phones and other devices on this network join.")] = False,
    db: Database = "",
    redis: Annotated[
        str | None,
        typer.Option(
            metavar="URL", envvar="CARDHOUSE_REDIS", help="The Redis of servers that share a database: redis://HOST."
        ),
    ] = None,
    address: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="The address that people open, if a proxy is in front; it may have a path. Pages from other addresses "
            "are refused.",
        ),
    ] = None,
    proxy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ADDRESS",
            help="A proxy to trust (or a network, 10.0.0.0/24): it sets X-Forwarded-For and X-Forwarded-Proto.",
        ),
    ] = None,
    connections: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=1,
            help="Connections allowed from one address. Above 100, its other limits grow in proportion: five for each "
            "phone behind one router.",
        ),
    ] = 100,
    tables: Annotated[
        Literal["open", "key", "none"],
        typer.Option(
            help="Permission to create tables: open (everyone), key (people with the server key, from CARDHOUSE_KEY or "
            "a printed link) or none (no one over the web). Players never need a key."
        ),
    ] = "open",
    workers: Annotated[
        int,
        typer.Option(
            metavar="N",
            help="Processes, up to the number of cores. Not on Windows.",
        ),
    ] = 1,
    log_json: Annotated[
        bool,
        typer.Option(
            "--log-json",
            envvar="CARDHOUSE_LOG_JSON",
            help="Write the log as JSON lines, without text from players.",
        ),
    ] = False,
    metrics: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS:PORT",
            envvar="CARDHOUSE_METRICS",
            help="Serve metrics for Prometheus; a port alone listens on this machine only.",
        ),
    ] = None,
    keep: Annotated[
        str | None,
        typer.Option(
            metavar="SPAN",
            show_default="forever",
            help="Delete unused tables after this time, such as 365d or 52w; tables with few moves sooner. Players are "
            "warned two weeks before.",
        ),
    ] = None,
    most_tables: Annotated[
        int,
        typer.Option(metavar="N", min=0, show_default="no limit", help="Stop new tables at this number."),
    ] = 0,
    most_size: Annotated[
        str | None,
        typer.Option(metavar="SIZE", show_default="no limit", help="Stop new tables at this size: 500MB, 20GB."),
    ] = None,
    lab_ahead: Annotated[
        bool,
        typer.Option(
            envvar="CARDHOUSE_LAB_AHEAD",
            help="Compile the lab's kernels while idle: minutes of one core, once per machine.",
        ),
    ] = True,
) -> None:
    """Start the server and print its address.

    Without --lan, only this computer can connect. With --lan, the address is also printed as a QR code.

    cardhouse serve
    cardhouse serve --lan
    cardhouse serve --tables key --keep 365d
    cardhouse serve --address https://cards.example.org --proxy 127.0.0.1
    cardhouse serve --db postgresql://cards@db/cards --redis redis://news
    """
    from cardhouse.cli import serving

    serving.serve(
        host,
        port,
        lan=lan,
        db=db or default_database(),
        redis=redis,
        address=address,
        proxies=proxy or [],
        connections=connections,
        tables=tables,
        workers=workers,
        log_json=log_json,
        metrics=metrics,
        keep=keep,
        most_tables=most_tables,
        most_size=most_size,
        lab_ahead=lab_ahead,
    )


@app.command()
def doctor(
    address: Annotated[
        str | None, typer.Argument(metavar="URL", help="The address that people open.", show_default=False)
    ] = None,
    db: Annotated[
        str | None,
        typer.Option("--db", metavar="URL", help="The server's database, to check it too.", show_default=False),
    ] = None,
    json: Json = False,
) -> int:
    """Diagnose a running server. Changes nothing.

    Checks the address, proxy, WebSocket, certificate and clock. With --db, also checks the database, file permissions
    and disk space. The exit status is 1 if there is a problem.

    cardhouse doctor https://cards.example.org
    cardhouse doctor http://127.0.0.1:8137 --db sqlite:///cards.db
    """
    from cardhouse.cli import doctor as looking

    return looking.examine(address, db, json)


@app.command()
def replay(
    file: File,
    seat: Seat = "gm",
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Show where a transcript ends, as one seat sees it.

    An invalid line stops the replay with exit status 2. The error has the line's number and the moves available there.

    cardhouse replay fight.jsonl               the game master's view
    cardhouse replay fight.jsonl --seat ada    Ada's view
    cardhouse replay - --json < fight.jsonl    for a program
    """
    from cardhouse.cli import transcripts

    transcripts.replay(file, seat, seed, json)


@app.command()
def odds(
    file: File,
    seat: Seat = "gm",
    damage: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, max=1000, show_default="1", help="Damage of the next hit, in HP."),
    ] = None,
    trials: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            max=100_000,
            show_default="as many as fit in a second",
            help="Games to play, where odds are simulated.",
        ),
    ] = None,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Print the odds at the end of a transcript.

    The odds use only what the seat may know. They are exact where possible.

    Card initiative: each character's chance to be next, the chance to act (again) this round, and the average turns
    before that, if everyone acts immediately.

    Hackjack: for each character who is down, the chance that the next hit kills, and that it makes exactly 21, both
    with and without preventing blood loss. With --json, the chance of every death-score.

    Dogs Play Cards, Too: each side's chance to win the conflict, simulated with bold bots, with the standard error.

    cardhouse odds fight.jsonl
    cardhouse odds fight.jsonl --damage 15
    cardhouse odds mill.jsonl --trials 5000
    cardhouse odds fight.jsonl --seat screen --json
    """
    from cardhouse.cli import transcripts

    what_if = {"damage": damage, "trials": trials}
    transcripts.odds(file, seat, what_if, seed, json)


@app.command()
def verify(
    file: File,
    commitment: Annotated[
        str, typer.Option(metavar="HEX", help="The commitment your page showed.", show_default=False)
    ] = "",
    witness: Annotated[
        str, typer.Option(metavar="FILE", help="The witness file your page saved.", show_default=False)
    ] = "",
) -> None:
    """Check that a table's cards were dealt fairly.

    Deals every card and die again, offline, from the seed that the table published at its end. The exit status is 1 if
    one of them differs. Cards and rolls that people entered can't be checked.

    The author of a transcript also writes its commitment. So compare it with the commitment that your page showed, or
    with the witness that your page saved: it knows the log as your page received it.

    cardhouse verify fight.jsonl
    cardhouse verify fight.jsonl --witness witness.json
    """
    from cardhouse.cli import transcripts

    transcripts.verify(file, commitment, witness)


@app.command()
def roster(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A transcript, or - for standard input.", show_default=False)
    ] = "",
    table: Annotated[
        str,
        typer.Option(metavar="TABLE", help="A table's id, instead of a file.", show_default=False),
    ] = "",
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="The file to write, or - for standard output.")
    ] = "-",
    seed: Seed = 0,
    db: Database = "",
) -> None:
    """Save a table's characters for another table.

    cardhouse roster fight.jsonl -o posse.json
    cardhouse roster --table k3v9x2ab -o posse.json
    """
    from cardhouse.cli import roster

    roster.write(file, table, output, seed, db or default_database())


@app.command()
def games() -> None:
    """List the installed games.

    Packages can add more: see `cardhouse new`.

    cardhouse games
    """
    from cardhouse.cli import rules

    rules.print_games()


@app.command("rules")
def rules_(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game's name, from `cardhouse games`.")],
    id: Annotated[str, typer.Argument(metavar="ID", help="Only this rule.", show_default=False)] = "",
) -> None:
    """Print the rules of a game, or one rule.

    cardhouse rules initiative
    cardhouse rules initiative IN-10
    """
    from cardhouse.cli import rules

    rules.print_rules(game, id)


@app.command()
def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of the game and its package, such as red_dog.")],
    folder: Annotated[str, typer.Option(metavar="FOLDER", show_default="NAME", help="The folder to write.")] = "",
) -> None:
    """Start a game of your own from a small, working package.

    cardhouse new red_dog
    """
    from cardhouse.cli.beginning import begin_game

    begin_game(name, folder)


@app.command()
def dev(
    folder: Annotated[
        str, typer.Argument(metavar="FOLDER", help="The package's folder, with its pyproject.toml.")
    ] = ".",
    port: Annotated[
        int | None,
        typer.Option(
            metavar="PORT", min=0, max=65535, show_default="8137, or the next free port", help="The port; 0 takes any."
        ),
    ] = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the table in the browser.")] = True,
    is_new: Annotated[bool, typer.Option("--new", help="Make a new table instead of the last one.")] = False,
) -> None:
    """Play your game with bots while you write it.

    Saving a file reloads the rules, words and page, and the table continues. The package doesn't have to be installed.

    cardhouse dev red_dog
    """
    from cardhouse.cli.developing import develop

    develop(folder, port, browser=browser, is_new=is_new)


@app.command()
def fuzz(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game's name, from `cardhouse games`.")],
    minutes: Annotated[float, typer.Option(metavar="N", min=0.01, help="Minutes to search.")] = 1,
    evenings: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Sessions to play, instead of a time.", show_default=False)
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", min=0, show_default="random", help="Seed for moves and deals.")
    ] = None,
    output: Annotated[
        str,
        typer.Option("--output", "-o", metavar="FILE", show_default="GAME-fuzz.jsonl", help="The file for a failure."),
    ] = "",
    again: Annotated[str, typer.Option(metavar="FILE", help="Only replay this failure.", show_default=False)] = "",
) -> int:
    """Play random sessions of a game to find errors in it.

    Uses bots, the clock, undo, and second tables in step. A failure is shortened and written as a transcript; the exit
    status is then 1.

    cardhouse fuzz initiative --minutes 5
    cardhouse fuzz initiative --evenings 20 --seed 3
    """
    from cardhouse.cli import fuzzing

    if again:
        return fuzzing.look_again(game, again, seed or 0)
    return fuzzing.run_fuzz(game, minutes, seed, evenings, output)


print_app = typer.Typer(cls=Group)
app.add_typer(print_app, name="print")


@print_app.callback()
def print_() -> None:
    """Make a PDF of cards and character sheets.

    cardhouse print hackjack
    cardhouse print dogs
    cardhouse print deck dogs
    """


app.add_typer(lab_app, name="lab")
app.add_typer(tables_app, name="tables")
