"""A ledger of Dogpile, kept from the lines of the log by the rulebook alone, without the game's code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

Cell = tuple[int, int]
Line = dict[str, Any]

NUMBERS = {"A": 1, **{str(number): number for number in range(2, 11)}, "J": 11, "Q": 12, "K": 13}
PLAIN = [suit + rank for suit in "CDHS" for rank in NUMBERS]


class Entry(Protocol):
    """What the ledger looks at: the lines of an entry of the log."""

    lines: list[Line]


class Ledger:
    """Who has what, whose turn it is, and how things stand."""

    def __init__(self, players: Sequence[str], *, jokers: int, hand_size: int, lone: str, rounds: int | None) -> None:
        self.players = list(players)
        self.hand_size, self.lone, self.rounds = hand_size, lone, rounds
        self.draft = {*PLAIN, *["RJ", "BJ"][:jokers]}
        self.hands: dict[str, list[str]] = {seat: [] for seat in players}
        self.laid: list[tuple[str, Cell, str]] = []
        self.leader = ""
        self.held: list[str] = []
        """All hands, when the Pack Leader is turned up."""
        self.player_one = ""
        self.to_come: list[str] = []
        self.dogpile: list[str] = []
        self.strays: list[str] = []
        self.packs: list[int] = []
        self.lost = self.round = 0
        self.rung = self.over = False
        self.joined: bool | None = None
        self.refills = self.reshuffles = 0
        self._drawn: list[Line] = []

    @property
    def laying(self) -> bool:
        """Whether cards are being laid."""
        return bool(self.to_come)

    def note(self, entry: Entry, joined: bool | None) -> None:
        """What an entry of the log means. `joined` is what the table says of the last pack, for those with jokers."""
        answer, *self._drawn = entry.lines
        match answer["do"]:
            case "begin":
                self.player_one = answer.get("first") or self.players[0]
                self.fill()
                self.deal()
            case "next_round":
                assert not self.laying
                self.deal()
            case "ring":
                self.rung = True
                self.over = not self.laying
            case "lay" | "pass":
                self.turn(answer["by"], answer.get("cards", []), joined)
        assert not self._drawn, "more was drawn than the rules say"

    def draw(self) -> str | None:
        """The next card of the log, which must be one of the draft deck's; the Strays become a new one (DG-17)."""
        if not self.draft and self.strays:
            self.draft, self.strays = set(self.strays), []
            self.reshuffles += 1
        if not self.draft:
            return None
        card: str = self._drawn.pop(0)["card"]
        self.draft.remove(card)
        return card

    def deal(self) -> None:
        """A Pack Leader (DG-4); then they lay clockwise from Player One (DG-5)."""
        card = self.draw()
        assert card is not None
        self.leader, self.laid, self.joined = card, [], None
        self.held = sorted(held for hand in self.hands.values() for held in hand)
        self.round += 1
        self.to_come = self.clockwise()

    def clockwise(self) -> list[str]:
        """All players, Player One first."""
        place = self.players.index(self.player_one)
        return self.players[place:] + self.players[:place]

    def turn(self, seat: str, cards: list[Line], joined: bool | None) -> None:
        """Somebody lays cards, or none, which ends it (DG-7)."""
        assert seat == self.to_come.pop(0)
        for placed in cards:
            cell = placed["x"], placed["y"]
            assert cell not in self.layout()
            self.hands[seat].remove(placed["card"])
            self.laid.append((seat, cell, placed["card"]))
        if not cards:
            self.to_come = []
        if not self.to_come:
            self.judge(joined)

    def layout(self) -> dict[Cell, str]:
        """What lies there."""
        return {(0, 0): self.leader, **{cell: card for _, cell, card in self.laid}}

    def judge(self, joined: bool | None) -> None:
        """The pack joins or strays (DG-9); hands are filled and the token passes if a round follows (DG-16, DG-18)."""
        layout = self.layout()
        if len(layout) == 1:
            self.joined = self.lone == "joins"
        elif {"RJ", "BJ"} & set(layout.values()):
            assert joined is not None
            self.joined = joined
        else:
            self.joined = is_legal(layout)
        (self.dogpile if self.joined else self.strays).extend(layout.values())
        if self.joined:
            self.packs.append(len(layout))
        else:
            self.lost += 1
        if self.rung or self.round == self.rounds:
            self.over = True
            return
        self.fill()
        self.player_one = self.clockwise()[1 % len(self.players)]
        self.over = not self.draft and not self.strays

    def fill(self) -> None:
        """Hands are filled, each before the next."""
        for seat in self.clockwise():
            while len(self.hands[seat]) < self.hand_size and (card := self.draw()) is not None:
                self.hands[seat].append(card)
                self.refills += 1

    def seen_by(self, seat: str) -> Line:
        """What a seat should see of all that."""
        revealed = not self.laying and self.round > 0
        laid = [
            {"seat": who, "x": x, "y": y, "card": card if revealed or who == seat else None}
            for who, (x, y), card in self.laid
        ]
        hands = {
            who: sorted(hand, key=[*PLAIN, "RJ", "BJ"].index) if self.over or who == seat else len(hand)
            for who, hand in self.hands.items()
        }
        return {
            "round": self.round,
            "player_one": self.player_one,
            "turn": self.to_come[0] if self.to_come else None,
            "to_lay": self.to_come[1:],
            "leader": self.leader or None,
            "laid": laid,
            "hands": hands,
            "dogpile": len(self.dogpile),
            "strays": len(self.strays),
            "draft": len(self.draft),
            "dogpile_cards": self.dogpile,
            "stray_cards": self.strays,
            "joined": self.joined,
            "packs_made": len(self.packs),
            "packs_lost": self.lost,
            "biggest_pack": max(self.packs, default=0),
            "rung": self.rung,
            "phase": "over" if self.over else "laying" if self.laying else "judged" if self.round else "begin",
        }


def touching(cell: Cell) -> Iterator[Cell]:
    """The four cells around."""
    x, y = cell
    yield from ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))


def may_touch(one: Cell, card: str, other: Cell, its: str) -> bool:
    """Whether two plain cards on cells that touch may do so (DG-11, DG-12)."""
    if one[1] == other[1]:
        return abs(NUMBERS[card[1:]] - NUMBERS[its[1:]]) == 1
    return card[0] == its[0]


def is_legal(layout: dict[Cell, str]) -> bool:
    """Whether a layout of plain cards is one shape, all contacts legal (DG-9 to DG-13)."""
    reached, coming = set(), [next(iter(layout))]
    while coming:
        cell = coming.pop()
        reached.add(cell)
        coming += [other for other in touching(cell) if other in layout and other not in reached]
    return len(reached) == len(layout) and all(fits(cell, card, layout) for cell, card in layout.items())


def fits(cell: Cell, card: str, layout: dict[Cell, str]) -> bool:
    """Whether a plain card fits all plain cards it touches."""
    return all(
        may_touch(cell, card, other, layout[other])
        for other in touching(cell)
        if other in layout and layout[other][1:] in NUMBERS
    )
