"""Undos: each replays the answers in effect."""

from typing import Any

from benchmarks.attacks.target import Prepared, Target, attack
from benchmarks.attacks.transcripts import long_transcript, undone_transcript
from tests.server.talking import new_id

CLIENTS = 3
FAR_BACK = 200
"""Further back than all the states that a table keeps."""


@attack(shared=True)
def imported_undos(target: Target) -> Prepared:
    """A transcript of 1,000 answers and undos, imported repeatedly by 3 clients."""
    text = undone_transcript()
    yield
    target.ask_again_and_again(CLIENTS, ("POST", "/api/tables/import", text))


@attack()
def undos_at_a_long_table(target: Target) -> Prepared:
    """A game master at a table of 10,000 entries answers and undoes as fast as possible."""
    gm = target.import_table(0, long_transcript()).sit("gm")
    yield

    def frame(turn: int) -> dict[str, Any]:
        offer = gm.offers[0]
        act = {"do": offer["do"], **{name: field["const"] for name, field in offer["fields"].items()}}
        undo = {"undo": FAR_BACK if turn == 0 else 1}
        return {"t": "answer", "id": new_id(), "at": gm.n, "answer": act if turn % 2 else undo}

    target.play(gm, frame)
