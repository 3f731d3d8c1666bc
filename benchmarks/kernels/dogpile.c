/* Rounds of Dogpile by cautious players, written by hand: the standard deck and its jokers. See dogpile.py.

   The search is the kernel's: shapes grow from the Pack Leader, what can't become as good as the best is not grown, and
   a single joker is taken for each card it makes a difference to be. */

#include <string.h>

#include "chance.h"

#ifndef PLAYERS
#define PLAYERS 4
#endif
#ifndef HAND
#define HAND 5
#endif
#ifndef JOKERS
#define JOKERS 2
#endif

enum { PLAIN = 52, CARDS = PLAIN + JOKERS, EVERY = (1 << HAND) - 1 };
enum { STEP = 2 * HAND + 3, CELLS = STEP * STEP, CENTRE = (HAND + 1) * STEP + HAND + 1 };
enum { BITS = 2 * HAND * (HAND + 1) + 1, PLACES = 8, FAR = 1 << 30 };
_Static_assert(BITS <= 64, "a set of cells is one word");
enum { BESIDE, ABOVE };
enum { DOGS, PACK, LOST, LAID_BY };

static const int around[4] = {-STEP, -1, 1, STEP};
static const int way_of[4] = {BESIDE, ABOVE, ABOVE, BESIDE};

/* Cells that a hand can reach have a bit each in sets of cells, in the same order. */
static int cell_of[BITS], bit_of[CELLS];
static uint64_t taken[BITS], left_to[4][BITS], spoiling[16], beside, above, shut;
static uint8_t spoils[BITS], touch[CARDS][CARDS];
static uint64_t fits[2][PLAIN];

typedef struct {
    int bit, todo, left, spoiled, least, last;
    uint64_t edge, open, fit[PLACES];
} Level;

typedef struct {
    int card[HAND + 1], where[HAND + 1], after[HAND], like[HAND], fit[2][HAND + 1], near[HAND + 1];
    int8_t lies[CELLS];
    Level level[HAND + 2];
    int best[HAND], other[HAND], most, fewest;
    int giving[PLAIN + 1], together[PLAIN + 1];
    uint64_t can_be[HAND + 1];
} Desk;

static int is_beside(int a, int b) { return a % 13 - b % 13 == 1 || b % 13 - a % 13 == 1; }

static void tables(void) {
    static const int sides[4] = {STEP, -STEP, 1, -1};
    int bits = 0;
    memset(fits, 0, sizeof fits);
    memset(spoils, 0, sizeof spoils);
    memset(spoiling, 0, sizeof spoiling);
    for (int cell = 0; cell < CELLS; cell++) bit_of[cell] = -1;
    for (int x = -HAND; x <= HAND; x++)
        for (int y = -HAND; y <= HAND; y++)
            if ((x < 0 ? -x : x) + (y < 0 ? -y : y) <= HAND) {
                cell_of[bits] = CENTRE + x * STEP + y;
                bit_of[cell_of[bits]] = bits;
                bits++;
            }
    for (int bit = 0; bit < BITS; bit++) {
        uint64_t near[2] = {0, 0};
        for (int i = 0; i < 4; i++) {
            int other = bit_of[cell_of[bit] + around[i]];
            if (other >= 0) near[way_of[i]] |= 1ull << other;
        }
        taken[bit] = 1ull << bit | near[BESIDE] | near[ABOVE];
        for (int ways = 0; ways < 4; ways++)
            left_to[ways][bit] = ~(1ull << bit | (ways >> BESIDE & 1 ? 0 : near[BESIDE]) | (ways >> ABOVE & 1 ? 0 : near[ABOVE]));
        for (int side = 0; side < 4; side++)
            if (cell_of[bit] != CENTRE && taken[bit] >> bit_of[CENTRE + sides[side]] & 1) spoils[bit] |= 1 << side;
        if (cell_of[bit] == CENTRE) beside = near[BESIDE], above = near[ABOVE];
        for (int spoiled = 0; spoiled < 16; spoiled++)
            if (spoils[bit] & ~spoiled) spoiling[spoiled] |= 1ull << bit;
    }
    shut = 1ull << bit_of[CENTRE] | (BITS < 64 ? ~0ull << BITS : 0);
    for (int a = 0; a < CARDS; a++)
        for (int b = 0; b < CARDS; b++) {
            int wild = a >= PLAIN || b >= PLAIN;
            touch[a][b] = (wild || is_beside(a, b)) | (wild || a / 13 == b / 13) << 1;
        }
    for (int a = 0; a < PLAIN; a++)
        for (int b = 0; b < PLAIN; b++) {
            if (is_beside(a, b)) fits[BESIDE][a] |= 1ull << b;
            if (a / 13 == b / 13) fits[ABOVE][a] |= 1ull << b;
        }
}

static inline int low(int set) { return __builtin_ctz(set); }
static inline int many(int set) { return __builtin_popcount(set); }

static inline int linked(const Desk *d, int some, int through) {
    int found = some, todo = some;
    while (todo && found != through) {
        int new = d->near[low(todo)] & through & ~found;
        found |= new;
        todo = (todo & (todo - 1)) | new;
    }
    return found;
}

static inline void note_near(Desk *d) {
    for (int i = 0; i <= HAND; i++) d->near[i] = d->fit[BESIDE][i] | d->fit[ABOVE][i];
}

static int compared(Desk *d) {
    int wild = 0;
    for (int i = 0; i <= HAND; i++) {
        d->fit[BESIDE][i] = d->fit[ABOVE][i] = 0;
        wild |= (d->card[i] >= PLAIN) << i;
    }
    for (int i = 0; i < HAND; i++)
        for (int j = i + 1; j <= HAND; j++)
            for (int way = 0; way < 2; way++)
                if (touch[d->card[i]][d->card[j]] >> way & 1) {
                    d->fit[way][j] |= 1 << i;
                    if (j < HAND) d->fit[way][i] |= 1 << j;
                }
    note_near(d);
    return wild;
}

static int givings(Desk *d, int wild) {
    int count = 0, touching[PLAIN] = {0};
    for (int i = 0; i <= HAND; i++)
        for (int way = 0; i != wild && way < 2; way++)
            for (uint64_t kinds = fits[way][d->card[i]]; kinds; kinds &= kinds - 1)
                touching[__builtin_ctzll(kinds)] |= 1 << (i + 11 * way);
    for (int kind = 0; kind < PLAIN; kind++) {
        int touches = touching[kind], less = !touches, kept = 0;
        for (int i = 0; i < count; i++) less |= !(touches & ~d->giving[i]);
        if (less) continue;
        for (int i = 0; i < count; i++)
            if (d->giving[i] & ~touches) d->giving[kept++] = d->giving[i];
        d->giving[kept] = touches;
        count = kept + 1;
    }
    return count;
}

static void give(Desk *d, int wild, int touches) {
    int bit = wild < HAND ? 1 << wild : 0;
    for (int way = 0; way < 2; way++) {
        for (int i = 0; i <= HAND; i++)
            if (i != wild) d->fit[way][i] = (d->fit[way][i] & ~bit) | (touches >> i & 1 ? bit : 0);
        d->fit[way][wild] = touches & EVERY;
        touches >>= 11;
    }
    note_near(d);
}

static int alike(Desk *d, int hand, int wild) {
    int first = 0;
    for (int some = hand; some; some &= some - 1) {
        int card = low(some), same = 0;
        d->like[card] = card;
        d->after[card] = 0;
        for (int others = hand & ((1 << card) - 1); others && !same;) {
            int other = 31 - __builtin_clz(others), both = ~(1 << card | 1 << other);
            others ^= 1 << other;
            if (wild)
                same = d->card[card] >= PLAIN && d->card[other] >= PLAIN;
            else
                same = !((d->fit[0][card] ^ d->fit[0][other]) & both) && !((d->fit[1][card] ^ d->fit[1][other]) & both) &&
                       !((d->fit[0][HAND] >> card ^ d->fit[0][HAND] >> other) & 1) &&
                       !((d->fit[1][HAND] >> card ^ d->fit[1][HAND] >> other) & 1);
            if (same) {
                d->like[card] = d->like[other];
                d->after[other] = 1 << card;
            }
        }
        if (!same) first |= 1 << card;
    }
    return first;
}

/* Whether the two jokers can be something. */
static int settled(Desk *d, int wild) {
    int there = 0;
    for (int i = 0; i <= HAND; i++) {
        if (!(wild >> i & 1) || d->lies[d->where[i]] != i) continue;
        there |= 1 << i;
        d->can_be[i] = (1ull << PLAIN) - 1;
        for (int side = 0; side < 4; side++) {
            int other = d->lies[d->where[i] + around[side]];
            if (other >= 0 && !(wild >> other & 1)) d->can_be[i] &= fits[way_of[side]][d->card[other]];
        }
        if (!d->can_be[i]) return 0;
    }
    if (!(there & (there - 1))) return 1;
    int a = low(there), b = low(there & (there - 1));
    for (int side = 0; side < 4; side++)
        if (d->where[a] + around[side] == d->where[b]) {
            for (uint64_t kinds = d->can_be[a]; kinds; kinds &= kinds - 1)
                if (fits[way_of[side]][__builtin_ctzll(kinds)] & d->can_be[b]) return 1;
            return 0;
        }
    return 1;
}

static int may_lie(Desk *d, int cell, int wild) {
    int touched = 1 << d->lies[cell];
    for (int side = 0; side < 4; side++)
        if (d->lies[cell + around[side]] >= 0) touched |= 1 << d->lies[cell + around[side]];
    return !(touched & wild) || settled(d, wild);
}

/* Cells with the cards on them: 16 * cell + card. */
static void shape(Desk *d, int laid) {
    int count = 0;
    for (; laid; laid &= laid - 1) {
        int card = low(laid), both = d->where[card] * 16 + card, at = count++;
        for (; at && d->other[at - 1] > both; at--) d->other[at] = d->other[at - 1];
        d->other[at] = both;
    }
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count; j++) {
            int one = d->other[i] % 16, two = d->other[j] % 16;
            if (two < one && d->like[one] == d->like[two]) {
                d->other[i] += two - one;
                d->other[j] += one - two;
            }
        }
}

static int is_before(const Desk *d, int laid) {
    for (int i = 0; i < laid; i++)
        if (d->other[i] != d->best[i]) return d->other[i] < d->best[i];
    return 0;
}

static inline int reach(const Desk *d, int more, int unused) {
    int pairs = 0;
    for (int left = unused; left; left &= left - 1) pairs += many(d->fit[BESIDE][low(left)] & unused);
    int steps = pairs / 2 < more ? pairs / 2 : more;
    return steps * (STEP - 1) + more;
}

static inline void lay(const Desk *d, const Level *now, Level *next, int card, int bit, int unused) {
    memset(next->fit, 0, sizeof next->fit);
    for (int left = unused; left; left &= left - 1) {
        int other = low(left), ways = (d->fit[BESIDE][card] >> other & 1) << BESIDE | (d->fit[ABOVE][card] >> other & 1) << ABOVE;
        next->fit[other] = now->fit[other] & left_to[ways][bit];
    }
    next->edge = (now->edge | taken[bit]) & now->open;
    next->open = now->open;
}

static inline int is_hopeless(const Desk *d, const Level *now, int laid, int fitting, int unused, uint64_t cells) {
    int bound = laid + many(linked(d, fitting, unused));
    if (bound != d->most) return bound < d->most;
    uint64_t sound = cells & ~spoiling[now->spoiled];
    int sides = many(now->spoiled) + !sound;
    if (sides != d->fewest || now->least <= d->best[0]) return sides > d->fewest;
    int first = cell_of[__builtin_ctzll(sound ? sound : cells)];
    return (first - reach(d, bound - laid - 1, unused)) * 16 > d->best[0];
}

static inline int go_on(const Desk *d, Level *now, int laid, int unused) {
    uint64_t cells = 0;
    int fitting = 0;
    for (int i = 0; i < PLACES; i++) {
        uint64_t here = now->fit[i] & now->edge;
        cells |= here;
        fitting |= (here != 0) << i;
    }
    if (!fitting || is_hopeless(d, now, laid, fitting, unused, cells)) return 0;
    uint64_t bit = cells & -cells;
    for (int i = fitting = 0; i < PLACES; i++) fitting |= ((now->fit[i] & bit) != 0) << i;
    now->edge ^= bit;
    now->open &= ~bit;
    now->bit = __builtin_ctzll(bit);
    now->todo = fitting & now->left;
    return 1;
}

static void compare(Desk *d, int laid, int cards, int sides, int least) {
    int more = laid > d->most || sides < d->fewest;
    if (!more && (sides > d->fewest || least > d->best[0])) return;
    shape(d, cards);
    if (more || is_before(d, laid)) {
        d->most = laid;
        d->fewest = sides;
        memcpy(d->best, d->other, sizeof d->best);
    }
}

static void grow(Desk *d, uint64_t closed, int hand, int wild, int spoiled) {
    int laid = 0, unused = hand;
    Level *now = d->level + 1;
    for (int i = 0; i < PLACES; i++) d->level->fit[i] = hand >> i & 1 ? ~closed : 0;
    d->level->edge = 0, d->level->open = ~closed;
    now->todo = 0, now->left = alike(d, hand, wild), now->spoiled = spoiled, now->least = FAR;
    lay(d, d->level, now, HAND, bit_of[CENTRE], hand);
    for (;;) {
        if (!now->todo) {
            if (go_on(d, now, laid, unused)) continue;
            if (!laid) return;
            if (laid >= d->most) compare(d, laid, hand & ~unused, many(now->spoiled), now->least);
            laid--, now--;
            unused |= 1 << now->last;
            if (wild) d->lies[d->where[now->last]] = -1;
            continue;
        }
        int card = low(now->todo), cell = cell_of[now->bit], both = cell * 16 + d->like[card];
        now->todo &= now->todo - 1;
        d->where[card] = cell;
        if (wild) {
            d->lies[cell] = card;
            if (!may_lie(d, cell, wild)) {
                d->lies[cell] = -1;
                continue;
            }
        }
        unused ^= 1 << card;
        now->last = card;
        laid++;
        lay(d, now, now + 1, card, now->bit, unused);
        now[1].todo = 0;
        now[1].left = (now->left & ~(1 << card)) | d->after[card];
        now[1].spoiled = now->spoiled | spoils[now->bit];
        now[1].least = now->least < both ? now->least : both;
        now++;
    }
}

static int largest(Desk *d, uint64_t closed, int spoiled) {
    int wild = compared(d), only = many(wild) == 1, count = only ? givings(d, low(wild)) : 1, most = 0;
    d->most = 0, d->fewest = FAR;
    for (int i = 0; i < count; i++) {
        if (only) give(d, low(wild), d->giving[i]);
        d->together[i] = linked(d, (beside & ~closed ? d->fit[BESIDE][HAND] : 0) | (above & ~closed ? d->fit[ABOVE][HAND] : 0), EVERY);
        if (many(d->together[i]) > most) most = many(d->together[i]);
    }
    if (wild && !only) {
        memset(d->lies, -1, sizeof d->lies);
        d->lies[CENTRE] = HAND;
        d->where[HAND] = CENTRE;
    }
    for (int bound = most; bound && bound >= d->most; bound--)
        for (int i = 0; i < count; i++)
            if (many(d->together[i]) == bound) {
                if (only) give(d, low(wild), d->giving[i]);
                grow(d, closed, d->together[i], only ? 0 : wild, spoiled);
            }
    return d->most;
}

void trials(int64_t n, uint64_t seed, int64_t *sums) {
    static Desk desk;
    tables();
    sow(seed);
    for (int64_t trial = 0; trial < n; trial++) {
        uint8_t deck[CARDS];
        uint64_t closed = shut;
        int hands[PLAYERS][HAND], left = CARDS, pack = 1, spoiled = 0, leader = 0;
        for (int i = 0; i < CARDS; i++) deck[i] = i;
        for (int i = 0; i <= PLAYERS * HAND; i++) {
            uint32_t at = below(left--);
            uint8_t card = deck[at];
            deck[at] = deck[left];
            if (i == PLAYERS * HAND) {
                leader = card;
                break;
            }
            int *hand = hands[i / HAND], place = i % HAND;
            for (; place && hand[place - 1] > card; place--) hand[place] = hand[place - 1];
            hand[place] = card;
        }
        for (int player = 0; player < PLAYERS; player++) {
            memcpy(desk.card, hands[player], sizeof hands[player]);
            desk.card[HAND] = leader;
            int laid = pack > 1 && leader >= PLAIN ? 0 : largest(&desk, closed, spoiled);
            if (!laid) break;
            sums[LAID_BY + player] += laid;
            pack += laid;
            for (int i = 0; i < laid; i++) {
                int bit = bit_of[desk.best[i] / 16];
                spoiled |= spoils[bit];
                closed |= taken[bit];
            }
        }
        sums[DOGS] += pack > 1 ? pack : 0;
        sums[PACK] += pack;
        sums[LOST] += pack == 1;
    }
}
