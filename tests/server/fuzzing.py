"""A fuzzer's input: bytes are choices, from which nearly valid and invalid frames and requests are made.

The same bytes are always the same frames and requests. So whoever chooses bytes by what code they reach, as Atheris
does, leads this to places no list of examples has.
"""

import json
import re
import zlib
from collections.abc import Sequence
from typing import Any, TypeVar

from cardhouse.server.wire.protocol import WORDS
from tests.server.listening import frame

T = TypeVar("T")
TEXT, BINARY, CONTINUATION, CLOSE, PING, PONG = 1, 2, 0, 8, 9, 10
MOST_FRAMES = 40
"""So many are said over one connection; of 50 unreadable ones in a row it would be ended."""
MOST_REQUESTS = 12
"""So many are made at once: some have no end, and their answer is waited for no less than that of the others."""
GAMES = ("initiative", "hackjack", "gunfight", "dogpile", "dogs")
ODD: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2**31, 2**53, 2**63, 2**64, 10**400, -0.0, 1.5, 1e308, 1e-320),
    *("", " ", "gm", "p1", "screen", "door", "x" * 300, "\0", "\ud800", "🂡", "‮", "../../etc/passwd", "HA", "%s{0}"),
    *([], {}, [[]], {"": {}}, [None] * 40, {"t": "sit"}, ["HA", "HA"], {"do": "act"}),
)
LINES: tuple[dict[str, Any], ...] = (
    {"do": "add_character", "name": "Ada", "card": "HA", "hidden": True, "controller": "p1"},
    {"do": "add_character", "name": "Nan", "hp": 3, "max_hp": 9, "card": "HK"},
    {"do": "start_round"},
    {"do": "act", "name": "Ada"},
    {"do": "wait", "name": "Ada"},
    {"do": "done", "name": "Ada"},
    {"do": "show", "name": "Ada"},
    {"do": "hand_over", "name": "Ada", "to": "p1"},
    {"do": "remove_character", "name": "Ada"},
    {"do": "damage", "target": "Ada", "amount": 3},
    {"do": "bring_character", "sheet": {"name": "Bo", "hp": 1, "max_hp": 2}, "card": "D7"},
    {"do": "step", "step": "draw"},
    {"do": "take"},
    {"do": "place", "card": "S10", "x": 1, "y": 0},
    {"draw": "wounds", "card": "C4"},
    {"draw": "initiative", "card": "RJ"},
    {"roll": "1d4", "dice": [3]},
    {"put_right": "hp", "of": "Ada", "to": 2},
    {"undo": 1},
    {"seat": "p7"},
    {"device": "ab" * 32},
    {"time": 1},
    {"links": {"1": "ab" * 32}, "round": 1},
    {"end": True, "seed": "00" * 32},
)
FRAMES: tuple[dict[str, Any], ...] = (
    {"t": "offers"},
    {"t": "amendable"},
    {"t": "odds", "on": True},
    {"t": "story", "before": 3},
    {"t": "name", "name": "Ada"},
    {"t": "face", "name": "Ada", "face": 3},
    {"t": "set", "odds": "all"},
    {"t": "end", "on": False},
    {"t": "reissue", "seat": "p2"},
    {"t": "close_door"},
    {"t": "bot", "seat": "p2", "bot": "prompt"},
    {"t": "pace", "pace": "fast"},
    {"t": "let_bot", "bot": "prompt", "at": 1},
    {"t": "device", "anchor": "ab" * 32},
    {"t": "link", "round": 1, "link": "ab" * 32},
    {"t": "throw", "sign": "hat"},
    {"t": "view_failed", "slot": "view", "error": "x"},
    {"t": "ping"},
)
BODIES: tuple[Any, ...] = (
    {"game": "initiative", "seats": 3, "options": {}, "decks": {"initiative": "physical"}, "by_hand": ["draw"]},
    {"game": "dogpile", "seats": ["p1", "p2"], "name": "Red Gulch", "odds": "all", "deal": "together"},
    {"cards": [{"card": "SQ", "x": 0, "y": 0}, {"card": "SK", "x": 1, "y": 0}], "options": {"deck": {}}},
    {"seat": "p1", "at": 1, "name": "What if"},
    {"settings": {"hp": "x"}, "trials": 1},
    {"settings": {"paper": "x"}, "files": {"mine.toml": "[C2]"}},
    {"filled": {"C2": {}}, "draw": "C2", "csv": ""},
    {"name": "Red Gulch", "notes": "…"},
    {"encounters": [{"name": "Posse", "hidden": True, "foes": [{"count": 3, "line": {"name": "Bandit"}}]}]},
    {"cardhouse_campaign": 1, "name": "x", "notes": "", "evenings": [], "encounters": []},
    {"cardhouse_roster": 1, "characters": [{"name": "Ada", "hp": 1, "max_hp": 2}]},
    {"cardhouse": 1, "game": "hackjack", "options": {}, "seats": ["gm", "ada"]},
)
_NAME = re.compile(r"\{([^}]*)\}")
METHODS = ("GET", "POST", "DELETE", "PUT", "HEAD", "OPTIONS", "PATCH", "TRACE", "get", "")
HEADERS = (
    "Accept-Encoding: gzip",
    "Authorization: Bearer",
    "Cardhouse-Key: x",
    "Content-Encoding: gzip",
    "Content-Length: 5",
    "Content-Type: text/plain",
    "Expect: 100-continue",
    "Host: nowhere",
    "Origin: https://elsewhere.example",
    "Range: bytes=0-",
    "Transfer-Encoding: chunked",
    "Upgrade: websocket",
    "X-Forwarded-For: 1.2.3.4",
)


class Choices:
    """Choices, one after the other, as some bytes have them; the first of everything when they are used up."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def below(self, many: int) -> int:
        """A number below this one, of 256 or fewer."""
        self._at += 1
        return self._data[self._at - 1] % many if self._at <= len(self._data) else 0

    def one_of(self, things: Sequence[T]) -> T:
        """One of them."""
        return things[self.below(len(things))]

    def some(self, most: int) -> bytes:
        """A few bytes as they are."""
        length = self.below(most + 1)
        self._at += length
        return self._data[self._at - length : self._at]

    @property
    def is_over(self) -> bool:
        """Whether all have been made."""
        return self._at >= len(self._data)


def bent(choices: Choices, right: Any) -> Any:
    """Something like what is right: with another value somewhere, one more, or one fewer."""
    if isinstance(right, dict) and right and choices.below(8):
        key = choices.one_of(list(right))
        what = choices.below(8)
        if what == 0:
            return {name: value for name, value in right.items() if name != key}
        if what == 1:
            return {**right, choices.one_of(("", "t", "x", "by", "id", "time")): choices.one_of(ODD)}
        return {**right, key: bent(choices, right[key])}
    if isinstance(right, list) and right and choices.below(4):
        place = choices.below(min(len(right), 256))
        return [*right[:place], bent(choices, right[place]), *right[place + choices.below(2) :]]
    return choices.one_of(ODD)


def text_of(choices: Choices, right: Any) -> bytes:
    """What is said in place of what is right: that, something bent, or no JSON any more."""
    how = choices.below(8)
    said = right if how < 3 else bent(choices, right)
    text = json.dumps(said, ensure_ascii=bool(choices.below(2))).encode("utf-8", "surrogatepass")
    if how == 7:
        place = choices.below(min(len(text), 255) + 1)
        text = text[:place] + choices.some(24) + text[place + choices.below(3) :]
    if how == 6 and not choices.below(8):
        text = b"[" * 4000 + text
    return text


def said(choices: Choices, seats: dict[str, str], table: str) -> bytes:
    """A frame's text, to a table whose links these are."""
    kind = choices.below(4)
    if kind == 0:
        return text_of(choices, {"t": "sit", "table": table, "token": choices.one_of([*seats.values()]), "since": 1})
    if kind == 1:
        return text_of(choices, choices.one_of(FRAMES))
    if kind == 2 and not choices.below(8):
        return text_of(choices, {"t": choices.one_of(WORDS)})
    own = f"{choices.below(256):022d}"
    answer = bent(choices, choices.one_of(LINES)) if choices.below(3) else choices.one_of(LINES)
    return text_of(choices, {"t": "answer", "id": own, "at": choices.below(30), "answer": answer})


def wire_of(choices: Choices, text: bytes, *, deflates: bool) -> bytes:
    """How it is sent: mostly as it should be; else in parts, compressed, or as no frame can be."""
    how = choices.below(16)
    if how == 0:
        cut = choices.below(min(len(text), 255) + 1)
        return frame(TEXT, text[:cut], fin=False) + frame(CONTINUATION, text[cut:])
    if how == 1 and deflates:
        packed = zlib.compressobj(wbits=-9)
        whole = packed.compress(text) + packed.flush(zlib.Z_SYNC_FLUSH)
        return frame(TEXT, whole[:-4], deflated=True)
    if how == 2:
        return frame(choices.one_of((PING, PONG)), choices.some(120)) + frame(TEXT, text)
    if how == 3:
        return frame(BINARY, text)
    return frame(TEXT, text)


def nonsense(choices: Choices) -> bytes:
    """What ends a connection: no frame at all, one that isn't masked, compressed rubbish, a wrong close."""
    how = choices.below(6)
    if how == 0:
        return choices.some(200)
    if how == 1:
        return frame(TEXT, choices.some(120), deflated=True)
    if how == 2:
        return frame(CLOSE, choices.some(120))
    if how == 3:
        return frame(TEXT, b"\xff" + choices.some(20))
    if how == 4:
        return bytes([0x80 | choices.below(128), choices.below(256)]) + choices.some(14)
    return frame(choices.below(16), choices.some(120), fin=bool(choices.below(2)))


Route = tuple[str, Sequence[str]]
"""A path, with names in braces, and the methods that it has."""


def request_of(choices: Choices, routes: Sequence[Route], ids: dict[str, str], tokens: Sequence[str]) -> bytes:
    """A request, whole, to one of these routes; `ids` are what may stand for the names in their braces."""
    path, methods = choices.one_of(routes)
    for name in _NAME.findall(path):
        named = name.partition(":")[0]
        value = ids.get(named, "x") if choices.below(4) else str(choices.one_of(ODD))[:40]
        path = path.replace("{" + name + "}", value)
    method = choices.one_of(methods) if choices.below(8) else choices.one_of(METHODS)
    if not choices.below(6):
        path += "?" + choices.some(40).hex() if choices.below(2) else "?seat=gm&at=1&look=" + choices.one_of(tokens)
    line = f"{method} {path} HTTP/1.1".encode("utf-8", "replace")
    if not choices.below(12):
        place = choices.below(min(len(line), 255))
        line = line[:place] + choices.some(12) + line[place + choices.below(2) :]
    body = text_of(choices, choices.one_of(BODIES)) if choices.below(4) else choices.some(200)
    headers = [b"Host: 127.0.0.1", b"Connection: close", b"Content-Length: %d" % len(body)]
    headers.append(b"Content-Type: application/json")
    if choices.below(2):
        headers.append(b"Authorization: Bearer " + choices.one_of(tokens).encode())
    if not choices.below(6):
        headers.append(choices.one_of(HEADERS).encode())
    if not choices.below(12):
        headers.append(choices.some(60))
    return b"\r\n".join([line, *headers]) + b"\r\n\r\n" + body
