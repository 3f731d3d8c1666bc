"""`cardhouse serve`: runs the server and prints its address."""

import errno
import io
import logging
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from urllib.parse import quote

import segno
import typer
from rich.text import Text

from cardhouse.cli import words
from cardhouse.engine import CardhouseError
from cardhouse.server.access.keys import HouseKey, Making, admin_key_of, key_of
from cardhouse.server.access.quotas import quota_of
from cardhouse.server.app.lifecycle import serve as run
from cardhouse.server.core.json_logs import start_logging
from cardhouse.server.persistence.retention_policy import parse_retention

PORT = 8137
TRIED = 20
"""The number of ports, from PORT on, that are tried by default."""
QUIET_ZONE = 2


def serve(
    host: str,
    port: int | None,
    *,
    lan: bool,
    db: str,
    redis: str | None,
    address: str | None,
    proxies: Sequence[str],
    connections: int,
    tables: Making,
    workers: int,
    log_json: bool,
    metrics: str | None,
    keep: str | None,
    most_tables: int,
    most_size: str | None,
    lab_ahead: bool,
) -> None:
    """Serve until Ctrl-C or SIGTERM.

    Raises CardhouseError if the port is taken, the database can't be used, or a proxy, a key, `keep` or `most_size` is
    invalid.
    """
    host = "0.0.0.0" if lan else host  # noqa: S104 (asked for)

    key, admin = key_of(tables, db), admin_key_of(db)
    keeping, quota = parse_retention(keep), quota_of(most_tables, most_size)

    def ready(url: str) -> None:
        announce(url, lan=lan)
        if key.making == "key":
            typer.echo(f"People with the server key can create tables{_shown_key(url, key)}")
        elif key.making == "none":
            typer.echo("Only cardhouse tables import, on this machine, can create tables.")
        if address and key.making == "open" and not keeping.days:
            typer.echo(
                "Everyone can create tables, and they are kept forever. Limit that with --tables key or --keep 365d."
            )
        if admin.secret and sys.stdout.isatty():  # never written to a log
            typer.echo(f"Admin link (keep private): {url}/house#{quote(admin.secret)}")
        typer.echo(f"Tables are saved in {shown(db)}. Press Ctrl-C to stop the server.")
        sys.stdout.flush()

    # After its shutdown, uvicorn raises the signal again, which doesn't always arrive here as a KeyboardInterrupt.
    with suppress(KeyboardInterrupt):
        run(
            host,
            free_port(host) if port is None else port,
            db,
            lan=lan,
            redis_url=redis,
            address=address,
            proxies=proxies,
            connections=connections,
            key=key,
            metrics=metrics,
            admin=admin,
            keeping=keeping,
            quota=quota,
            lab_ahead=lab_ahead,
            on_ready=ready,
            workers=workers,
            begin_log=partial(
                start_logging,
                logging.WARNING,
                "%(asctime)s %(levelname)s %(name)s: %(message)s",
                as_json=log_json,
            ),
        )
    typer.echo("\nThe server has stopped.")


def _shown_key(url: str, key: HouseKey) -> str:
    """Return the key's link for a terminal, otherwise only where the key is stored, to keep it out of logs."""
    if sys.stdout.isatty():
        return f": {url}/#key={quote(key.secret)}"
    return f". The key is in {key.kept}; their link is {url}/#key= with the key."


def announce(url: str, *, lan: bool) -> None:
    """Print the address to open, for phones also as a QR code."""
    typer.echo(f"Cardhouse is open: {url}/")
    if not lan:
        if "//127." in url:
            typer.echo(
                "Only this computer can connect. For phones, restart with make play LAN=1 or cardhouse serve --lan."
            )
        return
    if "//127." in url:
        typer.echo("This machine isn't on a network, so only it can use that address.")
    else:
        print_qr(f"{url}/")
        typer.echo("Phones on the same Wi-Fi can scan this code, or the code of a table.")


def print_qr(text: str) -> None:
    """Print a QR code in half blocks, light on dark, if the terminal can show them."""
    code = io.StringIO()
    segno.make(text, micro=False).terminal(code, border=QUIET_ZONE, compact=True)
    try:
        code.getvalue().encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return
    words.console().print(Text(code.getvalue(), "bright_white on black"), soft_wrap=True)


def free_port(host: str) -> int:
    """Return the first free port from PORT on.

    Raises CardhouseError if all that are tried are in use.
    """
    for port in range(PORT, PORT + TRIED):
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
                probe.listen()
            except OSError as error:
                if error.errno == errno.EADDRINUSE:
                    continue
            return port  # the server reports any other problem
    raise CardhouseError(f"Ports {PORT} to {PORT + TRIED - 1} are in use. Choose another with --port.")


def shown(db: str) -> str:
    """Return where the tables are stored, without a password."""
    from sqlalchemy.engine import make_url

    url = make_url(db)
    return str(url.database) if url.get_backend_name() == "sqlite" else url.render_as_string(hide_password=True)
