"""`cardhouse doctor`: checks a running server from outside, and its database, and reports problems."""

import asyncio
import http
import http.client
import json
import shutil
import ssl
import time
from collections.abc import Callable, Iterator
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any, Literal
from urllib.parse import SplitResult, urlsplit

import msgspec
import typer
from websockets.asyncio.client import connect as open_socket
from websockets.exceptions import WebSocketException

from cardhouse import __version__
from cardhouse.engine import CardhouseError

SECONDS = 10
"""Time limit of a request."""
CLOCK_SECONDS = 60
"""Largest clock difference: pages compute countdowns and bots' pauses from the server's time."""
CERTIFICATE_DAYS = 14
"""Certificates are normally renewed automatically before this many days are left."""
ROOM_BYTES = 1 << 30
_UNKNOWN = (
    "Browsers don't know its issuer. Use a public authority, as Caddy and certbot do, and let the proxy send "
    "the whole chain (fullchain.pem)."
)
_MENDING = {
    9: "It isn't valid yet. Check the clocks of both machines.",
    10: "Renewal failed. See the log of certbot renew or of the proxy.",
    18: _UNKNOWN,
    19: _UNKNOWN,
    20: _UNKNOWN,
    21: _UNKNOWN,
    62: "It is for other names. Add this name, or open the server by one of its names.",
    64: "It is for names, not for this address. Open the server by its name.",
}
"""Advice by OpenSSL's number for a certificate error (X509_V_ERR)."""
MONITORED = ("/", "/live", "/ready")
"""Addresses for monitors, many of which send HEAD."""
Verdict = Literal["ok", "look", "wrong"]
_MARKS: dict[Verdict, str] = {"ok": "ok     ", "look": "look at", "wrong": "WRONG  "}


class Diagnosis(msgspec.Struct, frozen=True):
    """The result of one check, with advice."""

    of: str
    verdict: Verdict
    text: str


def examine(address: str | None, database: str | None, as_json: bool) -> int:
    """Print all results and return the exit status: 1 if anything is wrong.

    Raises CardhouseError if the address is invalid, or there is nothing to check.
    """
    if address is None and database is None:
        raise CardhouseError("Name a server: cardhouse doctor https://cards.example.org. Or name a database with --db.")
    findings: list[Diagnosis] = []
    if address is not None:
        findings += from_outside(address)
    if database is not None:
        findings += diagnose_database(database)
    if as_json:
        typer.echo(msgspec.json.encode(findings).decode())
    else:
        for one in findings:
            typer.echo(f"{_MARKS[one.verdict]}  {one.of}: {one.text}")
    return int(any(one.verdict == "wrong" for one in findings))


def from_outside(address: str) -> list[Diagnosis]:
    """Check the server at this address as clients see it.

    Raises CardhouseError if a browser couldn't open this address.
    """
    parts = _parsed(address)
    looks: tuple[Callable[[SplitResult], Iterator[Diagnosis]], ...] = (_monitor, _house, _origin, _socket, _certificate)
    findings: list[Diagnosis] = []
    try:
        findings += _health(parts)
        if all(one.verdict != "wrong" for one in findings):  # otherwise the answers come from something else
            for look in looks:
                findings += look(parts)
    except ssl.SSLCertVerificationError as error:
        text = f"browsers won't take the certificate of {parts.hostname}: {error.verify_message}."
        findings.append(Diagnosis("certificate", "wrong", f"{text} {_MENDING.get(error.verify_code, '')}".rstrip()))
    except ssl.SSLError as error:
        text = f"{address} doesn't speak https: {error!s:.200}. Give the proxy a certificate for this address."
        findings.append(Diagnosis("address", "wrong", text))
    except (OSError, http.client.HTTPException) as error:
        findings.append(Diagnosis("address", "wrong", f"{address} doesn't answer: {error!s:.200}."))
    return findings


def _parsed(address: str) -> SplitResult:
    parts = urlsplit(address)
    try:
        whole = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        whole = False
    if not whole or "@" in parts.netloc:
        raise CardhouseError(
            f'"{address[:60]}" is not the address of a server. Write it like https://cards.example.org.'
        )
    return parts._replace(path=parts.path.rstrip("/"))


def _ask(
    parts: SplitResult, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
) -> tuple[int, dict[str, str], bytes]:
    """Return the response: status, headers by title-cased name, and the beginning of the body."""
    assert parts.hostname
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = kind(parts.hostname, parts.port, timeout=SECONDS)
    try:
        connection.request(method, parts.path + path, body, headers or {})
        answer = connection.getresponse()
        named = {name.title(): value for name, value in answer.getheaders()}
        return answer.status, named, answer.read(100_000)
    finally:
        connection.close()


def _decoded(body: bytes) -> dict[str, Any]:
    try:
        answer = json.loads(body)
    except ValueError:
        return {}
    return answer if isinstance(answer, dict) else {}


def _health(parts: SplitResult) -> Iterator[Diagnosis]:
    status, headers, body = _ask(parts, "GET", "/api/health")
    answer = _decoded(body)
    version = answer.get("version")
    if answer.get("code") == "wrong_host":
        yield Diagnosis("address", "wrong", str(answer.get("message")))
    elif "saving" not in answer:
        text = (
            f"{parts.geturl()} answers with status {status}, but it isn't Cardhouse. Check the address and the proxy."
        )
        yield Diagnosis("address", "wrong", text)
    elif not answer["saving"]:
        yield Diagnosis("address", "wrong", "the server can't save: its database is unavailable, or its disk is full.")
    elif wrong := _unready(parts):
        yield Diagnosis("address", "wrong", f"the server answers, but {wrong}")
    elif version != __version__:
        yield Diagnosis("address", "look", f"the server runs Cardhouse {version}; this command is {__version__}.")
    else:
        yield Diagnosis("address", "ok", f"Cardhouse {version} answers, and saves.")
    yield _clock(headers.get("Date"))


def _unready(parts: SplitResult) -> str:
    """Return why the server says it isn't ready; empty if it is."""
    answer = _decoded(_ask(parts, "GET", "/ready")[2])
    if answer.get("ready", True):  # older servers lack this
        return ""
    if answer.get("closing"):
        return "it is closing or updating. Try again in a moment."
    if answer.get("news") is False and answer.get("store"):
        return "it can't reach Redis: other servers get news seconds late."
    return "its database doesn't answer."


def _clock(date: str | None) -> Diagnosis:
    try:
        there = parsedate_to_datetime(date or "").timestamp()
    except ValueError:
        return Diagnosis("clock", "look", "the answers have no date, so the clock can't be checked.")
    apart = round(abs(time.time() - there))
    if apart > CLOCK_SECONDS:
        return Diagnosis("clock", "look", f"its clock and this one differ by {apart} s. Set them with NTP.")
    return Diagnosis("clock", "ok", "it is right.")


def _monitor(parts: SplitResult) -> Iterator[Diagnosis]:
    """Check that HEAD gets the same status as GET."""
    for path in MONITORED:
        seen, expected = (_ask(parts, method, path)[0] for method in ("HEAD", "GET"))
        if seen != expected or seen != http.HTTPStatus.OK:
            text = f"{path} answers HEAD with {seen} and GET with {expected}, so a monitor reports the server as down."
            yield Diagnosis("monitor", "wrong", f"{text} Let the proxy pass on HEAD, and {path}.")
            return
    yield Diagnosis("monitor", "ok", f"{', '.join(MONITORED)} answer HEAD and GET with 200.")


def _house(parts: SplitResult) -> Iterator[Diagnosis]:
    """Check who can create tables on a public server."""
    answer = _decoded(_ask(parts, "GET", "/api/house")[2])
    if answer.get("tables") == "open" and parts.scheme == "https":
        yield Diagnosis(
            "tables",
            "look",
            ("everyone who finds the server can create tables. Use serve --tables key to require a key."),
        )
    elif "tables" in answer:
        yield Diagnosis("tables", "ok", f"who may create them: {answer['tables']}.")


def _origin(parts: SplitResult) -> Iterator[Diagnosis]:
    """Check that the page's requests pass the proxy with their own Host and scheme."""
    origin = f"{parts.scheme}://{parts.netloc}"
    status, _, body = _ask(parts, "POST", "/api/tables", b"?", {"Origin": origin, "Content-Type": "application/json"})
    answer = _decoded(body)
    if answer.get("code") == "wrong_origin":
        text = f"the page's own requests are refused. {answer.get('message')} Or let the proxy pass on Host and "
        yield Diagnosis("proxy", "wrong", f"{text}X-Forwarded-Proto, and name its address with --proxy.")
    elif not 400 <= status < 500:
        yield Diagnosis("proxy", "wrong", f"a request that makes a change gets status {status}.")
    else:
        yield Diagnosis("proxy", "ok", "the page's own requests are accepted.")


def _socket(parts: SplitResult) -> Iterator[Diagnosis]:
    scheme = "wss" if parts.scheme == "https" else "ws"
    origin: Any = f"{parts.scheme}://{parts.netloc}"
    try:
        answer = asyncio.run(_answer(f"{scheme}://{parts.netloc}{parts.path}/ws", origin))
    except (WebSocketException, OSError, EOFError) as error:
        text = f"it doesn't connect ({error!s:.200}). Let the proxy pass on Upgrade and Connection."
        yield Diagnosis("socket", "wrong", text)
    else:
        if answer.get("code") == "wrong_origin":
            yield Diagnosis("socket", "wrong", str(answer.get("message")))
        else:
            yield Diagnosis("socket", "ok", "it connects and answers.")


async def _answer(address: str, origin: Any) -> dict[str, Any]:
    """Return the server's answer to an unknown frame.

    In one thread: a client that read in one thread and wrote in another was seen to hang forever behind TLS.
    """
    async with open_socket(address, origin=origin, open_timeout=SECONDS, close_timeout=SECONDS) as socket:
        await socket.send('{"say":"nothing that is known"}')
        async with asyncio.timeout(SECONDS):
            return _decoded(str(await socket.recv()).encode())


def _certificate(parts: SplitResult) -> Iterator[Diagnosis]:
    if parts.scheme != "https":
        if parts.hostname not in ("127.0.0.1", "localhost", "::1"):
            yield Diagnosis(
                "certificate",
                "look",
                (
                    "there is none. Others on the way can read links and cards, and the "
                    "app can't be installed. Use https."
                ),
            )
        return
    assert parts.hostname
    connection = http.client.HTTPSConnection(parts.hostname, parts.port, timeout=SECONDS)
    connection.connect()
    certificate: Any = connection.sock.getpeercert()
    connection.close()
    days = int((ssl.cert_time_to_seconds(certificate["notAfter"]) - time.time()) // 86_400)
    verdict: Verdict = "look" if days < CERTIFICATE_DAYS else "ok"
    yield Diagnosis("certificate", verdict, f"good for {days} more days.")


def diagnose_database(url: str) -> list[Diagnosis]:
    """Check the database at this URL: that it exists and is current, who can read its files, and the disk space."""
    from sqlalchemy.engine import make_url

    from cardhouse.server.persistence.database import connect
    from cardhouse.server.persistence.sqlite_files import DatabaseFile

    try:
        connect(url, reading=True).close()
    except CardhouseError as error:
        return [Diagnosis("database", "wrong", error.message)]
    found = [Diagnosis("database", "ok", "it is available and up to date.")]
    at = make_url(url)
    if at.get_backend_name() == "sqlite":
        file = DatabaseFile(str(at.database))
        if share := file.share():
            text = (
                f"it is on a network share ({share}), where SQLite can lose or damage tables. Move it to a local disk."
            )
            found = [Diagnosis("database", "wrong", text)]
        found += [*_rights(file.readable()), _room(file.path.resolve())]
    return found


def _rights(readable: list[Path] | None) -> Iterator[Diagnosis]:
    if readable is None:
        return
    if readable:
        names = " ".join(f"'{one}'" for one in readable)
        yield Diagnosis("files", "wrong", f"others on this machine can read hidden cards and links; chmod 600 {names}")
    else:
        yield Diagnosis("files", "ok", "no one else on this machine can read them.")


def _room(file: Path) -> Diagnosis:
    free = shutil.disk_usage(file.parent).free
    text = f"{free / ROOM_BYTES:.1f} GiB are free where the tables are kept."
    return Diagnosis("disk", "look" if free < ROOM_BYTES else "ok", text)
