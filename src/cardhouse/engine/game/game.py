"""A game: state in attributes, rules in generator methods, and a view for each seat."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, ClassVar, cast

import msgspec

from cardhouse.cards import Card, Deck, Placed
from cardhouse.engine.game.default_overrides import default_editable
from cardhouse.engine.game.overrides import Editable, Override, apply_override
from cardhouse.engine.game.recap import Recap, ReplaySteps, default_recap
from cardhouse.engine.game.simultaneous import Chosen, ask_simultaneously, read_choice
from cardhouse.engine.values.bots import Bot
from cardhouse.engine.values.error_messages import plainly
from cardhouse.engine.values.errors import BadGame, CardhouseError
from cardhouse.engine.values.fields import OneOf
from cardhouse.engine.values.options import Options
from cardhouse.engine.values.questions import GM, Action, Again, Ask, Draw, Meanwhile, Now, Offer, Roll, Rules, Step
from cardhouse.engine.values.schema_errors import must_be

MOST_TOLD = 20_000
"""The most events that rules may log without asking; above it they are taken to loop for ever."""
_NOTHING = cast("Rules[None]", ())
"""Rules that ask nothing."""

Audience = str | Sequence[str]
"""A seat or an audience, several, or none."""


def _seats(audience: Audience) -> tuple[str, ...]:
    return (audience,) if isinstance(audience, str) else tuple(audience)


class Event(msgspec.Struct, frozen=True, gc=False):
    """Something that happened, with the rule that caused it.

    `to` lists the audiences or seats that see it, empty for all; `but` those that don't. The text for `key` is in the
    game's `words.toml`; `about` fills it in.
    """

    rule: str
    key: str
    about: dict[str, Any] = {}
    to: tuple[str, ...] = ()
    but: tuple[str, ...] = ()

    def is_told(self, seat: str, audience: str) -> bool:
        """Return whether this seat, of this audience, sees the event."""
        return (not self.to or seat in self.to or audience in self.to) and not (
            seat in self.but or audience in self.but
        )

    def as_json(self) -> dict[str, Any]:
        """Return the event as the protocol sends it."""
        return {"rule": self.rule, "key": self.key, **self.about}


class Game(msgspec.Struct, kw_only=True, dict=True):
    """A game: its attributes are its whole state whenever it is at rest; its rules are generators.

    A subclass declares its state as typed attributes (plain data that is written to JSON and read back) and its
    `actions`, and defines `play`. It never shuffles, rolls or waits by itself: it yields questions. While its rules
    run, `by` is the seat whose answer they act on; it isn't part of the state.

    A game may have other games as `parts`, in attributes, and run their rules as its own. The whole logs and asks what
    its parts do, and decides what is offered at any time. Its options include theirs (`options_of_all`), and the parts
    follow them.
    """

    name: ClassVar[str]
    version: ClassVar[int] = 1
    """Increase it when old logs would change their meaning; existing tables keep their number as `edition`."""
    actions: ClassVar[tuple[type[Action], ...]] = ()
    decks: ClassVar[dict[str, str]] = {}
    """Deck name in transcripts -> the attribute that holds the deck."""
    steps: ClassVar[tuple[str, ...]] = ()
    """The clerical steps that a table may do by hand."""
    parts: ClassVar[dict[str, "type[Game]"]] = {}
    """The games it consists of, by attribute. It includes their words and rules."""
    bots: ClassVar[Mapping[str, Bot]] = {}
    """The bots that can play a seat, by name."""
    open_to_gm: ClassVar[bool] = True
    """Whether the game master may see everything during play, the transcript included."""
    odds_take_long: ClassVar[bool] = False
    """Whether a server should compute the odds in another process."""
    most_players: ClassVar[int | None] = None
    """The most seats in addition to the game master's, who may also play; None for any number."""
    usual_players: ClassVar[int] = 4
    """The default number of those seats, if the game allows that many."""
    usual_options: ClassVar[Mapping[str, Any]] = {}
    """The page's default options, where they differ from the transcript's."""
    host: ClassVar[Bot | None] = None
    """The bot that leads a practice table in the game master's seat; None if it only takes forced moves.

    Moves that it doesn't answer are left to people.
    """
    looks_until: ClassVar[tuple[str, ...]] = ()
    """The keys of the questions at which look-ahead stops, such as the one between rounds."""
    plays_on: ClassVar[str | None] = None
    """The bot that plays on in look-ahead, a fast one; the first if None."""
    plays_well: ClassVar[str | None] = None
    """The bot whose sessions show how the game feels, one that can win; `plays_on` if None."""

    people: ClassVar[str] = "west"
    """The style of portraits: `west`, `crypt`, `faith` or `hounds`."""

    prepares: ClassVar[type[Action] | None] = None
    """The action that adds an NPC the game master has prepared, with a `name`; None if there is none."""

    silent_at: ClassVar[Collection[str]] = ()
    """The keys of the questions during which players may not communicate, not even by reactions."""

    options: Options = Options()
    seats: list[str]
    by_hand: list[str] = []
    edition: int = 1
    """The version of the rules that this table plays by; parts share the whole's."""
    in_secret: Chosen = {}
    """The secret choices that aren't revealed yet (`ask_simultaneously`); a part's are kept in the whole."""

    def __post_init__(self) -> None:
        self.out: list[Event] = []
        self.learned = False
        self.secrets_out = False
        self.by = ""
        self.sound_offers: tuple[list[str], set[tuple[Any, ...]]] = ([], set())
        """The seats, and the offers already checked for them (engine/diagnostics/questions.py)."""
        self.whole: Game = self
        for part in self.parts:
            getattr(self, part).become_part_of(self)

    def become_part_of(self, whole: "Game") -> None:
        """Become a part of another game, sharing its table and list of seats."""
        self.whole, self.seats, self.by_hand, self.edition = whole, whole.seats, whole.by_hand, whole.edition
        self.play_by(whole.options.those_of(self.options))

    @classmethod
    def usual_seats(cls) -> list[str]:
        """Return the seats of a new table by default: the game master's, and those of `usual_players`."""
        players = min(cls.usual_players, cls.most_players or cls.usual_players)
        return [GM, *(f"p{number}" for number in range(1, players + 1))]

    def play_by(self, options: Options) -> None:
        """Use these options instead, as a part does with the whole's."""
        self.options = options

    def _lacks(self, method: str, purpose: str) -> BadGame:
        return BadGame(f"{type(self).__name__} has no {method.partition('(')[0]}: write def {method}, {purpose}.")

    # Methods for a game to define.

    def play(self) -> Rules[None]:
        """Run the game from any rest to its end."""
        raise self._lacks("play(self)", "its rules from the first question to the end")

    def at_any_time(self) -> Sequence[Offer]:
        """Return the offers that are open during any question."""
        return ()

    def meanwhile(self, action: Action) -> Rules[None]:
        """Apply an action offered by `at_any_time`."""
        raise self._lacks("meanwhile(self, action)", "the rules for the actions that at_any_time offers")
        yield

    def run_interruption(self, action: Action) -> Rules[None]:
        """Apply an action that is offered at any time, or the game master's override."""
        if type(action) is Override:
            apply_override(self, action)
        else:
            yield from self.meanwhile(action)

    def editable(self) -> Sequence[Editable]:
        """Return what the game master may edit by hand now.

        None of it may be hidden from the game master. By default, the bounded numbers that everyone sees
        (docs/authors.md).
        """
        return default_editable(self)

    def why_not_editable(self, of: str, what: str) -> str | None:
        """Return why this can't be edited by hand now, as the end of a sentence; None if there is nothing to add.

        `of` is a character, or empty for the table. The text may use only what the game master knows.
        """
        return None

    def audience(self, seat: str) -> str:
        """Return a seat's audience.

        Seats that may know the same share one; by default each seat, and the screen, has its own.
        """
        return seat

    def view(self, audience: str) -> msgspec.Struct:
        """Return everything that this audience may know, built from that alone."""
        raise self._lacks("view(self, audience)", "a struct of everything that this audience may know")

    def view_openly(self) -> msgspec.Struct:
        """Return the game with nothing hidden, for replays; by default the game master's view."""
        return self.view(self.audience(GM))

    @classmethod
    def facts(cls) -> dict[str, Any]:
        """Return data about the game that the page needs at every table, as plain data."""
        return {}

    @classmethod
    def ready_options(cls) -> dict[str, dict[str, Any]]:
        """Return the values to choose from without a file: by option and name, the default first.

        They are for options of the format `file`. The page shows the `name` and the `text` of a value.
        """
        return {}

    def odds(self, audience: str) -> Mapping[str, Any]:
        """Return the chances that matter now, from what this audience may know, exact if possible.

        Empty if there are none.

        A game may accept further keywords, each an integer with a default, for "What if?". docs/authors.md describes
        the shape that the page can show by itself.
        """
        return {}

    def returns(self) -> Mapping[str, float]:
        """Return each seat's winnings so far, higher is better, for agents that learn.

        Empty if the game doesn't count.
        """
        return {}

    def outlook(self, seat: str) -> float | None:
        """Return the value of the present state to a seat, higher is better, for bots that look ahead (docs/bots.md).

        None if it is unknown or nothing is at stake: then bots don't look ahead. By default, the seat's winnings minus
        half the best opponent's.
        """
        won = self.returns()
        if not won:
            return None
        return won.get(seat, 0.0) - max((n for other, n in won.items() if other != seat), default=0.0) / 2

    def recap(self, log: ReplaySteps) -> Recap:
        """Return the recap when the table has ended, from the entries of the log that weren't undone.

        Its texts are under `[evening]` in the words. Everyone at the table sees it. By default, counts of moves, draws
        and wins.
        """
        return default_recap(self, log)

    def alarm(self) -> int | None:
        """Return the time of the next clock event, in Unix seconds, for an offer `by` the clock.

        None if there is none.
        """
        return None

    def who_draws(self, deck: str) -> tuple[str, ...]:
        """Return the seats that may name the card of a real deck, or the faces of real `dice`: by default all."""
        return tuple(self.seats)

    def where(self, card: Card, deck: str, audience: str) -> str:
        """Return where a card of this deck is that can't be drawn now, as the end of a sentence.

        The text may use only what this audience knows.
        """
        return "not in this deck"

    @classmethod
    def verdict_on(cls, cards: Sequence[Placed], options: Mapping[str, Any]) -> dict[str, Any]:
        """Return the rules' verdict on a layout, without a table, as plain data.

        `options` are the table's options that matter for it. Raises CardhouseError if the layout is invalid, or the
        game judges none.
        """
        raise CardhouseError(f"The game {cls.name} has no layouts to judge.", "not_found")

    # Data that outlives a table, or that it starts with.

    @classmethod
    def read_options(cls, given: Mapping[str, Any]) -> Options:
        """Return a table's options, filling in the defaults of those that plain data leaves out.

        Raises CardhouseError, naming the available options, if they are invalid.
        """
        kind = _options_of(cls)
        try:
            options: Options = msgspec.convert(kind.as_now(given), kind)
        except msgspec.ValidationError as error:
            names = ", ".join(field.name for field in msgspec.structs.fields(kind)) or "none"
            problem = _out_of_range(given, kind) or plainly(error, "what is said")
            raise CardhouseError(f"options: {problem}; the options of {cls.name} are {names}.") from None
        return options

    def why_not(self, by: str, action: Action) -> str | None:
        """Return why this seat can't do something that isn't offered, by the rules; None if there is nothing to add."""
        return None

    @classmethod
    def as_kept_now(cls, game: msgspec.Raw) -> msgspec.Raw:
        """Convert a saved game at rest to the current format, however old it is."""
        kinds = (cls, *cls.parts.values())
        if not any(_options_of(kind).once_yes_no for kind in kinds):
            return game
        kept = msgspec.json.decode(game)
        for kind, part in zip(kinds, (kept, *(kept.get(name) for name in cls.parts)), strict=True):
            if part is not None and "options" in part:
                part["options"] = _options_of(kind).as_now(part["options"])
        return msgspec.Raw(msgspec.json.encode(kept))

    def roster(self) -> list[Any] | None:
        """Return each character's sheet, as plain data: what it takes along to another table.

        None if the game keeps no roster.
        """
        return None

    def come_again(self) -> list[dict[str, Any]]:
        """Return the game master's answers that add every character, as it is, at the table of the next session.

        Each must be offered at an empty table with the same options. By default no character moves on.
        """
        return []

    @classmethod
    def read_roster(cls, text: bytes) -> list[Any]:
        """Read the sheets of a roster file, as plain data.

        Raises CardhouseError, naming the place, if this game can't use the file or keeps no roster.
        """
        raise no_roster(cls)

    @classmethod
    def option_file(cls, option: str) -> str:
        """Return the template file for an option that comes from a file.

        Such an option has the format `file` in its schema. Raises CardhouseError for any other.
        """
        raise _no_option_file(cls, option)

    @classmethod
    def read_option_file(cls, option: str, text: bytes) -> Any:
        """Read the value of an option from a user's file, as plain data.

        Raises BadFile with all mistakes; CardhouseError if the option doesn't come from a file.
        """
        raise _no_option_file(cls, option)

    # Methods for the rules to call.

    def tell(self, rule: str, key: str, *, to: Audience = (), but: Audience = (), **about: Any) -> None:
        """Log an event by this rule, `to` seats or audiences, to all `but` some, or to everyone."""
        out = self.whole.out
        if len(out) >= MOST_TOLD:
            raise BadGame(
                f"{type(self.whole).__name__} logs more than {MOST_TOLD} events without a question, the last of them "
                f"{key} ({rule}). The loop must end, or ask with yield from self.ask(…)."
            )
        out.append(Event(rule, key, about, _seats(to) if to else (), _seats(but) if but else ()))

    def ask(self, question: Callable[[], Ask | None]) -> Rules[Any]:
        """Ask until the question is answered; actions offered at any time may come in between.

        The question is put again after each of those, and when a seat is added. If it then returns None, which adding a
        seat must not cause, it ends without an answer.
        """
        if not callable(question):
            raise BadGame(_no_method(question))
        while (asked := question()) is not None:
            if asked.secret:
                raise BadGame(
                    f"The question {asked.key} says secret=True: ask it with yield from self.ask_simultaneously(…)."
                )
            answer = yield asked
            if type(answer) is Meanwhile:
                yield from self.whole.run_interruption(answer.action)
            elif type(answer) is not Again:
                return answer
        return None

    def ask_simultaneously(self, question: Callable[[], Ask | None]) -> Rules[dict[str, Any]]:
        """Ask several seats at once, in secret, until all have chosen; return the choices by seat, revealed together.

        A choice belongs to the first seat of its offer. Everyone sees who has chosen, and not what; until all have,
        each may change their choice. A seat whose offers change after an action in between has to choose again. A
        question that returns None ends it with the choices made so far.
        """
        return ask_simultaneously(self.whole, question)

    def has_chosen(self, seat: str) -> bool:
        """Return whether a seat has made its secret choice, which everyone may know."""
        return seat in self.whole.in_secret

    def choice_of(self, seat: str) -> Any:
        """Return a seat's secret choice, for no view but its own; None if it hasn't chosen, or all are revealed."""
        chosen = self.whole.in_secret.get(seat)
        return None if chosen is None else read_choice(chosen, self.whole.actions)

    def now(self) -> Rules[int | None]:
        """Ask for the time, in Unix seconds; None without a clock."""
        time: int | None = yield Now()
        return time

    def draw_face_down(self, name: str) -> Rules[Card | None]:
        """Draw the next card of a deck that isn't empty, face down: None, unless the log names it.

        A card that isn't named stays among the deck's loose cards, counted in `face_down`, and is drawn when it is
        turned over.
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
        """Draw the next card of a deck, or None if it is empty.

        `may_be` returns the cards that it may be, as far as the people who draw from a real deck know, if they don't
        know exactly; by seat if they know different things. `from_` is the rest of an earlier deck of that name, if the
        card comes from there. `key`, `rule`, `waits_for` and `about` form the question to people with a real deck
        (`Draw`).
        """
        while True:
            try:
                deck: Deck = getattr(self, self.decks[name]) if from_ is None else from_
                is_known = deck.top or not deck.loose
            except (AttributeError, KeyError):  # Looking first would slow down every draw.
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
                    yield from self.whole.run_interruption(card.action)
                    continue
                deck.loose.remove(card)
            self.whole.learned = True
            return card

    def _deck(self, name: str) -> Deck:
        """Return the deck of this name.

        Raises BadGame if there is none.
        """
        if name not in self.decks:
            raise BadGame(no_such("deck", name, self, self.decks))
        deck = getattr(self, self.decks[name])
        if not isinstance(deck, Deck):
            raise BadGame(f"The deck {name} of {type(self).__name__} is a {type(deck).__name__}: it must be a Deck.")
        return deck

    def roll(self, dice: str) -> Rules[list[int]]:
        """Roll dice such as `2d6`; return the faces, in order."""
        while True:
            faces = yield Roll(dice)
            if type(faces) is not Meanwhile:
                self.whole.learned = True
                return list(faces)
            yield from self.whole.run_interruption(faces.action)

    def step(self, name: str, rule: str, needed: Callable[[], bool] = lambda: True) -> Rules[None]:
        """Do a clerical step: automatically, or when a seat says so, where the table does it by hand."""
        if name not in self.by_hand:
            if name not in self.steps:
                raise BadGame(no_such("step", name, self, self.steps))
            return _NOTHING
        offer = Offer(tuple(dict.fromkeys((GM, *self.seats))), Step, {"step": OneOf((name,))})
        return self.ask(lambda: Ask("step", rule, (offer,), {"step": name}) if needed() else None)


def no_such(what: str, name: str, game: Game, there: Iterable[str]) -> str:
    """Return the error for an author whose rules name a deck or step that the game lacks."""
    kind = type(game).__name__
    return f"{kind} has no {what} {name}; {kind}.{what}s names {', '.join(there) or 'none'}."


def _no_method(question: Any) -> str:
    named = f"the question {question.key}" if isinstance(question, Ask) else f"a {type(question).__name__}"
    return (
        f"self.ask got {named} itself: give it the method that returns the question, without parentheses, so that "
        f"it can ask again."
    )


def no_roster(kind: type[Game]) -> CardhouseError:
    """Return the error for a game without a roster."""
    return CardhouseError(f"The game {kind.name} has no roster.", "no_roster")


def _no_option_file(kind: type[Game], option: str) -> CardhouseError:
    return CardhouseError(f"{kind.name} has no option {option[:40]} that comes from a file.", "not_found")


def _out_of_range(given: Mapping[str, Any], kind: type[Options]) -> str | None:
    """Return the first option with an invalid value and its allowed values; None if no message fits."""
    types = {field.name: field.type for field in msgspec.structs.fields(kind)}
    for name, value in kind.as_now(given).items():
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
    """Return a game's type of options."""
    options: type[Options] = next(field.type for field in msgspec.structs.fields(kind) if field.name == "options")
    return options
