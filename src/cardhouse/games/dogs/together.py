"""What goes with a Raise or a See: help, things, something improvised, another arena (DV-9 to DV-12, DV-21)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from cardhouse.engine import GM, Ask, Offer, OneOf, Rules, Several, YesNo
from cardhouse.games.dogs import actions
from cardhouse.games.dogs.actions import Bring, Escalate, Give, Improvise
from cardhouse.games.dogs.fast import Draws
from cardhouse.games.dogs.hands import Hands
from cardhouse.games.dogs.seeing import can_see
from cardhouse.games.dogs.sheet import STATS
from cardhouse.games.dogs.state import (
    ARENAS,
    DEMONIC,
    EVERY_ARENA,
    PILES,
    Help,
    Participant,
    Raise,
    arena_of,
    best_first,
    worth,
)
from cardhouse.games.roster import choosers


class Together(Hands):
    """How a Raise or See is put together."""

    # What goes with a Raise or a See (DV-10 to DV-12, DV-21).

    def choosers(self, one: Participant) -> tuple[str, ...]:
        """Who may choose for it."""
        return choosers(self.controller(one))

    def ask_to(self, one: Participant, key: str, rule: str, first: list[Offer], about: dict[str, Any]) -> Ask:
        """Ask for a Raise or See, with all that may go with it; others of its side may offer their help."""
        helping = [self.offer_help(other, one) for other in self.helpers(one)]
        give = Offer(self.choosers(one), Give, {"name": OneOf((one.name,))})
        offers = (*first, *self.offer_more(one), give, *helping)
        waits_for = (self.controller(one),)
        return Ask(key, rule, offers, about, rest=True, together=bool(helping), waits_for=waits_for)

    def offer_more(self, one: Participant) -> Iterator[Offer]:
        """Things, something improvised, another arena."""
        for owner, things in self.unused(one).items():
            seats = choosers(self.named(owner).controller) if owner != one.name else self.choosers(one)
            if things:
                yield Offer(seats, Bring, {"name": OneOf((owner,)), "thing": OneOf(tuple(things))})
        name = OneOf((one.name,))
        if self.may_improvise(one):
            yield Offer(self.choosers(one), Improvise, {"name": name, "desperate": YesNo()}, frozenset({"desperate"}))
        if one.nature == "character" and not self.contested.putting.escalated:
            if arenas := self.other_arenas(one):
                yield Offer(self.choosers(one), Escalate, {"name": name, "arena": OneOf(arenas)})
            yield self.offer_own_arena(one)

    def offer_own_arena(self, one: Participant) -> Offer:
        """The game master may name any two Stats, with the fallout pile they use (DV-9)."""
        fields = {"name": OneOf((one.name,)), "stats": Several(STATS, 2, 2), "pile": OneOf(PILES)}

        def entered(answer: Escalate) -> str | None:
            arena = arena_of(answer.stats or [], answer.pile or PILES[0])
            return f"stats and pile are those of {arena}, which {one.name} has entered" if arena in one.arenas else None

        free = ((stats, pile) for stats, pile in EVERY_ARENA if arena_of(stats, pile) not in one.arenas)
        examples = [{"name": one.name, "stats": stats, "pile": pile} for stats, pile in islice(free, 1)]
        return Offer((GM,), Escalate, fields, also=entered, examples=examples)

    def offer_help(self, helper: Participant, one: Participant) -> Offer:
        """A card of one's own for another's Raise or See (DV-21)."""
        hand = OneOf(tuple(best_first(helper.hand)), "card")
        fields = {"name": OneOf((helper.name,)), "card": hand, "whom": OneOf((one.name,))}
        return Offer(self.choosers(helper), actions.Help, fields)

    def has_more(self, one: Participant) -> bool:
        """Whether it could still bring a thing, improvise or escalate (DV-23)."""
        escalates = one.nature == "character" and not self.contested.putting.escalated and self.other_arenas(one)
        return bool(any(self.unused(one).values()) or self.may_improvise(one) or escalates)

    def other_arenas(self, one: Participant) -> tuple[str, ...]:
        """The arenas it hasn't entered."""
        return tuple(arena for arena in ARENAS if arena not in one.arenas)

    def may_improvise(self, one: Participant) -> bool:
        """Once a Raise or See, so often a conflict (DV-11)."""
        characters_only = one.nature == "character"
        return characters_only and not self.contested.putting.improvised and one.improvised < self.options.improvised

    def unused(self, one: Participant) -> dict[str, list[str]]:
        """The things not drawn for yet, by owner: a healer has its patient's, too (DV-10, DV-30)."""
        conflict = self.contested
        owners = [one.name] if one.nature == "character" else []
        if conflict.patient is not None and owners:
            owners.append(conflict.patient)
        found = {
            owner: [thing.name for thing in self.named(owner).things_for_now() if (owner, thing.name) not in one.used]
            for owner in owners
        }
        demonic = conflict.demonic
        if demonic is not None and demonic.side == one.side and not conflict.demonic_drawn:
            found[one.name] = [*found.get(one.name, []), DEMONIC]
        return found

    def put_together(self, one: Participant, answer: Bring | Improvise | Escalate | actions.Help) -> Rules[None]:
        """Something goes with the Raise or See to come; what was drawn stays drawn (DV-10)."""
        if isinstance(answer, actions.Help):
            self.help(answer)
            return
        self.busy = True
        if isinstance(answer, Bring):
            yield from self.bring(one, answer)
        elif isinstance(answer, Improvise):
            yield from self.improvise(one, desperate=answer.desperate)
        else:
            yield from self.escalate(one, answer)
        self.busy = False

    def help(self, answer: actions.Help) -> None:
        """A card is handed over, turned sideways (DV-21)."""
        self.contested.named(answer.name).hand.remove(answer.card)
        self.contested.putting.helps.append(Help(answer.name, answer.card))
        half = worth(answer.card, sideways=True)
        self.tell("DV-21", "helps", name=answer.name, card=answer.card, whom=answer.whom, half=half)

    def bring(self, one: Participant, answer: Bring) -> Rules[None]:
        """A thing is drawn for, once a conflict (DV-10); with a gun, as for a troublesome trait besides (DV-11)."""
        if answer.thing == DEMONIC:
            yield from self.draw_demonic(one)
            return
        one.used.append((answer.name, answer.thing))
        thing = next(thing for thing in self.named(answer.name).things_for_now() if thing.name == answer.thing)
        yield from self.draw_for(one, thing, "DV-7" if thing.significant else "DV-6", thing.name)
        if thing.gun:
            yield from self.draw_for(one, Draws("-"), "DV-11", thing.name)

    def improvise(self, one: Participant, *, desperate: bool) -> Rules[None]:
        """As a troublesome trait; if it is desperate or really big, a significant one (DV-11)."""
        one.improvised += 1
        self.contested.putting.improvised = True
        self.tell("DV-11", "goes_desperate" if desperate else "improvises", name=one.name)
        yield from self.draw_for(one, Draws("-", desperate), "DV-11")

    def escalate(self, one: Participant, answer: Escalate) -> Rules[None]:
        """Another arena is entered, and its Stats are drawn that weren't yet (DV-12)."""
        arena = answer.arena or arena_of(answer.stats or [], answer.pile or PILES[0])
        self.contested.putting.escalated = True
        one.arenas.append(arena)
        self.tell("DV-12", "escalates", name=one.name, arena=arena)
        yield from self.draw_arena(one)

    @property
    def raised(self) -> Raise:
        """The Raise in the middle."""
        assert self.contested.raised is not None
        return self.contested.raised

    # Help (DV-21).

    def help_given(self) -> int:
        """What the help there is adds to the Raise or See that is being put together."""
        return helped_by(self.contested.putting.helps)

    def helpers(self, one: Participant) -> list[Participant]:
        """Who may help: those on its side who are still in and have a card, each once (DV-21)."""
        have = {helped.name for helped in self.contested.putting.helps}
        return [
            other
            for other in self.contested.still_in()
            if other.side == one.side and other.name != one.name and other.name not in have and other.hand
        ]

    def why_no_help(self, by: str, answer: actions.Help) -> str | None:
        """What keeps this seat's character from helping whoever is to Raise or See; None if it is something else."""
        conflict = self.under_way
        helper = next((one for one in conflict.participants if one.name == answer.name), None) if conflict else None
        name = None if conflict is None else conflict.raised.to_see[0] if conflict.raised else conflict.turn
        if conflict is None or helper is None or name is None or by not in self.choosers(helper):
            return None
        asked = conflict.named(name)
        if any(helped.name == helper.name for helped in conflict.putting.helps):
            return f"{helper.name} has helped already: one card a helper (DV-21)"
        if not helper.still_in:
            return f"{helper.name} has given, and is out of the conflict (DV-23)"
        if helper.name == asked.name:
            return f"it is {asked.name}'s own Raise or See, and help comes from somebody else (DV-21)"
        if helper.side != asked.side:
            return f"{asked.name} is to act, of the other side, and help comes from one's own (DV-21)"
        return None

    def can_be_helped(self, one: Participant) -> bool:
        """Whether all the help there can be would let it See."""
        most = self.help_given() + sum(worth(best_first(other.hand)[0], sideways=True) for other in self.helpers(one))
        return can_see(one, self.raised.value, most)

    def pay_help(self, one: Participant) -> bool:
        """Whether one of its cards is sideways now, for help it gave (DV-21); each help is owed once."""
        if not one.owes:
            return False
        one.owes -= 1
        return True

    def owe_help(self, helps: Sequence[Help]) -> None:
        """Those who have helped owe a card turned sideways (DV-21)."""
        for helped in helps:
            self.contested.named(helped.name).owes += 1


def helped_by(helps: Sequence[Help]) -> int:
    """What cards turned sideways add (DV-21)."""
    return sum(worth(helped.card, sideways=True) for helped in helps)
