/* What trials written by hand in C share: what a hit does in Hackjack with the standard wounds, the first
   of two chosen, blood never held back. Cards stand suit by suit, clubs, diamonds, hearts, spades, ace to king. */

#include <stddef.h>
#include <string.h>

#include "chance.h"

enum { CARDS = 52, NONE = -1, MOST = 64 };
enum { OWN, CHOOSE, BOTH, ANOTHER, PEEK, AGAIN, FIRST_CARD, RED_CARDS, CHRONIC };
enum { LIVES, OUTRIGHT, MASSIVE, BLED_OUT, BY_CARDS };
enum { NO_CHECK, STAGGERS, DAZES, FAINTS, CHECKS };
enum { LET_BLOOD = 1, LET_TRAUMA = 2, LET_VALUE = 4, LET_ALL = 7, SUM = 256, LOWER = 512 };

typedef struct {
    int8_t bends, blood, dice, sides, trauma, found[2]; /* `found`: other dice that are rolled for it */
    int8_t check, helpless;                             /* `check`: what becomes of who fails it */
    int8_t stays, hinders;                              /* for good */
} Wound;

static const Wound standard[CARDS] = {
    {0}, {.check = DAZES}, {0}, {.trauma = 1}, {.trauma = 1}, {.blood = 1}, {.bends = CHOOSE}, {.blood = 2},
    {.bends = CHRONIC, .stays = 1, .hinders = 1}, {.dice = 1, .sides = 4}, {.bends = BOTH},
    {.bends = FIRST_CARD, .stays = 1, .hinders = 1}, {.blood = 2, .trauma = 3}, {.stays = 1}, {0},
    {.blood = 1, .found = {10}, .stays = 1}, {0}, {.blood = 1, .trauma = 1, .stays = 1}, {.stays = 1, .hinders = 1},
    {.stays = 1, .hinders = 1}, {0}, {.trauma = 1, .stays = 1, .hinders = 1}, {.blood = 1, .trauma = 1, .stays = 1},
    {.blood = 1, .trauma = 1, .stays = 1, .hinders = 1}, {.stays = 1, .hinders = 1}, {.trauma = 4}, {.bends = PEEK},
    {0}, {.found = {12}}, {.check = STAGGERS}, {.check = FAINTS}, {.bends = AGAIN}, {.trauma = 1},
    {.blood = 2, .trauma = 3}, {.trauma = 2}, {.bends = RED_CARDS, .trauma = 3}, {.dice = 1, .sides = 6, .trauma = 1},
    {.blood = 1, .trauma = 4}, {.blood = 6, .trauma = 6}, {0}, {.blood = 1}, {.trauma = 3, .found = {2}},
    {.trauma = 1, .found = {4, 4}}, {.trauma = 3, .found = {2}}, {.trauma = 3},
    {.trauma = 2, .found = {2}, .stays = 1, .hinders = 1}, {.stays = 1, .hinders = 1},
    {.dice = 2, .sides = 6, .trauma = 4}, {.trauma = 4, .stays = 1, .hinders = 1},
    {.blood = 3, .trauma = 2, .found = {4, 4}, .stays = 1, .hinders = 1},
    {.bends = ANOTHER, .trauma = 4, .check = FAINTS}, {.blood = 6, .trauma = 5, .helpless = 1},
};

static inline int roll(int dice, int sides) {
    int total = 0;
    for (int i = 0; i < dice; i++) total += below(sides) + 1;
    return total;
}

/* The deck of wounds that all draw from. */
static struct {
    uint8_t deck[CARDS];
    int left, top, dealt, shuffles;
    uint64_t discard;
} pack;

typedef struct {
    int hp, down, alive, score, blood, bled, trauma, drawn, ribs, chronic, lingering, last, written, too_long, resets;
    int stays, hinders; /* so many wounds do, for good */
    uint64_t pile, beside;
    uint8_t open[CHECKS], dazed, helpless; /* `open`: checks that are to be rolled; `dazed`: so many failed */
    uint16_t suffered[MOST], again[MOST];
} Person;

typedef struct {
    int blood, trauma;
} Harm;

static void open_deck(void) {
    for (int card = 0; card < CARDS; card++) pack.deck[card] = card;
    pack.left = CARDS;
    pack.top = NONE;
    pack.discard = 0;
    pack.dealt = pack.shuffles = 0;
}

static inline void join(Person *who, int hp) {
    memset(who, 0, offsetof(Person, suffered));
    who->hp = hp;
    who->alive = 1;
}

static inline int value_of(int card) {
    int number = card % 13 + 1;
    return number < 10 ? number : 10;
}

static inline void bleed(Person *who, int blood) {
    who->blood += blood;
    who->bled += blood;
}

static inline int next_card(void) {
    int card = pack.top;
    if (card != NONE) {
        pack.top = NONE;
        return card;
    }
    if (!pack.left) {
        for (int c = 0; c < CARDS; c++)
            if (pack.discard >> c & 1) pack.deck[pack.left++] = c;
        pack.discard = 0;
        if (!pack.left) return NONE;
        pack.shuffles++;
    }
    pack.dealt++;
    uint32_t at = below(pack.left--);
    card = pack.deck[at];
    pack.deck[at] = pack.deck[pack.left];
    return card;
}

static inline int draw(Person *who) {
    int card = next_card();
    if (who->ribs && card >= 13 && card < 39) bleed(who, who->ribs);
    return card;
}

static int draw_beside(Person *who) {
    int card = draw(who);
    if (card != NONE) who->beside |= 1ull << card;
    return card;
}

static inline Harm own_wound(Person *who, const Wound *wounds, int card, int let) {
    const Wound *w = &wounds[card];
    for (int i = 0; i < 2; i++)
        if (w->found[i]) roll(1, w->found[i]);
    who->ribs += w->bends == RED_CARDS;
    who->chronic += w->bends == CHRONIC;
    who->lingering += w->bends == FIRST_CARD;
    who->open[w->check]++;
    who->helpless |= w->helpless;
    who->stays += w->stays;
    who->hinders += w->hinders;
    return (Harm){let & LET_BLOOD ? w->blood + roll(w->dice, w->sides) : 0, let & LET_TRAUMA ? w->trauma : 0};
}

static void write(Person *who, int suffered) {
    if (who->written < MOST)
        who->suffered[who->written++] = suffered;
    else
        who->too_long = 1;
}

static inline Harm lower_of(Harm a, Harm b) {
    return (Harm){a.blood < b.blood ? a.blood : b.blood, a.trauma < b.trauma ? a.trauma : b.trauma};
}

static inline Harm sum_of(Harm a, Harm b) {
    return (Harm){a.blood + b.blood, a.trauma > b.trauma ? a.trauma : b.trauma};
}

static Harm suffer_again(Person *who, const Wound *wounds, int begin, int end) {
    Harm harms[MOST + 1] = {{0, 0}};
    int depth = 0;
    for (int i = begin; i < end; i++) {
        int what = who->suffered[i];
        if (what < SUM) {
            harms[depth++] = own_wound(who, wounds, what / 4, what % 4);
            if (wounds[what / 4].bends == PEEK) pack.top = next_card();
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

static Harm suffer(Person *who, const Wound *wounds, int card, int let) {
    int begin = who->written, bends = wounds[card].bends, within = let & ~LET_VALUE;
    Harm harm = {0, 0};
    if (bends == CHOOSE) {
        int one = draw_beside(who);
        draw_beside(who);
        if (one != NONE)
            harm = suffer(who, wounds, one, within);
        else
            write(who, SUM);
    } else if (bends == BOTH) {
        int one = draw_beside(who), two = draw_beside(who);
        if (one != NONE) harm = suffer(who, wounds, one, within);
        harm = two != NONE ? lower_of(harm, suffer(who, wounds, two, within)) : (Harm){0, 0};
        write(who, LOWER + (one != NONE) + (two != NONE));
    } else if (bends == AGAIN && who->last) {
        for (int i = 0; i < who->last; i++) {
            int what = who->again[i];
            write(who, what < SUM ? what & (~3 | let) : what);
        }
        harm = suffer_again(who, wounds, begin, who->written);
    } else if (bends == AGAIN) {
        int one = draw_beside(who);
        if (one != NONE) {
            harm = suffer(who, wounds, one, within);
            int end = who->written;
            harm = sum_of(harm, suffer_again(who, wounds, begin, end));
            for (int i = begin; i < end; i++) write(who, who->suffered[i]);
            write(who, SUM + 2);
        } else {
            write(who, SUM);
        }
    } else {
        write(who, card * 4 + (let & 3));
        harm = own_wound(who, wounds, card, let);
        if (bends == PEEK) {
            pack.top = next_card();
        } else if (bends == ANOTHER) {
            int one = draw(who);
            if (one != NONE) {
                if (let & LET_VALUE) {
                    who->score += value_of(one);
                    who->pile |= 1ull << one;
                } else {
                    who->beside |= 1ull << one;
                }
                suffer(who, wounds, one, let & LET_VALUE);
                write(who, SUM + 2);
            }
        }
    }
    who->last = who->written - begin;
    memcpy(who->again, who->suffered + begin, who->last * sizeof *who->again);
    return harm;
}

static inline void draw_for_damage(Person *who, const Wound *wounds, int instead) {
    int card = draw(who);
    if (card == NONE) {
        who->score += instead > 0 ? instead : 0;
        return;
    }
    who->score += instead < 0 ? value_of(card) : instead;
    if (!who->drawn) who->score += 2 * who->lingering;
    who->drawn = 1;
    who->pile |= 1ull << card;
    int bends = wounds[card].bends;
    Harm harm;
    if (bends == OWN || bends >= FIRST_CARD) {
        harm = own_wound(who, wounds, card, LET_ALL);
        who->last = 1;
        who->again[0] = card * 4 + 3;
    } else {
        who->written = 0;
        harm = suffer(who, wounds, card, LET_ALL);
    }
    bleed(who, harm.blood);
    if (harm.trauma > who->trauma) who->trauma = harm.trauma;
}

/* A hit, and what it causes: how it died, LIVES if it did not. */
static inline int hit(Person *who, const Wound *wounds, int amount, int limit, int massive) {
    int moved = 0, hard = 0;
    if (who->down) {
        moved = who->blood;
        who->score += moved;
        who->blood = 0;
        hard = amount > massive;
        draw_for_damage(who, wounds, hard ? amount : NONE);
    } else {
        int left = who->hp - amount;
        if (left >= 0) {
            who->hp = left;
            return LIVES;
        }
        if (left < -limit) {
            who->alive = 0;
            return OUTRIGHT;
        }
        who->hp = 0;
        who->down = 1;
        who->drawn = who->last = 0;
        bleed(who, 2 * who->chronic);
        hard = left < -massive;
        draw_for_damage(who, wounds, hard ? -left : NONE);
    }
    if (who->score < limit) return LIVES;
    if (who->score > limit) {
        who->alive = 0;
        return hard ? MASSIVE : who->score - moved <= limit ? BLED_OUT : BY_CARDS;
    }
    who->score = 0;
    who->resets++;
    pack.discard |= who->pile;
    who->pile = 0;
    return LIVES;
}
