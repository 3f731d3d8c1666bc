"""A conflict, from its stakes to its winner (DV-9 to DV-24). Read it beside the rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cardhouse.cards import Card
from cardhouse.engine import Ask, Offer, OneOf, Rules, Several, YesNo
from cardhouse.games.dogs import actions
from cardhouse.games.dogs.actions import Give, See
from cardhouse.games.dogs.drawing import second_best
from cardhouse.games.dogs.fast import INITIATION
from cardhouse.games.dogs.seeing import ways_to_see, whats_wrong
from cardhouse.games.dogs.state import (
    Conflict,
    Participant,
    Putting,
    Raise,
    best_first,
    pile_of,
    to_reverse,
    worth,
)
from cardhouse.games.dogs.together import Together, helped_by

OPENED_BY = {"conflict": "DV-14", "healing": "DV-30", "initiation": "DV-37"}
"""The rule of each kind of conflict."""


class Conflicts(Together):
    """How a conflict is played."""

    # Its beginning (DV-14, DV-24).

    def begin(self, conflict: Conflict, arena: str) -> Rules[None]:
        """Everybody enters the arena and draws, in the order in which the sides are named (DV-14)."""
        self.add_decks()
        self.outcomes = {}
        self.conflict = conflict
        self.busy = True
        names = [name for side in conflict.sides for name in side]
        about: dict[str, Any] = {"what": conflict.kind, "stakes": conflict.stakes, "arena": arena, "names": names}
        self.tell(OPENED_BY[conflict.kind], "opens", **about)
        self.hand_out_kept(conflict)
        for one in conflict.participants:
            one.arenas = [arena]
            yield from self.draw_opening(one)
        self.busy = False

    def hand_out_kept(self, conflict: Conflict) -> None:
        """A follow-up starts with the cards kept for it; any other conflict discards them (DV-24)."""
        for one in conflict.participants:
            who = self.named(one.name) if one.nature == "character" else None
            if who is not None:
                who.proposed = False
            if who is None or not who.kept:
                continue
            kept, who.kept = who.kept, []
            if conflict.follow_up:
                one.hand += kept
                self.tell_hand(one, "DV-24", "starts_with", "starts_with_cards", len(kept), cards=kept)
            else:
                self.put_away(*kept)
                self.tell("DV-24", "kept_in_vain", name=one.name, n=len(kept))
        if conflict.kind == "conflict" and self.prizes:
            prizes, self.prizes = self.prizes, []
            if conflict.follow_up:
                starter = conflict.named(conflict.starter)
                starter.hand += prizes
                self.tell("DV-24", "gets_prizes", name=starter.name, cards=prizes)
            else:
                self.put_away(*prizes)

    def draw_opening(self, one: Participant) -> Rules[None]:
        """What a participant begins with: its arena's Stats (DV-14), or what stands in their place."""
        if one.nature == "fallout":
            yield from self.draw_fallout_side(one)
        elif one.nature == "initiation":
            for draws in INITIATION.things:
                yield from self.draw_for(one, draws, "DV-37")
        elif self.contested.kind == "healing":
            yield from self.draw_healing(one)
        else:
            yield from self.draw_arena(one, self.fewer_cards(one))

    def draw_fallout_side(self, one: Participant) -> Rules[None]:
        """All cards of the patient's Fallout pile, and Demonic Influence (DV-30)."""
        patient = self.named(self.contested.patient or "")
        one.hand, patient.wounds = patient.wounds, []
        self.tell("DV-30", "fallout_stands", name=patient.name, cards=list(one.hand))
        if self.contested.demonic is not None and self.contested.demonic.side == one.side:
            yield from self.draw_demonic(one)

    def draw_healing(self, one: Participant) -> Rules[None]:
        """The healer's Acuity and the patient's Body (DV-30)."""
        healer, patient = self.named(one.name), self.named(self.contested.patient or "")
        one.stats_drawn = ["acuity"]
        number = max(0, healer.stats.acuity - self.fewer_cards(one))
        yield from self.draw_into(one, number, "DV-30", "draws_own_acuity")
        yield from self.draw_into(one, patient.stats.body, "DV-30", "draws_body_of", patient=patient.name)

    def fewer_cards(self, one: Participant) -> int:
        """How many cards it draws fewer, for a choice it made (DV-32)."""
        return sum(later.effect == "fewer_cards" for later in self.named(one.name).later)

    # Goes (DV-15).

    def play_on(self) -> Rules[None]:
        """The next Raise, or the next answer to it, until one side is left (DV-23)."""
        conflict = self.contested
        raised = conflict.raised
        if raised is not None and raised.to_see:
            yield from self.see_or_give(conflict.named(raised.to_see[0]))
            if not raised.to_see:
                self.put_away(raised.card, *(helped.card for helped in raised.helps))
                conflict.raised, conflict.turn = None, None
        else:
            yield from self.raise_or_give(self.whose_go())

    def whose_go(self) -> Participant:
        """Whose Raise it is; after everybody has raised, a new go begins (DV-15)."""
        conflict = self.contested
        while conflict.turn is None:
            if not conflict.to_raise:
                conflict.order = self.order_of_go(conflict)
                conflict.to_raise = list(conflict.order)
            name = conflict.to_raise.pop(0)
            if conflict.named(name).still_in:
                conflict.turn = name
        return conflict.named(conflict.turn)

    def order_of_go(self, conflict: Conflict) -> list[str]:
        """Between two the starter, then the other; of more those still in, by their best cards (DV-15)."""
        starter_first = sorted(conflict.still_in(), key=lambda one: one.name != conflict.starter)
        if len(conflict.participants) > 2:
            starter_first.sort(key=lambda one: sorted(map(worth, one.hand), reverse=True), reverse=True)
        return [one.name for one in starter_first]

    def is_decided(self) -> bool:
        """Whether only one side is left (DV-23)."""
        return len({one.side for one in self.contested.still_in()}) <= 1

    # Raising (DV-16).

    def raise_or_give(self, one: Participant) -> Rules[None]:
        """It works things in as it likes, and then raises or gives; who can't raise must give (DV-23)."""
        answer = yield from self.ask(lambda: self.may_raise(one))
        if answer is None:
            self.give(one, "must_give_raise")
        elif isinstance(answer, Give):
            self.give(one, "gives")
        elif isinstance(answer, actions.Raise):
            self.push_forward(one, answer)
        else:
            yield from self.put_together(one, answer)

    def may_raise(self, one: Participant) -> Ask | None:
        """What whoever has the go may do; None if there is nothing left to do but to give."""
        if not one.hand and not self.has_more(one):
            return None
        raising = [self.offer_raise(one)] if one.hand else []
        return self.ask_to(one, "raise", "DV-16", raising, {"name": one.name})

    def offer_raise(self, one: Participant) -> Offer:
        """One card against some of those on other sides, in an arena it has entered (DV-16)."""
        opponents = self.contested.opponents(one)
        fields = {
            "name": OneOf((one.name,)),
            "card": OneOf(tuple(best_first(one.hand)), "card"),
            "arena": OneOf(tuple(one.arenas)),
            "against": Several(tuple(opponents), 1, len(opponents)),
        }
        optional = {"arena", "against"}
        if not one.owes:
            return Offer(self.choosers(one), actions.Raise, fields, frozenset(optional))
        fields["sideways"] = fields["card"]
        examples = [{"name": one.name, "card": card} for card in one.hand]
        return Offer(
            self.choosers(one), actions.Raise, fields, frozenset({*optional, "sideways"}), _same_card, examples
        )

    def push_forward(self, one: Participant, answer: actions.Raise) -> None:
        """The card lies in the middle, and each opponent must See it or give, in the order of the go (DV-16)."""
        conflict, helps = self.contested, self.contested.putting.helps
        sideways = self.pay_help(one)
        opponents = conflict.opponents(one)
        against = opponents if answer.against is None else [name for name in opponents if name in answer.against]
        arena = answer.arena or one.arena
        value = worth(answer.card, sideways=sideways) + helped_by(helps)
        one.hand.remove(answer.card)
        self.use_or_lose(one)
        conflict.raised = Raise(one.name, answer.card, sideways, helps, value, arena, list(against))
        self.owe_help(helps)
        conflict.putting = Putting()
        about: dict[str, Any] = {"card": answer.card, "value": value, "arena": arena, "names": against}
        self.tell("DV-21" if sideways else "DV-16", "raises_sideways" if sideways else "raises", name=one.name, **about)

    # Seeing (DV-17 to DV-19).

    def see_or_give(self, one: Participant) -> Rules[None]:
        """It works things in as it likes, and then Sees or gives; who can't See must give (DV-23)."""
        answer = yield from self.ask(lambda: self.may_see(one))
        if answer is None:
            self.give(one, "must_give_see")
        elif isinstance(answer, Give):
            self.give(one, "gives")
        elif isinstance(answer, See):
            yield from self.see(one, answer)
        else:
            yield from self.put_together(one, answer)

    def may_see(self, one: Participant) -> Ask | None:
        """What whoever is to See may do; None if there is nothing left to do but to give."""
        raised = self.raised
        examples = ways_to_see(one, raised.value, self.help_given())
        if not examples and not self.has_more(one) and not self.can_be_helped(one):
            return None
        about = {"name": one.name, "by": raised.by, "value": raised.value, "card": raised.card}
        return self.ask_to(one, "see", "DV-17", [self.offer_see(one, examples)] if one.hand else [], about)

    def offer_see(self, one: Participant, examples: Sequence[dict[str, Any]]) -> Offer:
        """Any cards that match or beat the Raise together (DV-17 to DV-19); if none do, it only says why not."""
        hand = tuple(best_first(one.hand))
        fields = {
            "name": OneOf((one.name,)),
            "cards": Several(hand, 1, len(hand), "card"),
            "reverse": YesNo(),
            **({"sideways": OneOf(hand, "card")} if one.owes else {}),
        }
        value, help_given = self.raised.value, self.help_given()
        return Offer(
            self.choosers(one),
            See,
            fields,
            frozenset({"reverse", "sideways"} & set(fields)),
            lambda answer: whats_wrong(one, answer, value, help_given),
            [{"name": one.name, **example} for example in examples],
        )

    def see(self, one: Participant, answer: See) -> Rules[None]:
        """With one card it is blocked, with one worth twice as much reversed; with more the blow is taken."""
        helps, raised = self.contested.putting.helps, self.raised
        sideways = self.pay_help(one)
        first = answer.cards[0]
        own = worth(first, sideways=sideways)
        about: dict[str, Any] = {"cards": answer.cards, "by": raised.by, "value": raised.value}
        if len(answer.cards) > 1:
            yield from self.take_blow(one, answer.cards, about)
        elif own >= to_reverse(raised.value) and answer.reverse is not False:
            self.tell("DV-19", "reverses", name=one.name, **about)
            self.use_or_lose(one, first)
        else:
            self.play_cards(one, answer.cards)
            self.tell("DV-17", "blocks", name=one.name, **about)
        self.put_away(*(helped.card for helped in helps))
        self.owe_help(helps)
        self.contested.putting = Putting()
        raised.to_see.remove(one.name)

    def play_cards(self, one: Participant, cards: Sequence[Card]) -> None:
        """Cards played go to the discard (DV-20)."""
        for card in cards:
            one.hand.remove(card)
        self.put_away(*cards)
        self.use_or_lose(one)

    def use_or_lose(self, one: Participant, reverses: Card | None = None) -> None:
        """What reversed a blow before is discarded if this Raise or See hasn't used it, where so played (DV-19)."""
        before = one.reversed
        if before is not None and before != reverses and before in one.hand:
            one.hand.remove(before)
            self.put_away(before)
            self.tell_hand(one, "DV-19", "not_used", "not_used_one", 1, card=before)
        one.reversed = reverses if self.options.reversed_card == "next_only" else None

    def take_blow(self, one: Participant, cards: Sequence[Card], about: dict[str, Any]) -> Rules[None]:
        """As many cards as were played, face down onto its fallout pile of the raiser's arena (DV-18)."""
        self.play_cards(one, cards)
        pile = pile_of(self.raised.arena)
        number = len(cards)
        if one.nature == "character":
            self.busy = True
            drawn = yield from self.draw_blow(number)
            self.busy = False
            one.blows[pile] = [*one.blows.get(pile, []), *drawn]
            self.tell("DV-18", "takes_blow", name=one.name, **about, n=len(drawn), pile=pile)
        else:
            self.tell(OPENED_BY[self.contested.kind], "takes_it", name=one.name, **about)

    # Giving (DV-22, DV-23).

    def give(self, one: Participant, key: str) -> None:
        """Out of the conflict, with the second-best card for a follow-up (DV-22)."""
        conflict = self.contested
        for helped in conflict.putting.helps:
            conflict.named(helped.name).hand.append(helped.card)
        conflict.putting = Putting()
        one.still_in = False
        self.tell("DV-22" if key == "gives" else "DV-23", key, name=one.name)
        if one.nature == "character":
            self.keep(one)
        self.put_away(*one.hand)
        one.hand = []
        if conflict.raised is not None:
            conflict.raised.to_see.remove(one.name)
        else:
            conflict.turn = None

    def keep(self, one: Participant) -> None:
        """A card for a follow-up conflict (DV-22)."""
        best = self.options.keep_on_give == "best"
        card = best_first(one.hand)[0] if best and one.hand else second_best(one.hand)
        if card is not None:
            one.hand.remove(card)
            self.named(one.name).kept.append(card)
            self.tell_hand(one, "DV-22", "keeps", "keeps_one", 1, card=card)


def _same_card(answer: actions.Raise) -> str | None:
    if answer.sideways in (None, answer.card):
        return None
    return f"sideways can't be {answer.sideways}: a Raise is one card, and that is {answer.card}"
