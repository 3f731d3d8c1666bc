"""Frames to a table's clients: to each only what its audience may see, and only what has changed."""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Raw

from cardhouse.engine import GM, SCREEN, Entry, Refused, Table
from cardhouse.engine.chance.shared_randomness import LINKS
from cardhouse.engine.table.visibility import doc_of
from cardhouse.engine.values.delta import delta
from cardhouse.engine.values.errors import Code
from cardhouse.server.wire import protocol
from cardhouse.server.wire.frames import Outgoing
from cardhouse.server.wire.protocol import encode

STORY = 40
"""Log entries sent at once."""
STORY_CATCH_UP = 200
"""The most entries sent to a client that reconnects."""
_NONE = b"[]"


class Client:
    """A client at a table: its connection, its seat, and what it was last sent. `send` must not block."""

    def __init__(self, send: Callable[[Outgoing], None]) -> None:
        self._send = send
        self.seat = ""
        self.token = ""
        """SHA-256 of the secret it joined with, in hex."""
        self.next_token = ""
        """SHA-256 of the new link's secret that it has requested for itself."""
        self.audience = ""
        self.offers = _NONE
        """The last sent offers, as JSON."""
        self.mine = False
        self.redo = 0
        self.odds_wanted = False
        self.odds_told: bytes | None = None
        self.seats: list[protocol.Seated] = []
        """The seat list as last sent."""

    def send(self, frame: protocol.FromServer) -> None:
        """Send a frame to this client."""
        self._send(Outgoing(encode(frame)))

    def send_encoded(self, frame: Outgoing) -> None:
        """Send a frame that is shared with other clients."""
        self._send(frame)

    def refuse(self, code: Code, message: str, id: str | None = None) -> None:
        """Send an error."""
        self.send(protocol.Error(code, message, id))

    def refuse_answer(self, refused: Refused, id: str) -> None:
        """Send the refusal of an answer, with the current offers."""
        problem = None if refused.problem == refused.message else refused.problem
        self.send(
            protocol.Error(refused.code, refused.message, id, refused.offers, problem, refused.field, refused.fault)
        )


class Broadcaster:
    """The clients of one table, and the current document of each audience, as JSON.

    Stored as text, because that takes a fraction of the memory of objects, in one piece.
    """

    def __init__(self) -> None:
        self.clients: set[Client] = set()
        self._docs: dict[str, bytes] = {}

    def send_to_all(self, frame: protocol.FromServer) -> None:
        """Send the same frame to all clients."""
        encoded = Outgoing(encode(frame))
        for client in list(self.clients):  # a copy: sending may disconnect a client that is too far behind
            client.send_encoded(encoded)

    def join(self, client: Client, table: Table) -> bytes:
        """Add a client at the present state; return its initial document."""
        client.audience = table.game.audience(client.seat)
        if client.audience not in self._docs:
            self._docs[client.audience] = table.doc(client.seat)
        client.offers = offers_of(table, client.seat)
        client.mine = table.may_take_back(client.seat)
        client.redo = table.moves_to_redo(client.seat)
        client.odds_told = None
        self.clients.add(client)
        return self._docs[client.audience]

    def leave(self, client: Client) -> None:
        """Remove a client."""
        self.clients.discard(client)

    def tell(
        self, table: Table, entries: Sequence[Entry], answerer: Client | None = None, ack: str | None = None
    ) -> None:
        """Broadcast these entries, which are the table's last; `ack` is the answer id for `answerer`."""
        news = _News(table, entries, self._docs)
        head, rounds = table.log_state(table.number).head, rounds_of(entries)
        built: dict[tuple[Any, ...], Outgoing] = {}
        for client in list(self.clients):  # a copy: sending may disconnect a client that is too far behind
            audience = table.game.audience(client.seat)
            doc = news.doc(audience, client.seat, known=client.audience == audience)
            story = news.story(audience, client.seat)
            offers = news.offers(client.seat)
            new_offers = None if offers == client.offers else offers
            mine = client.seat == news.may_take_back
            new_mine = None if mine == client.mine else mine
            redo = table.moves_to_redo(client.seat)
            new_redo = None if redo == client.redo else redo
            own_ack = ack if client is answerer else None
            client.audience, client.offers, client.mine, client.redo = audience, offers, mine, redo
            key = (doc, story, new_offers, new_mine, new_redo, own_ack)  # the same for most clients
            if key not in built:
                change = protocol.Change(
                    table.number,
                    head,
                    rounds,
                    own_ack,
                    None if doc is None else Raw(doc),
                    None if new_offers is None else Raw(new_offers),
                    new_mine,
                    Raw(story),
                    new_redo,
                )
                built[key] = Outgoing(encode(change))
            client.send_encoded(built[key])
        self._docs = news.docs


class _News:
    """The effects of some entries for each audience and seat, computed on first use."""

    def __init__(self, table: Table, entries: Sequence[Entry], before: dict[str, bytes]) -> None:
        self.docs: dict[str, bytes] = {}
        self.may_take_back = table.who_may_take_back()
        self._table = table
        self._entries = entries
        self._before = before
        self._asks = table.asks()
        self._deltas: dict[str, bytes | None] = {}
        self._stories: dict[tuple[str, str], bytes] = {}
        self._offers: dict[str, bytes] = {}
        self._named = {name for entry in entries for event in entry.events for name in (*event.to, *event.but)}

    def doc(self, audience: str, seat: str, *, known: bool) -> bytes | None:
        """Return the document's delta, or all of it if the client doesn't have the previous one (`known`)."""
        if audience not in self.docs:
            self.docs[audience] = doc_of(self._table.game, seat, self._asks)
            self._deltas[audience] = self._delta(audience)
        return self._deltas[audience] if known else _replace_all(self.docs[audience])

    def _delta(self, audience: str) -> bytes | None:
        before, after = self._before.get(audience), self.docs[audience]
        if before is None:
            return _replace_all(after)
        for other in self._deltas:  # audiences often see the same
            if before == self._before.get(other) and after == self.docs[other]:
                return self._deltas[other]
        change = delta(before, after)
        return None if change is None else bytes(change)

    def story(self, audience: str, seat: str) -> bytes:
        """Return the entries' log lines, which are equal for all seats of an audience unless an event names a seat."""
        key = audience if self._named else "", seat if seat in self._named else ""
        if key not in self._stories:
            self._stories[key] = encode([self._table.story(entry, seat) for entry in self._entries])
        return self._stories[key]

    def offers(self, seat: str) -> bytes:
        """Return a seat's current offers, as JSON."""
        stands_in = seat == GM and self._asks["kind"] == "draw"  # for an empty seat
        if seat not in self._asks["seats"] and not stands_in:
            return _NONE
        if seat not in self._offers:
            self._offers[seat] = offers_of(self._table, seat)
        return self._offers[seat]


def _replace_all(doc: bytes) -> bytes:
    """Return the delta that replaces the whole document."""
    return b"[%b]" % doc


def offers_of(table: Table, seat: str) -> bytes:
    """Return a seat's current offers, as JSON."""
    return _NONE if seat == SCREEN else encode(table.offers(seat))


def rounds_of(entries: Sequence[Entry]) -> list[protocol.Drawn]:
    """Return the rounds of links logged with these entries."""
    return [
        protocol.Drawn(entry.number, line["round"], line[LINKS], line.get("fixed", ""), line.get("withheld", {}))
        for entry in entries
        for line in entry.lines[1:]
        if LINKS in line
    ]


def story_before(table: Table, seat: str, before: int, most: int = STORY) -> tuple[list[dict[str, Any]], bool]:
    """Return up to `most` log entries before one, as far as they are in memory, and whether there are earlier ones."""
    end = max(0, min(before - 1, table.number) - table.base)
    start = max(0, end - most)
    events = [table.story(entry, seat) for entry in table.entries[start:end]]
    return events, table.base + start > 0
