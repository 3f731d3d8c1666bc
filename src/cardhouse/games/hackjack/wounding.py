"""Drawing and suffering wounds: HJ-9, HJ-13, HJ-14, and the wounds that draw or repeat others, HJ-22 to HJ-27."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, TypedDict

import msgspec

from cardhouse.cards import JOKERS, STANDARD, Card, Deck, is_red
from cardhouse.engine import Ask, Game, OneOf, Options, Rules, acting, choosers, named
from cardhouse.games.hackjack.state import (
    Character,
    ChooseWound,
    HackjackOptions,
    WoundTaken,
    card_value,
)
from cardhouse.games.hackjack.thresholds import is_exact, is_too_much, least
from cardhouse.games.hackjack.wounds.chains import FURTHER, EffectMask, Harm, Suffered
from cardhouse.games.hackjack.wounds.data import wounds_from
from cardhouse.games.hackjack.wounds.schema import Special, Wound, Wounds, is_dice

RULE_OF: dict[Special | None, str] = {
    None: "HJ-18",
    "choose": "HJ-22",
    "both": "HJ-23",
    "another": "HJ-24",
    "peek": "HJ-25",
    "again": "HJ-26",
    "first_card": "HJ-27",
    "red_cards": "HJ-13",
    "chronic": "HJ-12",
}
"""The rule behind each kind of wound."""

NOTHING = Suffered()
UNHURT = Harm()


class CardCounts(TypedDict):
    """The effect of the next card on a death-score: it adds its value, or `instead` if that is a number, and `more`.

    If it adds at least `kills`, the character dies; if it adds exactly `saves`, the death-score returns to 0 (HJ-6).
    """

    instead: int | None
    more: int
    kills: int
    saves: int


class LastHit(msgspec.Struct):
    """The last damage that drew cards: the character hit, and the cards in the order drawn."""

    name: str
    cards: list[Card] = []


class WoundDeck(Game):
    """The deck of wounds, and the effects of its cards on a character."""

    decks: ClassVar[dict[str, str]] = {"wounds": "deck"}

    options: HackjackOptions = HackjackOptions()
    characters: list[Character] = []
    opened: bool = False
    deck: Deck = msgspec.field(default_factory=Deck)
    discard: list[Card] = []
    hitting: str | None = None
    busy: bool = False
    peeking: str | None = None
    seers: list[str] = []
    last_hit: LastHit | None = None

    def __post_init__(self) -> None:
        """Look up this table's wounds, which follow from its options.

        Raises CardhouseError for an invalid wound.
        """
        super().__post_init__()
        self.wounds: Wounds = wounds_from(self.options.wounds)

    def play_by(self, options: Options) -> None:
        """Switch to these options and to the wounds that follow from them.

        Raises CardhouseError for an invalid wound.
        """
        super().play_by(options)
        self.wounds = wounds_from(self.options.wounds)

    def open_deck(self) -> None:
        """Set up one standard deck for the table (HJ-20), with two jokers if lucky breaks are on (HJ-29)."""
        if not self.opened:
            self.opened = True
            self.deck = Deck.of([*STANDARD, *(JOKERS if self.options.jokers else ())])

    # Drawing.

    def draw_wound(
        self, who: Character, n: int = 1, of: int = 1, counts: CardCounts | None = None
    ) -> Rules[Card | None]:
        """Draw card `n` of `of` for a character. Returns None if deck and discard are empty (HJ-7, HJ-20).

        `counts` says what the card adds, for people with a real deck. With broken ribs a red card adds Blood, even if
        the card doesn't otherwise count (HJ-13).
        """
        self.shuffle_if_empty()
        key = "draw_wound" if of == 1 else "draw_wound_of"
        card = yield from self.draw("wounds", key=key, rule="HJ-7", name=who.name, n=n, of=of, counts=counts)
        if card is None:
            return None
        self.seers = []
        if self.last_hit is not None:
            self.last_hit.cards.append(card)
        if is_red(card) and (ribs := self.count_held(who, "red_cards")):
            who.blood += ribs
            self.tell("HJ-13", "red_card", name=who.name, card=card, blood=ribs, pool=who.blood)
        return card

    def counts(self, who: Character, instead: int | None = None, more: int = 0) -> CardCounts:
        """Return what the next card adds to a death-score, and the amounts that matter now."""
        limit, score = self.options.limit, who.death_score
        kills, saves = least(is_too_much, limit) - score, least(is_exact, limit) - score
        return {"instead": instead, "more": more, "kills": kills, "saves": saves}

    def shuffle_if_empty(self) -> None:
        """Shuffle the discard into the deck if the deck has run out (HJ-20)."""
        if not self.deck and self.discard:
            self.tell("HJ-20", "shuffled", cards=len(self.discard))
            self.deck.add(*self.discard)
            self.discard = []

    def draw_beside(self, who: Character, n: int = 1, of: int = 1) -> Rules[Card | None]:
        """Draw a card that adds no value and put it beside the draw pile (HJ-20)."""
        card = yield from self.draw_wound(who, n, of)
        if card is not None:
            who.beside.append(card)
        return card

    def count_held(self, who: Character, special: Special) -> int:
        """Return the number of such wounds the character has."""
        return sum(self.wounds[taken.card].special == special for taken in who.wounds)

    # Suffering.

    def suffer(self, who: Character, card: Card, mask: EffectMask) -> Rules[tuple[Suffered, Harm]]:
        """Apply the text of a card's wound as far as `mask` allows. Returns the wound suffered and its harm."""
        if card in JOKERS:
            self.tell("HJ-29", "lucky_break", name=who.name, card=card)
            return NOTHING, UNHURT
        wound = self.wounds[card]
        bends: dict[Special, Callable[[Character, Card, EffectMask], Rules[tuple[Suffered, Harm]]]] = {
            "choose": self.choose_of_two,
            "both": self.suffer_both,
            "another": self.another_at_once,
            "peek": self.see_the_next,
            "again": self.not_again,
        }
        does = self.suffer_alone if wound.special is None else bends.get(wound.special, self.suffer_alone)
        suffered, harm = yield from does(who, card, mask)
        who.last = suffered
        return suffered, harm

    def suffer_alone(self, who: Character, card: Card, mask: EffectMask) -> Rules[tuple[Suffered, Harm]]:
        """Suffer a wound that draws no further cards."""
        wound = self.wounds[card]
        suffered = Suffered(card, wound.blood, wound.trauma).masked(mask)
        return suffered, (yield from self.take_wound(who, suffered))

    def choose_of_two(self, who: Character, card: Card, mask: EffectMask) -> Rules[tuple[Suffered, Harm]]:
        """Draw two cards and let the player choose the wound to suffer, without its value (HJ-22)."""
        self.tell("HJ-22", "draws_two_to_choose", name=who.name, card=card)
        two = yield from self.draw_further(who, "choose")
        if not two:
            return NOTHING, UNHURT
        chosen = two[0]
        if len(two) == 2:
            answer = yield from self.ask(lambda: self.which_wound(who, two))
            chosen = answer.card
            self.tell("HJ-22", "chooses", name=who.name, card=chosen, other=two[two[0] == chosen])
        return (yield from self.suffer(who, chosen, mask & FURTHER["choose"].mask))

    def draw_further(self, who: Character, special: Special) -> Rules[list[Card]]:
        """Draw as many further cards as this special asks for, or as are left."""
        drawn = []
        of = FURTHER[special].cards
        for n in range(1, of + 1):
            card = yield from self.draw_beside(who, n, of)
            drawn += [] if card is None else [card]
        return drawn

    def which_wound(self, who: Character, two: Sequence[Card]) -> Ask:
        """Ask the character's player, or the game master for them, which wound to suffer (HJ-22)."""
        offers = [acting(who, ChooseWound, card=OneOf((card,), "card")) for card in two]
        return Ask("choose", "HJ-22", offers, {"name": who.name, "cards": list(two)})

    def suffer_both(self, who: Character, card: Card, mask: EffectMask) -> Rules[tuple[Suffered, Harm]]:
        """Draw two cards and suffer both wounds with neither value, and the lower Blood and Trauma (HJ-23)."""
        self.tell("HJ-23", "draws_two_to_suffer", name=who.name, card=card)
        two = yield from self.draw_further(who, "both")
        parts, harms, had = [], [], len(who.wounds)
        for drawn in two:
            suffered, harm = yield from self.suffer(who, drawn, mask & FURTHER["both"].mask)
            parts.append(suffered)
            harms.append(harm)
        return Suffered(parts=tuple(parts), lower=True), self.lower_of(harms, who.wounds[had:])

    def lower_of(self, harms: Sequence[Harm], wounds: Sequence[WoundTaken]) -> Harm:
        """Return the lower Blood and the lower Trauma by the table's reading of HJ-23.

        Mark wounds with a higher Trauma than that as wounds whose Trauma didn't count (HJ-18).
        """
        lower = Harm.lower(harms, given=self.options.jack_of_clubs == "lower_given")
        for taken in wounds:
            taken.let = taken.let and self.wounds[taken.card].trauma <= lower.trauma
        return lower

    def another_at_once(self, who: Character, card: Card, mask: EffectMask) -> Rules[tuple[Suffered, Harm]]:
        """Suffer the card's own wound, then draw another for its value and wound, not its Blood or Trauma (HJ-24)."""
        own, harm = yield from self.suffer_alone(who, card, mask)
        counts = mask & FURTHER["another"].mask
        further = yield from self.draw_wound(who, counts=self.counts(who) if counts.value else None)
        if further is None:
            return own, harm
        self.tell("HJ-24", "draws_another", name=who.name, card=further, adds=card_value(further) * counts.value)
        if counts.value:
            self.lay_down(who, further, card_value(further))
            self.judge_step(who)
        else:
            who.beside.append(further)
        if not who.alive:
            return own, harm
        suffered, _ = yield from self.suffer(who, further, counts)
        return Suffered(parts=(own, suffered)), harm

    def see_the_next(self, who: Character, card: Card, mask: EffectMask) -> Rules[tuple[Suffered, Harm]]:
        """Suffer the card's own wound and look at the next card (HJ-25)."""
        suffered, harm = yield from self.suffer_alone(who, card, mask)
        yield from self.peek(who)
        return suffered, harm

    def peek(self, who: Character) -> Rules[None]:
        """Show the next card to the character's player and the game master; it stays on top (HJ-25)."""
        if self.options.return_cards:
            self.put_back(who)  # a later shuffle would change the next card
        self.shuffle_if_empty()
        self.peeking = who.name
        seen = yield from self.draw("wounds", key="draw_peek", rule="HJ-25", name=who.name)
        self.peeking = None
        if seen is None:
            self.tell("HJ-25", "nothing_to_see", name=who.name)
            return
        self.deck.put_on_top(seen)
        self.tell("HJ-25", "peeks", name=who.name)
        for seat in choosers(who.controller):
            self.tell("HJ-25", "peeked", to=seat, card=seen)
            if seat not in self.seers:
                self.seers.append(seat)

    def not_again(self, who: Character, card: Card, mask: EffectMask) -> Rules[tuple[Suffered, Harm]]:
        """Repeat the previous wound with its Blood and Trauma (HJ-26).

        If there is none in this time down, draw another card and suffer its wound twice, without its value.
        """
        if who.last is not None:
            self.tell("HJ-26", "again", name=who.name, card=card)
            suffered = who.last.masked(mask)
            return suffered, (yield from self.suffer_again(who, suffered))
        drawn = yield from self.draw_further(who, "again")
        if not drawn:
            return NOTHING, UNHURT
        self.tell("HJ-26", "twice", name=who.name, card=drawn[0])
        suffered, harm = yield from self.suffer(who, drawn[0], mask & FURTHER["again"].mask)
        harm += yield from self.suffer_again(who, suffered)
        return Suffered(parts=(suffered, suffered)), harm

    def suffer_again(self, who: Character, suffered: Suffered) -> Rules[Harm]:
        """Suffer the same wound again, with its dice rerolled (HJ-26)."""
        if suffered.card is not None:
            harm = yield from self.take_wound(who, suffered)
            if self.wounds[suffered.card].special == "peek":
                yield from self.peek(who)
            return harm
        total, harms, had = UNHURT, [], len(who.wounds)
        for part in suffered.parts:
            harm = yield from self.suffer_again(who, part)
            total += harm
            harms.append(harm)
        return self.lower_of(harms, who.wounds[had:]) if suffered.lower else total

    def take_wound(self, who: Character, suffered: Suffered) -> Rules[Harm]:
        """Record a wound and roll all its dice."""
        assert suffered.card is not None
        wound = self.wounds[suffered.card]
        taken = WoundTaken(suffered.card, check="open" if wound.check else None, let=suffered.trauma == wound.trauma)
        self.tell(RULE_OF[wound.special], "wounded", name=who.name, card=suffered.card, wound=wound.name)
        for detail in wound.details:
            face = yield from self.amount(detail.dice)
            taken.found.append(face)
            means = detail.means[face - 1] if detail.means else str(face)
            self.tell("HJ-18", "found", name=who.name, card=suffered.card, what=detail.what, means=means)
        for ability, dice in wound.drops.items():
            taken.drops[ability] = yield from self.amount(dice)
            self.tell("HJ-18", "drops", name=who.name, ability=ability, by=taken.drops[ability])
        if wound.max_hp:
            lost = yield from self.amount(wound.max_hp)
            who.max_hp = max(1, who.max_hp - lost)
            self.tell("HJ-19", "max_hp_lost", name=who.name, by=lost, max_hp=who.max_hp)
        who.wounds.append(taken)
        blood = yield from self.amount(suffered.blood)
        return Harm(blood, suffered.trauma)

    def amount(self, amount: int | str) -> Rules[int]:
        """Return a number as it is, or roll dice (HJ-9)."""
        if not is_dice(amount):
            return int(amount)
        return sum((yield from self.roll(str(amount))))

    def take_harm(self, who: Character, harm: Harm) -> None:
        """Add Blood to the pool (HJ-9) and raise Trauma to the highest so far (HJ-14). The dead take neither."""
        if not who.alive:
            return
        if harm.blood:
            who.blood += harm.blood
            self.tell("HJ-9", "bleeds", name=who.name, blood=harm.blood, pool=who.blood)
        if harm.trauma > who.trauma:
            who.trauma = harm.trauma
            self.tell("HJ-14", "trauma", name=who.name, trauma=harm.trauma)

    # Judgement.

    def judge_step(self, who: Character) -> None:
        """Judge the death-score now, if the table judges at each step (HJ-6)."""
        if self.options.judged == "each_step":
            self.judge(who)

    def judge(self, who: Character) -> None:
        """Above 21 the character dies; at exactly 21 the death-score returns to 0 and nothing else changes (HJ-6)."""
        if not who.alive:
            return
        if is_too_much(who.death_score, self.options.limit):
            self.tell("HJ-6", "too_much", name=who.name, score=who.death_score, limit=self.options.limit)
            self.die(who)
        elif is_exact(who.death_score, self.options.limit):
            self.tell("HJ-6", "exactly", name=who.name, limit=self.options.limit)
            who.death_score = 0
            self.discard += who.pile
            who.pile, who.tokens = [], 0

    def die(self, who: Character) -> None:
        """Mark the character dead. Its cards stay until the game master clears them (HJ-20)."""
        who.alive = False
        self.tell("HJ-6", "dies", name=who.name)

    # The draw pile.

    def lay_down(self, who: Character, card: Card, worth: int) -> None:
        """Add a card that counts `worth`. Tokens make up the difference from its value (HJ-4, HJ-8)."""
        who.death_score += worth
        who.tokens += worth - card_value(card)
        (who.pile if card_value(card) else who.beside).append(card)

    def put_away(self, who: Character, *, pile: bool = False) -> None:
        """Discard the cards beside a character's pile and, with `pile`, the pile and its tokens."""
        self.discard += who.beside
        who.beside = []
        if pile:
            self.discard += who.pile
            who.pile, who.tokens = [], 0

    def put_back(self, who: Character) -> None:
        """Discard the cards beside the pile of a character who is up (HJ-20).

        With `return_cards` shuffle all back in.
        """
        if not who.down:
            self.put_away(who)
        if self.options.return_cards:
            cards, who.pile, who.beside, who.tokens = who.cards, [], [], who.death_score
            self.deck.add(*cards, *self.discard)
            self.discard = []

    def wound_of(self, taken: WoundTaken) -> Wound:
        """Return the wound that a character has."""
        return self.wounds[taken.card]

    # Visibility.

    def who_draws(self, deck: str) -> tuple[str, ...]:
        """Return the seats that may draw: normally all, for a peek only that player and the game master (HJ-25)."""
        if deck == "wounds" and self.peeking is not None:
            return choosers(self.named(self.peeking).controller)
        return tuple(self.seats)

    def named(self, name: str) -> Character:
        """Return the character with this name."""
        return named(self.characters, name)
