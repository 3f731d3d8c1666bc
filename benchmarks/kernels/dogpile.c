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
enum { BESIDE, ABOVE };
enum { DOGS, PACK, LOST, LAID_BY };

static const int around[4] = {-STEP, -1, 1, STEP};
static const int way_of[4] = {BESIDE, ABOVE, ABOVE, BESIDE};

static uint8_t outside[CELLS], spoils[CELLS], touch[CARDS][CARDS];
static uint64_t fits[2][PLAIN];

typedef struct {
    int at, end, todo, left, spoiled, least, last, old[4];
} Level;

typedef struct {
    int card[HAND + 1], where[HAND + 1], after[HAND], like[HAND], fit[2][HAND + 1], near[HAND + 1];
    int16_t open[CELLS], edge[CELLS];
    int8_t lies[CELLS], seen[CELLS];
    int fitting[HAND + 1][64], best_cell[HAND + 1][64];
    Level level[HAND + 1];
    int best[HAND], other[HAND], most, fewest;
    int giving[PLAIN + 1], together[PLAIN + 1];
    uint64_t can_be[HAND + 1];
} Desk;

static int is_beside(int a, int b) { return a % 13 - b % 13 == 1 || b % 13 - a % 13 == 1; }

static void tables(void) {
    static const int sides[4] = {STEP, -STEP, 1, -1};
    memset(outside, 1, sizeof outside);
    memset(spoils, 0, sizeof spoils);
    memset(fits, 0, sizeof fits);
    for (int x = -HAND; x <= HAND; x++)
        for (int y = -HAND; y <= HAND; y++) {
            int far = (x < 0 ? -x : x) + (y < 0 ? -y : y);
            if (far && far <= HAND) outside[CENTRE + x * STEP + y] = 0;
        }
    for (int side = 0; side < 4; side++) {
        spoils[CENTRE + sides[side]] |= 1 << side;
        for (int i = 0; i < 4; i++)
            if (sides[side] + around[i]) spoils[CENTRE + sides[side] + around[i]] |= 1 << side;
    }
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

/* The cell on which a card lies best: so many spoiled sides times 4096, and the cell. */
static inline void look_ahead(Desk *d, int laid, int begin, int end, int unused, int spoiled) {
    int fitting = 0, best = 1 << 20;
    for (int i = end - 1; i >= begin; i--) {
        int cell = d->edge[i], there = d->open[cell] & unused, key = many(spoiled | spoils[cell]) * 4096 + cell;
        fitting |= there;
        if (there && key < best) best = key;
        d->fitting[laid][i] = fitting;
        d->best_cell[laid][i] = best;
    }
}

static inline int reach(const Desk *d, int more, int unused) {
    int pairs = 0;
    for (int left = unused; left; left &= left - 1) pairs += many(d->fit[BESIDE][low(left)] & unused);
    int steps = pairs / 2 < more ? pairs / 2 : more;
    return steps * (STEP - 1) + more;
}

static void grow(Desk *d, const uint8_t *closed, int hand, int wild, int spoiled) {
    int first = alike(d, hand, wild), end = 0, laid = 0, unused = hand;
    Level *now = d->level;
    for (int side = 0; side < 4; side++) {
        int cell = CENTRE + around[side];
        if (closed[cell]) continue;
        d->open[cell] = d->fit[way_of[side]][HAND];
        d->seen[cell] = 1;
        if (d->open[cell]) d->edge[end++] = cell;
    }
    now->at = -1, now->end = end, now->todo = 0, now->left = first, now->spoiled = spoiled, now->least = 1 << 30;
    look_ahead(d, 0, 0, end, unused, spoiled);
    for (;;) {
        if (!now->todo) {
            int at = now->at + 1;
            if (at < now->end) {
                int bound = laid + many(linked(d, d->fitting[laid][at], unused)), hopeless = bound < d->most;
                if (bound == d->most) {
                    int key = d->best_cell[laid][at], sides = key / 4096;
                    int least = (key % 4096 - reach(d, bound - laid - 1, unused)) * 16;
                    if (now->least < least) least = now->least;
                    hopeless = sides > d->fewest || (sides == d->fewest && least > d->best[0]);
                }
                if (!hopeless) {
                    now->at = at;
                    now->todo = d->open[d->edge[at]] & now->left;
                    continue;
                }
            }
            if (!laid) return;
            int count = many(now->spoiled);
            if (laid > d->most || (laid == d->most && (count < d->fewest || (count == d->fewest && now->least <= d->best[0])))) {
                shape(d, hand & ~unused);
                if (laid > d->most || count < d->fewest || is_before(d, laid)) {
                    d->most = laid;
                    d->fewest = count;
                    memcpy(d->best, d->other, sizeof d->best);
                }
            }
            for (int i = now[-1].end; i < now->end; i++) d->seen[d->edge[i]] = 0;
            laid--, now--;
            int cell = d->edge[now->at];
            for (int side = 0; side < 4; side++) d->open[cell + around[side]] = now->old[side];
            d->lies[cell] = -1;
            unused |= 1 << now->last;
            continue;
        }
        int card = low(now->todo), cell = d->edge[now->at];
        now->todo &= now->todo - 1;
        d->lies[cell] = card;
        d->where[card] = cell;
        if (wild && !may_lie(d, cell, wild)) {
            d->lies[cell] = -1;
            continue;
        }
        int sides = now->spoiled | spoils[cell], both = cell * 16 + d->like[card], least = now->least < both ? now->least : both;
        unused ^= 1 << card;
        laid++;
        now->last = card;
        end = now->end;
        for (int side = 0; side < 4; side++) {
            int other = cell + around[side];
            now->old[side] = d->open[other];
            d->open[other] &= d->fit[way_of[side]][card];
            if (!d->seen[other] && d->open[other] & unused) {
                d->seen[other] = 1;
                d->edge[end++] = other;
            }
        }
        now[1].at = now->at, now[1].end = end, now[1].todo = 0;
        now[1].left = (now->left & ~(1 << card)) | d->after[card];
        now[1].spoiled = sides, now[1].least = least;
        now++;
        look_ahead(d, laid, now->at + 1, end, unused, sides);
    }
}

static int largest(Desk *d, const uint8_t *closed, int spoiled) {
    int room[2] = {!(closed[CENTRE - STEP] && closed[CENTRE + STEP]), !(closed[CENTRE - 1] && closed[CENTRE + 1])};
    int wild = compared(d), only = many(wild) == 1, count = only ? givings(d, low(wild)) : 1, most = 0;
    d->most = 0, d->fewest = 1 << 30;
    for (int i = 0; i < count; i++) {
        if (only) give(d, low(wild), d->giving[i]);
        d->together[i] = linked(d, (room[BESIDE] ? d->fit[BESIDE][HAND] : 0) | (room[ABOVE] ? d->fit[ABOVE][HAND] : 0), EVERY);
        if (many(d->together[i]) > most) most = many(d->together[i]);
    }
    if (!most) return 0;
    for (int cell = 0; cell < CELLS; cell++) {
        d->lies[cell] = -1;
        d->open[cell] = closed[cell] ? 0 : EVERY;
        d->seen[cell] = closed[cell];
    }
    d->lies[CENTRE] = HAND;
    d->where[HAND] = CENTRE;
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
        uint8_t deck[CARDS], closed[CELLS];
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
        memcpy(closed, outside, sizeof closed);
        for (int player = 0; player < PLAYERS; player++) {
            memcpy(desk.card, hands[player], sizeof hands[player]);
            desk.card[HAND] = leader;
            int laid = pack > 1 && leader >= PLAIN ? 0 : largest(&desk, closed, spoiled);
            if (!laid) break;
            sums[LAID_BY + player] += laid;
            pack += laid;
            for (int i = 0; i < laid; i++) {
                int cell = desk.best[i] / 16;
                spoiled |= spoils[cell];
                closed[cell] = 1;
                for (int side = 0; side < 4; side++) closed[cell + around[side]] = 1;
            }
        }
        sums[DOGS] += pack > 1 ? pack : 0;
        sums[PACK] += pack;
        sums[LOST] += pack == 1;
    }
}
