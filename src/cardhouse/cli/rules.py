"""The list of games, and their rules, on the terminal."""

from rich.padding import Padding
from rich.text import Text

from cardhouse.cli import words
from cardhouse.engine import CardhouseError, Rule, catalogue_of, find_game, game_names


def print_games() -> None:
    """Print each game's name, title and tagline, or why it can't be loaded."""
    rows = words.grid(12, None)
    for name in game_names():
        try:
            texts = catalogue_of(find_game(name)).words
            rows.add_row(Text(name, "bold"), f"{texts.title}. {texts.tagline}")
        except CardhouseError as error:
            rows.add_row(Text(name, "bold"), Text(error.message, "red"))
    words.console().print(rows)


def print_rules(game: str, id: str) -> None:
    """Print the rules of a game, or the one with this id.

    Raises CardhouseError if there is no such game or rule.
    """
    about = catalogue_of(find_game(game))
    rules = about.rules
    wanted = {key: rule for key, rule in rules.items() if key.lower() == id.lower()} if id else rules
    if not wanted:
        raise CardhouseError(f"{game} has no rule {id}; its rules are {', '.join(rules)}.")
    out = words.console()
    if about.words.original and not id:
        out.print(about.words.original)
    for key, rule in wanted.items():
        out.print(Text.assemble((f"{key:7}", "bold"), (rule.title, "bold")))
        for text in _texts(rule):
            out.print(Padding(text, (0, 0, 0, 7)))


def _texts(rule: Rule) -> list[str]:
    found = [rule.text]
    if rule.ruling:
        found.append(f"Ruling: {rule.ruling}")
    if rule.option:
        found.append(f"Option: {rule.option}")
    return found
