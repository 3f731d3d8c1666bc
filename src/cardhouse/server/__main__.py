"""`python -m cardhouse.server --port 8137 --db sqlite:///cards.db`: the server without the rest of the command."""

import argparse
import logging
import sys
from functools import partial

from cardhouse.engine import CardhouseError
from cardhouse.server.access.keys import admin_key_of, key_of
from cardhouse.server.access.quotas import quota_of
from cardhouse.server.app.lifecycle import serve
from cardhouse.server.core.json_logs import start_logging
from cardhouse.server.persistence.retention_policy import parse_retention
from cardhouse.server.transport.connections import PER_ADDRESS


def main() -> int:
    """Run the server and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m cardhouse.server", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8137, help="port; 0 takes any")
    parser.add_argument("--lan", action="store_true", help="listen on every network of this machine")
    parser.add_argument("--address", help="the URL that people open, if a proxy is in front")
    parser.add_argument("--db", default="sqlite:///cardhouse.db", help="sqlite:///path or postgresql://user@host/name")
    parser.add_argument("--redis", help="redis://host:port/0, for servers that share a database")
    parser.add_argument("--rate", type=float, default=20.0, help="frames per second per connection")
    parser.add_argument("--burst", type=int, default=60, help="frames at once per connection")
    parser.add_argument("--patience", type=float, default=10.0, help="seconds to wait for a player to join")
    parser.add_argument("--connections", type=int, default=PER_ADDRESS, help="connections from one address")
    parser.add_argument("--proxy", action="append", default=[], help="address or network of a trusted proxy")
    parser.add_argument("--tables", default="open", help="who may create tables: open, key (in CARDHOUSE_KEY) or none")
    parser.add_argument("--workers", type=int, default=1, help="server processes")
    parser.add_argument("--log-json", action="store_true", help="write the log as lines of JSON")
    parser.add_argument("--metrics", help="ADDRESS:PORT for Prometheus")
    parser.add_argument("--keep", help="delete unused tables after this time: 365d, 52w; default: never")
    parser.add_argument("--most-tables", type=int, default=0, help="most tables; 0 means no limit")
    parser.add_argument("--most-size", help="most space for tables: 500MB, 20GB")
    parser.add_argument("--no-lab-ahead", action="store_true", help="don't compile kernels in advance")
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
            keeping=parse_retention(chosen.keep),
            quota=quota_of(chosen.most_tables, chosen.most_size),
            lab_ahead=not chosen.no_lab_ahead,
            on_ready=lambda address: print(address, flush=True),  # noqa: T201
        )
    except CardhouseError as error:
        print(error.message, file=sys.stderr)  # noqa: T201
        return 1
    except KeyboardInterrupt:
        pass  # the server has closed
    return 0


if __name__ == "__main__":
    sys.exit(main())
