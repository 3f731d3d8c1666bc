"""`python -m cardhouse.server --port 8137 --db sqlite:///cards.db`: the server without the rest of the command."""

import argparse
import logging
import sys

from cardhouse.engine import CardhouseError
from cardhouse.server.connections import PER_ADDRESS
from cardhouse.server.house_key import key_of
from cardhouse.server.startup import serve


def main() -> int:
    """Run it; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m cardhouse.server", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8137, help="0 takes any that is free")
    parser.add_argument("--lan", action="store_true", help="listen on every network of this machine")
    parser.add_argument("--address", help="the URL that people open, if it is another than this server's own")
    parser.add_argument("--db", default="sqlite:///cardhouse.db", help="sqlite:///path or postgresql://user@host/name")
    parser.add_argument("--redis", help="redis://host:port/0, where several servers share one database")
    parser.add_argument("--rate", type=float, default=20.0, help="frames a second of one connection")
    parser.add_argument("--burst", type=int, default=60, help="frames at once of one connection")
    parser.add_argument("--patience", type=float, default=10.0, help="seconds to wait for somebody to sit down")
    parser.add_argument("--connections", type=int, default=PER_ADDRESS, help="connections of one address")
    parser.add_argument("--proxy", action="append", default=[], help="an address or network that says for whom it asks")
    parser.add_argument("--tables", default="open", help="who may make some: open, key (in CARDHOUSE_KEY) or none")
    chosen = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    try:
        serve(
            chosen.host,
            chosen.port,
            chosen.db,
            lan=chosen.lan,
            address=chosen.address,
            redis_url=chosen.redis,
            rate=chosen.rate,
            burst=chosen.burst,
            patience=chosen.patience,
            connections=chosen.connections,
            proxies=chosen.proxy,
            key=key_of(chosen.tables, chosen.db),
            on_ready=lambda address: print(address, flush=True),  # noqa: T201
        )
    except CardhouseError as error:
        print(error.message, file=sys.stderr)  # noqa: T201
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
