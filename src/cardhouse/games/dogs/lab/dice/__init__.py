"""The dice game that Dogs Play Cards, Too converts, as far as a conflict of two goes: to lay beside the cards.

Where the source says nothing of the dice we rule (docs/findings-dogs-dice.md has the rulings for people):

DICE-1   A thing written in dice (`2d8`, `1d6+1d4`) has these, and in cards the mark of DV-5. A thing written by its
         mark has the dice that DV-5 backwards allows: the `usual` ones, the `fewest` or the `most`.
DICE-2   A Stat written in dice has these, and the points of DV-5. Of Stats written in points each has two d6 a point,
         the highest (of equals the first) one less: 9, 8 and 7 points are 17, 15 and 13 dice.
DICE-3   Both roll their dice of the arena's Stats (DV-9), which lie open. The starter raises, then they alternate.
DICE-4   Raise: two dice, which count their sum, in the arena entered last. Who has fewer can't.
DICE-5   See: as many dice as one likes whose sum matches or beats the Raise. One: reversed, and the die is kept. Two:
         blocked. Three or more: the blow is taken, so many fallout dice of the raiser's arena: d4, d6, d8, d10.
DICE-6   Dice played are gone; one that reversed a blow may be played at any later Raise or See, as a card may (DV-19).
DICE-7   A thing's dice are rolled once a conflict, at a Raise or See of its owner's. Escalating, once a Raise or See,
         rolls the dice of the new arena's Stats that aren't rolled yet (DV-12). Something desperate, once a Raise or
         See and so often a conflict as with cards (DV-11), rolls the dice of `-*`.
DICE-8   Who can't See or can't Raise gives; the other wins.
DICE-9   Fallout: all fallout dice are rolled in the end. The two highest together: up to 7 short-term, to 11 long-term,
         to 15 injured, to 19 mortally wounded, 20 dying. Who took no blow has none.
DICE-10  A 1 among the fallout dice is experience, but for the dying (DV-27).
DICE-11  The injured roll their dice of Body: unless the two highest together match or beat the fallout, they need
         healing, as the mortally wounded do (DV-29).
"""
