"""The commands `cardhouse tables`, for the administrator."""

from typing import Annotated

import typer

from cardhouse.cli.options import Database, Json, Table, default_database
from cardhouse.cli.plugins import Group

Unverified = Annotated[bool, typer.Option("--unverified", help="Accept a backup without a manifest.")]

tables_app = typer.Typer(cls=Group)


@tables_app.callback()
def tables_() -> None:
    """Manage a server's tables: list, export, back up, delete.

    The server can keep running.

    cardhouse tables list
    cardhouse tables export k3v9x2ab > fight.jsonl
    cardhouse tables backup friday.db
    """


@tables_app.command("list")
def list_(db: Database = "", json: Json = False) -> None:
    """List the tables, most recently used first.

    cardhouse tables list
    cardhouse tables list --json
    cardhouse tables list --db postgresql://cards@localhost/cards
    """
    from cardhouse.cli import tables

    tables.print_list(db or default_database(), json)


@tables_app.command()
def export(table: Table, db: Database = "") -> None:
    """Print a table's transcript, including hidden cards.

    cardhouse tables export k3v9x2ab > fight.jsonl
    """
    from cardhouse.cli import tables

    tables.export(db or default_database(), table)


@tables_app.command("import")
def import_(
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="A transcript, - for standard input, or a backup.", show_default=False),
    ],
    unverified: Unverified = False,
    db: Database = "",
) -> None:
    """Import a transcript as a new table, or add a backup's tables.

    A transcript continues at a new table, whose links are printed. A backup adds every table that this server doesn't
    have, with its links, commitment and campaign.

    cardhouse tables import fight.jsonl
    cardhouse tables import friday.db
    """
    from cardhouse.cli import tables

    tables.import_file(db or default_database(), file, unverified=unverified)


@tables_app.command()
def delete(
    table: Table,
    yes: Annotated[bool, typer.Option("--yes", help="Don't ask for confirmation.")] = False,
    db: Database = "",
) -> None:
    """Delete a table permanently.

    cardhouse tables export k3v9x2ab > fight.jsonl
    cardhouse tables delete k3v9x2ab
    """
    from cardhouse.cli import tables

    tables.delete(db or default_database(), table, yes)


@tables_app.command()
def show(table: Table, db: Database = "", json: Json = False) -> None:
    """Show a table's seats, players and size, but no cards.

    cardhouse tables show k3v9x2ab
    """
    from cardhouse.cli import administering

    administering.show(db or default_database(), table, json)


@tables_app.command()
def renew(
    table: Table,
    seat: Annotated[
        str, typer.Argument(metavar="SEAT", help="gm, a player's seat, screen or door.", show_default=False)
    ],
    db: Database = "",
) -> None:
    """Replace a seat's link and print the new one.

    The old link stops working.

    cardhouse tables renew k3v9x2ab gm
    """
    from cardhouse.cli import administering

    administering.renew(db or default_database(), table, seat)


@tables_app.command()
def end(table: Table, db: Database = "") -> None:
    """End a table at once and publish its seed.

    cardhouse tables end k3v9x2ab
    """
    from cardhouse.cli import administering

    administering.end(db or default_database(), table)


@tables_app.command()
def say(
    message: Annotated[
        str | None, typer.Argument(metavar="TEXT", help="The notice; an empty text removes it.", show_default=False)
    ] = None,
    db: Database = "",
) -> None:
    """Show a server notice on every page.

    It stays until you remove it. Without a text, print the present notice.

    cardhouse tables say "The server restarts at 22:00."
    cardhouse tables say ""
    """
    from cardhouse.cli import administering

    administering.say(db or default_database(), message)


@tables_app.command()
def page(
    address: Annotated[
        str, typer.Option(metavar="URL", help="The address that people open.")
    ] = "http://127.0.0.1:8137",
    db: Database = "",
) -> None:
    """Print the admin link.

    Keep it private: it gives control of every table.

    cardhouse tables page --address https://cards.example.org
    """
    from cardhouse.cli import administering

    administering.page(db or default_database(), address)


@tables_app.command("backup")
def back_up(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The file to write.", show_default=False)],
    db: Database = "",
) -> None:
    """Copy everything into one file while people play.

    The copy has all tables, links, commitments and campaigns, but not the server key and the admin key. It is checked,
    and has a manifest against damage. It can be restored into either kind of database. Keep it as secret as the
    database.

    cardhouse tables backup friday.db
    cardhouse tables backup friday.db --db postgresql://cards@localhost/cards
    """
    from cardhouse.cli import tables

    tables.back_up(db or default_database(), file)


@tables_app.command()
def restore(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The backup file.", show_default=False)],
    table: Annotated[str, typer.Option(metavar="TABLE", help="Only this table.", show_default=False)] = "",
    unverified: Unverified = False,
    db: Database = "",
) -> None:
    """Restore a backup into an empty database, or one of its tables.

    The manifest is checked first; from a damaged backup, nothing is restored. Links, seeds and commitments stay valid.

    cardhouse tables restore friday.db --db postgresql://cards@localhost/cards
    cardhouse tables restore friday.db --table k3v9x2ab
    """
    from cardhouse.cli import tables

    tables.restore(db or default_database(), file, table, unverified=unverified)
