"""What a game is: state in attributes, rules in generator methods, a view for each seat."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, ClassVar, cast

import msgspec

from cardhouse.cards import Card, Deck, Placed
from cardhouse.engine.game.default_overrides import plainly_amendable
from cardhouse.engine.game.overrides import Editable, Override, apply_override
from cardhouse.engine.game.recap import Recap, ReplaySteps, plain_evening
from cardhouse.engine.game.simultaneous import Chosen, ask_in_secret, read_choice
from cardhouse.engine.values.bots import Bot
from cardhouse.engine.values.error_messages import plainly
from cardhouse.engine.values.errors import BadGame, CardhouseError
from cardhouse.engine.values.fields import OneOf
from cardhouse.engine.values.options import Options
from cardhouse.engine.values.questions import GM, Action, Again, Ask, Draw, Meanwhile, Now, Offer, Roll, Rules, Step
from cardhouse.engine.values.schema_errors import must_be

MOST_TOLD = 20_000
"""Rules that tell more than so many events, with nobody asked in between, never will ask."""
_NOTHING = cast("Rules[None]", ())
"""Rules that ask nothing."""

Audience = str | Sequence[str]
"""A seat or an audience, several, or none."""


def _seats(told: Audience) -> tuple[str, ...]:
    return (told,) if isinstance(told, str) else tuple(told)


class Event(msgspec.Struct, frozen=True, gc=False):
    """Something that happened, by which rule.

    `to` are the audiences or seats that are told, empty for all; `but` those that aren't.

    The words for `key` stand in the game's `words.toml`; `about` fills them in.
    """

    rule: str
    key: str
    about: dict[str, Any] = {}
    to: tuple[str, ...] = ()
    but: tuple[str, ...] = ()

    def is_told(self, seat: str, audience: str) -> bool:
        """Whether this seat, of this audience, is told."""
        return (not self.to or seat in self.to or audience in self.to) and not (
            seat in self.but or audience in self.but
        )

    def as_json(self) -> dict[str, Any]:
        """The event as the protocol knows it."""
        return {"rule": self.rule, "key": self.key, **self.about}


class Game(msgspec.Struct, kw_only=True, dict=True):
    """A game: its attributes are its whole state when nobody is in the middle of anything, its rules are generators.

    A subclass declares its state as typed attributes (plain data: they are written to JSON and read back), its
    `actions`, and writes `play`. It never shuffles, rolls or waits by itself: it yields questions. While its rules run,
    `by` is the seat whose answer they run on; it is no part of the state.

    A game may have other games for `parts`, as attributes, and run their rules as its own. What its parts tell and ask
    is told and asked by the whole, and what may be done at any time is the whole's to say. The whole has their options
    among its own (`options_of_all`), and they play by them.
    """

    name: ClassVar[str]
    version: ClassVar[int] = 1
    """Raised when the same log would mean something else: such a table is played on by its `edition`."""
    actions: ClassVar[tuple[type[Action], ...]] = ()
    decks: ClassVar[dict[str, str]] = {}
    """The name of each deck in transcripts, and the attribute that holds it."""
    steps: ClassVar[tuple[str, ...]] = ()
    """The clerical steps that may be done by hand."""
    parts: ClassVar[dict[str, "type[Game]"]] = {}
    """The games it consists of, by the attribute that holds each: their words and rules are its own."""
    bots: ClassVar[Mapping[str, Bot]] = {}
    """Who can play a seat in place of a person, by name."""
    open_to_gm: ClassVar[bool] = True
    """Whether the game master may know all there is to know while the game is under way, its transcript included."""
    odds_take_long: ClassVar[bool] = False
    """Whether a server had better work out its odds beside what else it does."""
    most_players: ClassVar[int | None] = None
    """How many seats a table may have beside the game master's, who may be a player, too; any number if None."""
    usual_players: ClassVar[int] = 4
    """How many it has of them unless somebody says otherwise, and there may be so many."""
    usual_options: ClassVar[Mapping[str, Any]] = {}
    """What people choose who choose nothing, on the page, where that isn't the default that transcripts go by."""
    host: ClassVar[Bot | None] = None
    """Who does what a game master does at a practice table, where the house plays that seat; None if that is nothing
    but to say what leaves no choice. What it doesn't answer it leaves to people."""
    looks_until: ClassVar[tuple[str, ...]] = ()
    """The questions at which whoever looks ahead has seen enough, such as that between rounds."""
    plays_on: ClassVar[str | None] = None
    """Which of its bots play on where somebody looks ahead, a fast one; the first unless it says."""

    people: ClassVar[str] = "west"
    """How people look whose portraits are drawn for it: `west`, `crypt`, `faith` or `hounds`."""

    prepares: ClassVar[type[Action] | None] = None
    """The action by which foes join that the game master has prepared beforehand, with a `name`; None if none do."""

    silent_at: ClassVar[Collection[str]] = ()
    """The keys of the questions at which nobody is to tell the others anything, be it by a sign thrown on the table."""

    options: Options = Options()
    seats: list[str]
    by_hand: list[str] = []
    edition: int = 1
    """The version of the rules that this table is played by; a part has that of the whole."""
    in_secret: Chosen = {}
    """What was chosen in secret and isn't revealed yet (`ask_in_secret`); of a part it stands at the whole."""

    def __post_init__(self) -> None:
        self.out: list[Event] = []
        self.learned = False
        self.secrets_out = False
        self.by = ""
        self.sound_offers: tuple[list[str], set[tuple[Any, ...]]] = ([], set())
        """The seats, and what was found sound to offer them (engine/diagnostics/questions.py)."""
        self.whole: Game = self
        for part in self.parts:
            getattr(self, part).become_part_of(self)

    def become_part_of(self, whole: "Game") -> None:
        """Become a part of another game: one table, with one list of its seats."""
        self.whole, self.seats, self.by_hand, self.edition = whole, whole.seats, whole.by_hand, whole.edition
        self.play_by(whole.options.those_of(self.options))

    @classmethod
    def usual_seats(cls) -> list[str]:
        """The seats of a new table, unless somebody says otherwise: the game master's, and those of `usual_players`."""
        players = min(cls.usual_players, cls.most_players or cls.usual_players)
        return [GM, *(f"p{number}" for number in range(1, players + 1))]

    def play_by(self, options: Options) -> None:
        """Play by these options instead: a part does by those of the whole."""
        self.options = options

    def _lacks(self, method: str, what: str) -> BadGame:
        return BadGame(f"{type(self).__name__} has no {method.partition('(')[0]}: write def {method}, {what}.")

    # What a game writes.

    def play(self) -> Rules[None]:
        """The game from any rest to its end."""
        raise self._lacks("play(self)", "its rules from the first question to the end")

    def at_any_time(self) -> Sequence[Offer]:
        """What may be done whatever is being asked."""
        return ()

    def meanwhile(self, action: Action) -> Rules[None]:
        """Do what was offered by `at_any_time`."""
        raise self._lacks("meanwhile(self, action)", "the rules of what is offered at any time")
        yield

    def in_between(self, action: Action) -> Rules[None]:
        """Do what may be done at any time, or what the game master puts right."""
        if type(action) is Override:
            apply_override(self, action)
        else:
            yield from self.meanwhile(action)

    def editable(self) -> Sequence[Editable]:
        """What the game master may put right now, by hand.

        Nothing may be among it that the game master may not know. Unless a game says more, it is what its types bound
        and everybody sees (docs/authors.md).
        """
        return plainly_amendable(self)

    def why_not_editable(self, of: str, what: str) -> str | None:
        """Why this isn't among what may be put right now, as the end of a sentence; None if there is no more to say.

        `of` is a character, or empty for the table. It is said from what the game master may know.
        """
        return None

    def audience(self, seat: str) -> str:
        """Seats that may know the same things are one audience; here each seat is its own, and so is the screen."""
        return seat

    def view(self, audience: str) -> msgspec.Struct:
        """All that this audience may know, built from nothing but that."""
        raise self._lacks("view(self, audience)", "a struct of all that this audience may know")

    def view_openly(self) -> msgspec.Struct:
        """The game with nothing hidden, for those who look back at it: what the game master sees, if that is all."""
        return self.view(self.audience(GM))

    @classmethod
    def facts(cls) -> dict[str, Any]:
        """What a page needs to know of the game that is the same at every table, as plain data."""
        return {}

    def odds(self, audience: str) -> Mapping[str, Any]:
        """The chances that matter now, exact where they can be, from what this audience may know; empty if none do.

        A game may take further keywords, each a whole number with a default: what if?
        docs/authors.md has the shape that the page shows by itself.
        """
        return {}

    def returns(self) -> Mapping[str, float]:
        """What each seat has won up to now, the more the better, for agents that learn; empty if nobody counts."""
        return {}

    def outlook(self, seat: str) -> float | None:
        """What the game as it stands is worth to a seat, the more the better, for bots that look ahead (docs/bots.md).

        None where it can't be said, or where nothing is at stake: then nobody looks ahead. Unless a game knows better,
        it is what the seat has won, and half as much against what the best of the others has.
        """
        won = self.returns()
        if not won:
            return None
        return won.get(seat, 0.0) - max((n for other, n in won.items() if other != seat), default=0.0) / 2

    def recap(self, log: ReplaySteps) -> Recap:
        """What was worth remembering, when it is over: numbers and moments, from what stands of the log.

        Their texts stand under `[evening]` of the words. All who were at the table are told. Unless a game says more,
        that is how much was said, drawn and won.
        """
        return plain_evening(self, log)

    def alarm(self) -> int | None:
        """When the clock is to say something (`by` it is offered), in Unix seconds; None if it isn't."""
        return None

    def who_draws(self, deck: str) -> tuple[str, ...]:
        """Who may name the card where a deck is of paper, or the faces of real `dice`: anybody at the table."""
        return tuple(self.seats)

    def where(self, card: Card, deck: str, audience: str) -> str:
        """Where a card of this deck is that can't be drawn now, as the end of a sentence.

        It is said from what this audience may know.
        """
        return "not in this deck"

    @classmethod
    def verdict_on(cls, cards: Sequence[Placed], options: Mapping[str, Any]) -> dict[str, Any]:
        """What the rules say of a layout by itself, with no table, as plain data.

        `options` are those of a table that matter for it. Raises CardhouseError if it is no layout, or the game judges
        none.
        """
        raise CardhouseError(f"The game {cls.name} judges no layouts.", "not_found")

    # What outlives a table, and what it begins with.

    @classmethod
    def read_options(cls, said: Mapping[str, Any]) -> Options:
        """The options of a table that differ from the default, as plain data, made whole.

        Raises CardhouseError, naming the options there are, if they don't fit.
        """
        kind = _options_of(cls)
        try:
            options: Options = msgspec.convert(kind.as_now(said), kind)
        except msgspec.ValidationError as error:
            names = ", ".join(field.name for field in msgspec.structs.fields(kind)) or "none"
            problem = _out_of_range(said, kind) or plainly(error, "what is said")
            raise CardhouseError(f"options: {problem}; the options of {cls.name} are {names}.") from None
        return options

    def why_not(self, by: str, action: Action) -> str | None:
        """Why something that isn't offered to this seat can't be, by the rules; None if there is no more to be said."""
        return None

    @classmethod
    def as_kept_now(cls, game: msgspec.Raw) -> msgspec.Raw:
        """A game at rest as it is written now, however long ago it was kept."""
        kinds = (cls, *cls.parts.values())
        if not any(_options_of(kind).once_yes_no for kind in kinds):
            return game
        kept = msgspec.json.decode(game)
        for kind, part in zip(kinds, (kept, *(kept.get(name) for name in cls.parts)), strict=True):
            if part is not None and "options" in part:
                part["options"] = _options_of(kind).as_now(part["options"])
        return msgspec.Raw(msgspec.json.encode(kept))

    def roster(self) -> list[Any] | None:
        """The sheet of each character, as plain data: what it takes along to another table.

        None if the game keeps no roster.
        """
        return None

    def come_again(self) -> list[dict[str, Any]]:
        """The game master's answers that bring every character, as it is, to the table of the next session.

        Each must be offered at an empty table with the same options. No character comes unless a game says so.
        """
        return []

    @classmethod
    def read_roster(cls, text: bytes) -> list[Any]:
        """The sheets of a roster file, as plain data.

        Raises CardhouseError, saying where, if the file is none that this game can use, or it keeps no roster.
        """
        raise no_roster(cls)

    @classmethod
    def option_file(cls, option: str) -> str:
        """The file that people start from who want to write their own for an option.

        An option that comes from a file says so in its schema: its format is `file`.
        Raises CardhouseError if this one doesn't.
        """
        raise _no_option_file(cls, option)

    @classmethod
    def read_option_file(cls, option: str, text: bytes) -> Any:
        """The value of an option from the file that somebody wrote, as plain data.

        Raises BadFile with all mistakes; CardhouseError if the option doesn't come from a file.
        """
        raise _no_option_file(cls, option)

    # What its rules are written with.

    def tell(self, rule: str, key: str, *, to: Audience = (), but: Audience = (), **about: Any) -> None:
        """Something happened, by this rule; told `to` seats or audiences, to all `but` some, or to everybody."""
        out = self.whole.out
        if len(out) >= MOST_TOLD:
            raise BadGame(
                f"{type(self.whole).__name__} tells more than {MOST_TOLD} events, the last of them {key} ({rule}), and "
                f"asks nobody: the loop must come to a question with yield from self.ask(…), or to an end."
            )
        out.append(Event(rule, key, about, _seats(to) if to else (), _seats(but) if but else ()))

    def ask(self, question: Callable[[], Ask | None]) -> Rules[Any]:
        """Ask until it is answered; what may be done at any time may be done in between.

        The question is put anew after each such thing; None, when it has become pointless, ends it without an answer.
        It is put anew as well when there is a new seat, which can't make it pointless.
        """
        if not callable(question):
            raise BadGame(_no_method(question))
        while (asked := question()) is not None:
            if asked.secret:
                raise BadGame(
                    f"The question {asked.key} says secret=True: ask it with yield from self.ask_in_secret(…)."
                )
            answer = yield asked
            if type(answer) is Meanwhile:
                yield from self.whole.in_between(answer.action)
            elif type(answer) is not Again:
                return answer
        return None

    def ask_in_secret(self, question: Callable[[], Ask | None]) -> Rules[dict[str, Any]]:
        """Ask several at once, in secret, until all have chosen; what each chose, by seat, revealed together.

        It is the choice of the seat that an offer names first. Everybody is told who has chosen, and nobody what;
        until all have, whoever has may choose anew. So has to who may choose among other things after something that
        may be done at any time. None in place of the question ends it with what has been chosen by then.
        """
        return ask_in_secret(self.whole, question)

    def has_chosen(self, seat: str) -> bool:
        """Whether a seat has chosen, of those that are choosing in secret; that is for all to know."""
        return seat in self.whole.in_secret

    def choice_of(self, seat: str) -> Any:
        """What a seat has chosen in secret, for no view but its own; None if it hasn't, or all have been revealed."""
        chosen = self.whole.in_secret.get(seat)
        return None if chosen is None else read_choice(chosen, self.whole.actions)

    def now(self) -> Rules[int | None]:
        """What time it is, in Unix seconds; None where nobody has a clock."""
        time: int | None = yield Now()
        return time

    def draw_face_down(self, name: str) -> Rules[Card | None]:
        """The next card of a deck that isn't empty, looked at by nobody: None, unless the log names it.

        One that isn't named stays among the deck's loose cards as one of its `face_down`, and is drawn from them when
        it is turned over.
        """
        deck: Deck = self._deck(name)
        card: Card | None = yield Draw(name, deck.loose, face_down=True)
        if card is None:
            deck.face_down += 1
        else:
            deck.loose.remove(card)
        return card

    def draw(
        self,
        name: str,
        /,
        may_be: Callable[[], Sequence[Card] | Mapping[str, Sequence[Card]]] = tuple,
        from_: Deck | None = None,
        *,
        key: str = "draw",
        rule: str = "",
        waits_for: tuple[str, ...] = (),
        **about: Any,
    ) -> Rules[Card | None]:
        """The next card of a deck, or None if it has none (any more).

        `may_be` says which it may be as far as they know who draw it from a real deck, if that isn't exact, by seat if
        they don't know the same. `from_` is what is left of a former deck of that name, if one of its cards is turned
        over now. `key`, `rule`, `waits_for` and what it is `about` are how people with a real deck are asked for it
        (`Draw`).
        """
        while True:
            try:
                deck: Deck = getattr(self, self.decks[name]) if from_ is None else from_
                is_known = deck.top or not deck.loose
            except (AttributeError, KeyError):  # looking first would slow down every draw
                self._deck(name)
                raise
            if is_known:
                card = deck.known_next()
                if card is None:
                    return None
                deck.take(card)
            else:
                card = yield Draw(name, deck.loose, may_be, False, key, rule, waits_for, about)
                if type(card) is Meanwhile:
                    yield from self.whole.in_between(card.action)
                    continue
                deck.loose.remove(card)
            self.whole.learned = True
            return card

    def _deck(self, name: str) -> Deck:
        """The deck of this name.

        Raises BadGame if there is none.
        """
        if name not in self.decks:
            raise BadGame(no_such("deck", name, self, self.decks))
        deck = getattr(self, self.decks[name])
        if not isinstance(deck, Deck):
            raise BadGame(f"The deck {name} of {type(self).__name__} is a {type(deck).__name__}: it must be a Deck.")
        return deck

    def roll(self, dice: str) -> Rules[list[int]]:
        """Roll dice such as `2d6`; the faces, in order."""
        while True:
            faces = yield Roll(dice)
            if type(faces) is not Meanwhile:
                self.whole.learned = True
                return list(faces)
            yield from self.whole.in_between(faces.action)

    def step(self, name: str, rule: str, needed: Callable[[], bool] = lambda: True) -> Rules[None]:
        """A clerical step: it happens by itself, or, where the table does it by hand, when somebody says so."""
        if name not in self.by_hand:
            if name not in self.steps:
                raise BadGame(no_such("step", name, self, self.steps))
            return _NOTHING
        offer = Offer(tuple(dict.fromkeys((GM, *self.seats))), Step, {"step": OneOf((name,))})
        return self.ask(lambda: Ask("step", rule, (offer,), {"step": name}) if needed() else None)


def no_such(what: str, name: str, game: Game, there: Iterable[str]) -> str:
    """What to say to the author of a game whose rules name a deck or step that it hasn't."""
    kind = type(game).__name__
    return f"{kind} has no {what} {name}; {kind}.{what}s names {', '.join(there) or 'none'}."


def _no_method(question: Any) -> str:
    named = f"the question {question.key}" if isinstance(question, Ask) else f"a {type(question).__name__}"
    return (
        f"self.ask is given {named} itself, and puts it anew after whatever is done meanwhile: give it the method that "
        f"returns the question, without brackets."
    )


def no_roster(kind: type[Game]) -> CardhouseError:
    """What to say where somebody asks a game for characters, and it has none that outlive a table."""
    return CardhouseError(f"The game {kind.name} keeps no roster.", "no_roster")


def _no_option_file(kind: type[Game], option: str) -> CardhouseError:
    return CardhouseError(f"{kind.name} has no option {option[:40]} that comes from a file.", "not_found")


def _out_of_range(said: Mapping[str, Any], kind: type[Options]) -> str | None:
    """The first option that can't be what is said, and what it must be; None if there are no words for it."""
    types = {field.name: field.type for field in msgspec.structs.fields(kind)}
    for name, value in kind.as_now(said).items():
        if name not in types:
            continue
        try:
            msgspec.convert(value, types[name])
        except msgspec.ValidationError:
            must = must_be(value, types[name])
            return None if must is None else f"{name} {must}"
    return None


@cache
def _options_of(kind: type[Game]) -> type[Options]:
    """The switches of a game."""
    options: type[Options] = next(field.type for field in msgspec.structs.fields(kind) if field.name == "options")
    return options
