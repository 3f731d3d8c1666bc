"""Campaigns in SQL. These functions block; the server calls them from threads."""

import time
from typing import Any

from msgspec import Struct, structs
from sqlalchemy import func, insert, select, update

from cardhouse.engine import GM, SCREEN, CardhouseError
from cardhouse.server.persistence import schema
from cardhouse.server.persistence.records import DOOR_ROW
from cardhouse.server.persistence.repository import Store


class CampaignRecord(Struct, frozen=True):
    """A stored campaign. `token` is the SHA-256 of its link's secret, in hex; `encounters` is JSON."""

    id: str
    token: str
    name: str
    notes: str = ""
    encounters: str = "[]"

    def values(self) -> dict[str, Any]:
        """Return the campaign's row, created now."""
        return {**structs.asdict(self), "made_at": int(time.time())}


class EveningRecord(Struct, frozen=True):
    """A table of a campaign: its header, creation time (Unix seconds), number of entries, and players.

    `goes_on` means that no other table follows it. `faces` is JSON, as in `TableRecord`.
    """

    table: str
    header: str
    made_at: int
    entries: int
    people: list[str]
    goes_on: bool
    faces: str


def create(store: Store, table: str, campaign: CampaignRecord) -> bool:
    """Create a campaign that begins with this table; its link opens the game master's seat there.

    Returns False if the table already has a campaign.
    """
    tables, seats = schema.tables.c, schema.seats.c
    belongs = update(schema.tables).where(tables.id == table, tables.campaign == "")
    opens = update(schema.seats).where(seats.table_id == table, seats.seat == GM)
    with store.changing() as connection:
        connection.execute(opens.values(claimed=campaign.token))
        belonging = belongs.values(campaign=campaign.id, changed=tables.changed + 1)
        if connection.execute(belonging).rowcount == 0:
            connection.rollback()
            return False
        connection.execute(insert(schema.campaigns), campaign.values())
    return True


def campaign(store: Store, id: str) -> CampaignRecord | None:
    """Return a campaign, or None."""
    there = schema.campaigns.c
    with store.engine.connect() as connection:
        row = connection.execute(
            select(there.id, there.token, there.name, there.notes, there.encounters).where(there.id == id)
        ).one_or_none()
    return None if row is None else CampaignRecord(*row)


def set_notes(store: Store, id: str, name: str, notes: str) -> None:
    """Set a campaign's name and notes."""
    with store.changing() as connection:
        where = update(schema.campaigns).where(schema.campaigns.c.id == id)
        connection.execute(where.values(name=name, notes=notes))


def set_token(store: Store, id: str, old: str, new: str) -> list[str]:
    """Replace a campaign's link, which becomes invalid; return the campaign's tables.

    Raises CardhouseError if the link was replaced meanwhile.
    """
    campaigns, tables, seats = schema.campaigns.c, schema.tables.c, schema.seats.c
    with store.changing() as connection:
        found = connection.execute(select(tables.id).where(tables.campaign == id).order_by(tables.id)).scalars().all()
        opens = update(schema.seats).where(seats.table_id.in_(found), seats.seat == GM, seats.claimed == old)
        connection.execute(opens.values(claimed=new))
        own = update(schema.campaigns).where(campaigns.id == id, campaigns.token == old)
        if connection.execute(own.values(token=new)).rowcount == 0:
            connection.rollback()
            raise no_campaign()
        changed = update(schema.tables).where(tables.id.in_(found))
        connection.execute(changed.values(changed=tables.changed + 1))
    return list(found)


def set_encounters(store: Store, id: str, encounters: str) -> None:
    """Set the encounters, as JSON."""
    with store.changing() as connection:
        where = update(schema.campaigns).where(schema.campaigns.c.id == id)
        connection.execute(where.values(encounters=encounters))


def longest_header(store: Store, id: str) -> int:
    """Return the length in characters of the longest header among the campaign's tables."""
    tables = schema.tables.c
    with store.engine.connect() as connection:
        return connection.scalar(select(func.max(func.length(tables.header))).where(tables.campaign == id)) or 0


def last_evening(store: Store, id: str) -> EveningRecord:
    """Return the campaign's latest table.

    Raises CardhouseError if the campaign has been deleted.
    """
    found = evenings(store, id, 1)
    if not found:
        raise no_campaign()
    return found[0]


def evenings(store: Store, id: str, most: int | None = None) -> list[EveningRecord]:
    """Return the campaign's tables, the latest first; at most `most`."""
    tables, entries, seats = schema.tables.c, schema.entries.c, schema.seats.c
    number = select(func.coalesce(func.max(entries.number), 0)).where(entries.table_id == tables.id).scalar_subquery()
    query = (
        select(tables.id, tables.header, tables.made_at, number, tables.followed_by, tables.faces)
        .where(tables.campaign == id)
        .order_by((tables.followed_by == "").desc(), tables.made_at.desc())
        .limit(most)
    )
    who = (
        select(seats.table_id, seats.name)
        .join(schema.tables, tables.id == seats.table_id)
        .where(tables.campaign == id, seats.name != "", seats.seat.not_in((SCREEN, DOOR_ROW)))
        .order_by(seats.seat)
    )
    with store.engine.connect() as connection:
        rows = connection.execute(query).all()
        people: dict[str, list[str]] = {}
        for table, name in connection.execute(who):
            people.setdefault(table, []).append(name)
    return [EveningRecord(*row[:4], people.get(row.id, []), not row.followed_by, row.faces) for row in rows]


def no_campaign() -> CardhouseError:
    """Return the error for a link that opens no campaign."""
    return CardhouseError("This link opens no campaign on this server. Check that it is complete.", "old_link")


def restore(store: Store, campaign: CampaignRecord, tables: list[tuple[str, int]]) -> None:
    """Create a campaign of new tables, each with its start in Unix seconds, in order.

    The campaign's link opens the game master's seat at each, and each table leads to the next.
    """
    ids = ["", *(table for table, _ in tables), ""]
    with store.changing() as connection:
        connection.execute(insert(schema.campaigns), campaign.values())
        for place, (table, at) in enumerate(tables, start=1):
            where = update(schema.tables).where(schema.tables.c.id == table)
            chain = {"follows": ids[place - 1], "followed_by": ids[place + 1]}
            connection.execute(where.values(campaign=campaign.id, made_at=at, **chain))
            seats = schema.seats.c
            opens = update(schema.seats).where(seats.table_id == table, seats.seat == GM)
            connection.execute(opens.values(claimed=campaign.token))
