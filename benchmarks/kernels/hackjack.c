/* How deadly is Hackjack, written by hand: 8 HP, 1d8 a hit, 10 hits, blood never held back, a deck of one's own. See
   hackjack.py. Cards stand suit by suit, clubs, diamonds, hearts, spades, ace to king. */

#include <stdint.h>
#include <string.h>

enum { CARDS = 52, NONE = -1, MOST = 64 };
enum { OWN, CHOOSE, BOTH, ANOTHER, PEEK, AGAIN, FIRST_CARD, RED_CARDS, CHRONIC };
enum { DIED, RESET, FELL, SURVIVED, TRAUMA, WEEKS, BLED, HOW };
enum { LIVES, OUTRIGHT, MASSIVE, BLED_OUT, BY_CARDS };
enum { LET_BLOOD = 1, LET_TRAUMA = 2, LET_VALUE = 4, LET_ALL = 7, SUM = 256, LOWER = 512 };

typedef struct {
    int8_t bends, blood, dice, sides, trauma, found[2]; /* `found`: other dice that are rolled for it */
} Wound;

static const Wound standard[CARDS] = {
    {0}, {0}, {0}, {.trauma = 1}, {.trauma = 1}, {.blood = 1}, {.bends = CHOOSE}, {.blood = 2}, {.bends = CHRONIC},
    {.dice = 1, .sides = 4}, {.bends = BOTH}, {.bends = FIRST_CARD}, {.blood = 2, .trauma = 3},
    {0}, {0}, {.blood = 1, .found = {10}}, {0}, {.blood = 1, .trauma = 1}, {0}, {0}, {0}, {.trauma = 1},
    {.blood = 1, .trauma = 1}, {.blood = 1, .trauma = 1}, {0}, {.trauma = 4},
    {.bends = PEEK}, {0}, {.found = {12}}, {0}, {0}, {.bends = AGAIN}, {.trauma = 1}, {.blood = 2, .trauma = 3},
    {.trauma = 2}, {.bends = RED_CARDS, .trauma = 3}, {.dice = 1, .sides = 6, .trauma = 1}, {.blood = 1, .trauma = 4},
    {.blood = 6, .trauma = 6},
    {0}, {.blood = 1}, {.trauma = 3, .found = {2}}, {.trauma = 1, .found = {4, 4}}, {.trauma = 3, .found = {2}},
    {.trauma = 3}, {.trauma = 2, .found = {2}}, {0}, {.dice = 2, .sides = 6, .trauma = 4}, {.trauma = 4},
    {.blood = 3, .trauma = 2, .found = {4, 4}}, {.bends = ANOTHER, .trauma = 4}, {.blood = 6, .trauma = 5},
};

static const struct {
    int dice, sides, days;
} recovery[7] = {{0, 0, 0}, {2, 6, 1}, {1, 6, 7}, {2, 6, 7}, {1, 6, 30}, {2, 6, 30}, {3, 6, 30}};

/* xoshiro256++, Blackman and Vigna; written anew. */
static uint64_t s[4];

static inline uint64_t turned(uint64_t x, int by) { return (x << by) | (x >> (64 - by)); }

static inline uint64_t any(void) {
    uint64_t result = turned(s[0] + s[3], 23) + s[0], t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = turned(s[3], 45);
    return result;
}

static inline uint32_t below(uint32_t n) {
    uint64_t product = (any() >> 32) * n;
    if ((uint32_t)product < n) {
        uint32_t least = -n % n;
        while ((uint32_t)product < least) product = (any() >> 32) * n;
    }
    return product >> 32;
}

static inline int roll(int dice, int sides) {
    int total = 0;
    for (int i = 0; i < dice; i++) total += below(sides) + 1;
    return total;
}

static void sow(uint64_t seed) {
    for (int i = 0; i < 4; i++) {
        uint64_t z = seed += 0x9E3779B97F4A7C15u;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        s[i] = z ^ (z >> 31);
    }
}

typedef struct {
    uint8_t deck[CARDS];
    int left, top, hp, down, alive, score, blood, bled, trauma, drawn, ribs, chronic, lingering, last, written, too_long;
    uint64_t discard, pile, beside;
    uint16_t suffered[MOST], again[MOST];
} Fight;

typedef struct {
    int blood, trauma;
} Harm;

static inline int value_of(int card) {
    int number = card % 13 + 1;
    return number < 10 ? number : 10;
}

static inline void bleed(Fight *f, int blood) {
    f->blood += blood;
    f->bled += blood;
}

static inline int next_card(Fight *f) {
    int card = f->top;
    if (card != NONE) {
        f->top = NONE;
        return card;
    }
    if (!f->left) {
        for (int c = 0; c < CARDS; c++)
            if (f->discard >> c & 1) f->deck[f->left++] = c;
        f->discard = 0;
        if (!f->left) return NONE;
    }
    uint32_t at = below(f->left--);
    card = f->deck[at];
    f->deck[at] = f->deck[f->left];
    return card;
}

static inline int draw(Fight *f) {
    int card = next_card(f);
    if (card != NONE && card >= 13 && card < 39) bleed(f, f->ribs);
    return card;
}

static int draw_beside(Fight *f) {
    int card = draw(f);
    if (card != NONE) f->beside |= 1ull << card;
    return card;
}

static inline Harm own_wound(Fight *f, const Wound *wounds, int card, int let) {
    const Wound *w = &wounds[card];
    for (int i = 0; i < 2; i++)
        if (w->found[i]) roll(1, w->found[i]);
    f->ribs += w->bends == RED_CARDS;
    f->chronic += w->bends == CHRONIC;
    f->lingering += w->bends == FIRST_CARD;
    return (Harm){let & LET_BLOOD ? w->blood + roll(w->dice, w->sides) : 0, let & LET_TRAUMA ? w->trauma : 0};
}

static void write(Fight *f, int suffered) {
    if (f->written < MOST)
        f->suffered[f->written++] = suffered;
    else
        f->too_long = 1;
}

static inline Harm lower_of(Harm a, Harm b) {
    return (Harm){a.blood < b.blood ? a.blood : b.blood, a.trauma < b.trauma ? a.trauma : b.trauma};
}

static inline Harm sum_of(Harm a, Harm b) {
    return (Harm){a.blood + b.blood, a.trauma > b.trauma ? a.trauma : b.trauma};
}

static Harm suffer_again(Fight *f, const Wound *wounds, int begin, int end) {
    Harm harms[MOST + 1] = {{0, 0}};
    int depth = 0;
    for (int i = begin; i < end; i++) {
        int what = f->suffered[i];
        if (what < SUM) {
            harms[depth++] = own_wound(f, wounds, what / 4, what % 4);
            if (wounds[what / 4].bends == PEEK) f->top = next_card(f);
            continue;
        }
        int parts = what % 256;
        depth -= parts;
        Harm all = {0, 0};
        if (what < LOWER)
            for (int p = 0; p < parts; p++) all = sum_of(all, harms[depth + p]);
        else if (parts == 2)
            all = lower_of(harms[depth], harms[depth + 1]);
        harms[depth++] = all;
    }
    return harms[0];
}

static Harm suffer(Fight *f, const Wound *wounds, int card, int let) {
    int begin = f->written, bends = wounds[card].bends, within = let & ~LET_VALUE;
    Harm harm = {0, 0};
    if (bends == CHOOSE) {
        int one = draw_beside(f);
        draw_beside(f);
        if (one != NONE)
            harm = suffer(f, wounds, one, within);
        else
            write(f, SUM);
    } else if (bends == BOTH) {
        int one = draw_beside(f), two = draw_beside(f);
        if (one != NONE) harm = suffer(f, wounds, one, within);
        harm = two != NONE ? lower_of(harm, suffer(f, wounds, two, within)) : (Harm){0, 0};
        write(f, LOWER + (one != NONE) + (two != NONE));
    } else if (bends == AGAIN && f->last) {
        for (int i = 0; i < f->last; i++) write(f, f->again[i] < SUM ? f->again[i] & (~3 | let) : f->again[i]);
        harm = suffer_again(f, wounds, begin, f->written);
    } else if (bends == AGAIN) {
        int one = draw_beside(f);
        if (one != NONE) {
            harm = suffer(f, wounds, one, within);
            int end = f->written;
            harm = sum_of(harm, suffer_again(f, wounds, begin, end));
            for (int i = begin; i < end; i++) write(f, f->suffered[i]);
            write(f, SUM + 2);
        } else {
            write(f, SUM);
        }
    } else {
        write(f, card * 4 + (let & 3));
        harm = own_wound(f, wounds, card, let);
        if (bends == PEEK) {
            f->top = next_card(f);
        } else if (bends == ANOTHER) {
            int one = draw(f);
            if (one != NONE) {
                if (let & LET_VALUE) {
                    f->score += value_of(one);
                    f->pile |= 1ull << one;
                } else {
                    f->beside |= 1ull << one;
                }
                suffer(f, wounds, one, let & LET_VALUE);
                write(f, SUM + 2);
            }
        }
    }
    f->last = f->written - begin;
    memcpy(f->again, f->suffered + begin, f->last * sizeof *f->again);
    return harm;
}

static inline void draw_for_damage(Fight *f, const Wound *wounds, int instead) {
    int card = draw(f);
    if (card == NONE) {
        f->score += instead > 0 ? instead : 0;
        return;
    }
    f->score += instead < 0 ? value_of(card) : instead;
    if (!f->drawn) f->score += 2 * f->lingering;
    f->drawn = 1;
    f->pile |= 1ull << card;
    int bends = wounds[card].bends;
    Harm harm;
    if (bends == OWN || bends >= FIRST_CARD) {
        harm = own_wound(f, wounds, card, LET_ALL);
        f->last = 1;
        f->again[0] = card * 4 + 3;
    } else {
        f->written = 0;
        harm = suffer(f, wounds, card, LET_ALL);
    }
    bleed(f, harm.blood);
    if (harm.trauma > f->trauma) f->trauma = harm.trauma;
}

/* Not to be compiled for these very settings: the kernel takes any, too. */
__attribute__((noipa)) static void fights(
    int64_t n, const Wound *wounds, int hp, int dice, int sides, int hits, int limit, int massive, int64_t *sums) {
    static uint8_t fresh[CARDS];
    for (int c = 0; c < CARDS; c++) fresh[c] = c;
    for (int64_t trial = 0; trial < n; trial++) {
        Fight f;
        memcpy(f.deck, fresh, CARDS);
        f.left = CARDS;
        f.top = NONE;
        f.hp = hp;
        f.alive = 1;
        f.down = f.score = f.blood = f.bled = f.trauma = f.drawn = f.ribs = f.chronic = f.lingering = f.last = 0;
        f.discard = f.pile = f.beside = 0;
        f.too_long = 0;
        int taken = 0, fell = 0, reset = 0, how = LIVES;
        while (taken < hits && f.alive) {
            int amount = roll(dice, sides), moved = 0, hard = 0;
            taken++;
            if (f.down) {
                moved = f.blood;
                f.score += moved;
                f.blood = 0;
                hard = amount > massive;
                draw_for_damage(&f, wounds, hard ? amount : NONE);
            } else {
                int left = f.hp - amount;
                if (left >= 0) {
                    f.hp = left;
                    continue;
                }
                if (left < -limit) {
                    f.alive = 0;
                    how = OUTRIGHT;
                    continue;
                }
                f.hp = 0;
                f.down = 1;
                f.drawn = f.last = 0;
                fell = taken;
                bleed(&f, 2 * f.chronic);
                hard = left < -massive;
                draw_for_damage(&f, wounds, hard ? -left : NONE);
            }
            if (f.score == limit) {
                f.score = 0;
                f.discard |= f.pile;
                f.pile = 0;
                if (!reset) reset = taken;
            } else if (f.score > limit) {
                f.alive = 0;
                how = hard ? MASSIVE : f.score - moved <= limit ? BLED_OUT : BY_CARDS;
            }
        }
        int days = f.alive ? roll(recovery[f.trauma].dice, recovery[f.trauma].sides) * recovery[f.trauma].days : 0;
        sums[DIED] += f.alive ? 0 : taken;
        sums[RESET] += reset;
        sums[FELL] += fell;
        sums[SURVIVED] += fell ? taken - fell + f.alive : 41;
        sums[TRAUMA] += f.alive ? f.trauma : 7;
        sums[WEEKS] += f.alive ? (days + 6) / 7 : 79;
        sums[BLED] += f.bled < 99 ? f.bled : 99;
        sums[HOW] += how;
    }
}

void trials(int64_t n, uint64_t seed, int64_t *sums) {
    sow(seed);
    fights(n, standard, 8, 1, 8, 10, 21, 13, sums);
}
