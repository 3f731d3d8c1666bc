"""A conflict, from its stakes to its winner (DV-9 to DV-24). Best read together with the rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cardhouse.cards import Card
from cardhouse.engine import Ask, Offer, OneOf, Rules, Several, Text, YesNo
from cardhouse.games.dogs import actions
from cardhouse.games.dogs.actions import Give, See
from cardhouse.games.dogs.conflict.hands import draw_arena, draw_demonic, draw_for, draw_into
from cardhouse.games.dogs.conflict.seeing import problem_of_see, ways_to_see
from cardhouse.games.dogs.conflict.together import (
    ask_to,
    can_be_helped,
    has_more,
    help_given,
    helped_by,
    owe_help,
    pay_help,
    prepare,
    seats_for,
)
from cardhouse.games.dogs.people.fast import INITIATION
from cardhouse.games.dogs.state import (
    Conflict,
    Participant,
    Preparation,
    Raise,
    best_first,
    pile_of,
    to_reverse,
    worth,
)
from cardhouse.games.dogs.table import DogsTable, second_best

LONGEST_WORDS = 80
"""The most characters of the words of a Raise (DV-16)."""
OPENED_BY = {"conflict": "DV-14", "healing": "DV-30", "initiation": "DV-37"}
"""The rule that opens each kind of conflict."""


# The beginning (DV-14, DV-24).


def begin(game: DogsTable, conflict: Conflict, arena: str) -> Rules[None]:
    """Begin a conflict: every participant enters the arena and draws, in the order of the sides (DV-14)."""
    game.add_decks()
    game.outcomes = {}
    game.conflict = conflict
    game.busy = True
    names = [name for side in conflict.sides for name in side]
    about: dict[str, Any] = {"what": conflict.kind, "stakes": conflict.stakes, "arena": arena, "names": names}
    if conflict.kind == "healing":
        game.tell("DV-30", "opens_healing", healer=conflict.starter, **about)
    else:
        game.tell(OPENED_BY[conflict.kind], "opens", **about)
    deal_kept(game, conflict)
    for one in conflict.participants:
        one.arenas = [arena]
        yield from draw_opening(game, one)
    game.busy = False


def deal_kept(game: DogsTable, conflict: Conflict) -> None:
    """Hand out the cards kept for a follow-up; any other conflict discards them (DV-24)."""
    for one in conflict.participants:
        who = game.named(one.name) if one.nature == "character" else None
        if who is not None:
            who.proposed = False
        if who is None or not who.kept:
            continue
        kept, who.kept = who.kept, []
        if conflict.follow_up:
            one.hand += kept
            game.tell_hand(one, "DV-24", "starts_with", "starts_with_cards", len(kept), cards=kept)
        else:
            game.put_away(*kept)
            game.tell("DV-24", "kept_in_vain", name=one.name, n=len(kept))
    if conflict.kind == "conflict" and game.prizes:
        prizes, game.prizes = game.prizes, []
        if conflict.follow_up:
            starter = conflict.named(conflict.starter)
            starter.hand += prizes
            game.tell("DV-24", "gets_prizes", name=starter.name, cards=prizes)
        else:
            game.put_away(*prizes)


def draw_opening(game: DogsTable, one: Participant) -> Rules[None]:
    """Draw a participant's first cards: its arena's Stats (DV-14), or their equivalent in a healing or initiation."""
    if one.nature == "fallout":
        yield from draw_fallout_side(game, one)
    elif one.nature == "initiation":
        for draws in INITIATION.things:
            yield from draw_for(game, one, draws, "DV-37")
    elif game.contested.kind == "healing":
        yield from draw_healing(game, one)
    else:
        yield from draw_arena(game, one, missing_cards(game, one))


def draw_fallout_side(game: DogsTable, one: Participant) -> Rules[None]:
    """Give the fallout's side all cards of the patient's Fallout pile, and Demonic Influence (DV-30)."""
    patient = game.named(game.contested.patient or "")
    one.hand, patient.wounds = patient.wounds, []
    game.tell("DV-30", "fallout_stands", name=patient.name, cards=list(one.hand))
    if game.contested.demonic is not None and game.contested.demonic.side == one.side:
        yield from draw_demonic(game, one)


def draw_healing(game: DogsTable, one: Participant) -> Rules[None]:
    """Draw the healer's Acuity and the patient's Body (DV-30)."""
    healer, patient = game.named(one.name), game.named(game.contested.patient or "")
    one.stats_drawn = ["acuity"]
    number = max(0, healer.stats.acuity - missing_cards(game, one))
    yield from draw_into(game, one, number, "DV-30", "draws_own_acuity")
    yield from draw_into(game, one, patient.stats.body, "DV-30", "draws_body_of", patient=patient.name)


def missing_cards(game: DogsTable, one: Participant) -> int:
    """Return how many cards fewer a participant draws, because of a fallout option (DV-32)."""
    return sum(later.effect == "fewer_cards" for later in game.named(one.name).later)


# Turns (DV-15).


def play_on(game: DogsTable) -> Rules[None]:
    """Play the next Raise, or the next answer to it; called until only one side is left (DV-23)."""
    conflict = game.contested
    raised = conflict.raised
    if raised is not None and raised.to_see:
        yield from see_or_give(game, conflict.named(raised.to_see[0]))
        if not raised.to_see:
            game.put_away(raised.card, *(helped.card for helped in raised.helps))
            conflict.raised, conflict.turn = None, None
    else:
        yield from raise_or_give(game, next_to_raise(game))


def next_to_raise(game: DogsTable) -> Participant:
    """Return the participant to Raise, starting a new round once all have Raised (DV-15)."""
    conflict = game.contested
    while conflict.turn is None:
        if not conflict.to_raise:
            conflict.order = round_order(game, conflict)
            conflict.to_raise = list(conflict.order)
        name = conflict.to_raise.pop(0)
        if conflict.named(name).still_in:
            conflict.turn = name
    return conflict.named(conflict.turn)


def round_order(game: DogsTable, conflict: Conflict) -> list[str]:
    """Return the order of a round: the starter first, or with more than two participants by best cards (DV-15)."""
    starter_first = sorted(conflict.still_in(), key=lambda one: one.name != conflict.starter)
    if len(conflict.participants) > 2:
        starter_first.sort(key=lambda one: sorted(map(worth, one.hand), reverse=True), reverse=True)
    return [one.name for one in starter_first]


def is_decided(game: DogsTable) -> bool:
    """Return whether only one side is left (DV-23)."""
    return len({one.side for one in game.contested.still_in()}) <= 1


# Raising (DV-16).


def raise_or_give(game: DogsTable, one: Participant) -> Rules[None]:
    """Ask for a Raise and apply the answer, which may be a preparation; a participant who can't Raise gives (DV-23)."""
    answer = yield from game.ask(lambda: game.ask_raise(one))
    if answer is None:
        give(game, one, "must_give_raise")
    elif isinstance(answer, Give):
        give(game, one, "gives")
    elif isinstance(answer, actions.Raise):
        push_forward(game, one, answer)
    else:
        yield from prepare(game, one, answer)


def raise_question(game: DogsTable, one: Participant) -> Ask | None:
    """Return the question to the participant whose turn it is to Raise; None if only giving is left."""
    if not one.hand and not has_more(game, one):
        return None
    raising = [offer_raise(game, one)] if one.hand else []
    return ask_to(game, one, "raise", "DV-16", raising, {"name": one.name})


def offer_raise(game: DogsTable, one: Participant) -> Offer:
    """Return the offer of a Raise: one card, some opponents, an arena already entered (DV-16)."""
    opponents = game.contested.opponents(one)
    fields = {
        "name": OneOf((one.name,)),
        "card": OneOf(tuple(best_first(one.hand)), "card"),
        "arena": OneOf(tuple(one.arenas)),
        "against": Several(tuple(opponents), 1, len(opponents)),
        "words": Text(LONGEST_WORDS),
    }
    optional = {"arena", "against", "words"}
    if not one.owes:
        return Offer(seats_for(game, one), actions.Raise, fields, frozenset(optional))
    fields["sideways"] = fields["card"]
    examples = [{"name": one.name, "card": card} for card in one.hand]
    return Offer(seats_for(game, one), actions.Raise, fields, frozenset({*optional, "sideways"}), _same_card, examples)


def push_forward(game: DogsTable, one: Participant, answer: actions.Raise) -> None:
    """Put the card in the middle; each opponent must See it or give, in the order of the round (DV-16)."""
    conflict, helps = game.contested, game.contested.putting.helps
    sideways = pay_help(game, one)
    opponents = conflict.opponents(one)
    against = opponents if answer.against is None else [name for name in opponents if name in answer.against]
    arena = answer.arena or one.arena
    value = worth(answer.card, sideways=sideways) + helped_by(helps)
    one.hand.remove(answer.card)
    use_or_lose(game, one)
    conflict.raised = Raise(one.name, answer.card, sideways, helps, value, arena, list(against), answer.words)
    owe_help(game, helps)
    conflict.putting = Preparation()
    about: dict[str, Any] = {"card": answer.card, "value": value, "arena": arena, "names": against}
    game.tell("DV-21" if sideways else "DV-16", "raises_sideways" if sideways else "raises", name=one.name, **about)
    if answer.words:
        game.tell("DV-16", "says", name=one.name, words=answer.words)


# Seeing (DV-17 to DV-19).


def see_or_give(game: DogsTable, one: Participant) -> Rules[None]:
    """Ask for a See and apply the answer, which may be a preparation; a participant who can't See gives (DV-23)."""
    answer = yield from game.ask(lambda: game.ask_see(one))
    if answer is None:
        give(game, one, "must_give_see")
    elif isinstance(answer, Give):
        give(game, one, "gives")
    elif isinstance(answer, See):
        yield from see(game, one, answer)
    else:
        yield from prepare(game, one, answer)


def see_question(game: DogsTable, one: Participant) -> Ask | None:
    """Return the question to the participant who must See; None if only giving is left."""
    raised = game.raised
    examples = ways_to_see(one, raised.value, help_given(game))
    if not examples and not has_more(game, one) and not can_be_helped(game, one):
        return None
    about = {"name": one.name, "by": raised.by, "value": raised.value, "card": raised.card}
    return ask_to(game, one, "see", "DV-17", [offer_see(game, one, examples)] if one.hand else [], about)


def offer_see(game: DogsTable, one: Participant, examples: Sequence[dict[str, Any]]) -> Offer:
    """Return the offer of a See. Any cards can be chosen; `problem_of_see` rejects those too low (DV-17 to DV-19)."""
    hand = tuple(best_first(one.hand))
    fields = {
        "name": OneOf((one.name,)),
        "cards": Several(hand, 1, len(hand), "card"),
        "reverse": YesNo(),
        **({"sideways": OneOf(hand, "card")} if one.owes else {}),
    }
    value, help_there_is = game.raised.value, help_given(game)
    return Offer(
        seats_for(game, one),
        See,
        fields,
        frozenset({"reverse", "sideways"} & set(fields)),
        lambda answer: problem_of_see(one, answer, value, help_there_is),
        [{"name": one.name, **example} for example in examples],
    )


def see(game: DogsTable, one: Participant, answer: See) -> Rules[None]:
    """Apply a See: one card Blocks, one worth double reverses, more than one Take the Blow."""
    helps, raised = game.contested.putting.helps, game.raised
    sideways = pay_help(game, one)
    first = answer.cards[0]
    own = worth(first, sideways=sideways)
    about: dict[str, Any] = {"cards": answer.cards, "by": raised.by, "value": raised.value}
    if len(answer.cards) > 1:
        yield from take_blow(game, one, answer.cards, about)
    elif own >= to_reverse(raised.value) and answer.reverse is not False:
        game.tell("DV-19", "reverses", name=one.name, **about)
        use_or_lose(game, one, first)
    else:
        play_cards(game, one, answer.cards)
        game.tell("DV-17", "blocks", name=one.name, **about)
    game.put_away(*(helped.card for helped in helps))
    owe_help(game, helps)
    game.contested.putting = Preparation()
    raised.to_see.remove(one.name)


def play_cards(game: DogsTable, one: Participant, cards: Sequence[Card]) -> None:
    """Discard the cards played (DV-20)."""
    for card in cards:
        one.hand.remove(card)
    game.put_away(*cards)
    use_or_lose(game, one)


def use_or_lose(game: DogsTable, one: Participant, reverses: Card | None = None) -> None:
    """Discard a card that reversed an earlier blow, unless this Raise or See used it, under `next_only` (DV-19)."""
    before = one.reversed
    if before is not None and before != reverses and before in one.hand:
        one.hand.remove(before)
        game.put_away(before)
        game.tell_hand(one, "DV-19", "not_used", "not_used_one", 1, card=before)
    one.reversed = reverses if game.options.reversed_card == "next_only" else None


def take_blow(game: DogsTable, one: Participant, cards: Sequence[Card], about: dict[str, Any]) -> Rules[None]:
    """Draw as many cards as were played, face down onto the fallout pile of the raiser's arena (DV-18)."""
    play_cards(game, one, cards)
    pile = pile_of(game.raised.arena)
    number = len(cards)
    if one.nature == "character":
        game.busy = True
        drawn = yield from game.draw_blow(number)
        game.busy = False
        one.blows[pile] = [*one.blows.get(pile, []), *drawn]
        game.tell("DV-18", "takes_blow", name=one.name, **about, n=len(drawn), pile=pile)
    else:
        game.tell(OPENED_BY[game.contested.kind], "takes_it", name=one.name, **about)


# Giving (DV-22, DV-23).


def give(game: DogsTable, one: Participant, key: str) -> None:
    """Take a participant out of the conflict; a character keeps a card for a follow-up (DV-22)."""
    conflict = game.contested
    for helped in conflict.putting.helps:
        conflict.named(helped.name).hand.append(helped.card)
    conflict.putting = Preparation()
    one.still_in = False
    game.tell("DV-22" if key == "gives" else "DV-23", key, name=one.name)
    if one.nature == "character":
        keep(game, one)
    game.put_away(*one.hand)
    one.hand = []
    if conflict.raised is not None:
        conflict.raised.to_see.remove(one.name)
    else:
        conflict.turn = None


def keep(game: DogsTable, one: Participant) -> None:
    """Keep a card for a follow-up conflict (DV-22)."""
    best = game.options.keep_on_give == "best"
    card = best_first(one.hand)[0] if best and one.hand else second_best(one.hand)
    if card is not None:
        one.hand.remove(card)
        game.named(one.name).kept.append(card)
        game.tell_hand(one, "DV-22", "keeps", "keeps_one", 1, card=card)


def _same_card(answer: actions.Raise) -> str | None:
    if answer.sideways in (None, answer.card):
        return None
    return f"sideways can't be {answer.sideways}: a Raise is one card, and that is {answer.card}"
