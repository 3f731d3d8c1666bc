"""Tries the recipes in deploy/ with the real programs: plays in a house behind each proxy, and looks at the unit.

    python -m scripts.try_hosting [nginx] [caddy] [apache] [unit]      or make hosting

It takes Debian's packages nginx, caddy, apache2, systemd and openssl. Each proxy runs with the recipe's own text, but
for the name, the ports and the certificate, which nobody has signed but itself.
"""

import os
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import msgspec
from websockets.sync.client import connect

from scripts.services import free_port

ROOT = Path(__file__).resolve().parent.parent
DEPLOY = ROOT / "deploy"
CARDHOUSE = Path(sys.executable).with_name("cardhouse")
NAME = "cards.example.org"
KEPT = f"/etc/letsencrypt/live/{NAME}/"
SECONDS = 30
ID = "A" * 22
"""Of an answer."""
LARGE = 15_900_000
"""Bytes of a campaign that is nearly too large."""
APACHE = "mpm_event authz_core ssl socache_shmcb headers proxy proxy_http proxy_wstunnel"


def main(wanted: list[str]) -> int:
    """Try what is wanted, or all; the exit status."""
    failed = 0
    for name, trial in TRIALS.items():
        if wanted and name not in wanted:
            continue
        with tempfile.TemporaryDirectory(prefix=f"cardhouse-{name}-") as folder:
            try:
                print(f"{name}: {trial(Path(folder))}", flush=True)
            except Exception as error:  # noqa: BLE001 (what fails is said, and the next is tried)
                print(f"{name}: FAILED: {type(error).__name__}: {error}", flush=True)
                failed = 1
    return failed


def behind(program: str, recipe: str, start: Callable[[Path, str, int], list[str]]) -> Callable[[Path], str]:
    """A trial of one proxy; `start` writes the configuration and gives the command that runs it in the foreground."""

    def trial(folder: Path) -> str:
        found = shutil.which(program, path=f"{os.environ['PATH']}:/usr/sbin")
        if found is None:
            raise FileNotFoundError(f"there is no {program}")
        certify(folder)
        port, inner = free_port(), free_port()
        address = f"https://localhost:{port}"
        text = (DEPLOY / recipe).read_text("utf-8").replace(KEPT, f"{folder}/").replace(NAME, "localhost")
        text = text.replace("8137", str(inner))
        serve = [CARDHOUSE, "serve", "--port", inner, "--db", f"sqlite:///{folder}/cards.db", "--address", address]
        with (
            running([*map(str, serve), "--proxy", "127.0.0.1"], inner, folder / "house.log"),
            running([found, *start(folder, text, port)], port, folder / "proxy.log"),
        ):
            return play(address, folder)

    return trial


def nginx(folder: Path, text: str, port: int) -> list[str]:
    """Its server blocks within the least that nginx takes."""
    text = text.replace("listen 443", f"listen {port}").replace("listen 80", f"listen {free_port()}")
    temporary = "".join(
        f"{of}_temp_path {folder}/{of};\n" for of in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    head = f"user root;\npid {folder}/pid;\nerror_log stderr;\nevents {{}}\n"
    (folder / "nginx.conf").write_text(f"{head}http {{\naccess_log off;\n{temporary}{text}}}\n", "utf-8")
    return ["-p", str(folder), "-c", str(folder / "nginx.conf"), "-g", "daemon off;"]


def caddy(folder: Path, text: str, port: int) -> list[str]:
    """The certificate is ours, as nobody out there would sign one for localhost."""
    text = text.replace(
        "localhost {", f"https://localhost:{port} {{\n\ttls {folder}/fullchain.pem {folder}/privkey.pem"
    )
    (folder / "Caddyfile").write_text("{\n\tadmin off\n\tauto_https disable_redirects\n}\n" + text, "utf-8")
    return ["run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]


def apache(folder: Path, text: str, port: int) -> list[str]:
    """Its virtual host within the least that Apache takes."""
    modules = "".join(f"LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so\n" for name in APACHE.split())
    head = f"ServerRoot {folder}\nPidFile {folder}/pid\nListen {port}\nErrorLog /dev/stderr\nServerName localhost\n"
    (folder / "apache.conf").write_text(modules + head + text.replace("*:443", f"*:{port}"), "utf-8")
    return ["-X", "-f", str(folder / "apache.conf")]


def play(address: str, folder: Path) -> str:
    """Two people at a table behind the proxy; what was seen. Raises AssertionError where it isn't as it should be."""
    trusting = ssl.create_default_context(cafile=str(folder / "fullchain.pem"))
    told = []
    with httpx.Client(base_url=address, verify=trusting, headers={"Origin": address}, timeout=SECONDS) as web:
        made = web.post("/api/tables", json={"game": "initiative", "seats": 3}).raise_for_status().json()
        page = web.get(f"/t/{made['table']}")
        assert page.is_success, page
        with sits(address, trusting, made, "gm") as gm, sits(address, trusting, made, "p1") as ada:
            answer = {"do": "add_character", "name": "Nan", "card": "SA"}
            gm.send(msgspec.json.encode({"t": "answer", "id": ID, "at": 0, "answer": answer}).decode())
            number = heard(gm, lambda frame: frame.get("ack") == ID)["n"]
            assert heard(ada, lambda frame: frame.get("n") == number)
        told.append("a table made, two seated, an answer heard by both")
        large = web.post("/api/campaigns/import", content=b"x" * LARGE, headers={"Content-Type": "application/json"})
        assert "code" in large.json(), large
        told.append(f"{LARGE:,} bytes came through")
        elsewhere = web.post("/api/tables", json={}, headers={"Origin": "https://evil.example"})
        assert elsewhere.json()["code"] == "wrong_origin", elsewhere.text
        told.append("another site's page refused")
    environment = {**os.environ, "SSL_CERT_FILE": str(folder / "fullchain.pem")}
    doctor = subprocess.run([CARDHOUSE, "doctor", address], env=environment, capture_output=True, text=True)
    assert doctor.returncode == 0, doctor.stdout + doctor.stderr
    return "; ".join([*told, "the doctor finds nothing wrong"])


@contextmanager
def sits(address: str, trusting: ssl.SSLContext, made: dict[str, Any], seat: str) -> Iterator[Any]:
    """A socket of whoever sits in this seat, when the table has come."""
    origin: Any = address
    with connect(f"wss{address.removeprefix('https')}/ws", ssl=trusting, origin=origin) as there:
        token = made["links"][seat].rpartition("#")[2]
        there.send(msgspec.json.encode({"t": "sit", "table": made["table"], "token": token}).decode())
        heard(there, lambda frame: frame["t"] == "table")
        yield there


def heard(there: Any, wanted: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
    """The first frame that is wanted."""
    while True:
        frame: dict[str, Any] = msgspec.json.decode(there.recv(timeout=SECONDS))
        if frame["t"] == "error":
            raise AssertionError(frame)
        if wanted(frame):
            return frame


def certify(folder: Path) -> None:
    """A certificate for localhost that nobody but this trial believes in."""
    of = ["-x509", "-newkey", "rsa:2048", "-nodes", "-days", "90", "-subj", "/CN=localhost"]
    of += ["-addext", "subjectAltName=DNS:localhost"]
    files: list[str | Path] = ["-keyout", folder / "privkey.pem", "-out", folder / "fullchain.pem"]
    subprocess.run(["openssl", "req", *of, *files], check=True, capture_output=True)


@contextmanager
def running(command: list[str], port: int, log: Path) -> Iterator[None]:
    """A program that answers at this port, until the end of the block."""
    with log.open("wb") as written:
        process = subprocess.Popen(command, stdout=written, stderr=written, start_new_session=True)
    try:
        until = time.monotonic() + SECONDS
        while not answers(port):
            if process.poll() is not None or time.monotonic() > until:
                raise AssertionError(f"{command[0]} would not start: {log.read_text()[-2000:]}")
            time.sleep(0.05)
        yield
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)
        process.wait(SECONDS)


def answers(port: int) -> bool:
    """Whether somebody listens there."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def unit(folder: Path) -> str:
    """What systemd itself says of the unit, which is looked at, not started."""
    file = folder / "cardhouse.service"
    text = (DEPLOY / "cardhouse.service").read_text("utf-8")
    file.write_text(text.replace("/opt/cardhouse/bin/cardhouse", str(CARDHOUSE)), "utf-8")
    verified = subprocess.run(["systemd-analyze", "verify", "--man=no", file], capture_output=True, text=True)
    assert file.name not in verified.stderr, verified.stderr
    looked = subprocess.run(["systemd-analyze", "security", "--offline=true", file], capture_output=True, text=True)
    return looked.stdout.strip().splitlines()[-1].strip()


TRIALS: dict[str, Callable[[Path], str]] = {
    "nginx": behind("nginx", "nginx.conf", nginx),
    "caddy": behind("caddy", "Caddyfile", caddy),
    "apache": behind("apache2", "apache.conf", apache),
    "unit": unit,
}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
