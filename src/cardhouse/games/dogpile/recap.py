"""The recap of a Dogpile: its dogs against par, the best pack, and the closest misses (DG-19)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from cardhouse.engine import CharacterOutcome, Figure, GameVerdict, Highlight, Recap, Score
from cardhouse.engine.game.recap import spelled
from cardhouse.games.dogpile.largest import largest_pack
from cardhouse.games.dogpile.par import par_of

if TYPE_CHECKING:
    from cardhouse.engine import Event, ReplaySteps
    from cardhouse.games.dogpile.rules import Dogpile
    from cardhouse.games.dogpile.state import Round

WORK = 500
"""The limit of the search for the largest possible pack of a round, a few milliseconds."""


def recap_of(game: Dogpile, log: ReplaySteps) -> Recap:
    """Return the recap."""
    laid: Counter[str] = Counter()
    strayed: dict[int, Event] = {}
    for passage in log:
        for event in passage.events:
            if event.key == "lays":
                laid[event.about["seat"]] += event.about["n"]
            elif event.key in ("pieces", "contacts"):
                strayed[passage.game.round] = event
    joined = [done for done in game.rounds if done.joined]
    figures = [Figure("dogs", len(game.dogpile)), Figure("packs", len(joined), {"rounds": len(game.rounds)})]
    people = [CharacterOutcome(seat=seat, key="laid", about={"n": laid[seat]}) for seat in game.players]
    home = Highlight("home" if game.dogpile else "none_home", spelled(len(game.dogpile)))
    moments = [*_best(game), *_nearest(strayed), *_most(laid)]
    return Recap(figures, moments, home, people, _verdict_of(game) if game.rounds else None)


def _verdict_of(game: Dogpile) -> GameVerdict:
    """Return the verdict: everyone wins above par, and loses below it.

    The turning point is the largest pack that joined, or if they lost the round furthest from the largest possible one.
    """
    dogs, par = len(game.dogpile), par_of(game.options, len(game.players), len(game.rounds))
    won, lost = par is not None and dogs > par, par is not None and dogs < par
    joined = {done.number: done.size if done.joined else 0 for done in game.rounds}
    best = {done.number: _possible(game, done) for done in game.rounds}
    turn = max(game.rounds, key=lambda done: best[done.number] - joined[done.number] if lost else joined[done.number])
    turning_point = Highlight(
        "turn_joined" if turn.joined else "turn_strayed",
        {"round": turn.number, "n": turn.size, "best": best[turn.number], "card": turn.leader},
        turn.rule,
    )
    reason = None if par is None else Highlight("par", {"par": par}, "DG-19")
    score = Score(dogs, par, sum(best.values()) or None)
    return GameVerdict(game.players if won else [], game.players if lost else [], reason, turning_point, score)


def _possible(game: Dogpile, done: Round) -> int:
    """Return the size of the largest pack possible in a round with all hands open."""
    return largest_pack(done.leader, done.open_cards, game.dogs, work=WORK).size


def _best(game: Dogpile) -> list[Highlight]:
    joined = sorted((done for done in game.rounds if done.joined), key=lambda done: -done.size)
    about = [
        {"n": done.size, "round": done.number, "card": done.leader, "seat": done.player_one} for done in joined[:1]
    ]
    return [Highlight("best_pack", one, "DG-19") for one in about]


def _nearest(strayed: dict[int, Event]) -> list[Highlight]:
    """Return the largest pack that strayed because of a single contact or a single gap."""
    near = {round_: event for round_, event in strayed.items() if 1 in (_gaps(event), event.about.get("contacts"))}
    if not near:
        return []
    round_, event = max(near.items(), key=lambda one: int(one[1].about["n"]))
    return [Highlight(f"near_{event.key}", {"n": event.about["n"], "round": round_}, event.rule)]


def _gaps(event: Event) -> int:
    return int(event.about.get("pieces", 0)) - 1


def _most(laid: Counter[str]) -> list[Highlight]:
    return [Highlight("laid_most", {"seat": seat, "n": n}, "DG-5") for seat, n in laid.most_common(1)]
