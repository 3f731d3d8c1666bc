"""The properties of a designed deck compared with the order: counted where possible, else played on fresh deals."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import msgspec

from cardhouse.games.dogpile.deck_file import deck_of
from cardhouse.games.dogpile.lab.design.make_up import MakeUp
from cardhouse.games.dogpile.lab.design.playing import (
    Contacts,
    Data,
    contacts_of,
    hardest_of,
    measure_packs,
    silence_of,
)
from cardhouse.games.dogpile.lab.design.search import NEAR, SLACK, Candidate, best_of, search, start_at
from cardhouse.games.dogpile.lab.design.wanted import ROUNDS, Wanted
from cardhouse.lab.running.workers import cores, workers_for
from cardhouse.lab.statistics.estimate import Estimate, estimate
from cardhouse.lab.statistics.histogram import played
from cardhouse.lab.statistics.quantiles import z_quantile

FRESH: Final = 1_000_003
"""Added to the seed for the deals that confirm a deck, on which no deck was searched."""
HURRY: Final = 10
"""A stopped search confirms its deck with the rounds divided by this."""
CLOSE: Final = 0.1
"""A mean pack is met if the target is within the interval or this close to the mean."""
CONFIDENCE: Final = 0.95
STEPS: Final = (1.1, 1.2, 1.35, 1.5, 1.75, 2.0)
"""The factors by which other wishes are changed to find what would meet the order."""


class Claim(msgspec.Struct, frozen=True, kw_only=True):
    """One property of the order and whether the deck has it. `exact` means counted.

    `value` is between `low` and `high`. With `is_bound`, `asked` is its minimum.
    """

    key: str
    text: str
    asked: float
    value: float
    low: float
    high: float
    exact: bool
    met: bool
    is_bound: bool = False


class TableResult(msgspec.Struct, frozen=True):
    """A deck's results for a number of players: dogs that join in a round, packs lost, and the hardest card."""

    players: int
    dogs: Estimate
    lost: Estimate
    hardest: str
    laid: Estimate


class Designed(msgspec.Struct, frozen=True):
    """A designed deck: its data, its make-up and its properties.

    `alike` is the number of cards with more duplicates than allowed. `advice` has sentences on what can't be met. With
    `stopped` the search ended early, and its results are from fewer rounds.
    """

    data: Data
    made: MakeUp
    contacts: Contacts
    claims: tuple[Claim, ...]
    tables: tuple[TableResult, ...]
    alike: int
    advice: tuple[str, ...]
    starts: int
    rounds: int
    stopped: bool = False

    @property
    def met(self) -> bool:
        """Whether the deck meets the whole order."""
        return not self.alike and all(claim.met for claim in self.claims)


def design(
    wanted: Wanted,
    *,
    workers: int | None = None,
    rounds: int = ROUNDS,
    tell: Callable[[int, Candidate], None] = lambda done, best: None,
    halt: Callable[[], bool] = lambda: False,
) -> Designed | None:
    """Search for a deck, and measure it on deals on which it was not searched.

    `tell` receives the number of steps done, each start and then each number of players, and the best deck so far.
    `halt` may be called from any thread. Once it returns true, or on Ctrl-C, the search ends with the best deck so far
    and fewer measurements. Returns None if there is no deck yet. Raises CardhouseError for an impossible order,
    KeyboardInterrupt if it comes before any deck was found.
    """
    wanted.check()
    found: list[Candidate] = []
    with workers_for(compiled=True, cores=workers or cores(), cluster=None) as (executor, number):
        try:
            for one in search(wanted, executor, number, halt):
                if one is None:
                    break
                found.append(one)
                tell(len(found), min(found, key=lambda each: each.distance))
        except KeyboardInterrupt:
            if not found:
                raise
    if not found:
        return None
    if halt():
        ranked = sorted(found, key=lambda one: one.distance)
        return confirm(wanted, ranked, max(2, rounds // HURRY), halt=halt)
    ranked = best_of(wanted, found)
    return confirm(wanted, ranked, rounds, lambda tables: tell(len(found) + tables, ranked[0]), halt)


def confirm(
    wanted: Wanted,
    ranked: list[Candidate],
    rounds: int = ROUNDS,
    tell: Callable[[int], None] = lambda tables: None,
    halt: Callable[[], bool] = lambda: False,
) -> Designed:
    """Measure the best of these candidates on fresh deals. `tell` receives the number of tables done.

    Once `halt` returns true, no further table is begun and no advice is computed.
    """
    best = ranked[0]
    claims = tuple(_claims(wanted, best.data, rounds))
    tables = []
    for table in _tables(wanted, best.data, rounds, halt):
        tables.append(table)
        tell(len(tables))
    found = Designed(
        data=best.data,
        made=best.made,
        contacts=best.contacts,
        claims=claims,
        tables=tuple(tables),
        alike=best.alike,
        advice=(),
        starts=len(ranked),
        rounds=rounds,
        stopped=halt(),
    )
    return found if found.stopped else msgspec.structs.replace(found, advice=tuple(_advice(wanted, found)))


def _claims(wanted: Wanted, data: Data, rounds: int) -> Iterator[Claim]:
    contacts = contacts_of(deck_of(data))
    for key, text, chance, wish in (
        ("pairs", "two cards may lie side by side", contacts.beside, wanted.pairs),
        ("stack", "two cards may lie one above the other", contacts.above, wanted.stack),
    ):
        if wish is not None:
            value, met = float(chance), abs(float(chance) - wish) < 2 * SLACK
            yield Claim(key=key, text=text, asked=wish, value=value, low=value, high=value, exact=True, met=met)
    seed = wanted.seed + FRESH
    if (mean := wanted.mean_pack) is not None:
        value, error = measure_packs(data, wanted, seed, rounds)
        arm = z_quantile(CONFIDENCE) * error
        met = abs(value - mean) <= max(arm, CLOSE)
        of = _of_players(wanted)
        text = f"dogs that join in a round, {of}"
        yield Claim(
            key="mean_pack", text=text, asked=mean, value=value, low=value - arm, high=value + arm, exact=False, met=met
        )
    if (bound := wanted.hardest) is not None:
        hardest = hardest_of(data, wanted, seed, rounds)
        value, low, high = (float(number or 0) for number in (hardest.laid.value, hardest.laid.low, hardest.laid.high))
        text = f"the hardest card is laid ({hardest.card})"
        yield Claim(
            key="hardest", text=text, asked=bound, value=value, low=low, high=high, exact=False, met=high >= bound,
            is_bound=True,
        )  # fmt: skip


def _of_players(wanted: Wanted) -> str:
    if len(wanted.players) == 1:
        return f"{wanted.players[0]} players" if wanted.players[0] > 1 else "1 player"
    return f"the mean for {', '.join(map(str, wanted.players))} players"


def _tables(wanted: Wanted, data: Data, rounds: int, halt: Callable[[], bool]) -> Iterator[TableResult]:
    for players in wanted.tables:
        if halt():
            return
        question = silence_of(data, wanted, players)
        tally = played(question, None, wanted.seed + FRESH, 0, rounds)
        dogs, lost = (
            estimate(finding, tally.counts[column], CONFIDENCE)
            for finding, column in zip(question.findings()[:2], (0, 2), strict=True)
        )
        only = msgspec.structs.replace(wanted, players=(players,))
        hardest = hardest_of(data, only, wanted.seed + FRESH, rounds)
        yield TableResult(players, dogs, lost, hardest.card, hardest.laid)


# Advice.


def _advice(wanted: Wanted, found: Designed) -> Iterator[str]:
    """Yield a sentence on each wish that can't be met, and on what would have to change."""
    missed = {claim.key: claim for claim in found.claims if not claim.met}
    if chances := [claim for key, claim in missed.items() if key in ("pairs", "stack")]:
        named = " and ".join(f"--{claim.key} {100 * claim.value:.1f}%" for claim in chances)
        yield f"These cards come nearest with {named}; other --numbers, --suits or shares of cards with two may do it."
    if found.alike:
        yield (
            f"{found.alike} cards have more duplicates than you allow: the deck has too few numbers and suits. "
            f"Raise --alike, or add numbers or suits."
        )
    if claim := missed.get("mean_pack"):
        yield _pack_advice(wanted, claim)
    elif claim := missed.get("hardest"):
        yield _hard_card_advice(wanted, claim)


def _pack_advice(wanted: Wanted, claim: Claim) -> str:
    """Return which chances of contact would meet the mean pack."""
    sentence = f"With these chances of contact the mean pack comes no nearer to {claim.asked:g} than {claim.value:.2f}"
    for step in STEPS if claim.asked > claim.value else [1 / step for step in STEPS]:
        chances = [None if chance is None else min(0.95, chance * step) for chance in (wanted.pairs, wanted.stack)]
        other = msgspec.structs.replace(wanted, pairs=chances[0], stack=chances[1], hardest=None)
        seen = start_at(other, 0)
        if seen is not None and abs(seen.mean_pack - claim.asked) < 2 * NEAR:
            options = [
                f"--{name} {100 * float(chance):.1f}%"
                for name, asked, chance in (
                    ("pairs", wanted.pairs, seen.contacts.beside),
                    ("stack", wanted.stack, seen.contacts.above),
                )
                if asked is not None
            ]
            return f"{sentence}; {' '.join(options)} would do it."
    return f"{sentence}; no chances of contact that were tried would do it."


def _hard_card_advice(wanted: Wanted, claim: Claim) -> str:
    """Return which packs would meet the bound on the hardest card."""
    sentence = f"With the rest as asked, the hardest card is laid {100 * claim.value:.1f}% of the time and no more"
    mean = wanted.mean_pack
    if mean is None:
        return f"{sentence}; ask for more contacts."
    for more in (0.4, 0.8, 1.2, 1.6, 2.0):
        seen = start_at(msgspec.structs.replace(wanted, mean_pack=mean + more), 0)
        if seen is not None and seen.hardest >= claim.asked:
            return f"{sentence}; with --mean-pack {seen.mean_pack:.1f} it is {100 * seen.hardest:.1f}%."
    return f"{sentence}; packs two dogs larger would not do it, so ask for more contacts."
