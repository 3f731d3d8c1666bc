"""Healing, resting, checks, recovering and curing: HJ-15 to HJ-19, HJ-31."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cardhouse.engine import Rules
from cardhouse.games.hackjack.state import (
    DAYS,
    RECOVERY,
    Character,
    Check,
    Cure,
    Exert,
    Face,
    Heal,
    Mark,
    Recover,
    Recovery,
    Rest,
    Wake,
    WoundTaken,
    card_value,
)
from cardhouse.games.hackjack.thresholds import is_painful, is_well
from cardhouse.games.hackjack.wounding import RULE_OF, WoundDeck
from cardhouse.games.hackjack.wounds.schema import Ends

NIGHT = 8
"""HJ-16: the hours of a night's rest."""

SLEPT_OFF: tuple[Ends, ...] = ("round", "check", "rest")
"""Wounds with these endings are over after a night's rest, comfortable or not."""


class Healing(WoundDeck):
    """The rules for healing and recovery."""

    def heal(self, action: Heal) -> Rules[None]:
        """Heal points, each of which removes 1 Blood, else 1 death-score, else restores 1 HP (HJ-15)."""
        who = self.named(action.target)
        was_down, left = who.hp < 1, action.amount
        staunched = min(left, who.blood)
        who.blood -= staunched
        left -= staunched
        score = min(left, who.death_score)
        self.take_from_pile(who, score)
        left -= score
        if who.hp < who.max_hp:
            who.hp = min(who.max_hp, who.hp + left)
        self.tell(
            "HJ-15", "healed", name=who.name, amount=action.amount, pool=who.blood, score=who.death_score, hp=who.hp
        )
        if was_down and who.hp >= 1:
            self.get_up(who)
            yield from self.roll_recovery(who)

    def take_from_pile(self, who: Character, points: int) -> None:
        """Take points from the tokens, then from the latest cards. Tokens replace the rest of a split card (HJ-15)."""
        who.death_score -= points
        tokens = min(points, who.tokens)
        who.tokens -= tokens
        points -= tokens
        while points:
            card = who.pile.pop()
            self.discard.append(card)
            taken = min(points, card_value(card))
            who.tokens += card_value(card) - taken
            points -= taken

    def get_up(self, who: Character) -> None:
        """Stand up at 1 HP or more: no longer down or unconscious (HJ-1, HJ-31)."""
        if who.down:
            self.tell("HJ-1", "up", name=who.name, hp=who.hp)
        who.down = who.drawn = who.unconscious = False
        who.last = None
        self.put_away(who, pile=True)
        self.end_wounds(who, ("healed",))

    def roll_recovery(self, who: Character) -> Rules[None]:
        """Roll the recovery time, and again if Trauma has risen since. The longer one counts (HJ-16, HJ-17)."""
        if who.trauma == 0 or (who.recovery is not None and who.recovery.trauma >= who.trauma):
            return
        dice, unit = RECOVERY[who.trauma]
        new = Recovery(who.trauma, sum((yield from self.roll(dice))), unit)  # type: ignore[arg-type]
        old, longer = who.recovery, new
        if old is not None and old.days > new.days:
            longer = Recovery(who.trauma, old.amount, old.unit, old.rolled_for or old.trauma)
        who.recovery = longer
        self.tell("HJ-17", "recovery", name=who.name, trauma=who.trauma, amount=longer.amount, unit=longer.unit)

    def rest(self, action: Rest) -> Rules[None]:
        """Rest for eight hours: end the wounds that a night ends and roll the recovery time (HJ-16, HJ-18)."""
        who = self.named(action.target)
        who.unconscious = False
        self.tell("HJ-16", "rested", name=who.name)
        for taken in who.wounds:
            taken.drops = {}
            if self.wound_of(taken).ends == "hours" and taken.found:
                taken.found[0] = max(0, taken.found[0] - NIGHT)
        over = SLEPT_OFF if action.rough else (*SLEPT_OFF, "comfort")
        self.end_wounds(who, over)
        self.end_all(who, [t for t in who.wounds if self.wound_of(t).ends == "hours" and t.found[:1] == [0]])
        if not action.rough and who.trauma == 0:
            self.end_all(who, [t for t in who.wounds if not t.let and self.wound_of(t).ends == "recovery"])
        yield from self.roll_recovery(who)

    def is_recovering(self, who: Character) -> bool:
        """Return whether the recovery time is running: it is rolled, and death-score and pool are 0 (HJ-16)."""
        return who.alive and who.recovery is not None and who.death_score == 0 and who.blood == 0

    def recover(self, action: Recover) -> Rules[None]:
        """End the recovery: Trauma returns to 0 and all wounds end, except permanent ones (HJ-18)."""
        who = self.named(action.target)
        assert who.recovery is not None
        lasts: set[Ends] = {"permanent"} if who.recovery.days >= DAYS["weeks"] else {"permanent", "week"}
        self.tell("HJ-18", "recovered", name=who.name)
        who.trauma, who.recovery = 0, None
        self.end_all(who, [taken for taken in who.wounds if self.wound_of(taken).ends not in lasts])
        return
        yield

    def cure(self, action: Cure) -> Rules[None]:
        """End one wound and its Trauma, or with strong magic a permanent effect (HJ-18, HJ-19)."""
        who = self.named(action.target)
        taken = next((taken for taken in who.wounds if taken.card == action.card), None)
        if taken is None:
            mark = next(mark for mark in who.marks if mark.card == action.card)
            who.marks.remove(mark)
            self.tell("HJ-19", "mark_gone", name=who.name, card=mark.card, text=mark.lasting.text)
            return
        self.end_all(who, [taken])
        left = max((self.wound_of(t).trauma for t in who.wounds if t.let), default=0)
        if left == 0 and who.trauma:
            who.trauma, who.recovery = 0, None
            self.tell("HJ-18", "trauma_gone", name=who.name)
        elif left < who.trauma and taken.let and self.wound_of(taken).trauma and self.edition > 1:
            yield from self.lower_trauma(who, left)

    def lower_trauma(self, who: Character, left: int) -> Rules[None]:
        """Lower Trauma to `left`. Roll the recovery time again if the cured wound had made it longer (HJ-18)."""
        who.trauma = left
        self.tell("HJ-18", "trauma_left", name=who.name, trauma=left)
        old = who.recovery
        if old is None or old.trauma <= left:
            return
        if (old.rolled_for or old.trauma) <= left:
            who.recovery = Recovery(left, old.amount, old.unit, old.rolled_for)
            return
        who.recovery = None
        yield from self.roll_recovery(who)

    def face(self, action: Face) -> Rules[None]:
        """Record a round of facing the cause of a wound: the scores it wears down fall while it lasts (HJ-18)."""
        who = self.named(action.target)
        taken = next(t for t in who.wounds if t.card == action.wound and not t.faced)
        taken.worn, taken.faced = taken.worn + 1, True
        for ability, by in self.wound_of(taken).wears.items():
            self.tell("HJ-18", "worn", name=who.name, card=taken.card, ability=ability, by=by * taken.worn)
        return
        yield

    def end_wounds(self, who: Character, how: Sequence[Ends]) -> None:
        """End all wounds with one of these endings."""
        self.end_all(who, [taken for taken in who.wounds if self.wound_of(taken).ends in how])

    def end_all(self, who: Character, over: Sequence[WoundTaken]) -> None:
        """End these wounds and keep their permanent effects (HJ-18, HJ-19)."""
        for taken in over:
            wound = self.wound_of(taken)
            # Compare by identity: a character can have the same wound twice (HJ-26).
            who.wounds = [other for other in who.wounds if other is not taken]
            self.tell("HJ-18", "ends", name=who.name, card=taken.card, wound=wound.name)
            if wound.lasting is not None:
                who.marks.append(Mark(taken.card, wound.lasting))
                self.tell("HJ-19", "stays", name=who.name, card=taken.card, text=wound.lasting.text)

    # Checks, passing out and waking (HJ-31).

    def check(self, action: Check) -> Rules[None]:
        """Roll a d20 for a wound: over the death-score it passes, else the wound's effect applies (HJ-31)."""
        who = self.named(action.name)
        taken = next(taken for taken in who.wounds if taken.card == action.wound and taken.check == "open")
        wound = self.wound_of(taken)
        assert wound.check is not None
        rule = RULE_OF[wound.special] if wound.special else "HJ-31"
        face = sum((yield from self.roll("1d20")))
        about: dict[str, Any] = {
            "name": who.name,
            "card": taken.card,
            "wound": wound.name,
            "face": face,
            "score": who.death_score,
        }
        if is_well(face, who.death_score):
            self.tell(rule, "check_passed", **about)
            taken.check = None
            if wound.ends == "check":
                self.end_all(who, [taken])
            return
        self.tell(rule, "check_failed", **about, condition=wound.check.failed)
        taken.check = "failed"
        if wound.check.failed == "unconscious":
            self.pass_out(who)

    def exert(self, action: Exert) -> Rules[None]:
        """Roll the hit die over Trauma, or a d20 over the death-score. Failing it, the character passes out (HJ-29)."""
        who = self.named(action.name)
        by_trauma = self.options.pain == "trauma"
        face = sum((yield from self.roll(f"1{who.hit_die}" if by_trauma else "1d20")))
        pain = who.trauma if by_trauma else who.death_score
        about: dict[str, Any] = {"name": who.name, "face": face, "trauma": who.trauma, "pain": pain}
        if is_well(face, pain):
            self.tell("HJ-29", "bears_pain", **about)
        else:
            self.tell("HJ-29", "pain_too_much", **about)
            self.pass_out(who)

    def needs_pain_roll(self, who: Character) -> bool:
        """Return whether anything but walking or crawling needs a roll (HJ-29)."""
        if self.options.pain == "trauma":
            return is_painful(who.trauma) and who.hit_die is not None
        return self.options.pain == "death_score" and who.down

    def only_passed_out(self, taken: WoundTaken) -> bool:
        """Return whether passing out was the wound's only effect."""
        wound = self.wound_of(taken)
        failed = taken.check == "failed" and wound.check is not None and wound.check.failed
        return wound.ends == "check" and failed == "unconscious"

    def pass_out(self, who: Character) -> None:
        """Pass out until woken, rested or up again (HJ-31)."""
        who.unconscious = True
        self.tell("HJ-31", "passes_out", name=who.name)

    def wake(self, action: Wake) -> Rules[None]:
        """Wake a character and end wounds whose only effect was passing out (HJ-31)."""
        who = self.named(action.target)
        who.unconscious = False
        self.tell("HJ-31", "wakes", name=who.name)
        self.end_all(who, [taken for taken in who.wounds if self.only_passed_out(taken)])
        return
        yield
