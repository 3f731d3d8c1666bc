"""The commands `cardhouse tables`, for the one who keeps the tables."""

from typing import Annotated

import typer

from cardhouse.cli.brought import Group
from cardhouse.cli.options import Database, File, Json, Table, default_database

Unverified = Annotated[bool, typer.Option("--unverified", help="Accept a backup that has no manifest.")]

tables_app = typer.Typer(cls=Group)


@tables_app.callback()
def tables_() -> None:
    """List, export, import, back up, end or delete the tables a server keeps, renew links, say something to all.

    A server that is running need not be stopped for it.

    cardhouse tables list
    cardhouse tables export k3v9x2ab > fight.jsonl
    cardhouse tables backup friday.db
    """


@tables_app.command("list")
def list_(db: Database = "", json: Json = False) -> None:
    """List the tables, the one last played at first.

    cardhouse tables list
    cardhouse tables list --db postgresql://cards@localhost/cards --json
    """
    from cardhouse.cli import tables

    tables.print_list(db or default_database(), json)


@tables_app.command()
def export(table: Table, db: Database = "") -> None:
    """Print a table's transcript: all that was ever done at it, hidden things included.

    cardhouse tables export k3v9x2ab > fight.jsonl
    """
    from cardhouse.cli import tables

    tables.export(db or default_database(), table)


@tables_app.command("import")
def import_(file: File, unverified: Unverified = False, db: Database = "") -> None:
    """Make a new table that goes on where a transcript ends, and print the links to its seats.

    Of a backup, take in every table that isn't here yet, with its links, commitment and campaign as they were.

    cardhouse tables import fight.jsonl
    cardhouse tables import friday.db
    """
    from cardhouse.cli import tables

    tables.import_file(db or default_database(), file, unverified=unverified)


@tables_app.command()
def delete(
    table: Table,
    yes: Annotated[bool, typer.Option("--yes", help="Don't ask whether you are sure.")] = False,
    db: Database = "",
) -> None:
    """Delete a table for good.

    cardhouse tables export k3v9x2ab > fight.jsonl
    cardhouse tables delete k3v9x2ab
    """
    from cardhouse.cli import tables

    tables.delete(db or default_database(), table, yes)


@tables_app.command()
def show(table: Table, db: Database = "", json: Json = False) -> None:
    """Show a table from outside: what is kept of it, its seats and who is there; nothing of what is hidden.

    cardhouse tables show k3v9x2ab
    """
    from cardhouse.cli import administering

    administering.show(db or default_database(), table, json)


@tables_app.command()
def renew(
    table: Table,
    seat: Annotated[str, typer.Argument(metavar="SEAT", help="gm, a player's, screen or door.", show_default=False)],
    db: Database = "",
) -> None:
    """Make a new link for a seat, the game master's too, and print it; the old one opens nothing any more.

    cardhouse tables renew k3v9x2ab gm
    """
    from cardhouse.cli import administering

    administering.renew(db or default_database(), table, seat)


@tables_app.command()
def end(table: Table, db: Database = "") -> None:
    """End a table at once: nothing can be played there any more, and its seed is told.

    cardhouse tables end k3v9x2ab
    """
    from cardhouse.cli import administering

    administering.end(db or default_database(), table)


@tables_app.command()
def say(
    message: Annotated[
        str | None, typer.Argument(metavar="TEXT", help="A line; an empty one takes it back.", show_default=False)
    ] = None,
    db: Database = "",
) -> None:
    """Say a line to all who are there and all who come, on every page, until it is taken back; or print what is said.

    cardhouse tables say "The house restarts at 22:00."
    cardhouse tables say ""
    """
    from cardhouse.cli import administering

    administering.say(db or default_database(), message)


@tables_app.command()
def page(
    address: Annotated[str, typer.Option(metavar="URL", help="Where people open the house.")] = "http://127.0.0.1:8137",
    db: Database = "",
) -> None:
    """Print the link to the page on which the house is administered, with the administrator's key in it.

    cardhouse tables page --address https://cards.example.org
    """
    from cardhouse.cli import administering

    administering.page(db or default_database(), address)


@tables_app.command("backup")
def back_up(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The file to make.", show_default=False)],
    db: Database = "",
) -> None:
    """Copy everything into one file, while people play: tables, links, commitments, campaigns.

    The copy is checked when it is made, and a manifest in it lets a restore find damage. It can be restored into either
    kind of database. It is as secret as the database; the server key and the admin key are not in it.

    cardhouse tables backup friday.db
    cardhouse tables backup friday.db --db postgresql://cards@localhost/cards
    """
    from cardhouse.cli import tables

    tables.back_up(db or default_database(), file)


@tables_app.command()
def restore(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The backup.", show_default=False)],
    table: Annotated[str, typer.Option(metavar="TABLE", help="Only this table.", show_default=False)] = "",
    unverified: Unverified = False,
    db: Database = "",
) -> None:
    """Take everything from a backup into an empty database, or one table into any.

    The backup is checked against its manifest first. If it is damaged, nothing is restored.

    Links, seeds and commitments stay what they were: whoever has a link to a seat opens the same table with it.

    cardhouse tables restore friday.db --db postgresql://cards@localhost/cards
    cardhouse tables restore friday.db --table k3v9x2ab
    """
    from cardhouse.cli import tables

    tables.restore(db or default_database(), file, table, unverified=unverified)
