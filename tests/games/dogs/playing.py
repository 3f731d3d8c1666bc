"""Helpers of the tests of Dogs: characters and conflicts of all kinds."""

from __future__ import annotations

from random import Random
from typing import Any, cast

from cardhouse.cards import SECOND_DECK, STANDARD, Card
from cardhouse.engine import GM, PHYSICAL, Ask, Draw, Offer, SeededDealer, Table
from cardhouse.games.dogs.people.sheet import GROUPS, KINDS, STATS
from cardhouse.games.dogs.people.templates import TEMPLATES
from cardhouse.games.dogs.rules import Dogs
from cardhouse.games.dogs.state import ARENAS, PILES
from cardhouse.testing import sample

PEOPLE = ("ada", "ben", "cy", "dot", "eve")
DICE = ("1d4", "2d4", "4d4", "d6", "2d6", "4d6", "1d8", "2d8", "3d10", "1d6+1d4", "2d4 + 1d10")
OFTEN = {"raise": 6.0, "see": 6.0, "bring": 1.5, "improvise": 0.5, "escalate": 0.6, "help": 1.2, "give": 0.4}
"""How often something is done with a Raise or See, beside the others that are offered."""

BEN: dict[str, Any] = {"name": "Ben", "stats": {"acuity": 2, "body": 2, "heart": 2, "will": 2}}

DECKS = {1: frozenset(STANDARD), 2: frozenset((*STANDARD, *SECOND_DECK))}

Answer = dict[str, Any]


def game_of(table: Table) -> Dogs:
    """The game of a table of Dogs."""
    return cast("Dogs", table.game)


# Tables and who comes to them.


def some_table(rng: Random, *, hidden: bool | None = None, paper: bool | None = None) -> Table:
    """A table of two to five players with any options and two to six characters; with a paper deck, no hidden hands."""
    if hidden is None:
        hidden = rng.random() < 0.3
    if paper is None:
        paper = not hidden and rng.random() < 0.2
    options = {
        "decks": rng.choice([0, 0, 1, 2]),
        "improvised": rng.choice([0, 1, 3, 3]),
        "hidden_hands": hidden,
        "keep_on_give": rng.choice(["second", "best"]),
        "jack_draw": rng.random() < 0.5,
        "free_belongings": rng.random() < 0.5,
        "reversed_card": rng.choice(["kept", "next_only"]),
        "untreated": rng.choice(["dies", "long_term"]),
        "growing": rng.choice(["traits", "any"]),
        "group_cards": rng.choice(["first_line", "each_line"]),
    }
    table = Table.new(
        "dogs",
        (GM, *PEOPLE[: rng.randint(2, 5)]),
        options,
        SeededDealer(rng.getrandbits(32)),
        decks={"dogs": PHYSICAL} if paper else {},
        by_hand=["fallout"] if rng.random() < 0.3 else [],
    )
    for number in range(rng.randint(2, 6)):
        table.answer(*someone(rng, f"N{number}", table.seats))
    return table


def someone(rng: Random, name: str, seats: list[str]) -> tuple[str, Answer]:
    """Somebody new and who makes them: by a template, freely, from dice, or a Fast NPC."""
    kind = rng.choice([*TEMPLATES, "free", "dice", "npc"])
    if kind == "npc":
        return GM, npc(rng, name)
    answer: Answer = {"do": "create", "name": name}
    if kind in TEMPLATES:
        made = TEMPLATES[kind]
        marks = {"trait": made.trait, "relationship": made.relationship, "belonging": rng.choice([(), ("-", "o")])}
        answer |= {"template": kind, "stats": stats(rng, made.points)}
        answer["things"] = [thing(rng, group, mark) for group in GROUPS for mark in marks[group]]
    elif kind == "free":
        answer |= {"stats": stats(rng, rng.randint(4, 9))}
        answer["things"] = [
            thing(rng, rng.choice(GROUPS), rng.choice(KINDS) + rng.choice(["", "", "*"]))
            for _ in range(rng.randint(0, 4))
        ]
    else:
        answer["dice"] = written_in_dice(rng)
    by = rng.choice(seats)
    return by, {**answer, "controller": rng.choice(seats), "npc": rng.random() < 0.3} if by == GM else answer


def npc(rng: Random, name: str) -> Answer:
    """A Fast NPC, at times with a group."""
    members = [
        {"name": f"Member {number}", "kind": rng.choice(KINDS), "significant": rng.random() < 0.2}
        for number in range(rng.choice([0, 0, 1, 3]))
    ]
    return {"do": "npc", "name": name, "type": rng.choice("ABCD"), **({"members": members} if members else {})}


def stats(rng: Random, points: int) -> dict[str, int]:
    """So many points, each Stat with one at least."""
    cuts = sorted(rng.sample(range(1, points), 3))
    return {stat: high - low for stat, low, high in zip(STATS, [0, *cuts], [*cuts, points], strict=True)}


def thing(rng: Random, group: str, mark: str) -> dict[str, Any]:
    """Something of this mark, by a name of its own."""
    name = f"{group} {mark} {rng.getrandbits(40):x}"
    return {"name": name, "group": group, "kind": mark[0], "significant": "*" in mark, "gun": rng.random() < 0.2}


def written_in_dice(rng: Random) -> str:
    """A sheet as it is written for the dice game."""
    lines = [f"{stat} {rng.randint(1, 6)}d6" for stat in STATS]
    for group in GROUPS:
        lines += [f"{group}s:", *(f"{group} {letter} {rng.choice(DICE)}" for letter in "abc"[: rng.randint(0, 3)])]
    return "\n".join(lines)


# What somebody says next.


def next_answer(table: Table, rng: Random) -> tuple[str, Answer]:
    """Somebody and what they say: the conflict goes on, choices are made, and another conflict is opened."""
    question = table.question
    if isinstance(question, Draw):
        return rng.choice(table.asks()["seats"]), {"draw": "dogs", "card": rng.choice(question.cards)}
    assert isinstance(question, Ask)
    if question.key == "step":
        return GM, {"do": "step", "step": "fallout"}
    if question.key in ("raise", "see"):
        if rng.random() < 0.02 and (floating := _offers(game_of(table).at_any_time(), "float")):
            return _say(floating[0], rng)
        return in_conflict(question, rng)
    return between_conflicts(table, rng)


def in_conflict(question: Ask, rng: Random) -> tuple[str, Answer]:
    """A Raise or See, or what goes with it."""
    offers = [offer for offer in question.offers if offer.is_open]
    return _say(rng.choices(offers, [OFTEN[offer.do.word()] for offer in offers])[0], rng)


def _say(offer: Offer, rng: Random) -> tuple[str, Answer]:
    """An answer that fits the offer, with whatever may be said in it, and who says it."""
    by, answer = rng.choice(offer.by), {"do": offer.do.word()}
    if answer["do"] == "see":
        return by, {**answer, **some_way_to_see(offer, rng)}
    for name, field in offer.fields.items():
        if name not in offer.optional or rng.random() < 0.4:
            answer[name] = sample(field.schema(), rng)
    if answer.get("sideways") and answer["do"] == "raise":
        answer["sideways"] = answer["card"]
    return by, answer if _fits(offer, answer) else {"do": offer.do.word(), **rng.choice(offer.examples)}


def some_way_to_see(offer: Offer, rng: Random) -> Answer:
    """An example, or any other cards that do."""
    hand = cast("Any", offer.fields["cards"]).values
    if rng.random() < 0.4:
        answer: Answer = {
            "name": offer.examples[0]["name"],
            "cards": rng.sample(hand, rng.randint(1, min(4, len(hand)))),
        }
        if "sideways" in offer.fields:
            answer["sideways"] = rng.choice(answer["cards"])
        if rng.random() < 0.3:
            answer["reverse"] = rng.random() < 0.5
        if _fits(offer, answer):
            return answer
    return dict(rng.choice(offer.examples))


def _fits(offer: Offer, answer: Answer) -> bool:
    fields = {"for_" if name == "for" else name: value for name, value in answer.items() if name != "do"}
    return not offer.problems(offer.do(**fields))


def between_conflicts(table: Table, rng: Random) -> tuple[str, Answer]:
    """Choices that are owed, then another conflict; somebody new where too few are well."""
    game, question = game_of(table), cast("Ask", table.question)
    choices = [offer for offer in question.offers if offer.do.word() in ("experience_choice", "fallout_choice")]
    if choices and rng.random() < 0.9:
        return _say(rng.choice(choices), rng)
    if (healing := _offers(question.offers, "open_healing")) and rng.random() < 0.5:
        return healed(healing[0], rng)
    if (dying := _offers(question.offers, "let_die")) and rng.random() < 0.2:
        return _say(dying[0], rng)
    able = [who.name for who in game.characters if who.can_act]
    if (gone := [who.name for who in game.characters if who.condition in ("dead", "dying")]) and rng.random() < 0.5:
        return GM, {"do": "remove_character", "name": gone[0]}
    if len(able) < 2 or (len(able) < 6 and rng.random() < 0.4):
        return someone(rng, f"N{table.number}", table.seats)
    if rng.random() < 0.1 and (testing := _offers(question.offers, "open_initiation")):
        return _say(testing[0], rng)
    if rng.random() < 0.1:
        return GM, {"do": "new_town"}
    return GM, opened(game, able, rng)


def healed(offer: Offer, rng: Random) -> tuple[str, Answer]:
    """Somebody is healed by anybody who can, at times against Demonic Influence."""
    pick = {name: rng.choice(cast("Any", offer.fields[name]).values) for name in ("healer", "patient")}
    demonic = {"demonic": {"dice": rng.randint(1, 5), "side": rng.randint(0, 1)}} if rng.random() < 0.3 else {}
    return GM, {"do": "open_healing", **pick, **demonic}


def opened(game: Dogs, able: list[str], rng: Random) -> Answer:
    """A conflict of two to six on two to four sides, with whatever may be said of it."""
    able = rng.sample(able, min(len(able), rng.choice([2, 3, 4, 5, 6])))
    count = rng.randint(2, min(4, len(able)))
    sides = [[name] for name in able[:count]]
    for name in able[count:]:
        rng.choice(sides).append(name)
    answer: Answer = {"do": "open_conflict", "stakes": "Who is right?", "sides": sides}
    if rng.random() < 0.8:
        answer["arena"] = rng.choice(list(ARENAS))
    else:
        answer |= {"stats": rng.sample(STATS, 2), "pile": rng.choice(PILES)}
    if rng.random() < 0.5:
        answer["starter"] = rng.choice(able)
    if rng.random() < 0.2:
        answer["demonic"] = {"dice": rng.randint(1, 5), "side": rng.randrange(count)}
    if rng.random() < 0.4 and not any(game.named(name).away for name in able):
        answer["follow_up"] = True
    if rng.random() < 0.3 and (npcs := [name for name in able if game.named(name).npc]):
        answer["spare"] = rng.sample(npcs, rng.randint(1, len(npcs)))
    return answer


def _offers(offers: Any, word: str) -> list[Offer]:
    return [offer for offer in offers if offer.do.word() == word]


# What must hold at every question.


def cards_there(game: Dogs) -> list[Card]:
    """All cards, wherever they are; those face down are loose in the deck they were drawn from."""
    there = [card for deck in (game.deck, *game.former.values()) for card in deck.cards()]
    there += [*game.discard, *game.prizes, *(card for who in game.characters for card in (*who.kept, *who.wounds))]
    there += [blow.card for blow in game.face_down() if blow.card is not None]
    if (conflict := game.conflict) is not None:
        there += [card for one in conflict.participants for card in one.hand]
        there += [helped.card for helped in conflict.putting.helps]
        if conflict.raised is not None:
            there += [conflict.raised.card, *(helped.card for helped in conflict.raised.helps)]
    return there


def all_is_sound(table: Table) -> None:
    """No card is lost, none is there twice; nobody has what nobody can have."""
    game, question = game_of(table), table.question
    there = cards_there(game)
    decks, found = DECKS[game.decks_in], set(there)
    assert len(there) == len(found)
    assert found <= decks
    if isinstance(question, Ask) and question.rest:
        assert found == decks, decks - found
        assert not game.busy
        unnamed = [blow.deal for blow in game.face_down() if blow.card is None]
        decks_down = {game.deal: game.deck, **game.former}
        assert {deal: deck.face_down for deal, deck in decks_down.items() if deck.face_down} == {
            deal: unnamed.count(deal) for deal in unnamed
        }
    for who in game.characters:
        assert all(0 <= who.stats.of(stat) <= 9 for stat in STATS), who
        assert who.stats.total <= 9, who
        names = [thing.name for thing in who.current_things()]
        assert len(names) == len(set(names)), who
        assert not who.owed or who.condition not in ("dying", "dead"), who
        assert not who.wounds or who.can_be_healed, who
    assert len({who.name for who in game.characters}) == len(game.characters)
