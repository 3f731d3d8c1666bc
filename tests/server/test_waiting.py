"""The single-waiter Event and Queue behave like asyncio's."""

import asyncio
from contextlib import suppress

from hypothesis import given
from hypothesis import strategies as st

from cardhouse.server.transport.sync import LightEvent, LightQueue

STEPS = st.lists(st.sampled_from(("put", "get", "give up")), max_size=30)


@given(STEPS)
def test_an_inbox_does_as_a_queue_does(steps: list[str]) -> None:
    async def outcome(box: "LightQueue[int] | asyncio.Queue[int]") -> list[object]:
        seen: list[object] = []
        getting: asyncio.Task[int] | None = None
        for number, step in enumerate(steps):
            if step == "put":
                box.put_nowait(number)
            elif getting is None:
                getting = asyncio.ensure_future(box.get())
            elif step == "give up":
                getting.cancel()
            for _ in range(4):
                await asyncio.sleep(0)
            if getting is not None and getting.done():
                with suppress(asyncio.CancelledError):
                    seen.append(getting.result())
                getting = None
            seen.append(box.empty())
        if getting is not None:
            getting.cancel()
        while not box.empty():
            seen.append(box.get_nowait())
        return seen

    assert asyncio.run(outcome(LightQueue())) == asyncio.run(outcome(asyncio.Queue()))


def test_a_flag_lets_on_when_it_is_raised() -> None:
    async def body() -> None:
        flag = LightEvent()
        waiting = asyncio.ensure_future(flag.wait())
        await asyncio.sleep(0)
        assert not waiting.done()
        flag.set()
        await waiting
        await flag.wait()
        flag.clear()
        assert not flag.is_set()

    asyncio.run(body())
