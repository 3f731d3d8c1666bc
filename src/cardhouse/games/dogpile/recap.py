"""The recap of a Dogpile: the number of dogs, the best pack, and the closest misses (DG-19)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from cardhouse.engine import CharacterOutcome, Figure, Highlight, Recap
from cardhouse.engine.game.recap import spelled

if TYPE_CHECKING:
    from cardhouse.engine import Event, ReplaySteps
    from cardhouse.games.dogpile.rules import Dogpile


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
    return Recap(figures, [*_best(game), *_nearest(strayed), *_most(laid)], home, people)


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
