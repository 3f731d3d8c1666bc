"""The commands, their options and what their help says; each imports what it works with only when it is run."""

import os
import sys
from collections.abc import Sequence
from typing import Annotated, Literal

import typer

from cardhouse import __version__
from cardhouse.cli.brought import Group
from cardhouse.cli.lab_app import lab_app
from cardhouse.cli.options import Database, File, Json, Seat, Seed, default_database
from cardhouse.cli.tables_app import tables_app

UNFAIR = 1
MISTAKEN = 2

app = typer.Typer(pretty_exceptions_enable=False, cls=Group)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status: 2 for what the user got wrong, 1 for a deal that was not fair."""
    try:
        status = app(args=arguments, prog_name="cardhouse", standalone_mode=False)
        sys.stdout.flush()
    except typer.TyperException as error:
        context = getattr(error, "ctx", None)
        command = context.command_path if context else "cardhouse"
        return complain(f"{error.format_message()} ({command} --help tells more.)", error.exit_code)
    except typer.Abort:
        return complain("Stopped; nothing was done.", 1)
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


@app.callback()
def cardhouse(
    _version: Annotated[
        bool, typer.Option("--version", callback=version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """A house for card-driven tabletop play: a table on the web, a rules engine, exact odds.

    Begin with cardhouse serve, and open the address it prints. Each command tells more: cardhouse serve --help.
    """


@app.command()
def serve(
    host: Annotated[
        str, typer.Option(metavar="HOST", help="Which address of this machine to listen on.")
    ] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option(
            metavar="PORT", min=0, max=65535, show_default="8137, or the next that is free", help="0 takes any."
        ),
    ] = None,
    lan: Annotated[bool, typer.Option("--lan", help="Let in the home network: phones, tablets, a television.")] = False,
    db: Database = "",
    redis: Annotated[
        str | None,
        typer.Option(
            metavar="URL", envvar="CARDHOUSE_REDIS", help="Where several servers share a database: redis://HOST."
        ),
    ] = None,
    address: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="The address people open, if it is another than this server's own; it may have a path. Other pages "
            "aren't let in.",
        ),
    ] = None,
    proxy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ADDRESS",
            help="A proxy (or a network of them, 10.0.0.0/24) that says for whom it asks: X-Forwarded-For and -Proto.",
        ),
    ] = None,
    connections: Annotated[
        int, typer.Option(metavar="N", min=1, help="How many connections one address may have.")
    ] = 100,
    tables: Annotated[
        Literal["open", "key", "none"],
        typer.Option(
            help="Who may make tables: anybody who gets in, whoever has the house's key (CARDHOUSE_KEY, or one that "
            "is made and printed as a link), or nobody over the web. Players never need a key."
        ),
    ] = "open",
    workers: Annotated[
        int,
        typer.Option(
            metavar="N",
            help="How many processes serve, as many as this machine has cores at most; each table is in one of them. "
            "Not on Windows.",
        ),
    ] = 1,
    log_json: Annotated[
        bool,
        typer.Option(
            "--log-json",
            envvar="CARDHOUSE_LOG_JSON",
            help="Write the log as lines of JSON, with no words of anybody's.",
        ),
    ] = False,
    metrics: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS:PORT",
            envvar="CARDHOUSE_METRICS",
            help="Tell Prometheus there what happens; with a port alone, on this machine only.",
        ),
    ] = None,
    keep: Annotated[
        str | None,
        typer.Option(
            metavar="SPAN",
            show_default="for ever",
            help="How long tables are kept that nobody opens or plays at: 365d, or 52w. Those hardly played at go "
            "sooner. It is told at the table two weeks before, and a tap there keeps it.",
        ),
    ] = None,
    most_tables: Annotated[
        int,
        typer.Option(metavar="N", min=0, show_default="any number", help="So many tables are kept, and no more made."),
    ] = 0,
    most_size: Annotated[
        str | None,
        typer.Option(metavar="SIZE", show_default="any", help="No more are made once they take so much: 500MB, 20GB."),
    ] = None,
    lab_ahead: Annotated[
        bool,
        typer.Option(
            envvar="CARDHOUSE_LAB_AHEAD",
            help="Compile the lab's kernels while nobody asks for anything: minutes of one core, once a machine.",
        ),
    ] = True,
) -> None:
    """Open the house: serve the page, and print the address to open.

    Only this machine gets in, unless --lan is given, which prints the address as a QR code too.

    cardhouse serve
    cardhouse serve --lan
    cardhouse serve --db postgresql://cards@localhost/cards --redis redis://localhost
    cardhouse serve --address https://cards.example.org --proxy 127.0.0.1 --tables key --keep 365d
    cardhouse serve --address https://example.org/cards --proxy 127.0.0.1 --tables key
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
        str | None, typer.Argument(metavar="URL", help="Where people open the house.", show_default=False)
    ] = None,
    db: Annotated[
        str | None,
        typer.Option("--db", metavar="URL", help="Where its tables are kept, to look at that too.", show_default=False),
    ] = None,
    json: Json = False,
) -> int:
    """Look at a running house as people come to it, and say what is wrong and what to do; nothing is changed.

    Its address, the proxy before it, a socket, certificate and clock; with --db the database, who can read its files,
    and the room on its disk. Exit status 1 if something is wrong.

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
    damage: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=1, max=1000, show_default="1", help="How hard the next hit is, where somebody can be hit."
        ),
    ] = None,
    trials: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            max=100_000,
            show_default="as many as take a second",
            help="How often what comes is played out, where odds are estimated so.",
        ),
    ] = None,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Print the odds at the end of a transcript, from what one seat may know: exact where they can be.

    In card initiative, for each character still to come: the chance that its card is the next; the chance that it
    acts (again) this round; and the mean number of turns before its own, if everybody who may choose acts at once.

    In Hackjack, for each character that is down: the chance that the next hit kills it, and that it makes exactly 21,
    if it prevents blood loss and if it doesn't. --json tells of every death-score that may come of it, too.

    In Dogs Play Cards, Too, each side's chance to win the conflict under way, if everybody plays on as the bold bot
    would: by simulation, with the standard error.

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
        str, typer.Option(metavar="HEX", help="What your page showed under Fair deal.", show_default=False)
    ] = "",
    witness: Annotated[
        str, typer.Option(metavar="FILE", help="What your page saved under Fair deal.", show_default=False)
    ] = "",
) -> None:
    """Check that a table's cards were dealt fairly.

    Deals every card and die again from the seed that the table told at its end, with no connection to anything.
    Cards and rolls that people named are theirs to vouch for. Exit status 1 if something was not dealt fairly.

    Whoever writes a transcript writes its commitment as well: name the one that you were shown, or give the witness
    that your page kept, which knows the whole log as you were told it.

    cardhouse verify fight.jsonl
    cardhouse verify fight.jsonl --witness witness.json
    """
    from cardhouse.cli import transcripts

    transcripts.verify(file, commitment, witness)


@app.command()
def roster(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A transcript; - for standard input.", show_default=False)
    ] = "",
    table: Annotated[
        str,
        typer.Option(
            metavar="TABLE", help="In place of a file: a table's id, as tables list shows it.", show_default=False
        ),
    ] = "",
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="Where to write it; - for standard output.")
    ] = "-",
    seed: Seed = 0,
    db: Database = "",
) -> None:
    """Write the roster of a table: its characters as they are at its end, to be brought to another table.

    cardhouse roster fight.jsonl -o posse.json
    cardhouse roster --table k3v9x2ab -o posse.json
    """
    from cardhouse.cli import roster

    roster.write(file, table, output, seed, db or default_database())


@app.command()
def games() -> None:
    """List the games that are installed.

    Any package can bring more; CONTRIBUTING.md shows how to write one.

    cardhouse games
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


@app.command()
def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help='Of the game and its package, like "red_dog".')],
    folder: Annotated[str, typer.Option(metavar="FOLDER", show_default="NAME", help="Where to write it.")] = "",
) -> None:
    """Begin a game of your own: write a small package that works at once, and say what to do next.

    cardhouse new red_dog
    """
    from cardhouse.cli.beginning import begin_game

    begin_game(name, folder)


@app.command()
def dev(
    folder: Annotated[str, typer.Argument(metavar="FOLDER", help="Of the package, where its pyproject.toml is.")] = ".",
    port: Annotated[
        int | None,
        typer.Option(
            metavar="PORT", min=0, max=65535, show_default="8137, or the next that is free", help="0 takes any."
        ),
    ] = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the table in the browser.")] = True,
    anew: Annotated[bool, typer.Option("--new", help="Make a new table, in place of the one of last time.")] = False,
) -> None:
    """Play the game that you are writing, at a table with bots; what you change in its folder is there at once.

    Its rules, words and page are loaded anew whenever a file is saved, and the table goes on from where it was. It need
    not be installed.

    cardhouse dev red_dog
    """
    from cardhouse.cli.developing import develop

    develop(folder, port, browser=browser, anew=anew)


@app.command()
def fuzz(
    game: Annotated[str, typer.Argument(metavar="GAME", help="Its name, as cardhouse games lists it.")],
    minutes: Annotated[float, typer.Option(metavar="N", min=0.01, help="For how long.")] = 1,
    evenings: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="How many, in place of for how long.", show_default=False)
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", min=0, show_default="another each time", help="What is played and dealt.")
    ] = None,
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", show_default="GAME-fuzz.jsonl", help="Where to write it.")
    ] = "",
    again: Annotated[
        str, typer.Option(metavar="FILE", help="Only see whether what was found is still there.", show_default=False)
    ] = "",
) -> int:
    """Play random evenings of a game until something is wrong with it, for its author.

    With bots, the clock, undos, and second tables in lockstep. What is found is made short and written to a file, as a
    transcript; exit status 1.

    cardhouse fuzz initiative --minutes 5
    cardhouse fuzz initiative --evenings 20 --seed 3
    """
    from cardhouse.cli import fuzzing

    if again:
        return fuzzing.look_again(game, again, seed or 0)
    return fuzzing.look_for_trouble(game, minutes, seed, evenings, output)


print_app = typer.Typer(cls=Group)
app.add_typer(print_app, name="print")


@print_app.callback()
def print_() -> None:
    """Print cards to cut out and sheets to write on, as a PDF.

    cardhouse print hackjack
    cardhouse print dogs
    cardhouse print deck dogs
    """


app.add_typer(lab_app, name="lab")
app.add_typer(tables_app, name="tables")
