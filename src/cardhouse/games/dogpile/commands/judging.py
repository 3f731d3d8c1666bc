"""The judge on the terminal: draw a layout file and print the verdict (DG-21)."""

from collections.abc import Iterator, Mapping

import msgspec
from rich.text import Text

from cardhouse.cards import Cell
from cardhouse.cli import words
from cardhouse.cli.transcripts import print_json, read_whole, source_of
from cardhouse.engine import CardhouseError
from cardhouse.games.dogpile.commands.decks import chosen_deck
from cardhouse.games.dogpile.deck import DogDeck
from cardhouse.games.dogpile.judge import Layout, Stands, Verdict, contacts, judge, layout_from, pieces_of

GAP = 4
"""The width between two cards, for the mark of their contact."""


def print_verdict(file: str, deck: str, json: bool) -> None:
    """Print the verdict on a layout.

    Raises CardhouseError if the file holds no layout, or the deck can't be used.
    """
    if file == deck == "-":
        raise CardhouseError("Only one of the layout and the deck can come from standard input.")
    dogs = chosen_deck(deck)
    layout = _read(file)
    verdict = judge(layout, dogs)
    if json:
        print_json(verdict)
    else:
        _describe(layout, dogs, verdict)


def _read(file: str) -> dict[Cell, str]:
    """Return the layout of a file; `-` reads standard input.

    Raises CardhouseError, with the place of the mistake, if it is invalid.
    """
    text = read_whole(file).removeprefix(b"\xef\xbb\xbf")  # some editors write a byte order mark
    source = source_of(file)
    try:
        return layout_from(msgspec.json.decode(text))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise CardhouseError(f"{source} isn't valid JSON: {error}.") from None
    except CardhouseError as error:
        raise CardhouseError(f"{source}: {error.message}") from None


def _describe(layout: Layout, deck: DogDeck, verdict: Verdict) -> None:
    out = words.console()
    stands = {(one.x, one.y): one for one in verdict.jokers}
    labels = {cell: _label(card, stands.get(cell)) for cell, card in layout.items()}
    wrong = {(one.a, one.b) for one in verdict.illegal}
    pieces = sorted(pieces_of(layout), key=lambda piece: (-len(piece), min(piece)))
    for number, piece in enumerate(pieces, start=1):
        if len(pieces) > 1:
            out.print(f"Shape {number} of {len(pieces)}, with {layout[min(piece)]} on {min(piece)}:")
        for line in _drawn({cell: labels[cell] for cell in piece}, wrong):
            out.print(line, soft_wrap=True)
        out.print()
    out.print(Text(_in_words(verdict, len(layout)), "bold green" if verdict.legal else "bold red"))
    for one in verdict.illegal:
        out.print(f"{layout[one.a]} {one.a} and {layout[one.b]} {one.b}: {one.reason} ({one.rule})")
    for joker in verdict.jokers:
        out.print(f"{layout[joker.x, joker.y]} ({joker.x}, {joker.y}) counts as {_joker_in_words(joker, deck)}.")
    if any(stands.keys() & {one.a, one.b} for one in verdict.illegal):
        out.print("No other values leave fewer illegal contacts. (DG-14)")


def _label(card: str, stands: Stands | None) -> str:
    """Return a card's label; a wild card's includes the card it stands for."""
    if stands is None:
        return card
    return f"{card}={stands.as_ if isinstance(stands.as_, str) else '*'}"


def _joker_in_words(joker: Stands, deck: DogDeck) -> str:
    """Return what a wild card stands for, in words."""
    if isinstance(joker.as_, str):
        name = deck.cards[joker.as_].name
        return joker.as_ if name == joker.as_ else f"{joker.as_}, {name}"
    return words.plain(joker.as_)


def _in_words(verdict: Verdict, cards: int) -> str:
    """Return the verdict as a sentence."""
    if verdict.legal and cards == 1:
        return "Legal: a single card touches nothing. In a game, DG-15 decides about a Pack Leader alone."
    if verdict.legal:
        return f"Legal: {cards} cards in one shape, and every contact is legal."
    pieces = f"{verdict.pieces} separate shapes (DG-10)" if verdict.pieces > 1 else ""
    found = words.count(len(verdict.illegal), "illegal contact")
    return f"Not legal: {' and '.join(filter(None, [pieces, f'{found} (DG-13)' if verdict.illegal else '']))}."


def _drawn(labels: Mapping[Cell, str], wrong: set[tuple[Cell, Cell]]) -> Iterator[Text]:
    """Yield the lines of a piece from the top: its cards, and a mark at each contact, `x` if it is illegal."""
    xs, ys = {x for x, _ in labels}, {y for _, y in labels}
    width = max(map(len, labels.values()))
    marks = {(a, beside): (a, b) in wrong for a, b, beside in contacts(labels, labels)}
    for y in range(max(ys), min(ys) - 1, -1):
        cards, below = Text(), Text()
        for x in range(min(xs), max(xs) + 1):
            cards.append(labels.get((x, y), "").center(width))
            _mark(cards, marks.get(((x, y), True)), "--", GAP)
            _mark(below, marks.get(((x, y - 1), False)), "|", width)
            below.append(" " * GAP)
        for line in (cards, below)[: 2 if y > min(ys) else 1]:
            line.rstrip()
            yield line


def _mark(line: Text, wrong: bool | None, legal: str, width: int) -> None:
    """Append the mark of a contact, if there is one."""
    mark = "" if wrong is None else "x" * len(legal) if wrong else legal
    line.append(mark.center(width), "bold red" if wrong else "dim")
