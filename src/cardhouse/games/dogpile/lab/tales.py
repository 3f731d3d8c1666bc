"""The results of Dogpile's questions as stories for players."""

from __future__ import annotations

from collections.abc import Mapping

from cardhouse.cards import Card
from cardhouse.lab.questions.answer import (
    MOST_COLUMNS,
    Bar,
    Picture,
    Tale,
    Values,
    counted,
    in_two_digits,
    knows,
    listed,
    or_else,
    percent,
    two_digits,
)
from cardhouse.lab.words.labels import capital

AS_HARD = 0.02
"""Cards whose chances differ by less count as equally hard."""
OF_SUIT = " of "


def silence_tale(values: Values, players: int, most: int) -> Tale | None:
    """Return the story of the pack that a silent team builds. `most` is the maximum number of dogs."""
    laid = [f"laid_{number}" for number in range(1, players + 1)]
    if not knows(values, "dogs", "lost", *laid):
        return None
    bars = [
        Bar(f"Player {number}", values[key], two_digits(values[key]), number == 1, key)
        for number, key in enumerate(laid, 1)
    ]
    return Tale(
        f"In silence, {two_digits(values['dogs'])} of {most} dogs join.",
        f"That is the average of a round with {counted(players, 'player')}, who lose the whole pack in "
        f"{percent(values['lost'])} of rounds.",
        Picture("Cards each player lays", "In the order in which they lay.", bars=bars),
    )


def ceiling_tale(values: Values) -> Tale | None:
    """Return the story of the best possible pack and the one that was built."""
    if not knows(values, "could", "dogs", "left", "all"):
        return None
    could, dogs = in_two_digits(values["could"], values["dogs"])
    bars = [
        Bar("With open hands", values["could"], could, key="could"),
        Bar("In silence", values["dogs"], dogs, bright=True, key="dogs"),
    ]
    alike = f"In silence {dogs} dogs join, and no more could."
    return Tale(
        alike if could == dogs else f"With open hands {could} dogs could join; in silence {dogs} do.",
        f"In {percent(values['all'])} of rounds every card could have been laid.",
        Picture("Dogs that join in a round", bars=bars),
    )


def hard_cards_tale(values: Values, names: Mapping[Card, str]) -> Tale | None:
    """Return the story of the cards that are hard to place, by rank if the deck has suits."""
    keys: dict[str, list[str]] = {}
    for card, name in names.items():
        if f"laid_{card}" in values:
            keys.setdefault(name.partition(OF_SUIT)[0], []).append(f"laid_{card}")
    if not keys:
        return None
    means = {name: sum(values[key] for key in some) / len(some) for name, some in keys.items()}
    lows, highs = (
        {name: sum(values.ends(key)[end] for key in some) / len(some) for name, some in keys.items()} for end in (0, 1)
    )
    least, easiest = min(means.values()), max(means, key=means.__getitem__)
    surely = min(highs.values())
    hard = [name for name, chance in means.items() if chance - least < AS_HARD or lows[name] <= surely]
    if len(hard) > len(means) / 2:
        sentence = f"No card is clearly harder to place than most others ({percent(least)})."
    else:
        named = [f"{name.lower()}s" if len(keys[name]) > 1 else f"the {name.lower()}" for name in hard]
        are = "is" if len(hard) == 1 and len(keys[hard[0]]) == 1 else "are"
        sentence = f"{capital(listed(named))} {are} the hardest to place ({percent(least)})."
    hardest = sorted(means, key=means.__getitem__)[:MOST_COLUMNS]
    shown = [name for name in means if len(means) <= MOST_COLUMNS + 3 or name in hardest]
    bars = [Bar(name, means[name], percent(means[name]), name in hard) for name in shown]
    return Tale(
        sentence,
        f"This is the share laid by players who hold them and have a turn. The easiest to place: {easiest.lower()} "
        f"({percent(means[easiest])}).",
        Picture("Share of cards in hand that are laid", bars=bars),
    )


def games_tale(values: Values, most: int) -> Tale | None:
    """Return the story of how well bots play. `most` is the maximum number of dogs in a round."""
    if not knows(values, "dogs", "lost", "score", "rounds"):
        return None
    lost = values["lost"]
    return Tale(
        f"The bots place {two_digits(values['dogs'])} dogs a round and lose {percent(lost)} of packs.",
        f"At most {most} dogs can join in a round. After {two_digits(values['rounds'])} rounds "
        f"{two_digits(values['score'])} are in the Dogpile.",
        or_else("A hundred packs", "joins", "lost", 1 - lost, ("card", "stone")),
    )
