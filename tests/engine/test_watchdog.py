"""The watchdog reads the stacks of other threads while they run on."""

import gc
import sys
import threading
from collections import Counter

from cardhouse.engine.diagnostics.watchdog import _Watchdog

DEEP = 200
LOOKS = 5


def test_nothing_is_collected_while_stacks_are_read() -> None:
    """Collecting may let the other thread go on, whose frame is just being made visible: that is a crash."""
    there, go_on = threading.Event(), threading.Event()
    collected_in: Counter[str] = Counter()

    def deep(left: int) -> None:
        if left:
            deep(left - 1)
        else:
            there.set()
            go_on.wait()

    def note(phase: str, about: object) -> None:
        collected_in[sys._getframe(1).f_code.co_name] += phase == "start"

    looked_at, before = threading.Thread(target=deep, args=(DEEP,)), gc.get_threshold()
    looked_at.start()
    there.wait()
    gc.callbacks.append(note)
    gc.set_threshold(1, 1, 1)
    try:
        for _ in range(LOOKS):
            _Watchdog()._look(0.0)
    finally:
        gc.set_threshold(*before)
        gc.callbacks.remove(note)
        go_on.set()
        looked_at.join()
    assert collected_in["_outermost"], "elsewhere they are collected as often as can be"
    assert not collected_in["_stack_of"]
    assert gc.isenabled()
