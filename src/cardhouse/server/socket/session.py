"""A WebSocket session: reads frames, within limits, and executes them."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from random import uniform
from typing import Any

import msgspec

from cardhouse.engine import CardhouseError
from cardhouse.engine.values.errors import Code
from cardhouse.server.access.rate_limits import TokenBucket
from cardhouse.server.core.log_limits import PrivateText
from cardhouse.server.core.shutdown import LEAVE
from cardhouse.server.management.table_manager import TableManager
from cardhouse.server.persistence.group_commit import NotSaved
from cardhouse.server.process.handoff import WrongWorker
from cardhouse.server.table.actor import OpenTable
from cardhouse.server.table.broadcaster import Client
from cardhouse.server.wire import protocol
from cardhouse.server.wire.frames import Outgoing
from cardhouse.server.wire.protocol import FRAME_BYTES

WRONG_LINKS = 20
UNREAD_FRAMES = 50
"""Consecutive frames that are invalid, too large or too frequent, after which the connection is closed."""
EARLY_FRAMES = 16
"""Frames that may arrive while a client is joining, which takes long for a long table or a slow database."""
BACKLOG_BYTES = 4_000_000
VISITOR_WAITS = 0.5, 1.5
"""Range of the delay in seconds before a socket is read again, when its visitor is over a limit for all sockets.

The delay is random, so that a hundred sockets refused together don't return together.
"""
RETRY_SECONDS = 0.5
BEHIND_AT_MOST = 60
"""Frames of a client that may wait while devices are asked for a draw."""

POLICY, RESTARTS, TOO_SLOW = 1008, 1012, 1013
log = logging.getLogger("cardhouse.server")

_MAY_DRAW = (protocol.Answer, protocol.LetBot, protocol.Device)
_PLAYS = (protocol.Ping, protocol.Link, *_MAY_DRAW)
"""Frames needed for play. All others count against the visitor's limit, over all sockets."""

Message = dict[str, Any]


class Session:
    """An accepted connection, until it is closed."""

    def __init__(
        self,
        manager: TableManager,
        receive: Callable[[], Awaitable[Any]],
        send: Callable[[Any], Awaitable[None]],
        allowance: TokenBucket,
        patience: float,
        charge: Callable[[str], bool] = lambda kind: True,
        write: Callable[[Outgoing], bool] = lambda frame: False,
        hand_over: Callable[[int, bytes, int], None] | None = None,
    ) -> None:
        """`write` sends a frame at once, or returns False; then `send` is used, which may have to wait.

        `hand_over` passes the connection to another process, like `SocketProtocol.leave_for`.
        """
        self.manager = manager
        self.client = Client(self._queue)
        self.table: OpenTable | None = None
        self._receive = receive
        self._send = send
        self._allowance = allowance
        self._patience = patience
        self._charge = charge
        self._write = write
        self._hand_over = hand_over
        self._out: list[Outgoing] = []  # an empty list is the smallest queue
        self._waiting_bytes = 0
        self._sending: asyncio.Task[None] | None = None
        self._is_closed = False
        self._close_code: int | None = None
        self._close_reason = ""
        self._early: list[Message] = []
        self._receiving: asyncio.Future[Message] | None = None
        self._patience_timer: asyncio.TimerHandle | None = None
        self._wrong_links = 0
        self._unread_frames = 0
        self._background: list[protocol.Frame | None] = []
        self._working: asyncio.Task[None] | None = None

    async def run(self) -> None:
        """Serve until the client leaves."""
        self._start_join_timer()
        try:
            await self._read_messages()
            if self._sending is not None and self._close_code is not None:
                await asyncio.wait({self._sending})
        finally:
            self._stop_patience()
            if self._receiving is not None:
                self._receiving.cancel()
            self._background.clear()
            self._leave_seat()
            self._is_closed = True
            if self._sending is not None:
                self._sending.cancel()

    # Sending: play never waits for it.

    def _queue(self, frame: Outgoing) -> None:
        if self._close_code is not None or (not self._out and self._write(frame)):
            return
        self._out.append(frame)
        self._waiting_bytes += len(frame.content)
        if self._waiting_bytes > BACKLOG_BYTES:  # the client can reconnect and catch up
            self._out.clear()
            self._close(TOO_SLOW)
            self._leave_seat()
        self._wake()

    def _close(self, code: int) -> None:
        self._close_code = code
        self._wake()

    def _wake(self) -> None:
        if self._sending is None and not self._is_closed:
            self._sending = asyncio.get_running_loop().create_task(self._send_all())

    async def _send_all(self) -> None:
        """Send the frames that couldn't be written at once, then close if requested; most sockets never need this."""
        send = self._send
        try:
            while self._out:
                frame = self._out[0]  # kept in the queue until sent, so that no other frame is written before it
                await send({"type": "websocket.send", "text": frame.content.decode()})
                self._on_sent(frame)
            if self._close_code is not None:
                self._is_closed = True
                self._leave_seat()
                await send({"type": "websocket.close", "code": self._close_code, "reason": self._close_reason})
        except OSError:
            pass  # disconnected; the reading side notices too
        finally:
            self._sending = None

    def _on_sent(self, frame: Outgoing) -> None:
        if self._out and self._out[0] is frame:  # otherwise the queue was dropped
            self._out.pop(0)
            self._waiting_bytes -= len(frame.content)

    # Reading.

    async def _read_messages(self) -> None:
        """Read until the client leaves or is closed; its further frames aren't even taken off the wire."""
        while self._close_code is None and (message := await self._next_message())["type"] != "websocket.disconnect":
            if LEAVE in message:
                self._leave(message[LEAVE])
            elif self._close_code is None:
                await self._read(message)

    def _leave(self, within: int) -> None:
        """Close for a server restart, after everything received before has been handled."""
        self._close_reason = str(within)
        if self.table is not None and self.table.deals_together:
            self._run_in_background(None)
        else:
            self._close(RESTARTS)

    async def _next_message(self) -> Message:
        """Return the next message, which may have arrived while the client was joining."""
        if self._early:
            return self._early.pop(0)
        hearing, self._receiving = self._receiving, None
        return await (hearing or self._receive())

    async def _read(self, message: Message) -> None:
        text = message.get("text")
        size = len(message.get("bytes") or b"") if text is None else len(text.encode())
        paid = self._allowance.take(1 + size // (FRAME_BYTES + 1))
        if not paid or not (self.table or self._charge("unseated")):
            self._refuse_unread(
                "too_many",
                f"Too many frames at once: the limit is {self._allowance.rate:g} a second in the long run.",
                None if text is None or size > FRAME_BYTES else _id_of(protocol.outline(text)),
            )
            # Backpressure: further frames stay with the client, for longer if a limit for all its sockets was exceeded.
            await asyncio.sleep(_visitor_waits() if paid else 1 / self._allowance.rate)
        elif text is None:
            self._refuse_unread("malformed", "Frames are text (JSON), not binary.")
        elif size > FRAME_BYTES:
            self._refuse_unread("too_large", f"A frame has {FRAME_BYTES} bytes at most.")
        else:
            await self._read_text(text)

    async def _read_text(self, text: str) -> None:
        try:
            frame = protocol.decode(text)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            self._refuse_undecoded(text, error)
            return
        if self.table is not None and not isinstance(frame, _PLAYS) and not self._charge("asked"):
            self._refuse_unread("too_many", "Too many requests at once. Try again in a moment.")
            await asyncio.sleep(_visitor_waits())
            return
        self._unread_frames = 0
        if self.table is not None and self.table.deals_together and isinstance(frame, _MAY_DRAW):
            self._run_in_background(frame)
        else:
            await self._execute(frame)

    def _run_in_background(self, frame: protocol.Frame | None) -> None:
        """Queue a frame, and keep reading: its draw may need a link from this same client's device.

        None in place of a frame closes the session once no draw needs such a link any more.
        """
        if len(self._background) >= BEHIND_AT_MOST:
            self.client.refuse("too_many", "That is too much at once.", getattr(frame, "id", None))
            return
        self._background.append(frame)
        if self._working is None or self._working.done():
            self._working = asyncio.get_running_loop().create_task(self._run_background())

    async def _run_background(self) -> None:
        while self._background:
            frame = self._background.pop(0)
            if frame is not None:
                await self._execute(frame)
            else:
                if self.table is not None:
                    await self.table.wait_until_idle()
                self._close(RESTARTS)

    async def _execute(self, frame: protocol.Frame) -> None:
        try:
            await self._dispatch(frame)
        except CardhouseError as error:
            self._count_refusal(frame, error.code)
            self.client.refuse(error.code, error.message, getattr(frame, "id", None))
        except Exception as error:  # noqa: BLE001 (reported to the client)
            self.client.refuse("malformed", self._error_message(error), getattr(frame, "id", None))

    def _count_refusal(self, frame: protocol.Frame, code: Code) -> None:
        """Count a refusal, except of an answer, which its table counts."""
        if self.table is None or not isinstance(frame, protocol.Answer):
            self.manager.counting.refused(code)

    def _error_message(self, error: Exception) -> str:
        """Return the message for an internal error, or for one in the author's game."""
        if self.manager.author is not None:
            return self.manager.author.stumbles(error)
        log.error("Internal error in a frame", exc_info=error)
        return "Something went wrong on our side; nothing has changed. The server's log has more."

    def _refuse_unread(self, code: Code, message: str, id: str | None = None) -> None:
        self.client.refuse(code, message, id)
        self.manager.counting.refused(code)
        self._unread_frames += 1
        if self._unread_frames >= UNREAD_FRAMES:
            self._close(POLICY)

    def _refuse_undecoded(self, text: str, error: Exception) -> None:
        outline = protocol.outline(text)
        if isinstance(error, RecursionError):
            self._refuse_unread("malformed", "The frame is nested too deeply.")
        elif isinstance(error, msgspec.ValidationError) and outline.t is not None and outline.t not in protocol.WORDS:
            words = ", ".join(protocol.WORDS)
            self._refuse_unread("unknown_frame", f"There is no such frame; there are {words}.", _id_of(outline))
        else:
            self._refuse_unread("malformed", f"The frame can't be read: {error}.", _id_of(outline))

    async def _dispatch(self, frame: protocol.Frame) -> None:
        if isinstance(frame, protocol.Ping):
            self.client.send(protocol.Pong(int(self.manager.clock.time() * 1000)))
        elif isinstance(frame, protocol.Sit):
            await self._sit(frame)
        elif self.table is None or self.client not in self.table.clients:
            raise CardhouseError('First join a seat: {"t": "sit", "table": …, "token": …}.', "sit_first")
        else:
            await _HANDLERS[type(frame)](self, frame, self.table)

    async def _sit(self, frame: protocol.Sit) -> None:
        self._leave_seat()
        self._stop_patience()
        try:
            self.manager.check_here(frame.table)
        except WrongWorker as error:
            self._redirect(error.place, frame)
            return
        await self._until_gone(asyncio.create_task(self._take_seat(frame)))
        if self.table is None:
            self._start_join_timer()

    def _redirect(self, place: int, frame: protocol.Sit) -> None:
        """Hand the client to another process, or, if frames are pending here, make it reconnect."""
        if self._hand_over is None or self._early or self._receiving is not None or self._background or self._out:
            self._close(RESTARTS)
        else:
            # the frame is charged again there
            self._hand_over(place, protocol.encode(frame), self._allowance.spent - 1)

    async def _take_seat(self, frame: protocol.Sit) -> None:
        is_told = False
        while True:
            try:
                table = await self.manager.table(frame.table)
                await table.sit(self.client, frame)
                break
            except NotSaved as error:
                if not is_told:
                    self.client.send(protocol.Trouble(error.message))
                    is_told = True
                await asyncio.sleep(RETRY_SECONDS)
            except CardhouseError as error:
                self.client.refuse(error.code, error.message)
                self.manager.counting.refused(error.code)
                self._wrong_links += 1
                if self._wrong_links >= WRONG_LINKS or not self._charge("wrong links"):
                    self._close(POLICY)
                return
        self.table = table
        if (message := self.manager.announcements.message) or frame.since is not None:
            self.client.send(protocol.HouseSays(message or None))
        if self.manager.author is not None:
            self.manager.author.greet(self.client)
        if is_told:
            self.client.send(protocol.Trouble(None))

    async def _until_gone(self, work: asyncio.Task[None]) -> None:
        """Wait until the work is done or the client leaves; frames that arrive meanwhile are queued."""
        try:
            while not (work.done() or self._has_gone()):
                self._receiving = self._receiving or asyncio.ensure_future(self._receive())
                await asyncio.wait((work, self._receiving), return_when=asyncio.FIRST_COMPLETED)
                if self._receiving.done():
                    message, self._receiving = self._receiving.result(), None
                    self._queue_early(message, work)
            with suppress(asyncio.CancelledError):
                await work
        finally:
            work.cancel()

    def _has_gone(self) -> bool:
        """Return whether the client has disconnected; nothing can be received after that."""
        return bool(self._early) and self._early[-1]["type"] == "websocket.disconnect"

    def _queue_early(self, message: Message, work: asyncio.Task[None]) -> None:
        self._early.append(message)
        if message["type"] == "websocket.disconnect" or LEAVE in message:
            work.cancel()
        elif len(self._early) > EARLY_FRAMES:
            self.client.refuse(
                "too_many", f"More than {EARLY_FRAMES} frames before joining a seat. Wait for the table."
            )
            self._close(POLICY)
            work.cancel()

    def _leave_seat(self) -> None:
        if self.table is not None:
            self.table.leave(self.client)
            self.table = None

    def _start_join_timer(self) -> None:
        self._patience_timer = asyncio.get_running_loop().call_later(self._patience, self._on_join_timeout)

    def _stop_patience(self) -> None:
        if self._patience_timer is not None:
            self._patience_timer.cancel()

    def _on_join_timeout(self) -> None:
        self.client.refuse("sit_first", f"No one joined a seat within {self._patience:g} seconds.")
        self._close(POLICY)

    # The frames.

    async def _answer(self, frame: protocol.Answer, table: OpenTable) -> None:
        await table.answer(self.client, frame)

    async def _offers(self, frame: protocol.Offers, table: OpenTable) -> None:
        await table.queries.offers(self.client)

    async def _may_put_right(self, frame: protocol.EditableQuery, table: OpenTable) -> None:
        await table.queries.editable(self.client)

    async def _undo_count(self, frame: protocol.UndoCount, table: OpenTable) -> None:
        await table.queries.undo_count(self.client, frame.entry)

    async def _odds_on(self, frame: protocol.OddsOn, table: OpenTable) -> None:
        table.odds.want(self.client, on=frame.on)

    async def _story(self, frame: protocol.Story, table: OpenTable) -> None:
        await table.queries.story(self.client, frame.before)

    async def _name(self, frame: protocol.Name, table: OpenTable) -> None:
        await table.settings.rename(self.client, frame.name)

    async def _face(self, frame: protocol.Face, table: OpenTable) -> None:
        await table.portraits.choose(self.client.seat, self.client.token, frame.name, frame.face)

    async def _set(self, frame: protocol.Set, table: OpenTable) -> None:
        await table.settings.set_odds(self.client, frame.odds)

    async def _end(self, frame: protocol.End, table: OpenTable) -> None:
        await table.settings.set_end(self.client, on=frame.on)

    async def _keep(self, frame: protocol.Keep, table: OpenTable) -> None:
        await table.keep(self.client)

    async def _reissue(self, frame: protocol.Reissue, table: OpenTable) -> None:
        await table.settings.reissue(self.client, frame.seat)

    async def _close_door(self, frame: protocol.CloseDoor, table: OpenTable) -> None:
        await table.settings.close_door(self.client)

    async def _bot(self, frame: protocol.Bot, table: OpenTable) -> None:
        await table.settings.set_bot(self.client, frame.seat, frame.bot or "")

    async def _pace(self, frame: protocol.SetPace, table: OpenTable) -> None:
        table.set_pace(self.client, frame)

    async def _let_bot(self, frame: protocol.LetBot, table: OpenTable) -> None:
        await table.let_bot(self.client, frame)

    async def _device(self, frame: protocol.Device, table: OpenTable) -> None:
        await table.take_part(self.client, frame)

    async def _link(self, frame: protocol.Link, table: OpenTable) -> None:
        table.devices.give(self.client, frame)

    async def _throw(self, frame: protocol.Throw, table: OpenTable) -> None:
        await table.reactions.throw(self.client, frame.sign)

    async def _view_failed(self, frame: protocol.ViewFailed, table: OpenTable) -> None:
        if self.manager.author is not None:
            self.manager.author.say(f"The view stumbles, in its {frame.slot}: {frame.error}.")
            return
        texts = PrivateText(frame.error), PrivateText(frame.slot)
        log.warning("A page says that the view of %s failed: %r in %r", table.game, *texts)


_HANDLERS: dict[type[Any], Callable[[Session, Any, OpenTable], Awaitable[None]]] = {
    protocol.Answer: Session._answer,
    protocol.Offers: Session._offers,
    protocol.EditableQuery: Session._may_put_right,
    protocol.UndoCount: Session._undo_count,
    protocol.OddsOn: Session._odds_on,
    protocol.Story: Session._story,
    protocol.Name: Session._name,
    protocol.Face: Session._face,
    protocol.Set: Session._set,
    protocol.End: Session._end,
    protocol.Keep: Session._keep,
    protocol.Reissue: Session._reissue,
    protocol.CloseDoor: Session._close_door,
    protocol.Bot: Session._bot,
    protocol.SetPace: Session._pace,
    protocol.LetBot: Session._let_bot,
    protocol.Device: Session._device,
    protocol.Link: Session._link,
    protocol.Throw: Session._throw,
    protocol.ViewFailed: Session._view_failed,
}
"""The handlers of frames at a table."""


def _visitor_waits() -> float:
    return uniform(*VISITOR_WAITS)


def _id_of(outline: protocol.Outline) -> str | None:
    """Return the id of a refused answer, if it is short enough to send back."""
    return outline.id if isinstance(outline.id, str) and len(outline.id) <= 64 else None
