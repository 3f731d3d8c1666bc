"""Random bytes cause no internal error, no traceback and no hang. `make soak` sends a million more frames."""

import asyncio
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed

from tests.server.fuzzed import Fuzzed, fuzzed
from tests.server.fuzzing import Choices, nonsense
from tests.server.listening import frame
from tests.server.talking import SECONDS, Server, open_socket

pytestmark = pytest.mark.filterwarnings("ignore::litestar.exceptions.LitestarDeprecationWarning")
EXAMPLES = 15
some_bytes = st.binary(min_size=200, max_size=400)


@pytest.fixture(scope="module")
def inside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[asyncio.Runner, Fuzzed]]:
    """A server, and the loop it runs in."""
    folder = tmp_path_factory.mktemp("fuzzed")
    with asyncio.Runner() as runner:
        house = fuzzed(f"sqlite:///{folder}/cards.db")
        server = runner.run(house.__aenter__())
        yield runner, server
        runner.run(house.__aexit__(None, None, None))


def test_frames(inside: tuple[asyncio.Runner, Fuzzed]) -> None:
    runner, server = inside

    @settings(max_examples=EXAMPLES)
    @given(some_bytes)
    def say(data: bytes) -> None:
        runner.run(server.frames(data))

    say()
    assert server.tally["frames"] >= 5 * EXAMPLES


def test_requests(inside: tuple[asyncio.Runner, Fuzzed]) -> None:
    runner, server = inside

    @settings(max_examples=EXAMPLES)
    @given(some_bytes)
    def ask(data: bytes) -> None:
        runner.run(server.requests(data))

    ask()
    assert len([what for what in server.tally if what.startswith("status ")]) >= 4
    assert not server.tally["status 500"]


def test_choices_are_those_of_the_bytes() -> None:
    choices = Choices(bytes([3, 2, 65, 66, 1]))
    assert (choices.below(2), choices.some(9), choices.one_of("xyz"), choices.is_over) == (1, b"AB", "y", True)
    assert (choices.below(9), choices.some(9)) == (0, b"")
    assert nonsense(Choices(b"\0\3abc")) == b"abc"


def test_invalid_text_ends_a_connection_and_is_not_logged(server: Server) -> None:
    for parts in ((b"\xff",), (b"{", b"\xff")):
        socket = open_socket(server)
        for number, part in enumerate(parts):
            socket.socket.sendall(frame(0 if number else 1, part, fin=number == len(parts) - 1))
        with pytest.raises(ConnectionClosed):
            socket.recv(SECONDS)
        assert socket.close_code == 1007
    assert server.log.read_text() == ""
