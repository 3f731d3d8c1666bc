"""A server under a path of its site: requests with the path, without it, and invalid paths."""

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from cardhouse.cli import main
from cardhouse.engine import CardhouseError
from cardhouse.server.transport.prefix import check_prefix
from cardhouse.testing.serving import serving_house
from scripts.services import free_port
from tests import asking


@pytest.fixture(scope="module")
def below(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("prefix")
    address = f"http://127.0.0.1:{free_port()}/cards"
    options = ["--port", str(urlsplit(address).port), "--address", address]
    with serving_house("--db", f"sqlite:///{folder}/cards.db", *options):
        yield address


def test_the_page_names_nothing_but_what_is_below_the_path(below: str) -> None:
    page = asking.get(f"{below}/t/abc").text
    named = re.findall(r'="(/[^"]+)"', page)
    assert len(named) >= 5
    for path in named:
        assert path.startswith("/cards/")
        assert asking.get(f"http://{urlsplit(below).netloc}{path}").is_success
    manifest = asking.get(f"{below}/cardhouse.webmanifest").json()
    assert (manifest["scope"], manifest["start_url"]) == (".", ".")


def test_the_path_itself_leads_into_the_house(below: str) -> None:
    led = asking.get(below)
    assert (led.status_code, led.headers["location"]) == (308, "/cards/")


@pytest.mark.parametrize("encoding", ["identity", "gzip", "br"])
def test_the_page_is_the_same_in_every_encoding(below: str, encoding: str) -> None:
    assert 'src="/cards/assets/' in asking.get(f"{below}/", headers={"Accept-Encoding": encoding}).text


def test_a_proxy_may_have_taken_the_path_off(below: str) -> None:
    without = below.removesuffix("/cards")
    for address in (below, without):
        assert asking.get(f"{address}/api/house").json()["address"] == below
    assert asking.get(f"{without}/cardsharp").status_code == 404


def test_the_doctor_comes_by_the_path(below: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", below]) == 0, capsys.readouterr()


@pytest.mark.parametrize("address", ["http://a/b?c", "http://a/b#c", "http://a/..", 'http://a/"b', "http://a/b//c"])
def test_what_is_no_path_of_a_house(address: str) -> None:
    with pytest.raises(CardhouseError, match="A server can't be opened at"):
        check_prefix(address)
