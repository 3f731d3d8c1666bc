/* Conflicts of Dogs Play Cards, Too, written by hand: both plain, in a fistfight, with fallout. See dogs.py. */

#include <string.h>

#include "chance.h"

enum { CARDS = 52, VALUES = 16, TOP = 31, JACK = 11 };
enum { NONE, SHORT_TERM, LONG_TERM, INJURED, MORTALLY_WOUNDED, DYING, HARMS };
enum { WON, STARTER_WON, ENDING, RAISES, PLAYED, BLOWS = 6, SUFFERS = 8, LOSER = 10, LEARNT, HEALING = 13, HANDS = 15 };

typedef struct {
    int8_t count[VALUES];
    uint32_t bits, mirror;
    int size, used, blows;
} hand;

static inline int rank_of(int card) { return card % 13 + 1; }

static inline int worth(int card) {
    int rank = rank_of(card);
    return rank <= 10 ? rank : rank == 13 ? 14 : 12;
}

static inline int draw(uint8_t *deck, int *left) {
    int at = below((*left)--), card = deck[at];
    deck[at] = deck[*left];
    return card;
}

static inline void put_in(hand *h, int value) {
    h->count[value]++;
    h->bits |= 1u << value;
    h->mirror |= 1u << (TOP - value);
    h->size++;
}

static inline void take_out(hand *h, int value) {
    h->size--;
    h->used++;
    if (!--h->count[value]) {
        h->bits &= ~(1u << value);
        h->mirror &= ~(1u << (TOP - value));
    }
}

static inline int highest(uint32_t bits) { return 31 - __builtin_clz(bits); }

/* Three cards or more: tried from the lowest highest card down. */
static int choose(const int *row, int limit, int number, int left, int *chosen) {
    if (!number) return left == 0;
    for (int at = number - 1; at < limit; at++)
        if (row[at] <= left && choose(row, at, number - 1, left - row[at], chosen + 1)) {
            *chosen = row[at];
            return 1;
        }
    return 0;
}

static int several(const hand *h, int needed, int *chosen) {
    int row[CARDS], place = h->size, number = 0, total = 0;
    for (uint32_t left = h->bits; left;) {
        int value = highest(left);
        left &= ~(1u << value);
        for (int i = 0; i < h->count[value]; i++) {
            row[--place] = value;
            if (total < needed) number++, total += value;
        }
    }
    if (total < needed) return 0;
    while (!choose(row, h->size, number, needed, chosen)) needed++;
    return number;
}

static int fewest(const hand *h, int needed, int *chosen) {
    if (h->size < 2) return 0;
    int value = highest(h->bits), second = h->count[value] > 1 ? value : highest(h->bits & ~(1u << value));
    if (value + second < needed) return several(h, needed, chosen);
    for (int total = needed > 2 ? needed : 2;; total++) {
        int half = (total + 1) >> 1;
        uint32_t found = (h->bits & (h->mirror >> (TOP - total))) >> half;
        if (!(total & 1) && (found & 1) && h->count[half] < 2) found &= ~1u;
        if (found) {
            chosen[0] = half + __builtin_ctz(found);
            chosen[1] = total - chosen[0];
            return 2;
        }
    }
}

/* Whether the Raise is Seen. */
static int see(hand *h, int raised) {
    int chosen[VALUES];
    if (h->bits >> (2 * raised)) return 1;
    if (h->bits >> raised) {
        take_out(h, raised + __builtin_ctz(h->bits >> raised));
        return 1;
    }
    int number = fewest(h, raised, chosen);
    for (int i = 0; i < number; i++) take_out(h, chosen[i]);
    h->blows += number;
    return number > 0;
}

static void reckon(hand *h, int side, uint8_t *deck, int *left, int body, int from, int64_t *sums, int *suffers) {
    int top = 0, reds = 0, spade_jack = 0;
    *suffers = NONE;
    if (!h->blows) return;
    for (int i = 0; i < h->blows; i++) {
        int card = draw(deck, left), rank = rank_of(card);
        if (rank >= from) {
            reds += card / 13 == 1 || card / 13 == 2;
            continue;
        }
        if (rank > top) top = rank;
        spade_jack |= rank == JACK && card / 13 == 3;
    }
    *suffers = top < 3 ? SHORT_TERM : top < 6 ? LONG_TERM : top < 9 ? INJURED : MORTALLY_WOUNDED;
    if (top == JACK && spade_jack) *suffers = DYING;
    sums[LEARNT + side] += *suffers != DYING && reds >= 2;
    if (*suffers == INJURED) {
        int copes = 0;
        for (int i = 0; i < body; i++) copes |= rank_of(draw(deck, left)) >= top;
        sums[HEALING + side] += !copes;
    } else {
        sums[HEALING + side] += *suffers == MORTALLY_WOUNDED;
    }
}

/* Not to be compiled for these very hands: the kernel takes any, too. */
__attribute__((noipa)) static void conflicts(int64_t n, const int *cards, const int *body, int from, int starter,
                                             int64_t *sums) {
    for (int64_t trial = 0; trial < n; trial++) {
        uint8_t deck[CARDS];
        hand hands[2];
        int left = CARDS, turn = starter, raises = 0, suffers[2];
        for (int i = 0; i < CARDS; i++) deck[i] = i;
        memset(hands, 0, sizeof hands);
        for (int side = 0; side < 2; side++)
            for (int i = 0; i < cards[side]; i++) put_in(&hands[side], worth(draw(deck, &left)));
        while (hands[turn].size) {
            int value = highest(hands[turn].bits);
            take_out(&hands[turn], value);
            raises++;
            turn = 1 - turn;
            if (!see(&hands[turn], value)) break;
        }
        for (int side = 0; side < 2; side++) {
            reckon(&hands[side], side, deck, &left, body[side], from, sums, &suffers[side]);
            sums[PLAYED + side] += hands[side].used;
            sums[BLOWS + side] += hands[side].blows;
            sums[SUFFERS + side] += suffers[side];
            sums[HANDS + side] += cards[side];
        }
        sums[WON] += turn;
        sums[STARTER_WON] += turn != starter;
        sums[ENDING] += HARMS * turn + suffers[0];
        sums[RAISES] += raises;
        sums[LOSER] += suffers[turn];
    }
}

void trials(int64_t n, uint64_t seed, int64_t *sums) {
    static const int cards[2] = {5, 5}, body[2] = {3, 3};
    sow(seed);
    conflicts(n, cards, body, 10, 0, sums);
}
