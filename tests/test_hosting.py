"""The files in deploy/ are valid; `make hosting` tries them with the real programs."""

import re
import stat
import subprocess
import tomllib
from pathlib import Path

import msgspec.yaml
import pytest

from cardhouse.cli import main
from cardhouse.lab.questions.paths import cache_folder
from cardhouse.server.api.campaigns import CAMPAIGN_BYTES
from scripts import try_image
from scripts.proxies import PROXIES
from scripts.try_page import section

ROOT = Path(__file__).parent.parent
DEPLOY = ROOT / "deploy"
HOSTING = (ROOT / "docs/hosting.md").read_text("utf-8")
LARGEST = {
    "nginx.conf": r"client_max_body_size (\d+)m;",
    "Caddyfile": r"max_size (\d+)MB",
    "Caddyfile.two": r"max_size (\d+)MB",
    "apache.conf": r"LimitRequestBody (\d+)",
}
COMPOSED = ("compose.yaml", "compose.two.yaml")
SERVES = [*sorted({*LARGEST, "cardhouse.service", "traefik.yaml"}), *COMPOSED, "Containerfile"]


@pytest.fixture
def options(capsys: pytest.CaptureFixture[str]) -> set[str]:
    """What `cardhouse serve` can be told."""
    main(["serve", "--help"])
    return set(re.findall(r"--[a-z]+", capsys.readouterr().out))


@pytest.mark.parametrize("recipe", SERVES)
def test_it_names_options_that_there_are(recipe: str, options: set[str]):
    text = (DEPLOY / recipe).read_text("utf-8").replace('", "', " ").replace("\n     ", " ")
    said = re.findall(r'(?:cardhouse |  |\[")serve (-.*)', text)
    assert said
    assert {option for line in said for option in re.findall(r"(?<= )--[a-z]+", f" {line}")} <= options


@pytest.mark.parametrize("recipe", LARGEST)
def test_the_largest_file_of_a_page_comes_through(recipe: str):
    (number,) = re.findall(LARGEST[recipe], (DEPLOY / recipe).read_text("utf-8"))
    assert int(number) * (1 if int(number) > 1000 else 1_000_000) >= CAMPAIGN_BYTES


@pytest.mark.parametrize("file", COMPOSED)
def test_what_is_composed_may_do_nothing_that_it_need_not(file: str):
    services = msgspec.yaml.decode((DEPLOY / file).read_text("utf-8"))["services"]
    for name, service in services.items():
        assert service["read_only"], name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert service["restart"] == "unless-stopped", name
        assert service.get("cap_add", []) == (["NET_BIND_SERVICE"] if name == "caddy" else []), name


@pytest.mark.parametrize("file", COMPOSED)
def test_the_secrets_stand_in_a_file_of_their_own(file: str, tmp_path: Path):
    (tmp_path / "secrets.sh").write_bytes((DEPLOY / "secrets.sh").read_bytes())
    write = ["sh", str(tmp_path / "secrets.sh"), "cards.example.org"]
    subprocess.run(write, check=True, capture_output=True)
    written = tmp_path / ".env"
    assert stat.S_IMODE(written.stat().st_mode) == 0o600
    told = dict(line.split("=") for line in written.read_text("utf-8").splitlines())
    assert set(re.findall(r"\$\{(\w+)", (DEPLOY / file).read_text("utf-8"))) <= set(told)
    secrets = [told[name] for name in ("CARDHOUSE_KEY", "CARDHOUSE_ADMIN_KEY", "POSTGRES_PASSWORD")]
    assert len(set(secrets)) == len(secrets)
    assert {len(secret) for secret in secrets} == {32}
    before = written.read_text("utf-8")
    subprocess.run(write, check=True, capture_output=True)
    assert written.read_text("utf-8") == before


def test_secrets_that_are_missing_are_added(tmp_path: Path):
    (tmp_path / "secrets.sh").write_bytes((DEPLOY / "secrets.sh").read_bytes())
    (tmp_path / ".env").write_text("CARDHOUSE_NAME=old.example.org\nCARDHOUSE_KEY=kept\n")
    subprocess.run(["sh", str(tmp_path / "secrets.sh"), "cards.example.org"], check=True, capture_output=True)
    lines = (tmp_path / ".env").read_text("utf-8").splitlines()
    assert lines[:2] == ["CARDHOUSE_NAME=old.example.org", "CARDHOUSE_KEY=kept"]
    assert [line.partition("=")[0] for line in lines[2:]] == [
        "CARDHOUSE_ADMIN_KEY",
        "POSTGRES_PASSWORD",
        "CARDHOUSE_KEEP",
    ]


@pytest.mark.parametrize(("title", "recipe"), [("nginx", "nginx.conf"), ("Apache", "apache.conf")])
def test_the_certificate_comes_before_the_recipe_that_names_it(title: str, recipe: str):
    text = (DEPLOY / recipe).read_text("utf-8")
    assert set(re.findall(r"/etc/letsencrypt/live/([^/]+)/", text)) == {"cards.example.org"}
    (certificate,) = re.findall(
        r"certbot certonly --\w+ -d cards.example.org --deploy-hook \"systemctl reload \w+\"", text
    )
    commands = section("hosting.md", title)
    copied = next(n for n, line in enumerate(commands) if f"deploy/{recipe}" in line)
    assert commands.index(certificate.replace("cards.example.org", "$NAME")) < copied


@pytest.mark.parametrize("file", COMPOSED)
def test_each_server_deletes_old_tables_and_tells_prometheus_and_the_engine_how_it_is(file: str):
    services = msgspec.yaml.decode((DEPLOY / file).read_text("utf-8"))["services"]
    ports = []
    for name, service in services.items():
        assert "healthcheck" in service, name
        if name.startswith("house"):
            assert "--keep ${CARDHOUSE_KEEP:-365d} --metrics 0.0.0.0:9137" in service["command"]
            ports += [port for port in service["ports"] if port.endswith(":9137")]
    assert ports == [f"127.0.0.1:{9137 + n}:9137" for n in range(len(ports))]


def test_two_servers_share_an_admin_key():
    services = msgspec.yaml.decode((DEPLOY / "compose.two.yaml").read_text("utf-8"))["services"]
    for house in ("house1", "house2"):
        assert services[house]["environment"]["CARDHOUSE_ADMIN_KEY"].startswith("${CARDHOUSE_ADMIN_KEY:?")


def test_an_image_that_is_built_again_has_debians_fixes():
    recipe = (DEPLOY / "Containerfile").read_text("utf-8")
    assert recipe.index("apt-get update") < recipe.index("apt-get upgrade") < recipe.index("apt-get install")
    assert "docker compose -f deploy/compose.yaml build --no-cache" in COMMANDS


def test_the_base_is_pinned_and_the_packages_have_hashes():
    recipe = (DEPLOY / "Containerfile").read_text("utf-8")
    assert re.search(r"^ARG DEBIAN=\S+@sha256:[0-9a-f]{64}$", recipe, re.MULTILINE)
    assert re.findall(r"^FROM (\S+)", recipe, re.MULTILINE) == ["${DEBIAN}", "python", "python"]
    installed = re.findall(r"pip (?:--python \S+ )?install (.*?)(?: \\|$)", recipe, re.MULTILINE)
    assert [line for line in installed if "--require-hashes" not in line] == ["--no-deps wheel/*"]


def test_the_pins_are_those_that_are_tested():
    tested = pins("dev.txt")
    for file in ("house.txt", "build.txt"):
        assert {name: at for name, at in pins(file).items() if name in tested}.items() <= tested.items()
        assert set(pins(file)) - set(tested) <= {"async-timeout"}


def test_what_cardhouse_takes_is_among_the_pins_of_the_image():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    taken = [*project["dependencies"], *project["optional-dependencies"]["postgres"]]
    assert {re.split(r"[^a-z0-9-]", one)[0] for one in taken} <= set(pins("house.txt"))


def test_a_restart_is_decided_by_live_and_where_people_are_sent_by_ready():
    assert re.findall(r":8137(/\w+)", (DEPLOY / "Containerfile").read_text("utf-8")) == ["/live"]
    assert re.findall(r"health_uri (\S+)", (DEPLOY / "Caddyfile.two").read_text("utf-8")) == ["/ready"]
    for file in COMPOSED:
        assert re.findall(r":8137(/\w+)", (DEPLOY / file).read_text("utf-8")) == ["/ready"]


def pins(file: str) -> dict[str, str]:
    text = (ROOT / "requirements" / file).read_text("utf-8")
    return dict(re.findall(r"^([a-z0-9._-]+)==(\S+)", text, re.MULTILINE))


COMMANDS = [line.strip() for line in HOSTING.splitlines() if line.startswith("    ")]
OF_A_HOUSE = (
    "exec -T house cat /data/friday.db",
    "exec -T house cat /data/cardhouse.db-key",
    "exec -T house cardhouse tables page",
)
OF_THE_TRIAL = (
    "docker build -f deploy/Containerfile -t cardhouse .",
    "sh deploy/secrets.sh cards.example.org",
    "docker compose -f deploy/compose.yaml build --no-cache",
)
"""What the trial does otherwise: it says what the base is, and names the house localhost."""


@pytest.mark.parametrize("command", [line for line in COMMANDS if line.startswith(("docker ", "sh "))])
def test_commands_of_the_document_are_those_of_the_trial(command: str):
    tried = (ROOT / "scripts/try_image.py").read_text("utf-8")
    begun = ("docker run --detach", "exec -T house cardhouse tables backup", *OF_A_HOUSE, "run --rm -T")
    if any(beginning in command for beginning in begun):
        assert len([line for line in COMMANDS if line == command]) == 1
        assert any(f'"{beginning}"' in tried for beginning in begun if beginning in command)
    else:
        composed = re.fullmatch(r"docker compose -f deploy/(\S+) up --detach", command)
        assert (composed and composed[1] in COMPOSED) or command in OF_THE_TRIAL


def test_what_the_unit_has_kept_in_the_cache_is_there_at_the_next_start(monkeypatch: pytest.MonkeyPatch):
    unit = (DEPLOY / "cardhouse.service").read_text("utf-8")
    (kept_in,) = re.findall(r"^Environment=XDG_CACHE_HOME=(.+)$", unit, re.MULTILINE)
    (kept,) = re.findall(r"^CacheDirectory=(.+)$", unit, re.MULTILINE)
    monkeypatch.setenv("XDG_CACHE_HOME", kept_in.replace("%C", "/var/cache"))  # systemd.unit(5)
    assert cache_folder() == Path("/var/cache") / kept


def test_traefiks_two_files_are_of_one_traefik():
    passes_on, started = (
        msgspec.yaml.decode((DEPLOY / file).read_text("utf-8")) for file in ("traefik.yaml", "traefik-static.yaml")
    )
    routers = passes_on["http"]["routers"].values()
    assert {at for router in routers for at in router["entryPoints"]} == set(started["entryPoints"])
    resolvers = {router["tls"]["certResolver"] for router in routers if "tls" in router}
    assert resolvers == set(started["certificatesResolvers"])


def test_every_recipe_is_tried():
    tried = {proxy.recipe for proxy in PROXIES.values()} | {"traefik-static.yaml"}
    assert '"traefik-static.yaml"' in (ROOT / "scripts/proxies.py").read_text("utf-8")
    others = {"cardhouse.service", "Containerfile", "Caddyfile.two", "secrets.sh", "two.conf", *COMPOSED}
    watching = {"alerts.yml", "grafana.json", "prometheus.yml"}
    assert all(f'"{file}"' in (ROOT / "scripts/try_watching.py").read_text("utf-8") for file in watching)
    typed = "\n".join(
        section("hosting.md", "1. Install the service") + section("operations.md", "More than one server")
    )
    assert all(f"deploy/{file}" in typed for file in ("cardhouse.service", "two.conf", "secrets.sh", "Caddyfile.two"))
    there = {file.name for file in DEPLOY.iterdir() if file.name != ".env"}
    assert there == tried | others | watching
    assert {"image", "compose", "two", "started"} == set(try_image.TRIALS)
