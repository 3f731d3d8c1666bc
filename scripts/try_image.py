"""Try deploy/'s image and compose files with Docker's engine from Debian's packages, and play in the result.

    python -m scripts.try_image     or, with the other recipes, make hosting

It needs root, and Debian's packages docker.io, docker-compose, debootstrap and nginx. The engine is a private one, and
its containers have a network of their own, invisible to the machine's other programs. Builds are cached in KEPT, so
that a second run takes two minutes instead of eight.

It doesn't test the registry's images that the files name: these here are built from Debian's packages under the same
names. The base is debootstrap's (the real one has the same packages, less some files), PostgreSQL, Redis and Caddy are
Debian's older ones, and a few lines replace the entrypoint of PostgreSQL's image.
"""

import gzip
import json
import os
import re
import resource
import shlex
import shutil
import signal
import ssl
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

import httpx
import msgspec

from scripts.guests import Guests
from scripts.proxies import DEPLOY, PROXIES, ROOT, before, certify
from scripts.trials import Result, Trial, each, failed, status, table

KEPT = Path("/var/tmp/cardhouse-hosting")  # noqa: S108 (nobody else's: root makes it, and nobody else may read it)
ENGINE = f"unix://{KEPT}/docker.sock"
BASE = "cardhouse-hosting/debian"
RESULTS = KEPT / "results.json"
"""The results of the trials, which run in a process with its own network."""
SUITE = "trixie"
SLIM = ("usr/share/doc", "usr/share/man", "usr/share/locale", "usr/share/info", "var/lib/apt/lists", "var/cache/apt")
"""The folders that the slim image lacks."""
PACKED_BYTES = 100_000_000
"""The largest allowed image, as transferred to and from a registry."""
TRIMMED = "fontTools.misc.bezierTools, multidict, polyfactory.factories, sqlalchemy, uvloop, yaml"
"""Modules that the recipe trims: they still work."""
SECONDS = 180
HOUSE = "http://127.0.0.1:8137"
STAND_INS = {
    "postgres": """
RUN apt-get update && apt-get install -y --no-install-recommends postgresql && rm -rf /var/lib/postgresql/* \\
    && usermod -u 999 postgres && chown -R postgres /var/lib/postgresql \\
    && ln -s /usr/lib/postgresql/*/bin/* /usr/local/bin/
RUN install -d -m 3777 /run/postgresql && printf '%s\\n' '#!/bin/sh -e' 'export PGDATA=/var/lib/postgresql/data' \\
    'if [ ! -d $PGDATA ]; then echo "$POSTGRES_PASSWORD" > /tmp/pw' \\
    'initdb -E UTF8 --locale=C.UTF-8 -U $POSTGRES_USER -A scram-sha-256 --pwfile /tmp/pw >&2; rm /tmp/pw' \\
    'echo "host all all all scram-sha-256" >> $PGDATA/pg_hba.conf' \\
    'echo "CREATE DATABASE $POSTGRES_USER" | postgres --single -D $PGDATA postgres; fi' \\
    'exec postgres -D $PGDATA -k /run/postgresql -h "*"' > /start && chmod +x /start
VOLUME /var/lib/postgresql
CMD ["/start"]
""",
    "redis": """
RUN apt-get update && apt-get install -y --no-install-recommends redis-server
ENTRYPOINT ["sh", "-c", "exec \\"$0\\" \\"$@\\" --protected-mode no"]
""",
    "caddy": "\nRUN apt-get update && apt-get install -y --no-install-recommends caddy wget\nENV XDG_DATA_HOME=/data\n",
}

MACHINE = "cardhouse-hosting/machine"
MACHINE_OF = """
FROM cardhouse
USER root
RUN apt-get update && apt-get install -y --no-install-recommends systemd systemd-sysv
COPY cardhouse.service /etc/systemd/system/
RUN mkdir /etc/systemd/system/cardhouse.service.d \\
    && printf '[Service]\\nLimitNOFILE=%s\\n' "$(ulimit -Hn)" > /etc/systemd/system/cardhouse.service.d/trial.conf \\
    && systemctl enable cardhouse
HEALTHCHECK NONE
ENTRYPOINT ["sh", "-c", "mount -t cgroup2 all /mnt && mkdir -p /mnt/machine && echo 0 > /mnt/machine/cgroup.procs \\
    && umount /mnt && exec unshare --cgroup sh -c 'umount -l /sys/fs/cgroup; mount -t cgroup2 all /sys/fs/cgroup; \\
    exec /lib/systemd/systemd --system'"]
CMD []
"""
"""A machine on which systemd starts the unit, with the image's installation.

The unit's limit on open files may exceed this machine's, so it is replaced there.
"""
UNIT_FOLDER = "/var/lib/cardhouse"
OF_A_MACHINE = ["--cap-add", "SYS_ADMIN", "--cap-add", "NET_ADMIN", "--tmpfs", "/run", "--tmpfs", "/tmp"]  # noqa: S108
OF_A_MACHINE += [f"--security-opt={what}=unconfined" for what in ("seccomp", "apparmor", "systempaths")]
"""The permissions that systemd needs; not every machine allows privileged containers."""

COMPOSE = "docker compose -f deploy/compose.yaml"
DOCUMENT = ROOT / "docs" / "hosting.md"


def documented(beginning: str) -> str:
    """Return the only command in docs/hosting.md that begins like this."""
    lines = [line.strip() for line in DOCUMENT.read_text("utf-8").splitlines() if line.startswith("    ")]
    (found,) = [line for line in lines if line.startswith(beginning)]
    return found


def docker(*arguments: str | Path, given: bytes | None = None) -> str:
    """Run docker and return its output. Raises AssertionError with the output if it fails."""
    return told(["docker", "--host", ENGINE, *map(str, arguments)], given)


def told(command: list[str], given: bytes | None = None, folder: Path | None = None) -> str:
    """Run a program and return its output. Raises AssertionError with the output if it fails."""
    environment = {**os.environ, "DOCKER_HOST": ENGINE, "DOCKER_BUILDKIT": "0"}
    done = subprocess.run(command, input=given, capture_output=True, env=environment, cwd=folder)
    said = (done.stdout + done.stderr).decode(errors="replace")
    assert done.returncode == 0, f"{' '.join(command)[:200]}: {said[-2000:]}"
    return said


@contextmanager
def engine(*options: str) -> Iterator[None]:
    """Run Docker's engine, with its images and volumes in KEPT."""
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    command = ["dockerd", "--data-root", KEPT / "data", "--exec-root", KEPT / "run", "--pidfile", KEPT / "pid"]
    command += ["--host", ENGINE, "--default-ulimit", f"nofile={files}:{files}", *options]
    with (KEPT / "log").open("wb") as log:
        process = subprocess.Popen(list(map(str, command)), stdout=log, stderr=log)
    try:
        wait_until(lambda: subprocess.run(["docker", "--host", ENGINE, "info"], capture_output=True).returncode == 0)
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(SECONDS)


def wait_until(true: Callable[[], bool]) -> None:
    """Wait for a condition. Raises AssertionError after the timeout."""
    until = time.monotonic() + SECONDS
    while not true():
        assert time.monotonic() < until, "what was waited for didn't come about"
        time.sleep(0.2)


def build() -> None:
    """Build the images: the base and the stand-ins unless they exist, and Cardhouse's by its recipe."""
    if BASE not in docker("images", "--format", "{{.Repository}}"):
        make_base()
    recipe = DEPLOY / "Containerfile"
    docker("build", "--network", "host", "--build-arg", f"DEBIAN={BASE}", "--file", recipe, "--tag", "cardhouse", ROOT)
    named = re.findall(r"image: (\S+:\S+)", (DEPLOY / "compose.two.yaml").read_text("utf-8"))
    for image in named:
        of = f"FROM {BASE}{STAND_INS[image.partition(':')[0]]}"
        docker("build", "--network", "host", "--tag", image, "-", given=of.encode())
    machine = KEPT / "machine"
    machine.mkdir(exist_ok=True)
    shutil.copy(DEPLOY / "cardhouse.service", machine)
    (machine / "Dockerfile").write_text(MACHINE_OF, "utf-8")
    docker("build", "--network", "host", "--tag", MACHINE, machine)


def make_base() -> None:
    """Make Debian's smallest root, with the certificates that this machine trusts, for private registries."""
    root = KEPT / "base"
    shutil.rmtree(root, ignore_errors=True)
    told(["debootstrap", "--variant=minbase", SUITE, str(root)])
    for folder in SLIM:
        shutil.rmtree(root / folder, ignore_errors=True)
        (root / folder).mkdir()
    shutil.copy("/etc/ssl/certs/ca-certificates.crt", root / "etc" / "believed.crt")
    believed = [f"--change=ENV {name}=/etc/believed.crt" for name in ("PIP_CERT", "NODE_EXTRA_CA_CERTS")]
    with tempfile.NamedTemporaryFile(dir=KEPT, suffix=".tar") as packed:
        told(["tar", "--directory", str(root), "--create", "--file", packed.name, "."])
        docker("import", *believed, packed.name, BASE)
    shutil.rmtree(root)


def image(folder: Path) -> str:
    """Try the image by itself: its permissions, a game, and its size."""
    command = shlex.split(documented("docker run --detach"))
    remove("house")
    docker(*command[1:3], "--name", "house", *command[3:])
    try:
        wait_until(lambda: health("house") == "healthy")
        user = docker("exec", "house", "id", "-u").strip()
        assert user != "0", user
        refused = subprocess.run(["docker", "--host", ENGINE, "exec", "house", "touch", "/opt/x"], capture_output=True)
        assert b"Read-only" in refused.stderr, refused
        docker("exec", "house", "python", "-c", f"import {TRIMMED}")
        guests = Guests(HOUSE, key=key_of("house"))
        guests.play(guests.make_table())
        docker("stop", "house")
        assert "Traceback" not in docker("logs", "house"), docker("logs", "house")[-1000:]
        status = docker("inspect", "house", "--format", "{{.State.ExitCode}}").strip()
        assert status == "0", f"it ended with {status}: {docker('logs', 'house')[-1000:]}"
    finally:
        remove("house")
    unpacked = int(docker("inspect", "cardhouse", "--format", "{{.Size}}"))
    saved = subprocess.run(["docker", "--host", ENGINE, "save", "cardhouse"], capture_output=True, check=True)
    packed = len(gzip.compress(saved.stdout, 6))
    assert packed < PACKED_BYTES, packed
    size = f"{packed / 1e6:.0f} MB packed, {unpacked / 1e6:.0f} MB unpacked"
    return f"healthy, as user {user} with a root that can't be written; played in; stopped with 0; {size}"


def remove(container: str) -> None:
    """Remove a container with its data, if it exists."""
    subprocess.run(["docker", "--host", ENGINE, "rm", "--force", "--volumes", container], capture_output=True)


def health(container: str) -> str:
    """Return the engine's report of the container's health."""
    return docker("inspect", container, "--format", "{{.State.Health.Status}}").strip()


def key_of(container: str, folder: str = "/data") -> str:
    """Return the server key, which logs never contain, from its file."""
    return docker("exec", container, "cat", f"{folder}/cardhouse.db-key").strip()


class Composed:
    """The containers of a compose file, with this environment, removed with all data at the end."""

    def __init__(self, file: str, folder: Path, environment: dict[str, str]) -> None:
        lines = "".join(f"{name}={value}\n" for name, value in environment.items())
        (folder / ".env").write_text(lines, "utf-8")
        self._folder = folder
        self._command = ["docker-compose", "--file", str(DEPLOY / file), "--project-name", "cards"]
        self._command += ["--env-file", str(folder / ".env")]

    def __enter__(self) -> Self:
        self.down()
        try:
            self.up()
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self('logs', '--tail', '20')}") from None
        return self

    def __exit__(self, *_: object) -> None:
        self.down()

    def __call__(self, *arguments: str, given: bytes | None = None) -> str:
        """Run docker-compose and return its output."""
        return told([*self._command, *arguments], given)

    def up(self) -> None:
        """Start everything, and wait until it is healthy."""
        self("up", "--detach", "--no-build")
        of = self("ps", "--quiet").split()
        wait_until(lambda: all(health_or_running(one) for one in of))

    def down(self) -> None:
        """Remove everything, tables included."""
        self("down", "--volumes")

    def documented(self, command: str, service: str) -> str:
        """Run a command of docs/hosting.md for compose.yaml's server on a service of this file; return its output."""
        line = documented(f"{COMPOSE} {command}").replace(" house ", f" {service} ", 1)
        return told(["sh", "-c", line.replace(COMPOSE, shlex.join(self._command))], folder=self._folder)

    def key(self, service: str) -> str:
        """Return the server key."""
        return self.documented("exec -T house cat /data/cardhouse.db-key", service).strip()

    def is_watched(self, service: str, port: int) -> None:
        """Prometheus reads it at this port, the engine finds it healthy, and it has an administrator's page."""
        told = httpx.get(f"http://127.0.0.1:{port}/metrics").text
        assert "\ncardhouse_saving 1.0\n" in told, told
        assert health(self("ps", "--quiet", service).strip()) == "healthy"
        assert "/house#" in self.documented("exec -T house cardhouse tables page", service)

    def backup(self, service: str) -> None:
        """Back up all tables to friday.db."""
        self.documented("exec -T house cardhouse tables backup", service)
        self.documented("exec -T house cat /data/friday.db", service)

    def restore(self, service: str) -> None:
        """Restore all tables of the backup on a server that was never started."""
        self.documented("run --rm -T", service)


def health_or_running(container: str) -> bool:
    """Return whether a container is healthy, or running if it has no health check."""
    found = json.loads(docker("inspect", container))[0]["State"]
    return bool(found["Health"]["Status"] == "healthy" if "Health" in found else found["Running"])


def one_house(folder: Path) -> str:
    """Try compose.yaml with nginx in front of it."""
    trusting = ssl.create_default_context(cafile=str(certify(folder)))
    nginx = before(PROXIES["nginx"], folder, inner=8137, port=443, plain=80)
    with Composed("compose.yaml", folder, {"CARDHOUSE_NAME": "localhost"}) as composed, nginx:
        guests = Guests("https://localhost", trusting, composed.key("house"))
        composed.is_watched("house", 9137)
        made = guests.make_table()
        guests.play(made)
        composed("restart", "house")
        composed.up()
        guests.play(made)
        composed.backup("house")
        composed.down()
        composed.restore("house")
        composed.up()
        guests.play(made)
    return (
        "played in behind nginx; metrics, health and an admin link; the table is there after a restart, and in a new "
        "house after backup and restore"
    )


def two_servers(folder: Path) -> str:
    """Try compose.two.yaml through its own Caddy; either server stops and comes back."""
    secrets = {"POSTGRES_PASSWORD": "a-password-of-a-trial", "CARDHOUSE_KEY": "a-key-of-a-trial-only"}
    secrets["CARDHOUSE_ADMIN_KEY"] = "an-admin-key-of-a-trial"
    with Composed("compose.two.yaml", folder, {"CARDHOUSE_NAME": "localhost", **secrets}) as composed:
        caddy = composed("ps", "--quiet", "caddy").strip()
        certificate = folder / "root.crt"

        def guests() -> Guests:
            docker("cp", f"{caddy}:/data/caddy/pki/authorities/local/root.crt", certificate)
            trusting = ssl.create_default_context(cafile=str(certificate))
            return Guests("https://localhost", trusting, secrets["CARDHOUSE_KEY"])

        first = guests()
        for server, port in (("house1", 9137), ("house2", 9138)):
            composed.is_watched(server, port)
        made = first.make_table()
        first.play(made)
        for server in ("house1", "house2"):
            composed("stop", server)
            first.play(made)
            composed("start", server)
            composed.up()
        composed("stop", "news")
        wait_until(lambda: not any(is_ready(composed, server) for server in ("house1", "house2")))
        first.play(made)
        composed("start", "news")
        composed.up()
        composed.backup("house1")
        composed.down()
        composed.restore("house2")
        composed.up()
        caddy = composed("ps", "--quiet", "caddy").strip()
        guests().play(made)
    return "played in through Caddy, by either server while the other was away, and while Redis was; backup and restore"


def is_ready(composed: Composed, server: str) -> bool:
    """Return whether a server's own health check succeeds."""
    asked = "import urllib.request as web; web.urlopen('http://127.0.0.1:8137/ready', timeout=5)"
    try:
        composed("exec", "-T", server, "python", "-c", asked)
    except AssertionError:
        return False
    return True


def started(folder: Path) -> str:
    """Try the unit, started by systemd on a separate machine, and its permissions."""
    remove("machine")
    docker("run", "--detach", "--name", "machine", *OF_A_MACHINE, MACHINE)
    try:
        wait_until(lambda: "Cardhouse is open" in journal())
        pid = docker("exec", "machine", "systemctl", "show", "--property", "MainPID", "--value", "cardhouse").strip()
        status = docker("exec", "machine", "cat", f"/proc/{pid}/status")
        facts = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
        assert facts["Uid"].split()[0] != "0", facts["Uid"]
        assert (int(facts["CapEff"], 16), facts["NoNewPrivs"], facts["Seccomp"]) == (0, "1", "2"), facts
        docker("exec", "machine", "cardhouse", "doctor", "http://127.0.0.1:8137")
        key = key_of("machine", UNIT_FOLDER)
        assert key not in journal(), "the journal has the house's key"
        docker("exec", "machine", "systemctl", "restart", "cardhouse")
        wait_until(lambda: journal().count("Cardhouse is open") == 2)
        assert key_of("machine", UNIT_FOLDER) == key
        docker("exec", "machine", "systemctl", "stop", "cardhouse")
        result = docker("exec", "machine", "systemctl", "show", "--property", "Result", "--value", "cardhouse")
        assert result.strip() == "success", result
    finally:
        remove("machine")
    may = "as a user that is nobody else's, with no capability, within seccomp"
    return f"started, {may}; the doctor is content; restarted; stopped well"


def journal() -> str:
    """Return the unit's journal."""
    return docker("exec", "machine", "journalctl", "--unit", "cardhouse", "--no-pager")


TRIALS = {
    "image": Trial("the image by itself: its rights, its size", image),
    "compose": Trial("compose.yaml behind nginx; restart, backup, restore", one_house),
    "two": Trial("compose.two.yaml; a server away, Redis away; backup, restore", two_servers),
    "started": Trial("the unit, started by systemd", started),
}


def results(wanted: list[str]) -> list[Result]:
    """Build the images, and run the trials in a network of their own."""
    KEPT.mkdir(mode=0o700, exist_ok=True)
    RESULTS.unlink(missing_ok=True)
    try:
        with engine("--bridge=none", "--iptables=false"):
            build()
        subprocess.run(["unshare", "--net", sys.executable, "-m", "scripts.try_image", "there", *wanted])
        return msgspec.json.decode(RESULTS.read_bytes(), type=list[Result])
    except (AssertionError, OSError) as error:  # a requirement is missing, or the image can't be built
        print(f"image: FAILED: {error}", flush=True)
        return failed(TRIALS, wanted)


def main(wanted: list[str]) -> int:
    """Try the image and what is made from it; return the exit status."""
    if wanted[:1] != ["there"]:
        tried = results(wanted)
        print(f"\n{table(tried)}", flush=True)
        return status(tried)
    told(["ip", "link", "set", "lo", "up"])
    with engine():
        tried = each(TRIALS, wanted[1:])
    RESULTS.write_bytes(msgspec.json.encode(tried))
    return status(tried)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
