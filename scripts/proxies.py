"""Run the proxies of deploy/'s recipes with the real programs, for trials.

Each uses the recipe's own text, except for the name, the ports, the timeouts, and a self-signed certificate.
"""

import os
import shutil
import ssl
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import httpx

from scripts.guests import QUIET_SECONDS
from scripts.services import listening, running

ROOT = Path(__file__).resolve().parent.parent
DEPLOY = ROOT / "deploy"
NAME = "cards.example.org"
CERTIFICATES = f"/etc/letsencrypt/live/{NAME}/"
PATIENCE = f"{QUIET_SECONDS - 5}"
"""The seconds that a proxy waits for a quiet socket here, instead of an hour: longer than the interval of pings."""
RESOLVER = "\n        certResolver: letsencrypt"
APACHE = "mpm_event authz_core alias ssl socache_shmcb headers proxy proxy_http proxy_wstunnel"


class Proxy(NamedTuple):
    """A recipe and its program: `start` writes the configuration, and returns the command for the foreground.

    `under` lists the changes to the recipe for a server under the path /cards.
    """

    program: str
    recipe: str
    start: Callable[[Path, str, int, int], list[str]]
    under: Sequence[tuple[str, str]]


def nginx(folder: Path, text: str, port: int, plain: int) -> list[str]:
    """Write the recipe's server blocks into a minimal configuration."""
    for written, here in ((443, port), (80, plain)):
        text = text.replace(f"listen {written}", f"listen {here}").replace(f"[::]:{written}", f"[::]:{here}")
    text = text.replace("_timeout 1h", f"_timeout {PATIENCE}s")
    temporary = "".join(
        f"{of}_temp_path {folder}/{of};\n" for of in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    head = f"user root;\npid {folder}/pid;\nerror_log stderr;\nevents {{}}\n"
    (folder / "nginx.conf").write_text(f"{head}http {{\naccess_log off;\n{temporary}{text}}}\n", "utf-8")
    return ["-p", str(folder), "-c", str(folder / "nginx.conf"), "-g", "daemon off;"]


def caddy(folder: Path, text: str, port: int, plain: int) -> list[str]:
    """Write the recipe with our own certificate, since no authority would sign one for localhost."""
    text = text.replace("localhost {", f"https://localhost {{\n\ttls {folder}/fullchain.pem {folder}/privkey.pem")
    head = f"{{\n\tadmin off\n\thttp_port {plain}\n\thttps_port {port}\n}}\n"
    (folder / "Caddyfile").write_text(head + text, "utf-8")
    return ["run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]


def apache(folder: Path, text: str, port: int, plain: int) -> list[str]:
    """Write the recipe's virtual hosts into a minimal configuration."""
    modules = "".join(f"LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so\n" for name in APACHE.split())
    head = f"ServerRoot {folder}\nPidFile {folder}/pid\nListen {port}\nListen {plain}\nErrorLog /dev/stderr\n"
    text = text.replace("*:443", f"*:{port}").replace("*:80", f"*:{plain}").replace("3600", PATIENCE)
    (folder / "apache.conf").write_text(f"{modules}{head}ServerName localhost\n{text}", "utf-8")
    return ["-X", "-f", str(folder / "apache.conf")]


def traefik(folder: Path, text: str, port: int, plain: int) -> list[str]:
    """Write both configuration files, with our own certificate, so that none is requested."""
    assert RESOLVER in text, text
    own = f"tls:\n  certificates:\n    - certFile: {folder}/fullchain.pem\n      keyFile: {folder}/privkey.pem\n"
    (folder / "dynamic").mkdir()
    (folder / "dynamic" / "cardhouse.yaml").write_text(text.replace(RESOLVER, " {}") + own, "utf-8")
    static = (DEPLOY / "traefik-static.yaml").read_text("utf-8").replace("/etc/traefik", str(folder))
    static = static.replace('":443"', f'"127.0.0.1:{port}"').replace('":80"', f'"127.0.0.1:{plain}"')
    static = static.replace("readTimeout: 10m", f"readTimeout: {PATIENCE}s")
    (folder / "traefik.yaml").write_text(static, "utf-8")
    return [f"--configFile={folder}/traefik.yaml"]


PROXIES = {
    "nginx": Proxy("nginx", "nginx.conf", nginx, [("location / {", "location /cards/ {")]),
    "caddy": Proxy("caddy", "Caddyfile", caddy, [("reverse_proxy 127", "reverse_proxy /cards/* 127")]),
    "apache": Proxy(
        "apache2",
        "apache.conf",
        apache,
        [("ProxyPass /ws ws://127.0.0.1:8137/ws", "ProxyPass /cards/ws ws://127.0.0.1:8137/cards/ws"),
         ("ProxyPass / http://127.0.0.1:8137/", "ProxyPass /cards/ http://127.0.0.1:8137/cards/")],
    ),
    "traefik": Proxy(
        "traefik",
        "traefik.yaml",
        traefik,
        [(f"\n      rule: Host(`{NAME}`)\n      # Under", "\n      # Under"),
         (f"# rule: Host(`{NAME}`) && PathPrefix", f"rule: Host(`{NAME}`) && PathPrefix")],
    ),
}  # fmt: skip


@contextmanager
def before(proxy: Proxy, folder: Path, inner: int, port: int, plain: int, under: bool = False) -> Iterator[None]:
    """Run the proxy in front of a server at the port `inner`: at `port` with https, at `plain` with http.

    Raises FileNotFoundError if the program isn't installed, ServiceError if it won't start.
    """
    found = program(proxy.program)
    text = (DEPLOY / proxy.recipe).read_text("utf-8")
    for here, there in proxy.under if under else ():
        assert here in text, here
        text = text.replace(here, there)
    text = text.replace(CERTIFICATES, f"{folder}/").replace(NAME, "localhost").replace("8137", str(inner))
    service = listening([found, *proxy.start(folder, text, port, plain)], port, folder / "proxy.log")
    health = f"https://localhost:{port}{'/cards' if under else ''}/api/health"
    trusting = ssl.create_default_context(cafile=str(folder / "fullchain.pem"))
    with running(service._replace(ready=lambda: lets_through(health, trusting))):
        yield


def program(name: str) -> str:
    """Return a program's path. Raises FileNotFoundError if it isn't installed."""
    found = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:{Path(sys.executable).parent}")
    if found is None:
        raise FileNotFoundError(f"there is no {name}")
    return found


def lets_through(health: str, trusting: ssl.SSLContext) -> bool:
    """Return whether the server answers through the proxy, which may listen before its configuration is complete."""
    try:
        return httpx.get(health, verify=trusting, timeout=1).is_success
    except httpx.TransportError:
        return False


def certify(folder: Path) -> Path:
    """Create a certificate for localhost that only this trial trusts."""
    chain = folder / "fullchain.pem"
    of = ["-x509", "-newkey", "rsa:2048", "-nodes", "-days", "90", "-subj", "/CN=localhost"]
    of += ["-addext", "subjectAltName=DNS:localhost"]
    files: list[str | Path] = ["-keyout", folder / "privkey.pem", "-out", chain]
    subprocess.run(["openssl", "req", *of, *files], check=True, capture_output=True)
    return chain
