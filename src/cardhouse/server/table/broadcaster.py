"""What the people at a table are told: each only what its audience may know, each only what has changed."""

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
"""So many entries of the story are told at once."""
STORY_CATCH_UP = 200
"""At most so many, to one who was away."""
_NONE = b"[]"


class Client:
    """Somebody at a table: a connection, the seat it sits in and what it was told last. `send` must not wait."""

    def __init__(self, send: Callable[[Outgoing], None]) -> None:
        self._send = send
        self.seat = ""
        self.token = ""
        """SHA-256 of the secret it came with, in hex."""
        self.next_token = ""
        """The same of the new link that it has asked for itself."""
        self.audience = ""
        self.offers = _NONE
        """As JSON."""
        self.mine = False
        self.redo = 0
        self.odds_wanted = False
        self.odds_told: bytes | None = None
        self.seats: list[protocol.Seated] = []
        """Who is there, as it was told last."""

    def say(self, frame: protocol.FromServer) -> None:
        """Send a frame to it."""
        self._send(Outgoing(encode(frame)))

    def send(self, frame: Outgoing) -> None:
        """Send a frame that others are sent, too."""
        self._send(frame)

    def refuse(self, code: Code, message: str, id: str | None = None) -> None:
        """Say what was wrong."""
        self.say(protocol.Error(code, message, id))

    def refuse_answer(self, refused: Refused, id: str) -> None:
        """Say what was wrong with an answer, and what is offered instead."""
        problem = None if refused.problem == refused.message else refused.problem
        self.say(
            protocol.Error(refused.code, refused.message, id, refused.offers, problem, refused.field, refused.fault)
        )


class Broadcaster:
    """The clients of one table, and the document that each audience has before it, as JSON.

    Texts of it take a fraction of the memory that its objects would, and lie in it together.
    """

    def __init__(self) -> None:
        self.clients: set[Client] = set()
        self._docs: dict[str, bytes] = {}

    def say(self, frame: protocol.FromServer) -> None:
        """Send the same frame to all."""
        told = Outgoing(encode(frame))
        for client in list(self.clients):  # one that is too far behind leaves over it
            client.send(told)

    def join(self, client: Client, table: Table) -> bytes:
        """Count a client in from the present state; the document it begins with."""
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
        """Count a client out."""
        self.clients.discard(client)

    def tell(
        self, table: Table, entries: Sequence[Entry], answerer: Client | None = None, ack: str | None = None
    ) -> None:
        """Tell all what has come of these entries, the last ones of the table; `ack` is for the one who answered."""
        news = _News(table, entries, self._docs)
        head, rounds = table.log_state(table.number).head, rounds_of(entries)
        built: dict[tuple[Any, ...], Outgoing] = {}
        for client in list(self.clients):  # one that is too far behind leaves over it
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
            key = (doc, story, new_offers, new_mine, new_redo, own_ack)  # the same for most
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
            client.send(built[key])
        self._docs = news.docs


class _News:
    """What has come of some entries, for each audience and seat, worked out when it is first needed."""

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
        """The delta of the document; `known` says that the client has the one before."""
        if audience not in self.docs:
            self.docs[audience] = doc_of(self._table.game, seat, self._asks)
            self._deltas[audience] = self._delta(audience)
        return self._deltas[audience] if known else _whole(self.docs[audience])

    def _delta(self, audience: str) -> bytes | None:
        before, after = self._before.get(audience), self.docs[audience]
        if before is None:
            return _whole(after)
        for other in self._deltas:  # audiences often see the same
            if before == self._before.get(other) and after == self.docs[other]:
                return self._deltas[other]
        change = delta(before, after)
        return None if change is None else bytes(change)

    def story(self, audience: str, seat: str) -> bytes:
        """What the entries meant: the same for all, or all of an audience, but for a seat that an event names."""
        key = audience if self._named else "", seat if seat in self._named else ""
        if key not in self._stories:
            self._stories[key] = encode([self._table.story(entry, seat) for entry in self._entries])
        return self._stories[key]

    def offers(self, seat: str) -> bytes:
        """What a seat may answer now, as JSON."""
        stands_in = seat == GM and self._asks["kind"] == "draw"  # for an empty seat
        if seat not in self._asks["seats"] and not stands_in:
            return _NONE
        if seat not in self._offers:
            self._offers[seat] = offers_of(self._table, seat)
        return self._offers[seat]


def _whole(doc: bytes) -> bytes:
    """The delta that tells all of a document."""
    return b"[%b]" % doc


def offers_of(table: Table, seat: str) -> bytes:
    """What a seat may answer now, as JSON."""
    return _NONE if seat == SCREEN else encode(table.offers(seat))


def rounds_of(entries: Sequence[Entry]) -> list[protocol.Drawn]:
    """The rounds of links that stand with these entries."""
    return [protocol.Drawn(entry.number, **line) for entry in entries for line in entry.lines[1:] if LINKS in line]


def story_before(table: Table, seat: str, before: int, most: int = STORY) -> tuple[list[dict[str, Any]], bool]:
    """The story of so many entries before one, as far as they are in memory, and whether there are earlier ones."""
    end = max(0, min(before - 1, table.number) - table.base)
    start = max(0, end - most)
    told = [table.story(entry, seat) for entry in table.entries[start:end]]
    return told, table.base + start > 0
