"""Tries deploy/'s image and compose files with Docker's engine, of Debian's packages, and plays in what they make.

    python -m scripts.try_image     or, with the other recipes, make hosting

It takes root, and Debian's packages docker.io, docker-compose, debootstrap and nginx. The engine is one of our own, and
what it runs has a network of its own, which no other program of the machine sees. What was built is kept in KEPT, so
that another time it takes two minutes instead of eight.

What this is not: the images that the files name are had from a registry, and these here are made of Debian's packages
under the same names. The base is what debootstrap makes (the real one is made of the same packages, less some files),
PostgreSQL, Redis and Caddy are Debian's, which are older, and a few lines do for the entrypoint of PostgreSQL's image.
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
"""What became of the trials, which are made by a process in a network of its own."""
SUITE = "trixie"
SLIM = ("usr/share/doc", "usr/share/man", "usr/share/locale", "usr/share/info", "var/lib/apt/lists", "var/cache/apt")
"""What the slim image lacks."""
PACKED_BYTES = 100_000_000
"""How large the image may be, as it is sent to and from a registry."""
TRIMMED = "fontTools.misc.bezierTools, multidict, polyfactory.factories, sqlalchemy, uvloop, yaml"
"""What the recipe takes something from: it goes on without."""
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
"""A machine that the unit is started on, with the installation that the image has: what systemd makes of it, it does.

It may have more files open than this machine lets anybody have, so that this line is another one there.
"""
UNIT_FOLDER = "/var/lib/cardhouse"
OF_A_MACHINE = ["--cap-add", "SYS_ADMIN", "--cap-add", "NET_ADMIN", "--tmpfs", "/run", "--tmpfs", "/tmp"]  # noqa: S108
OF_A_MACHINE += [f"--security-opt={what}=unconfined" for what in ("seccomp", "apparmor", "systempaths")]
"""What systemd itself has to be allowed; a container that may do all can't be had on every machine."""

COMPOSE = "docker compose -f deploy/compose.yaml"
DOCUMENT = ROOT / "docs" / "hosting.md"


def documented(beginning: str) -> str:
    """The one command of docs/hosting.md that begins so."""
    lines = [line.strip() for line in DOCUMENT.read_text("utf-8").splitlines() if line.startswith("    ")]
    (found,) = [line for line in lines if line.startswith(beginning)]
    return found


def docker(*arguments: str | Path, given: bytes | None = None) -> str:
    """What the engine says. Raises AssertionError with its complaint if it can't."""
    return told(["docker", "--host", ENGINE, *map(str, arguments)], given)


def told(command: list[str], given: bytes | None = None, folder: Path | None = None) -> str:
    """What a program says. Raises AssertionError with its complaint if it can't."""
    environment = {**os.environ, "DOCKER_HOST": ENGINE, "DOCKER_BUILDKIT": "0"}
    done = subprocess.run(command, input=given, capture_output=True, env=environment, cwd=folder)
    said = (done.stdout + done.stderr).decode(errors="replace")
    assert done.returncode == 0, f"{' '.join(command)[:200]}: {said[-2000:]}"
    return said


@contextmanager
def engine(*options: str) -> Iterator[None]:
    """Docker's engine, whose images and volumes lie in KEPT."""
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
    """Raises AssertionError if it doesn't come about."""
    until = time.monotonic() + SECONDS
    while not true():
        assert time.monotonic() < until, "what was waited for didn't come about"
        time.sleep(0.2)


def build() -> None:
    """Make the images: the base and what stands in for others unless they are there, and Cardhouse's by its recipe."""
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
    """Debian's smallest root, and the certificates that this machine believes in, as registries may have their own."""
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
    """The image by itself: what it may do, that it plays, and how large it is."""
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
    """Let it go, with what it kept; one that isn't there is none the less gone."""
    subprocess.run(["docker", "--host", ENGINE, "rm", "--force", "--volumes", container], capture_output=True)


def health(container: str) -> str:
    """What the engine says of the container's health."""
    return docker("inspect", container, "--format", "{{.State.Health.Status}}").strip()


def key_of(container: str, folder: str = "/data") -> str:
    """The house's key: no log tells it, only in which file it is."""
    return docker("exec", container, "cat", f"{folder}/cardhouse.db-key").strip()


class Composed:
    """What a compose file makes, with this environment. It is taken down again, with all it kept, at the end."""

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
        """What docker-compose says."""
        return told([*self._command, *arguments], given)

    def up(self) -> None:
        """Open it; what the others wait for is healthy then."""
        self("up", "--detach", "--no-build")
        of = self("ps", "--quiet").split()
        wait_until(lambda: all(health_or_running(one) for one in of))

    def down(self) -> None:
        """Everything goes, tables included."""
        self("down", "--volumes")

    def documented(self, command: str, service: str) -> str:
        """Do what docs/hosting.md does with compose.yaml's one house, with a service of this file; what is said."""
        line = documented(f"{COMPOSE} {command}").replace(" house ", f" {service} ", 1)
        return told(["sh", "-c", line.replace(COMPOSE, shlex.join(self._command))], folder=self._folder)

    def key(self, service: str) -> str:
        """The house's key."""
        return self.documented("exec -T house cat /data/cardhouse.db-key", service).strip()

    def is_watched(self, service: str, port: int) -> None:
        """Prometheus reads it at this port, the engine finds it healthy, and it has an administrator's page."""
        told = httpx.get(f"http://127.0.0.1:{port}/metrics").text
        assert "\ncardhouse_saving 1.0\n" in told, told
        assert health(self("ps", "--quiet", service).strip()) == "healthy"
        assert "/house#" in self.documented("exec -T house cardhouse tables page", service)

    def backup(self, service: str) -> None:
        """A copy of all tables: friday.db."""
        self.documented("exec -T house cardhouse tables backup", service)
        self.documented("exec -T house cat /data/friday.db", service)

    def restore(self, service: str) -> None:
        """All tables of the copy, in a house that was never opened."""
        self.documented("run --rm -T", service)


def health_or_running(container: str) -> bool:
    """Whether a container is healthy, or runs if nobody asks for its health."""
    found = json.loads(docker("inspect", container))[0]["State"]
    return bool(found["Health"]["Status"] == "healthy" if "Health" in found else found["Running"])


def one_house(folder: Path) -> str:
    """compose.yaml, with the recipe of nginx before it."""
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
    """compose.two.yaml, through its own Caddy; either server goes away and comes back."""
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
    """What a server itself says to its healthcheck."""
    asked = "import urllib.request as web; web.urlopen('http://127.0.0.1:8137/ready', timeout=5)"
    try:
        composed("exec", "-T", server, "python", "-c", asked)
    except AssertionError:
        return False
    return True


def started(folder: Path) -> str:
    """The unit, started by systemd on a machine of its own, and what it may do there."""
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
    """What the unit has said."""
    return docker("exec", "machine", "journalctl", "--unit", "cardhouse", "--no-pager")


TRIALS = {
    "image": Trial("the image by itself: its rights, its size", image),
    "compose": Trial("compose.yaml behind nginx; restart, backup, restore", one_house),
    "two": Trial("compose.two.yaml; a server away, Redis away; backup, restore", two_servers),
    "started": Trial("the unit, started by systemd", started),
}


def results(wanted: list[str]) -> list[Result]:
    """Build what is to be tried, and try it where no network is but its own."""
    KEPT.mkdir(mode=0o700, exist_ok=True)
    RESULTS.unlink(missing_ok=True)
    try:
        with engine("--bridge=none", "--iptables=false"):
            build()
        subprocess.run(["unshare", "--net", sys.executable, "-m", "scripts.try_image", "there", *wanted])
        return msgspec.json.decode(RESULTS.read_bytes(), type=list[Result])
    except (AssertionError, OSError) as error:  # what it takes isn't there, or there is no image
        print(f"image: FAILED: {error}", flush=True)
        return failed(TRIALS, wanted)


def main(wanted: list[str]) -> int:
    """Try the image and what is made of it; the exit status."""
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
