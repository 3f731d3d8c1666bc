"""The lab questions of Dogpile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import msgspec

from cardhouse.cards import Card, Cell, around
from cardhouse.engine import Table
from cardhouse.games.dogpile import state
from cardhouse.games.dogpile.bots.convention import THUMBS, Convention, best_for
from cardhouse.games.dogpile.deck_file import deck_of
from cardhouse.games.dogpile.judge import judge
from cardhouse.games.dogpile.lab import tales
from cardhouse.games.dogpile.lab.exact import laid_by_one
from cardhouse.games.dogpile.lab.single_rounds import hands_of, round_of, suits_of, wild_of
from cardhouse.games.dogpile.lab.thumbs import Thumbs
from cardhouse.games.dogpile.lab.whole_games import Setting, summed_up, table_of_game
from cardhouse.games.dogpile.largest import largest_pack
from cardhouse.games.dogpile.rules import Dogpile
from cardhouse.games.dogpile.state import MOST_PLAYERS, PACK_LEADER, USUAL
from cardhouse.lab.questions.cards_used import CardsUsed
from cardhouse.lab.questions.optimality import BestPlay, Strategy
from cardhouse.lab.questions.question import (
    UNASKED,
    Finding,
    Measure,
    Piece,
    Question,
    Situation,
    finding_of,
    line_of,
    mean,
    share,
)
from cardhouse.lab.questions.settings import situation

if TYPE_CHECKING:
    from cardhouse.lab.questions.answer import Tale, Values
    from cardhouse.lab.questions.question import Rows

from cardhouse.games.dogpile.lab.dealt import (
    Alone,
    Bot,
    ByBots,
    Dealt,
    DeckFile,
    HandSize,
    Jokers,
    Passing,
    Players,
    pieces_of,
    with_changes,
)

FINE, FINEST = 50, 1000
"""The fractions of a dog, and of a pack, in which a game's means are counted."""
DRAFT = CardsUsed("draft", "the draft deck", 1_000)
"""The cards that a game draws from the draft deck."""
GAMES_OF_A_SEED = 1_000_000
"""The number of games reserved for a seed, before those of the next seed."""


ABOUT = "The best play found is a team with a convention of where which suit lies."
AS_QUICK = 200
"""The share of rounds that a team plays, too, because it takes ten times as long as cautious bots: 1 in this many."""
ASKED = "{players} bots ({bot}) with {hand_size} cards each and {jokers} jokers"
"""The common beginning of questions about bots."""
NEAREST = [(name, THUMBS[name]) for name in ("upward", "suits")]
"""The rules of thumb that come closest to best play."""


class Silence(ByBots, frozen=True, kw_only=True):
    """The result of a round between bots."""

    name: ClassVar[str] = "silence"
    title: ClassVar[str] = "What can silence build?"
    about: ClassVar[str] = (
        "Plays one round of Dogpile from a full deck, with the same bot in every seat. Counts the dogs that "
        "join, the packs lost and the cards each player lays. The careful bot (sure) is fast, for hands of up"
        " to seven and up to five wild cards. So is the coordinated bot (best), for up to four suits. The "
        "others play a few dozen rounds per second: use fewer trials."
    )

    asked: ClassVar[str] = f"{ASKED} build a pack in silence."

    lone_leader: Alone = USUAL.lone_leader

    @classmethod
    def from_table(cls, view: Mapping[str, Any], options: Mapping[str, Any]) -> list[Situation]:
        return [situation(cls, "", {**options, "players": len(view["hands"])})]

    @property
    def options(self) -> dict[str, Any]:
        return {**super().options, "lone_leader": self.lone_leader}

    @property
    def convention(self) -> Convention:
        """The team's convention."""
        return best_for(self.players)

    def measures(self) -> Sequence[Measure]:
        return [
            Measure("dogs", self.most + 1, "the dogs that joined"),
            Measure("pack", self.most + 1, "the cards of the pack, the Pack Leader among them, joined or not"),
            Measure("lost", 2, "whether the pack strayed"),
            *(
                Measure(f"laid_{number}", self.hand_size + 1, f"the cards that player {number} laid, if there was one")
                for number in range(1, MOST_PLAYERS + 1)
            ),
        ]

    def findings(self) -> Sequence[Finding]:
        each = range(1, self.players + 1)
        return [
            mean("dogs", "dogs that join in a round", "dogs"),
            share("lost", "the pack is lost", "lost", 1, 1),
            mean("joined", "dogs of a pack that joins", "dogs", given_least=1),
            share("half", "at least half of all cards join", "dogs", (self.most + 1) // 2),
            share("everything", "every card in every hand joins", "dogs", self.most),
            share("nobody", "no player lays a card", "pack", 0, 1),
            *line_of(
                (mean(f"laid_{number}", f"cards that player {number} lays", f"laid_{number}") for number in each),
                "laid",
                "cards that a player lays",
                "place in the order",
            ),
            *line_of(
                (share(f"lays_{number}", f"player {number} lays anything", f"laid_{number}", 1) for number in each),
                "lays",
                "a player lays anything",
                "place in the order",
            ),
        ]

    def tale(self, values: Values) -> Tale | None:
        return tales.silence_tale(values, self.players, self.most)

    def exact(self) -> Mapping[str, float]:
        """Return the exact values for a single player with one or two plain cards, who lays all that fits."""
        alone = self.players == 1 and self.bot != "random" and self.lone_leader == "strays"
        laid = laid_by_one(self.dogs, self.cards, self.hand_size) if alone else None
        if laid is None:
            return {}
        joined = laid.one + laid.two
        found = {
            "dogs": 2 * laid.one + 3 * laid.two,
            "lost": laid.none,
            "nobody": laid.none,
            "laid_1": laid.one + 2 * laid.two,
            "lays_1": joined,
            **({"joined": (2 * laid.one + 3 * laid.two) / joined} if joined else {}),
        }
        return {key: float(number) for key, number in found.items()}

    def run(self, seed: int, first: int, out: Rows, log: Rows | None) -> None:
        alone = self.lone_leader == "joins"
        if self.team:
            self.by_team(self.convention, seed, first, out, joins_alone=alone)
        elif self.compiled:
            self.by_kernel(seed, first, out, by_card=False, joins_alone=alone)
        else:
            self.by_rules(seed, first, out)

    def best_play(self) -> BestPlay | None:
        """Return the comparison with best play if a team plays. Otherwise it needs kernels that cautious bots don't."""
        if not self.team:
            return None
        shared = {name: getattr(self, name) for name in Silence.__struct_fields__}
        silence = Silence(**shared)
        dogs = finding_of(silence, "dogs")
        best = Strategy("best", msgspec.structs.replace(silence, bot="best"), "dogs")
        thumbs = [
            Strategy(text, ByThumb(**{**shared, "bot": "best"}, rule=name), "dogs") for name, (text, _) in NEAREST
        ]
        more, less = "have {} dogs more join in a round", "have {} dogs fewer join in a round"
        asked = Strategy("as asked", silence, "dogs")
        return BestPlay(dogs, more, less, ABOUT, asked, best, thumbs, part=AS_QUICK)

    def row_of(self, table: Table) -> Sequence[int]:
        dogs, pack, lost, laid = round_of(table)
        return [dogs, pack, int(lost), *laid, *[0] * (MOST_PLAYERS - self.players)]


class ByThumb(Silence, frozen=True, kw_only=True):
    """The same rounds, played by a team with a rule of thumb."""

    rule: Annotated[str, UNASKED] = "upward"

    @property
    def convention(self) -> Convention:
        return THUMBS[self.rule][1]


class Ceiling(Dealt, frozen=True, kw_only=True):
    """The largest pack of the same hands with all cards known."""

    name: ClassVar[str] = "ceiling"
    title: ClassVar[str] = "What could have been built with all hands open?"
    about: ClassVar[str] = (
        "Plays rounds with bots, and compares each pack with the largest legal pack of all hands and the Pack"
        " Leader. The search is exact. The result says how often it was proven: always with the standard deck. "
        "With the careful bot (sure) and up to four suits, trials are fast; otherwise they play the full "
        "rules."
    )

    asked: ClassVar[str] = f"{ASKED}, compared with the best pack possible."

    bot: Bot = "sure"

    def tale(self, values: Values) -> Tale | None:
        return tales.ceiling_tale(values)

    def measures(self) -> Sequence[Measure]:
        return [
            Measure("could", self.most + 1, "the cards of the largest pack there was"),
            Measure("dogs", self.most + 1, "the dogs that joined"),
            Measure("left", self.most + 1, "how many more there could have been"),
            Measure("all", 2, "whether all cards could have been laid"),
            Measure("proven", 2, "whether no pack is larger than the largest found"),
        ]

    def findings(self) -> Sequence[Finding]:
        return [
            mean("could", "dogs that could have joined", "could"),
            mean("dogs", "dogs that join", "dogs"),
            mean("left", "dogs lost to silence", "left"),
            share("all", "all cards could have been laid", "all", 1, 1),
            share("best", "no larger pack was possible", "left", 0, 0),
            share("proven", "the largest pack is proved", "proven", 1, 1),
        ]

    @property
    def silence(self) -> Silence:
        """The question about the packs built from the same hands."""
        return Silence(
            players=self.players,
            hand_size=self.hand_size,
            jokers=self.jokers,
            passing=self.passing,
            deck=self.deck,
            in_step_with=self.in_step_with,
            bot=self.bot,
        )

    @property
    def compiled(self) -> bool:  # type: ignore[override]  # depends on the bot and the deck
        """Whether a kernel plays the trials."""
        return self.silence.compiled and bool(suits_of(self.dogs, self.cards))

    @property
    def at_once(self) -> int:  # type: ignore[override]  # the rules take a thousand times as long
        """The number of trials in a batch."""
        return 20_000 if self.compiled else 20

    def run(self, seed: int, first: int, out: Rows, log: Rows | None) -> None:
        from cardhouse.games.dogpile.lab.tables import sizes_by_suits

        built = self.silence.rows(seed, first, len(out))[:, 0]
        drawn = self.dealt(seed, first, len(out))
        cards = self.cards
        sizes = sizes_by_suits(self.dogs, cards, drawn)
        proven = sizes > 0
        for place in (sizes == 0).nonzero()[0]:
            largest = largest_pack(*hands_of(drawn[place], cards), self.dogs)
            sizes[place], proven[place] = largest.size, largest.proven
        for column, numbers in enumerate(self._columns(sizes, proven, built)):
            out[:, column] = numbers

    def played(self, seed: int, trial: int) -> Table:
        return self.played_by(self.bot, seed, trial)

    def row_of(self, table: Table) -> Sequence[int]:
        assert isinstance(table.game, Dogpile)
        done = table.game.rounds[-1]
        largest = largest_pack(done.leader, done.open_cards, self.dogs)
        return [int(number) for number in self._columns(largest.size, largest.proven, round_of(table)[0])]

    def _columns(self, size: Any, proven: Any, dogs: Any) -> tuple[Any, ...]:
        """Return the numbers of a round from its largest pack and its dogs. Works on arrays, too."""
        could = size * (size > 1)  # no card can be laid next to a lone Pack Leader, so it strays (DG-15)
        return could, dogs, could - dogs, could == self.most, proven


class Hard(ByBots, frozen=True, kw_only=True):
    """The fate of each card of a deck."""

    name: ClassVar[str] = "hard"
    title: ClassVar[str] = "Which cards are hard to place?"
    about: ClassVar[str] = (
        "Plays rounds from a full deck, with the same bot in every seat. For each card in the hand of a "
        "player who has a turn, counts how often it is laid, and how often it could have been laid alone next"
        " to the Pack Leader. The cards laid least often come first. The Pack Leader and forfeited hands "
        "don't count. The careful bot (sure) is fast, and so is the coordinated bot (best) with up to four "
        "suits; bold and reader play a few dozen rounds per second."
    )

    asked: ClassVar[str] = f"{ASKED}."

    def tale(self, values: Values) -> Tale | None:
        return tales.hard_cards_tale(values, {card: self.dogs.cards[card].name for card in self.cards})

    def measures(self) -> Sequence[Measure]:
        most = self.players * self.hand_size + 1
        return [
            Measure("held", most, "the cards in the hands of those who had a turn"),
            Measure("laid", most, "the cards laid"),
            *(
                Measure(card, 4, f"{self._card_name(card)}: 0 not held, 1 held, 2 it could be laid by itself, 3 laid")
                for card in self.cards
            ),
        ]

    def findings(self) -> Sequence[Finding]:
        return [
            mean("laid", "cards laid in a round", "laid"),
            mean("held", "cards in the hands of those who have a turn", "held"),
            *(
                share(f"laid_{card}", f"{self._card_name(card)} is laid", card, 3, given_least=1, ranked="laid")
                for card in self.cards
            ),
            *(
                share(
                    f"could_{card}",
                    f"{self._card_name(card)} is laid, or could have been laid alone",
                    card,
                    2,
                    given_least=1,
                    ranked="could",
                )
                for card in self.cards
            ),
        ]

    def _card_name(self, card: Card) -> str:
        """Return a card's name, with its number among its copies."""
        name = self.dogs.cards[card].name
        copies = [one for one in self.cards if self.dogs.cards[one].name == name]
        return name if len(copies) == 1 else f"{name} ({copies.index(card) + 1} of {len(copies)})"

    def run(self, seed: int, first: int, out: Rows, log: Rows | None) -> None:
        if self.team:
            self.by_team(best_for(self.players), seed, first, out, by_card=True)
        elif self.compiled:
            self.by_kernel(seed, first, out, by_card=True, joins_alone=False)
        else:
            self.by_rules(seed, first, out)

    def row_of(self, table: Table) -> Sequence[int]:
        game = table.game
        assert isinstance(game, Dogpile)
        assert game.leader is not None
        states = dict.fromkeys(self.cards, 0)
        held = 0
        taken: set[Cell] = set()
        wild_leader = bool(wild_of(self.dogs, [game.leader]))
        for seat in game.clockwise():
            laid = [one for one in game.laid if one.seat == seat]
            hand = [*game.hands[seat], *(one.card for one in laid)]
            held += len(hand)
            for card in hand:
                alone = self._fits_alone(card, game.leader, taken) and not (wild_leader and taken)
                states[card] = 2 if alone else 1
            states.update((one.card, 3) for one in laid)
            if not laid and self.passing == "ends_laying":
                break
            taken |= {one.cell for one in laid}
        return [held, len(game.laid), *states.values()]

    def _fits_alone(self, card: Card, leader: Card, taken: set[Cell]) -> bool:
        """Return whether a card can lie at some side of the Pack Leader without touching these cells, by the judge."""
        return any(
            cell not in taken
            and taken.isdisjoint(around(cell))
            and judge({PACK_LEADER: leader, cell: card}, self.dogs).legal
            for cell in around(PACK_LEADER)
        )


class Game(Question, frozen=True, kw_only=True):
    """The result of whole games between bots."""

    game: ClassVar[str] = "dogpile"
    name: ClassVar[str] = "game"
    title: ClassVar[str] = "How well do the bots play?"
    about: ClassVar[str] = (
        "Plays whole games of Dogpile by the rules, with the same bot in every seat. Counts the dogs that "
        "join per round and the packs lost. A game ends early if no card is left for a Pack Leader (DG-17); "
        "results per round are averages over the rounds played."
    )
    asked: ClassVar[str] = f"{ASKED} play {{rounds}} rounds."
    trial: ClassVar[str] = "game"
    compiled: ClassVar[bool] = False
    at_once: ClassVar[int] = 8
    usual_trials: ClassVar[int] = 100

    players: Players = 4
    hand_size: HandSize = USUAL.hand_size
    jokers: Jokers = USUAL.jokers
    bot: Bot = "sure"
    rounds: Annotated[state.Rounds, msgspec.Meta(description="rounds per game")] = 10
    passing: Passing = USUAL.passing
    deck: DeckFile = {}

    @classmethod
    def named_file(cls, setting: str, text: str) -> Any | None:
        """Return a bundled deck."""
        return Dealt.named_file(setting, text)

    def pieces(self, setting: str) -> Sequence[Piece]:
        return pieces_of(self.deck) if setting == "deck" else ()

    def with_pieces(self, setting: str, becomes: Mapping[str, str]) -> Any:
        return with_changes(self.deck, becomes)

    @property
    def setting(self) -> Setting:
        """The bots and options of a game."""
        options = {
            "jokers": self.jokers, "hand_size": self.hand_size, "passing": self.passing, "deck": self.deck
        }  # fmt: skip
        return Setting((self.bot,) * self.players, options, self.rounds)

    def check(self) -> None:
        self.setting.check()

    def measures(self) -> Sequence[Measure]:
        dogs = FINE * (self.players * self.hand_size + 1) + 1
        return [
            Measure("dogs", dogs, f"the dogs that joined in a round, in parts of {FINE}"),
            Measure("lost", FINEST + 1, f"the packs lost, in parts of {FINEST}"),
            Measure("pack", dogs, f"the mean size of the packs that joined, in parts of {FINE}; 0: none did"),
            Measure("rounds", self.rounds + 1, "the rounds there were"),
            Measure("score", len(deck_of(self.deck).cards) + 1, "the dogs in the Dogpile"),
            *DRAFT.measures(),
        ]

    def findings(self) -> Sequence[Finding]:
        return [
            mean("dogs", "dogs that join in a round", "dogs", scale=1 / FINE),
            mean("lost", "packs lost in a round", "lost", scale=1 / FINEST),
            mean("pack", "dogs of a pack that joins", "pack", given_least=1, scale=1 / FINE),
            mean("rounds", "rounds until no card is left", "rounds"),
            mean("score", "dogs in the Dogpile at the end", "score"),
            *DRAFT.findings(),
        ]

    def tale(self, values: Values) -> Tale | None:
        return tales.games_tale(values, self.players * self.hand_size + 1)

    def run(self, seed: int, first: int, out: Rows, log: Rows | None) -> None:
        for place in range(len(out)):
            out[place] = self.row_of(self.played(seed, first + place))

    def played(self, seed: int, trial: int) -> Table:
        return table_of_game(self.setting, seed * GAMES_OF_A_SEED + trial)

    def row_of(self, table: Table) -> Sequence[int]:
        played = summed_up(table)
        pack = round(FINE * sum(played.packs) / len(played.packs)) if played.packs else 0
        dogs, lost = FINE * played.dogs / played.rounds, FINEST * played.lost / played.rounds
        return [round(dogs), round(lost), pack, played.rounds, played.dogs, *DRAFT.row(table.entries)]


QUESTIONS: tuple[type[Question], ...] = (Silence, Hard, Ceiling, Thumbs, Game)
