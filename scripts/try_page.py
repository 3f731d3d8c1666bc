"""Follow docs/hosting.md and docs/operations.md on a new Debian: run their commands, and the doctor.

Part of `make hosting`. It needs root, and Debian's packages debootstrap, systemd-container, nftables, openssl, nginx
and pebble. The machine is a container that systemd boots, with its own network. It reaches the registries through this
machine. The pages' commands run exactly as printed.

The internet and the person are simulated. The checkout comes from this repository instead of GitHub. Pebble is the
public certificate authority, under the real one's name. `cards.example.org` is in the machine's hosts file. Answers to
questions (apt's, certbot's) are in configuration files. Traefik's program, which Debian lacks, is copied there.
"""

import shutil
import signal
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx

from scripts.proxies import NAME, ROOT, program
from scripts.services import free_port, listening, running
from scripts.trials import Trial
from scripts.try_image import KEPT, SUITE, told, wait_until

BASE = KEPT / "bare"
"""A new Debian, cached for later runs."""
INCLUDED = "systemd-sysv,dbus,iproute2,ca-certificates,procps"
CERTIFICATES = Path("/usr/local/share/ca-certificates")
AUTHORITY = "acme-v02.api.letsencrypt.org"
HERE, THERE = ("172.31.139.1", "fd31:139::1"), ("172.31.139.2", "fd31:139::2")
"""Addresses of this machine and of the new one."""
NFT = """table ip cardhouse_hosting {{
    chain out {{
        type nat hook postrouting priority srcnat;
        ip saddr {}/24 ip daddr != {}/24 masquerade;
    }}
}}"""
FORWARDING = Path("/proc/sys/net/ipv4/ip_forward")
HOSTS = f"127.0.0.1 localhost\n{HERE[0]} {AUTHORITY}\n" + "".join(f"{one} {NAME}\n" for one in THERE)
GITHUB = "https://github.com/cardhouse/cardhouse"
ANSWERS = {
    "etc/hosts": HOSTS,
    "etc/apt/apt.conf.d/yes": 'APT::Get::Assume-Yes "true";\n',
    "root/.config/letsencrypt/cli.ini": "email = you@example.org\nagree-tos = True\nno-eff-email = True\n",
    "etc/gitconfig": f'[url "/srv/cardhouse.git"]\n    insteadOf = {GITHUB}\n[safe]\n    directory = *\n',
    "etc/profile.d/registries.sh": "export DEBIAN_FRONTEND=noninteractive PIP_CERT=/etc/ssl/certs/ca-certificates.crt"
    " NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt\n",
}
PROXIES = {"Caddy": "caddy", "nginx": "nginx", "Apache": "apache2", "Traefik": "traefik"}
"""The page's sections, and the units that they start; Traefik is started by this script."""
BY_CERTBOT = ("nginx", "Apache")


def section(page: str, title: str) -> list[str]:
    """Return the commands of one section of a page in docs/, as printed."""
    lines = (ROOT / "docs" / page).read_text("utf-8").splitlines()
    level = next(line.partition(" ")[0] for line in lines if line.endswith(f"# {title}"))
    rest = lines[lines.index(f"{level} {title}") + 1 :]
    ends = [n for n, line in enumerate(rest) if line.startswith("#") and line.index(" ") <= len(level)]
    return [line[4:] for line in rest[: min(ends, default=len(rest))] if line.startswith("    ")]


class Machine:
    """A new Debian, booted by systemd, with its own network."""

    def __init__(self, root: Path, leader: int) -> None:
        self.root = root
        self._enter = [
            "nsenter",
            "--target",
            str(leader),
            "--all",
            "env",
            "-i",
            "HOME=/root",
            "PATH=/usr/sbin:/usr/bin",
        ]

    def types(self, *commands: str) -> str:
        """Run commands in a new root shell, and return their output. Raises AssertionError if one fails."""
        script = "\n".join(["cd", "set -e", *commands])
        return told([*self._enter, "bash", "-lc", script])

    def is_up(self) -> bool:
        """Return whether systemd has started everything."""
        try:
            return "running" in self.types("systemctl is-system-running")
        except AssertionError:
            return False


@contextmanager
def machine(folder: Path) -> Iterator[Machine]:
    """Yield a running copy of the new Debian, connected to this machine and through it to the registries."""
    root = folder / "root"
    told(["cp", "--archive", "--reflink=auto", str(BASE), str(root)])
    told(["git", "clone", "--quiet", "--bare", "--single-branch", str(ROOT), str(root / "srv/cardhouse.git")])
    shutil.copy("/etc/resolv.conf", root / "etc")
    for place, text in ANSWERS.items():
        (root / place).parent.mkdir(parents=True, exist_ok=True)
        (root / place).write_text(text)
    boot = ["systemd-nspawn", "--quiet", "--boot", "--register=no", "--keep-unit", "--private-network"]
    boot += ["--resolv-conf=off", f"--directory={root}"]
    with (folder / "boot.log").open("wb") as log, ExitStack() as stack:
        environment = {"PATH": "/usr/sbin:/usr/bin", "SYSTEMD_NSPAWN_UNIFIED_HIERARCHY": "1"}
        nspawn = subprocess.Popen(boot, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment)
        stack.callback(nspawn.wait, 60)
        stack.callback(nspawn.send_signal, signal.SIGKILL)
        leaders = Path(f"/proc/{nspawn.pid}/task/{nspawn.pid}/children")
        wait_until(lambda: bool(leaders.read_text()))
        leader = int(leaders.read_text().split()[0])
        stack.callback(stop, nspawn, leader)
        new = Machine(root, leader)
        wait_until(new.is_up)
        stack.enter_context(connected(leader))
        new.types(
            *(f"ip address add {one} dev machine0" for one in (f"{THERE[0]}/24", f"{THERE[1]}/64 nodad")),
            "ip link set machine0 up",
            f"ip route add default via {HERE[0]}",
        )
        yield new


def stop(nspawn: subprocess.Popen[bytes], leader: int) -> None:
    """Shut the machine down with systemd."""
    told(["nsenter", "--target", str(leader), "--all", "systemctl", "poweroff"])
    nspawn.wait(60)


@contextmanager
def connected(leader: int) -> Iterator[None]:
    """Connect the machine with a virtual cable; its other packets are forwarded under this machine's address."""
    forwarded = FORWARDING.read_text()
    told(["ip", "link", "add", "cardhouse0", "type", "veth", "peer", "name", "machine0", "netns", str(leader)])
    try:
        for address in (f"{HERE[0]}/24", f"{HERE[1]}/64"):
            told(["ip", "address", "add", address, "dev", "cardhouse0", *(["nodad"] if ":" in address else [])])
        told(["ip", "link", "set", "cardhouse0", "up"])
        told(["nft", NFT.format(HERE[0], HERE[0])])
        FORWARDING.write_text("1")
        yield
    finally:
        FORWARDING.write_text(forwarded)
        subprocess.run(["nft", "delete", "table", "ip", "cardhouse_hosting"], capture_output=True)
        subprocess.run(["ip", "link", "delete", "cardhouse0"], capture_output=True)


@contextmanager
def authority(folder: Path, new: Machine) -> Iterator[None]:
    """Run Pebble at the name and path of the real authority; the machine trusts both its site and its certificates."""
    own = ["-x509", "-newkey", "rsa:2048", "-nodes", "-days", "9", "-subj", "/CN=authority", "-addext"]
    own += [
        f"subjectAltName=DNS:{AUTHORITY},DNS:localhost",
        "-keyout",
        f"{folder}/own.key",
        "-out",
        f"{folder}/own.crt",
    ]
    told(["openssl", "req", *own])
    asked, managed, names, other = (free_port() for _ in range(4))
    (folder / "pebble.json").write_text(
        f"""{{"pebble": {{"listenAddress": "127.0.0.1:{asked}", "managementListenAddress": "127.0.0.1:{managed}",
        "certificate": "{folder}/own.crt", "privateKey": "{folder}/own.key", "httpPort": 80, "tlsPort": 443}}}}"""
    )
    (folder / "nginx.conf").write_text(
        f"""user root; daemon off; pid {folder}/pid; error_log stderr; events {{}}
        http {{ access_log off; server {{
            listen {HERE[0]}:443 ssl; ssl_certificate {folder}/own.crt; ssl_certificate_key {folder}/own.key;
            proxy_set_header Host $host;
            location = /directory {{ proxy_pass https://127.0.0.1:{asked}/dir; }}
            location / {{ proxy_pass https://127.0.0.1:{asked}; }}
        }} }}"""
    )
    resolver = ["pebble-challtestsrv", "-dns01", f"127.0.0.1:{names}", "-http01", "", "-https01", "", "-tlsalpn01", ""]
    resolver += ["-management", f"127.0.0.1:{other}", "-defaultIPv4", THERE[0], "-defaultIPv6", THERE[1]]
    pebble = ["pebble", "-config", f"{folder}/pebble.json", "-dnsserver", f"127.0.0.1:{names}"]
    front = ["nginx", "-p", str(folder), "-c", f"{folder}/nginx.conf"]
    with ExitStack() as stack:
        for command, port in ((resolver, other), (pebble, managed), (front, managed)):
            service = listening(command, port, folder / f"{command[0]}.log")
            stack.enter_context(running(service))
        root = httpx.get(f"https://localhost:{managed}/roots/0", verify=trusting(folder / "own.crt"))
        (folder / "root.crt").write_bytes(root.raise_for_status().content)
        for file in ("own", "root"):
            shutil.copy(folder / f"{file}.crt", new.root / CERTIFICATES.relative_to("/") / f"authority-{file}.crt")
        new.types("update-ca-certificates")
        yield


def make_base() -> None:
    """Make a new Debian with this machine's own certificates."""
    if BASE.exists():
        return
    KEPT.mkdir(mode=0o700, exist_ok=True)
    making = BASE.with_name("bare.part")
    shutil.rmtree(making, ignore_errors=True)
    told(["debootstrap", f"--include={INCLUDED}", SUITE, str(making)])
    for file in CERTIFICATES.glob("*.crt"):
        shutil.copy(file, making / CERTIFICATES.relative_to("/"))
    told(["chroot", str(making), "update-ca-certificates"])
    making.rename(BASE)


def followed(folder: Path) -> str:
    """Install the service, put each proxy in front, one after another, then two servers behind Caddy."""
    make_base()
    traefik = program("traefik")
    with machine(folder) as new, authority(folder, new):
        shutil.copy(traefik, new.root / "usr/local/bin/traefik")
        installing = section("hosting.md", "1. Install the service")
        new.types(*installing)
        same_shell = [line for line in installing if line.startswith(("NAME=", "cd "))]
        for title, unit in PROXIES.items():
            new.types(*same_shell, *section("hosting.md", title))
            if title == "Traefik":
                new.types("systemd-run --unit=traefik traefik")
            check(new, same_shell)
            if title in BY_CERTBOT:
                new.types("certbot renew --force-renewal --no-random-sleep-on-renew")
                check(new, same_shell)
            new.types(f"systemctl disable --now {unit}", "rm -rf /etc/letsencrypt/{live,archive,renewal}")
        new.types("systemctl start caddy")  # as if it had just been installed
        new.types(*same_shell, *[line for line in section("operations.md", "More than one server") if shared(line)])
        check(new, same_shell)
        new.types("systemctl stop cardhouse@8137")
        check(new, same_shell)
        new.types("systemctl restart cardhouse@8137", "systemctl stop cardhouse@8138")
        check(new, same_shell)
    return (
        f"from an empty Debian: the service, then {', '.join(PROXIES)}, each with its certificate, on IPv4 and IPv6, "
        f"renewed with {' and '.join(BY_CERTBOT)}; two servers, either away; the doctor is content"
    )


def shared(line: str) -> bool:
    """Return whether a command of the section is for one machine, and not an example of options."""
    return not line.startswith("cardhouse serve")


def check(new: Machine, same_shell: list[str]) -> None:
    """Check as the page's last section says, once the certificate exists; http must lead to https, on IPv6 too."""
    (doctor,) = section("hosting.md", "3. Check it")

    def is_well() -> bool:
        try:
            new.types(*same_shell, doctor)
        except AssertionError as error:
            saw.append(str(error))
            return False
        return True

    saw: list[str] = []
    try:
        wait_until(is_well)
    except AssertionError:
        raise AssertionError(saw[-1]) from None
    believing = trusting(new.root.with_name("root.crt"))
    for address in (THERE[0], f"[{THERE[1]}]"):
        sent_on = httpx.head(f"http://{address}/t/x", headers={"Host": NAME}).headers["Location"]
        assert sent_on == f"https://{NAME}/t/x", sent_on
        for method in ("HEAD", "GET"):
            with httpx.Client(verify=believing, headers={"Host": NAME}) as web:
                web.request(method, f"https://{address}/ready", extensions={"sni_hostname": NAME}).raise_for_status()


def trusting(certificate: Path) -> ssl.SSLContext:
    """Return a context that trusts only this certificate."""
    return ssl.create_default_context(cafile=str(certificate))


TRIALS = {"page": Trial("hosting.md and operations.md, typed on an empty Debian", followed)}
