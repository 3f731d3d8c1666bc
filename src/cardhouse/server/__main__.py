"""`python -m cardhouse.server --port 8137 --db sqlite:///cards.db`: the server without the rest of the command."""

import argparse
import logging
import sys
from functools import partial

from cardhouse.engine import CardhouseError
from cardhouse.server.connections import PER_ADDRESS
from cardhouse.server.house_key import admin_key_of, key_of
from cardhouse.server.json_logs import start_logging
from cardhouse.server.keeping import keeping_of
from cardhouse.server.quotas import quota_of
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
    parser.add_argument("--workers", type=int, default=1, help="processes of this house, each with some of the tables")
    parser.add_argument("--log-json", action="store_true", help="write the log as lines of JSON")
    parser.add_argument("--metrics", help="ADDRESS:PORT for Prometheus")
    parser.add_argument("--keep", help="how long tables are kept that nobody uses: 365d, 52w; for ever if not said")
    parser.add_argument("--most-tables", type=int, default=0, help="so many tables are kept at most; 0 for any")
    parser.add_argument("--most-size", help="so much they may take: 500MB, 20GB")
    parser.add_argument("--no-lab-ahead", action="store_true", help="compile nothing before somebody asks")
    chosen = parser.parse_args()
    begin_log = partial(start_logging, logging.INFO, "%(levelname)s %(name)s: %(message)s", as_json=chosen.log_json)
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
            workers=chosen.workers,
            begin_log=begin_log,
            metrics=chosen.metrics,
            admin=admin_key_of(chosen.db),
            keeping=keeping_of(chosen.keep),
            quota=quota_of(chosen.most_tables, chosen.most_size),
            lab_ahead=not chosen.no_lab_ahead,
            on_ready=lambda address: print(address, flush=True),  # noqa: T201
        )
    except CardhouseError as error:
        print(error.message, file=sys.stderr)  # noqa: T201
        return 1
    except KeyboardInterrupt:
        pass  # it is closed
    return 0


if __name__ == "__main__":
    sys.exit(main())
