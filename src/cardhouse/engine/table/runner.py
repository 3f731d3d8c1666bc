"""A running game: the coroutine of its rules, the open question, and the chance it is given."""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from cardhouse.cards import Card
from cardhouse.engine.chance.dealers import Dealer
from cardhouse.engine.chance.shared_randomness import NeedsLinks, salt_of, take_rounds
from cardhouse.engine.diagnostics.declarations import encode_state
from cardhouse.engine.diagnostics.questions import check_ask, check_question
from cardhouse.engine.diagnostics.runtime_errors import wrong_rules
from cardhouse.engine.game.game import Event, Game
from cardhouse.engine.table.hash_chain import LogState
from cardhouse.engine.values.documents import OfferDoc
from cardhouse.engine.values.errors import BadGame, CardhouseError, Refused
from cardhouse.engine.values.questions import GM, Again, Ask, Draw, Now, Over, Question, Roll, Rules
from cardhouse.engine.values.transcript import Line

PHYSICAL: Final = "physical"
MOST_DRAWN: Final = 10_000
"""The most draws, rolls and time requests without a question; rules that exceed it are taken to loop for ever."""
_DRAWS_ON = (
    f"{{}} draws, rolls or asks for the time more than {MOST_DRAWN} times without a question. The rules must end, or "
    f"ask with yield from self.ask(…)."
)


class Snapshot(msgspec.Struct, frozen=True):
    """A whole game at rest, after entry `number` of its log and `draws` requests for chance.

    `log` is the state of the log, for a table opened from here.
    """

    number: int
    draws: int
    game: msgspec.Raw
    log: LogState = LogState()


class Pick(NamedTuple):
    """A request to a dealer: the number of the draw, the id of its answer with any links, and the outcomes."""

    number: int
    id: str
    outcomes: tuple[Card, ...] | range


class Disclosures(NamedTuple):
    """The events that rules logged, whether they may have revealed something, and whether secret choices are open."""

    events: list[Event]
    learned: bool
    revealed: bool


class Runner:
    """A game's rules, run from question to question. `draws` counts the dealer's picks."""

    def __init__(self, game: Game, dealer: Dealer, decks: Mapping[str, str]) -> None:
        """Start the rules of a game at rest. `decks` says which decks are real (`physical`)."""
        self.dealer = dealer
        self.decks = decks
        self.draws = 0
        self.asks_devices = False
        """Whether each deal needs a line of links before it; without one, NeedsLinks is raised."""
        self.watch: Callable[[Pick], None] | None = None
        """Called for each pick of the dealer."""
        self._asked: Ask | None = None
        self._asked_seats: list[str] = []
        self.enter(game)

    def enter(self, game: Game) -> None:
        """Continue with this game instead, from its rest."""
        self.game = game
        self._rules: Rules[None] = game.play()
        if not hasattr(self._rules, "send"):
            raise BadGame(f"{type(game).__name__}.play asks no question: write yield from self.ask(…) in it.")
        self.question: Question | Over = Over()
        if self.send(None, deque(), ""):
            # A draw here would be in no entry of the log, so a replay would differ.
            raise BadGame(f"{type(game).__name__}.play must ask a question before it first draws or rolls.")
        self.take_events()

    def send(self, value: Any, given: deque[Line], id: str, by: str = "", time: int | None = None) -> list[Line]:
        """Answer the question as seat `by`, and run until only people can answer; return the chance on the way.

        Chance is taken from the left of `given` where it fits, otherwise from the dealer, for the answer with this
        `id`. The `time` is handled the same way, and logged if the rules ask for it.

        Raises Refused if the given chance is invalid, and NeedsLinks; the game must then be entered again.
        """
        lines: list[Line] = []
        salt: str | None = None
        self.game.by = by
        for _ in range(MOST_DRAWN + 1):
            question = self._next(value)
            kind = type(question)
            if kind is Ask or kind is Over:
                self.question = question
                return lines
            if kind is Now:
                value = _read_time(given.popleft()) if given and TIME in given[0] else time
                lines += [] if value is None else [{TIME: value}]
                continue
            self.question = question
            word, name = _asked(question)
            if kind is Draw and question.face_down:
                value = self.read_face_down(question, given)
                lines.append({word: name, _VALUE[word]: value})
                continue
            if salt is None and (rounds := take_rounds(given)):
                lines += rounds
                salt = salt_of(rounds[-1])
            if given and given[0].get(word) == name:
                value = self.read_chance(question, given.popleft(), GM)
                # Logged chance counts as dealt, so that the numbering continues where the log ends.
                self.draws += 0 if self.is_physical(question) else _picks(question)
            elif self.is_physical(question):
                return lines
            elif salt is None and self.asks_devices:
                raise NeedsLinks(lines)
            else:
                value = self.deal(question, f"{id}:{salt}" if salt else id)
            lines.append({word: name, _VALUE[word]: value})
        raise BadGame(_DRAWS_ON.format(type(self.game).__name__))

    def _next(self, value: Any) -> Any:
        """Return what the rules ask next, or Over.

        Raises BadGame if the question is invalid or the rules raise an error.
        """
        try:
            question = self._rules.send(value)
            if type(question) is Ask:
                check_ask(self.game, question, self._rules)
            else:
                check_question(self.game, question, self._rules)
        except StopIteration:
            return Over()
        except CardhouseError:
            raise
        except Exception as error:
            raise wrong_rules(self.game, error) from error
        return question

    def read_face_down(self, question: Draw, given: deque[Line]) -> Card | None:
        """Draw a card without looking at it: None, unless the log names it."""
        if not given or given[0].get("draw") != question.deck:
            return None
        line = given.popleft()
        if line.get("card") is None and set(line) == {"draw", "card"}:
            return None
        return str(self.read_chance(question, line, GM))

    def add_seat(self, seat: str) -> None:
        """Add a seat and put the open question again, which the new seat may be able to answer."""
        self.game.seats.append(seat)
        if isinstance(self.question, Ask) and self.send(Again(), deque(), "", self.game.by):
            raise BadGame(
                f"{type(self.game).__name__} draws or rolls when a seat is added: it must first ask its question again."
            )

    def may_answer(self) -> list[str]:
        """Return the seats that may answer the question, the one being waited for first."""
        if isinstance(self.question, Ask):
            if self._asked is not self.question:  # the same for every seat
                self._asked, self._asked_seats = self.question, self.question.seats()
            return list(self._asked_seats)
        if isinstance(self.question, Over):
            return []
        return list(self.game.who_draws(self.question.deck if isinstance(self.question, Draw) else "dice"))

    def is_physical(self, question: Draw | Roll) -> bool:
        """Return whether people name this card or roll."""
        deck = question.deck if type(question) is Draw else "dice"
        return self.decks.get(deck) == PHYSICAL

    def deal(self, question: Draw | Roll, id: str) -> Card | list[int]:
        """Deal for the answer with this `id`, which has the devices' links appended after a colon."""
        if isinstance(question, Draw):
            return question.cards[self._pick(question.cards, id)]
        count, sides = question.count_and_sides()
        faces = range(1, sides + 1)
        return [faces[self._pick(faces, id)] for _ in range(count)]

    def _pick(self, outcomes: Sequence[Card] | range, id: str) -> int:
        self.draws += 1
        if self.watch is not None:
            self.watch(Pick(self.draws, id, outcomes if isinstance(outcomes, range) else tuple(outcomes)))
        return self.dealer.pick(len(outcomes), self.draws, id)

    def read_chance(self, question: Draw | Roll, line: Mapping[str, Any], by: str) -> Card | list[int]:
        """Return the card or faces that a line names.

        Raises Refused, with the place of the card, if it can't be drawn.
        """
        if isinstance(question, Draw):
            card = line.get("card")
            if card not in question.cards:
                where = self.game.where(str(card), question.deck, self.game.audience(by))
                raise Refused(f"{card} can't be the next card: it is {where}.", offers=[chance_offer(question, by)])
            return str(card)
        count, sides = question.count_and_sides()
        dice = line.get("dice")
        if (
            isinstance(dice, list)
            and len(dice) == count
            and all(type(face) is int and 1 <= face <= sides for face in dice)
        ):
            return dice
        raise Refused(
            f"A roll of {question.dice} is a list of {count} from 1 to {sides}.", offers=[chance_offer(question, by)]
        )

    def named_chance(self, by: str, line: Mapping[str, Any]) -> Card | list[int]:
        """Return the card or faces that a seat names.

        Raises Refused if no chance, or a different one, is asked of the seat.
        """
        question = self.question
        if not isinstance(question, (Draw, Roll)) or by not in self.may_answer():
            raise Refused(f"No card or roll is expected from {by} now.")
        kind, name = _asked(question)
        if line.get(kind) != name or set(line) != {kind, _VALUE[kind]}:
            raise Refused(f'Expected: {{"{kind}": "{name}", "{_VALUE[kind]}": …}}.')
        return self.read_chance(question, line, by)

    def take_events(self) -> Disclosures:
        """Return the events since the last call, and reset them."""
        game = self.game
        events = Disclosures(game.out, game.learned, game.secrets_out)
        game.out, game.learned, game.secrets_out = [], False, False
        return events

    def snapshot(self, number: int) -> Snapshot:
        """Return a snapshot of the game, which must be at rest, after entry `number`."""
        return Snapshot(number, self.draws, encode_state(self.game))


_VALUE = {"draw": "card", "roll": "dice"}

TIME: Final = "time"
"""The key of a line that gives the time."""


def _read_time(line: Line) -> int:
    time = line[TIME]
    if set(line) == {TIME} and type(time) is int and 0 <= time < 1 << 40:
        return time
    raise Refused('A time is {"time": whole Unix seconds}.', "malformed")


def chance_offer(question: Draw | Roll, seat: str) -> OfferDoc:
    """Return what a seat may name for a card or roll, as the protocol writes an offer."""
    if isinstance(question, Draw):
        return {"draw": question.deck, "fields": {"card": question.field(seat).schema()}}
    return {"roll": question.dice, "fields": {}}


def _picks(question: Draw | Roll) -> int:
    """Return how many times a dealer picks for this question: once for a card, once for each die."""
    return 1 if isinstance(question, Draw) else question.count_and_sides()[0]


def _asked(question: Draw | Roll) -> tuple[str, str]:
    if isinstance(question, Draw):
        return "draw", question.deck
    return "roll", question.dice
