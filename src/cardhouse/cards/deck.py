"""A deck whose cards don't exist until they are drawn."""

from collections.abc import Iterable

import msgspec

from cardhouse.cards.card import Card, in_order


class Deck(msgspec.Struct):
    """The knowledge about a face-down deck: cards known on top, an unordered middle, cards known at the bottom.

    The order of the middle isn't decided before a card is drawn from it, so nobody can know it, and the chance of each
    of its cards to be next is exactly one in `len(deck.loose)`.

    `top[0]` is the next card, `bottom[-1]` the last. `loose` is kept in canonical order. `face_down` of its cards have
    been drawn without being looked at: they are no longer in the deck, and nobody knows which of `loose` they are.
    """

    top: list[Card] = []
    loose: list[Card] = []
    bottom: list[Card] = []
    face_down: int = 0

    @classmethod
    def of(cls, cards: Iterable[Card]) -> "Deck":
        """Return a shuffled deck of these cards."""
        return cls(loose=in_order(cards))

    def __len__(self) -> int:
        return len(self.top) + len(self.loose) + len(self.bottom) - self.face_down

    def __contains__(self, card: Card) -> bool:
        return card in self.loose or card in self.top or card in self.bottom

    def cards(self) -> list[Card]:
        """Return all cards of the deck; those whose place is unknown in canonical order."""
        return [*self.top, *self.loose, *self.bottom]

    def known_next(self) -> Card | None:
        """Return the next card, if its place is known."""
        if self.top:
            return self.top[0]
        if not self.loose and self.bottom:
            return self.bottom[0]
        return None

    def could_be_next(self) -> list[Card]:
        """Return the cards that may be drawn next, each equally likely."""
        known = self.known_next()
        return self.loose if known is None else [known]

    def take(self, card: Card) -> None:
        """Take a card out, wherever it is.

        Raises ValueError if it isn't in the deck.
        """
        for part in (self.top, self.loose, self.bottom):
            if card in part:
                part.remove(card)
                return
        raise ValueError(f"{card} is not in the deck")

    def add(self, *cards: Card) -> None:
        """Shuffle cards into the unordered middle, below the cards known on top and above those known at the bottom."""
        self.loose = in_order([*self.loose, *cards])

    def put_on_bottom(self, card: Card) -> None:
        """Put a card that has been seen under all others."""
        self.bottom.append(card)

    def put_on_top(self, card: Card) -> None:
        """Put a card that has been seen above all others."""
        self.top.insert(0, card)

    def shuffle(self) -> None:
        """Forget every known place."""
        self.loose = in_order(self.cards())
        self.top = []
        self.bottom = []
