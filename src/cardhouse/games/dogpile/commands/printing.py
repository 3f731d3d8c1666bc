"""A deck as a PDF, for play at a real table."""

from pathlib import Path

from cardhouse.cli import words
from cardhouse.cli.printing import sides, write_pdf
from cardhouse.engine.values.missing import missing_letters
from cardhouse.games.dogpile.commands.decks import chosen_deck
from cardhouse.games.dogpile.print import deck_pdf, rules_count
from cardhouse.print.pen import PAPERS


def write(file: str, paper: str, *, backs: bool, output: str) -> None:
    """Write the cards of a deck to a file, and print how to print it.

    Raises CardhouseError if a file can't be read or written, or a card can't be printed.
    """
    chosen = chosen_deck(file)
    with missing_letters() as missing:
        printed = deck_pdf(chosen, PAPERS[paper], backs=backs)
    cards = f"{words.count(len(chosen.cards), 'card')}, and {rules_count(chosen)} with the rules"
    target = output or ("deck.pdf" if file == "-" else f"{Path(file).stem}.pdf")
    write_pdf(printed, target, [f"{cards}: print {sides(backs)}."], missing)
