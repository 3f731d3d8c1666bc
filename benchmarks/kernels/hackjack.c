/* How deadly is Hackjack, written by hand: 8 HP, 1d8 a hit, 10 hits, blood never held back, a deck of one's own. See
   hackjack.py. */

#include "cards.h"

enum { DIED, RESET, FELL, SURVIVED, TRAUMA, WEEKS, BLED, HOW, LIVES_ON, FOR_GOOD, HINDERS, DEALT, SHUFFLES };

static const struct {
    int dice, sides, days;
} recovery[7] = {{0, 0, 0}, {2, 6, 1}, {1, 6, 7}, {2, 6, 7}, {1, 6, 30}, {2, 6, 30}, {3, 6, 30}};

/* Not to be compiled for these very settings: the kernel takes any, too. */
__attribute__((noipa)) static void fights(
    int64_t n, const Wound *wounds, int hp, int dice, int sides, int hits, int limit, int massive, int64_t *sums) {
    for (int64_t trial = 0; trial < n; trial++) {
        Person who;
        open_deck();
        join(&who, hp);
        int taken = 0, fell = 0, reset = 0, how = LIVES;
        while (taken < hits && who.alive) {
            taken++;
            how = hit(&who, wounds, roll(dice, sides), limit, massive);
            if (who.down && !fell) fell = taken;
            if (who.resets && !reset) reset = taken;
        }
        int worst = who.trauma;
        int days = who.alive ? roll(recovery[worst].dice, recovery[worst].sides) * recovery[worst].days : 0;
        sums[DIED] += who.alive ? 0 : taken;
        sums[RESET] += reset;
        sums[FELL] += fell;
        sums[SURVIVED] += fell ? taken - fell + who.alive : 41;
        sums[TRAUMA] += who.alive ? who.trauma : 7;
        sums[WEEKS] += who.alive ? (days + 3) / 7 : 79;
        sums[BLED] += who.bled < 99 ? who.bled : 99;
        sums[HOW] += how;
        sums[LIVES_ON] += fell && who.alive;
        sums[FOR_GOOD] += !who.alive ? 41 : who.stays < 40 ? who.stays : 40;
        sums[HINDERS] += !who.alive ? 41 : who.hinders < 40 ? who.hinders : 40;
        sums[DEALT] += pack.dealt;
        sums[SHUFFLES] += pack.shuffles;
    }
}

void trials(int64_t n, uint64_t seed, int64_t *sums) {
    sow(seed);
    fights(n, standard, 8, 1, 8, 10, 21, 13, sums);
}
