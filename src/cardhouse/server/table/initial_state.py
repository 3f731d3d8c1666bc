"""The first frame for a client that joins a table: facts, seats, document and log."""

from collections.abc import Collection

from msgspec import Raw

from cardhouse.engine import SCREEN
from cardhouse.server.core.static_cache import script_of_page
from cardhouse.server.persistence.records import TableRecord
from cardhouse.server.table.broadcaster import STORY, STORY_CATCH_UP, Broadcaster, Client, rounds_of, story_before
from cardhouse.server.table.cache import CachedTable
from cardhouse.server.wire import protocol


def about(cache: CachedTable, record: TableRecord) -> protocol.About:
    """Return the facts about a table, which must be loaded, that are independent of its game."""
    header = cache.header
    ended = cache.shown is not None and cache.shown.ended
    return protocol.About(
        record.id,
        header.name,
        header.game,
        header.options,
        header.decks,
        header.by_hand,
        record.odds,
        header.commitment,
        header.deal,
        ended,
        cache.read_only,
        None if ended else record.ends_at or None,
        record.door_mark,
        record.followed_by,
        record.follows,
        record.campaign,
        record.goes_at * 1000 or None,
        record.faces_chosen,
    )


def settings_of(record: TableRecord) -> protocol.Settings:
    """Return the changeable settings of a table, without names and links."""
    kept_until = record.goes_at * 1000 or None
    ends_at = record.ends_at or None
    return protocol.Settings(
        record.odds, ends_at, record.door_mark, record.followed_by, kept_until, record.faces_chosen
    )


def seated(cache: CachedTable, record: TableRecord, clients: Collection[Client]) -> list[protocol.Seated]:
    """Return the seats of a table, which must be loaded, in order, the screen last, with their players."""
    here = {client.seat for client in clients}
    order = [*(cache.header.seats if cache.shown is None else cache.shown.seats), SCREEN]
    known = {seat.seat: (seat.name, seat.bot) for seat in record.seats}
    return [
        protocol.Seated(seat, name, seat in here, bot) for seat in order for name, bot in (known.get(seat, ("", "")),)
    ]


def welcome(
    client: Client, since: int | None, cache: CachedTable, record: TableRecord, people: Broadcaster, now: int
) -> protocol.Table:
    """Return the full state for a client with a seat, and add it to the recipients of broadcasts.

    `since` is the last entry it has seen, None for a new client; `now` is the time in Unix milliseconds.
    """
    table = cache.table
    more, rounds = False, list[protocol.Drawn]()
    if table is None:
        people.clients.add(client)
        head = ""
        number, doc, story, more = cache.last_seen(client.seat)
    else:
        number, head = table.number, table.log_state(table.number).head
        doc = people.join(client, table)
        most = STORY if since is None else max(STORY, min(STORY_CATCH_UP, number - since))
        story, more = story_before(table, client.seat, number + 1, most)
        rounds = rounds_of(table.entries[-len(story) :] if story else [])
    return protocol.Table(
        number,
        now,
        client.seat,
        about(cache, record),
        seated(cache, record, people.clients),
        Raw(doc),
        Raw(client.offers),
        client.mine,
        story,
        more,
        head,
        script_of_page(),
        client.redo,
        rounds,
    )
