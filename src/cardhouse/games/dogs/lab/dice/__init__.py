"""The dice game that Dogs Play Cards, Too converts, for conflicts of two, to compare with the cards.

The source is silent on dice, so these rulings apply (also listed in docs/findings-dogs-dice.md):

DICE-1   A thing written in dice (`2d8`, `1d6+1d4`) has these dice, and in cards the mark of DV-5. A thing written by
         its mark has dice that DV-5 converts to it: the `usual` ones, the `fewest` or the `most`.
DICE-2   A Stat written in dice has these dice, and in cards the points of DV-5. Stats written in points have two d6 a
         point, the highest (the first of equals) one fewer: 9, 8 and 7 points are 17, 15 and 13 dice.
DICE-3   Both roll their dice for the arena's Stats (DV-9), in the open. The starter Raises, then they alternate.
DICE-4   Raise: two dice, which count as their sum, in the arena entered last. A player with fewer can't Raise.
DICE-5   See: any number of dice whose sum matches or beats the Raise. One die reverses the blow and is kept. Two Block.
         Three or more Take the Blow: as many fallout dice of the raiser's arena (d4, d6, d8, d10).
DICE-6   Played dice are gone. A die that reversed may be played in any later Raise or See, as a card may (DV-19).
DICE-7   A thing's dice are rolled once per conflict, with a Raise or See of its owner. Escalating, once per Raise or
         See, rolls the new arena's Stats that aren't rolled yet (DV-12). A desperate improvisation, once per Raise or
         See and as often per conflict as with cards (DV-11), rolls the dice of `-*`.
DICE-8   A player who can't See or can't Raise gives; the other wins.
DICE-9   All fallout dice are rolled at the end. The two highest together: up to 7 short-term, up to 11 long-term, up to
         15 injured, up to 19 mortally wounded, 20 dying. Without a blow there is no fallout.
DICE-10  A 1 among the fallout dice gives Experience, except to the dying (DV-27).
DICE-11  The injured roll their dice for Body. Unless the two highest together match or beat the fallout, they need
         healing, as the mortally wounded do (DV-29).
"""
