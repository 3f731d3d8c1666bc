"""Dogs Play Cards, Too passes the conformance suite."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest

from cardhouse.cards import STANDARD, Card, rank_of
from cardhouse.engine import GM, SCREEN, Entry, SeededDealer, Table
from cardhouse.games.dogs import view
from cardhouse.games.dogs.bots import odds
from cardhouse.games.dogs.rules import Dogs
from cardhouse.games.dogs.state import Participant
from cardhouse.testing import Conformance, Pair, Tree, ask_somebody, excused
from cardhouse.testing.twins import like_the_one, twin_of, undo_both
from tests.games.dogs.playing import all_is_sound, game_of, next_answer, some_table
from tests.thorough import FewerGames

LOOSE = ("SJ", "HJ", "S8", "H7", "C3", "C2", "DQ", "HK")


def left_with(loose: Sequence[Card]) -> str:
    """A transcript that has left but these eight cards, and asks for the step in which Ada's fallout is turned over.

    A gang holds the others. Ada took a blow of two cards, with guns, and has given.
    """
    hers = ["C4", "D4", "H4", "S4", "C5", "D5", "H5"]
    others = [card for card in STANDARD if card not in (*loose, *hers)]
    header = {"cardhouse": 1, "game": "dogs", "seats": [GM, "ada"], "options": {"jack_draw": True}}
    members = [{"name": f"Gunman {number}"} for number in range(30)]
    sides = {"stakes": "Who leaves?", "sides": [["Gang"], ["Ada"]], "arena": "guns"}
    lines: list[dict[str, Any]] = [
        {**header, "by_hand": ["fallout"]},
        {"by": GM, "do": "npc", "name": "Gang", "type": "D", "members": members},
        {"by": "ada", "do": "create", "name": "Ada", "stats": {"acuity": 3, "body": 1, "heart": 1, "will": 4}},
        {"by": GM, "do": "open_conflict", **sides},
        *({"draw": "dogs", "card": card} for card in [*others, *hers]),
        {"by": GM, "do": "raise", "name": "Gang", "card": "S9"},
        {"by": "ada", "do": "see", "name": "Ada", "cards": ["C4", "C5"]},
        *({"draw": "dogs", "card": None} for _ in range(2)),
        {"by": "ada", "do": "give", "name": "Ada"},
    ]
    return "\n".join(map(json.dumps, lines))


@pytest.fixture(autouse=True)
def _few_trials(monkeypatch: pytest.MonkeyPatch) -> None:
    """The live odds are looked at more often than played for."""
    monkeypatch.setattr(odds, "QUICK", 2)


class TestDogs(FewerGames, Conformance):
    game = "dogs"
    everything = True
    unreached = excused(
        action="experience_choice hand_over let_die set_stats",
        event="belonging_lost counts_troublesome_next dies draws_more draws_nothing dying expires gets_prizes "
        "handed_over has_cards kind_changed leaves_scene lives_untreated made_significant made_troublesome "
        "must_give_see no_line_left not_healed npc one_die_things "
        "starts_with starts_with_cards stat_raised stat_traded stats_proposed stats_set trouble_next",
        rule="DV-1 DV-4 DV-5 DV-8 DV-10 DV-15 DV-20 DV-31 DV-33",
        question="nobody draw_body draw_body_of draw_for_jack draw_line draw_members draw_more draw_own_acuity "
        "draw_stat draw_thing turn_fallout",
        offer="choices/let_die choices/open_conflict choices/open_healing raise/help town/let_die",
    )
    games = 12
    answers = 8
    anytime = 0.1
    what_if = {"trials": 1}
    trees = {
        # Ada's fallout is two of eight cards, in 8 * 7 orders; DQ and HK are Experience, both red, all others Fallout.
        # A jack is highest in 2 * (1 + 6 + 6) = 26, and then one of the six that are left is drawn. It means dying if
        # it is S8, H7 or HK after both jacks (2 * 3), S8 after SJ (2 * 5, where S8 is not the other card), H7 or HK
        # after HJ (2 * (4 * 2 + 2 * 1)): 36 of 26 * 6 = 156.
        # S8 is highest in 2 * (H7, C3, C2, DQ, HK) = 10, H7 in 2 * (C3, C2, DQ, HK) = 8: one of 6 is drawn for Body.
        # C3 or C2 is highest in 2 * (1 + 2 + 2) = 10, and 2 are Experience alone: 156 + 18 * 6 + 12 = 276.
        "the fallout of guns": Tree(
            left_with(LOOSE),
            {
                "DV-25 turned_over": 276,
                "DV-26 split": 276,
                "DV-27 learns": 2,
                "DV-28 jack_draw": 156,
                "DV-28 severity": 276,
                "DV-29 copes": 72,
                "DV-29 draws_body": 108,
                "DV-29 dying": 36,
                "DV-29 injured": 36,
                "DV-29 mortally_wounded": 120,
                "ways": 276,
            },
        ),
    }

    def start(self, rng: Random) -> Table:
        """Two to five players, one or two decks, any options; a paper deck where no hands are hidden."""
        table = some_table(rng)
        for _ in range(rng.choice([0, 10, 40])):
            table.answer(*next_answer(table, rng))
        return table

    def check(self, table: Table) -> None:
        all_is_sound(table)

    def pairs(self, rng: Random) -> Iterator[Pair]:
        """Two tables in lockstep: a card that lies face down is another, or one in a hidden hand is (DV-14, DV-25)."""
        yield from face_down(rng)
        yield from hidden_hands(rng)

    # How they play.

    def play(self, table: Table, rng: Random, undo: float = 0.0) -> Iterator[Entry]:
        """As any game, and the conflict goes on besides; at first the Town is described."""
        for shown in (False, True):
            yield table.answer(GM, {"do": "describe_town", "town": "Bethel", "notes": "Who sold it?", "shown": shown})
        for entry in super().play(table, rng, undo):
            yield entry
            for _ in range(2):
                yield table.answer(*next_answer(table, rng))


# What lies face down.


def face_down(rng: Random) -> Iterator[Pair]:
    """A blow at which the log named this card here and that one there: nobody can tell, until it is turned over."""
    table = some_table(rng, hidden=False, paper=True) if rng.random() < 0.4 else some_table(rng)
    while table.answer(*next_answer(table, rng)).lines[-1] != {"draw": "dogs", "card": None}:
        pass
    cards = rng.sample(game_of(table).deck.loose, 2)
    *before, _ = table.transcript().splitlines()
    one, other = (
        Table.read([*before, json.dumps({"draw": "dogs", "card": card})], SeededDealer(rng.getrandbits(32)))
        for card in cards
    )
    everybody = list(one.seats)
    for _ in range(15):
        yield Pair(one, other, everybody)
        if not lockstep(one, other, {}, cards, rng):
            return


def told(entry: Entry, key: str) -> bool:
    """Whether something of this kind was told."""
    return any(event.key == key for event in entry.events)


def lockstep(one: Table, other: Table, names: dict[str, str], secrets: Sequence[Card], rng: Random) -> bool:
    """The same answer with the same chance at both tables; False if it would show one of the secrets."""
    if rng.random() < 0.05 and one.entries[-1].counts:
        undo_both(one, other, GM, 1)
        return True
    asked = ask_somebody(one, rng, 1) if rng.random() < 0.1 else next_answer(one, rng)
    if asked is None or any(card in json.dumps(asked[1]) for card in map(json.dumps, secrets)):
        return False
    entry = one.answer(*asked)
    if any(line.get("card") in secrets for line in entry.lines) or (secrets and told(entry, "turned_over")):
        return False
    like_the_one(other, entry, names)
    return True


# Hands that are hidden.


def hidden_hands(rng: Random) -> Iterator[Pair]:
    """A card in somebody's hand is one of the deck's of the same rank, for all who have seen neither."""
    one = some_table(rng, hidden=True, paper=rng.random() < 0.3)
    seen: dict[str, set[Card]] = {seat: set() for seat in (*one.seats, SCREEN)}
    while len(one.entries) < 100 and not (rng.random() < 0.1 and held(one)):
        watch(one.answer(*next_answer(one, rng)), one, seen)
    pairs = [
        (mine, other) for mine in held(one) for other in game_of(one).deck.loose if rank_of(mine) == rank_of(other)
    ]
    secrets = next((pair for pair in rng.sample(pairs, len(pairs)) if SCREEN in unaware(seen, pair)), None)
    if secrets is None:
        return
    names = dict(zip(secrets, reversed(secrets), strict=True))
    other = twin_of(one, names)
    for _ in range(15):
        yield Pair(one, other, [seat for seat in unaware(seen, secrets) if seat != SCREEN])
        if not lockstep(one, other, names, (), rng):
            return
        watch(one.entries[-1], one, seen)
        if len(unaware(seen, secrets)) < 2 or SCREEN not in unaware(seen, secrets):
            return


def held(table: Table) -> list[Card]:
    """All cards in hands."""
    conflict = game_of(table).under_way
    return [] if conflict is None else [card for one in conflict.participants for card in one.hand]


def unaware(seen: dict[str, set[Card]], cards: Sequence[Card]) -> list[str]:
    """Who, but the game master, has seen none of these cards."""
    return [seat for seat in seen if seat != GM and not seen[seat] & {*cards}]


def watch(entry: Entry, table: Table, seen: dict[str, set[Card]]) -> None:
    """What each may have seen by now, from where the cards are and not from what a seat is sent."""
    game, (answer, *chance) = game_of(table), entry.lines
    drawn = {line["card"] for line in [answer, *chance] if line.get("card")} if "do" not in answer else set()
    drawn |= {line["card"] for line in chance if line["card"]}
    said = {answer.get("card"), *answer.get("cards", ())} if "do" in answer else set()
    conflict = game.conflict
    decided = conflict is not None and conflict.winner is not None
    lies_open = {*game.prizes, *(card for who in game.characters for card in who.wounds), *(drawn if decided else ())}
    for seat, cards in seen.items():
        cards |= {*said, *lies_open}
        cards |= {card for who in game.characters if who.controller == seat for card in who.kept}
        for one in conflict.participants if conflict is not None else ():
            if game.controller(one) == seat:
                cards |= {*one.hand}
                acted = one.name in (answer.get("name"), answer.get("for")) or not one.still_in
                fast = any(who.name == one.name and who.fast is not None for who in game.characters)
                cards |= drawn if acted or fast else set()
        cards |= drawn if entry.by == seat and "draw" in answer else set()


def tell_all(self: Dogs, one: Participant, rule: str, key: str, hidden: str, n: int, **about: Any) -> None:
    """Tells everybody what is drawn into a hidden hand."""
    self.tell(rule, key, name=one.name, **about)


LEAKS = {
    "the view": (view, "sees_hand", lambda game, controller, audience: True),
    "the story": (Dogs, "tell_hand", tell_all),
    "the question": (Dogs, "unseen_cards", lambda game, deal: ()),
}


@pytest.mark.parametrize("where", LEAKS)
def test_a_leak_is_found(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(*LEAKS[where])
    with pytest.raises(AssertionError):
        TestDogs().test_nothing_leaks()
