"""The commands `cardhouse tables`, for the one who keeps the tables."""

from typing import Annotated

import typer

from cardhouse.cli.brought import Group
from cardhouse.cli.options import Database, File, Json, Table, default_database

tables_app = typer.Typer(cls=Group)


@tables_app.callback()
def tables_() -> None:
    """List, export, import, back up or delete the tables a server keeps.

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
def import_(file: File, db: Database = "") -> None:
    """Make a new table that goes on where a transcript ends, and print the links to its seats.

    cardhouse tables import fight.jsonl
    """
    from cardhouse.cli import tables

    tables.import_file(db or default_database(), file)


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


@tables_app.command("backup")
def back_up(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The file to make.", show_default=False)],
    db: Database = "",
) -> None:
    """Copy everything into one file, while people play: tables, links, commitments, campaigns.

    The copy is checked when it is made. It can be restored into either kind of database.

    cardhouse tables backup friday.db
    cardhouse tables backup friday.db --db postgresql://cards@localhost/cards
    """
    from cardhouse.cli import tables

    tables.back_up(db or default_database(), file)


@tables_app.command()
def restore(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The backup.", show_default=False)],
    table: Annotated[str, typer.Option(metavar="TABLE", help="Only this table.", show_default=False)] = "",
    db: Database = "",
) -> None:
    """Take everything from a backup into an empty database, or one table into any.

    Links, seeds and commitments stay what they were: whoever has a link to a seat opens the same table with it.

    cardhouse tables restore friday.db --db postgresql://cards@localhost/cards
    cardhouse tables restore friday.db --table k3v9x2ab
    """
    from cardhouse.cli import tables

    tables.restore(db or default_database(), file, table)
