"""What the people at a table are told: each only what its audience may know, each only what has changed."""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Raw

from cardhouse.engine import SCREEN, Entry, Table
from cardhouse.engine.delta import delta
from cardhouse.server import frames
from cardhouse.server.frames import encode

STORY = 40
"""So many entries of the story are told at once."""
STORY_CATCH_UP = 200
"""At most so many, to one who was away."""

Doc = dict[str, Any]


class Client:
    """Somebody at a table: a connection, the seat it sits in and what it was told last. `send` must not wait."""

    def __init__(self, send: Callable[[bytes], None]) -> None:
        self._send = send
        self.seat = ""
        self.token = ""
        """SHA-256 of the secret it came with, in hex."""
        self.audience = ""
        self.offers: list[dict[str, Any]] = []
        self.mine = False
        self.odds_wanted = False
        self.odds_told: bytes | None = None

    def say(self, frame: frames.FromServer) -> None:
        """Send a frame to it."""
        self._send(encode(frame))

    def say_bytes(self, frame: bytes) -> None:
        """Send a frame that is encoded already."""
        self._send(frame)

    def refuse(self, code: str, message: str, id: str | None = None, offers: Sequence[dict[str, Any]] = ()) -> None:
        """Say what was wrong."""
        self.say(frames.Error(code, message, id, list(offers)))


class Audiences:
    """The clients of one table, and the document that each audience has before it."""

    def __init__(self) -> None:
        self.clients: set[Client] = set()
        self._docs: dict[str, tuple[Doc, bytes]] = {}
        """By audience: the document, and the same as JSON."""

    def say(self, frame: frames.FromServer) -> None:
        """Send the same frame to all."""
        text = encode(frame)
        for client in self.clients:
            client.say_bytes(text)

    def join(self, client: Client, table: Table) -> Doc:
        """Count a client in from the present state, which is returned."""
        client.audience = table.game.audience(client.seat)
        if client.audience not in self._docs:
            doc = {"view": table.view(client.seat), "asks": table.asks()}
            self._docs[client.audience] = doc, encode(doc)
        client.offers = offers_of(table, client.seat)
        client.mine = table.may_take_back(client.seat)
        client.odds_told = None
        self.clients.add(client)
        return self._docs[client.audience][0]

    def leave(self, client: Client) -> None:
        """Count a client out."""
        self.clients.discard(client)

    def tell(
        self, table: Table, entries: Sequence[Entry], answerer: Client | None = None, ack: str | None = None
    ) -> None:
        """Tell all what has come of these entries, the last ones of the table; `ack` is for the one who answered."""
        changes = _Changes(table, entries, self._docs)
        offers: dict[str, list[dict[str, Any]]] = {}
        built: dict[tuple[Any, ...], bytes] = {}
        for client in self.clients:
            seat = client.seat
            audience = table.game.audience(seat)
            doc, story = changes.of(audience, seat, known=client.audience == audience)
            client.audience = audience
            if seat not in offers:
                offers[seat] = offers_of(table, seat)
            new_offers = None if offers[seat] == client.offers else offers[seat]
            client.offers = offers[seat]
            may = table.may_take_back(seat)
            mine = None if may == client.mine else may
            client.mine = may
            own_ack = ack if client is answerer else None
            key = (doc, story, id(new_offers), mine, own_ack)  # the same for most
            if key not in built:
                built[key] = encode(
                    frames.Change(
                        table.number,
                        own_ack,
                        None if doc is None else Raw(doc),
                        None if new_offers is None else Raw(encode(new_offers)),
                        mine,
                        Raw(story),
                    )
                )
            client.say_bytes(built[key])
        self._docs = changes.docs


class _Changes:
    """What a change is for each audience, worked out when it is first needed."""

    def __init__(self, table: Table, entries: Sequence[Entry], before: dict[str, tuple[Doc, bytes]]) -> None:
        self.docs: dict[str, tuple[Doc, bytes]] = {}
        self._table = table
        self._entries = entries
        self._before = before
        self._asks = table.asks()
        self._found: dict[str, tuple[bytes | None, bytes]] = {}
        self._deltas: dict[tuple[bytes, bytes], bytes | None] = {}

    def of(self, audience: str, seat: str, *, known: bool) -> tuple[bytes | None, bytes]:
        """The delta of the document, and the story; `known` says that the seat has the one before."""
        if audience not in self._found:
            doc = {"view": self._table.view(seat), "asks": self._asks}
            text = encode(doc)
            self.docs[audience] = doc, text
            story = encode([self._table.story(entry, seat) for entry in self._entries])
            self._found[audience] = self._delta(audience, doc, text), story
        change, story = self._found[audience]
        return change if known else b"[" + self.docs[audience][1] + b"]", story

    def _delta(self, audience: str, doc: Doc, text: bytes) -> bytes | None:
        if audience not in self._before:
            return b"[" + text + b"]"
        old_doc, old_text = self._before[audience]
        key = (old_text, text)  # audiences often see the same
        if key not in self._deltas:
            change = delta(old_doc, doc)
            self._deltas[key] = None if change is None else encode(change)
        return self._deltas[key]


def offers_of(table: Table, seat: str) -> list[dict[str, Any]]:
    """What a seat may answer now."""
    return [] if seat == SCREEN else table.offers(seat)


def story_before(table: Table, seat: str, before: int, most: int = STORY) -> tuple[list[dict[str, Any]], bool]:
    """The story of so many entries before one, as far as they are in memory, and whether there are earlier ones."""
    end = max(0, min(before - 1, table.number) - table.base)
    start = max(0, end - most)
    told = [table.story(entry, seat) for entry in table.entries[start:end]]
    return told, table.base + start > 0
