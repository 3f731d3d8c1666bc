/* Rounds of card initiative, written by hand: four a side (A K 9 5), whoever may choose waits. See initiative.py. */

#include "chance.h"

enum { PEOPLE = 8, RED = PEOPLE, BLACK, CARDS, HERO = 2, ACE = 14, SPENT = 1, NOBODY = -1 };
enum { PLACE, ACTIONS, LOST_BY_HERO, SENT_BACK, LOST, RED_TOOK, SECONDS, TURNS, TURNED_OVER, FIXED };

enum { ACTS_ALONE = 1, ACTS_HIGHER = 2, WAITS_ON = 4 };

static const int8_t ranks[PEOPLE] = {14, 13, 9, 5, 14, 13, 9, 5};
/* Where their places are summed up: 5 9 K A of one side in the order 2 to A, then of the other. */
static const int8_t columns[PEOPLE] = {FIXED + 12, FIXED + 11, FIXED + 7, FIXED + 3, FIXED + 25, FIXED + 24, FIXED + 20, FIXED + 16};
static const int8_t always[PEOPLE] = {4, 4, 4, 4, 4, 4, 4, 4};

/* Not to be compiled for these very ranks and policies: the kernel takes any, too. */
__attribute__((noipa)) static void rounds(int64_t n, const int8_t *rank, const int8_t *bits, int64_t *sums) {
    for (int64_t trial = 0; trial < n; trial++) {
        uint8_t deck[CARDS], bottom[PEOPLE];
        int8_t now[PEOPLE], places[PEOPLE] = {0};
        int left = CARDS, under = 0, waiting = NOBODY, turns = 0, turned = 0;
        for (int i = 0; i < CARDS; i++) deck[i] = i;
        for (int i = 0; i < PEOPLE; i++) now[i] = rank[i];
        for (;;) {
            int card, who;
            turned += left || under;
            if (left) {
                uint32_t at = below(left--);
                card = deck[at];
                deck[at] = deck[left];
            } else if (under) {
                card = bottom[0];
                under--;
                for (int i = 0; i < under; i++) bottom[i] = bottom[i + 1];
            } else if (waiting != NOBODY) {
                card = waiting; /* alone, with the deck empty: it acts below */
                waiting = NOBODY;
            } else {
                break;
            }
            if (card == RED) {
                sums[RED_TOOK] += waiting != NOBODY ? under ? 3 : 2 : under ? 4 : 0;
                if (waiting != NOBODY) {
                    deck[left++] = waiting;
                    sums[SENT_BACK] += waiting == HERO;
                    waiting = NOBODY;
                }
                for (int i = 0; i < under; i++) deck[left++] = bottom[i];
                under = 0;
                continue;
            }
            if (card == BLACK) {
                int lost;
                turned += left || under;
                if (left) {
                    uint32_t at = below(left--);
                    lost = deck[at];
                    deck[at] = deck[left];
                } else if (under) {
                    lost = bottom[0];
                    under--;
                    for (int i = 0; i < under; i++) bottom[i] = bottom[i + 1];
                } else {
                    continue;
                }
                if (lost == RED) {
                    sums[RED_TOOK] += 1;
                } else {
                    int actions = now[lost] == ACE ? 2 : 1;
                    sums[LOST] += actions;
                    sums[LOST_BY_HERO] += lost == HERO ? actions : 0;
                }
                continue;
            }
            who = card;
            if (waiting == NOBODY) {
                if (!(bits[card] & ACTS_ALONE) && (left || under)) {
                    waiting = card;
                    continue;
                }
            } else {
                int lead = now[card] - now[waiting];
                if (lead && !(lead > 0 ? bits[card] & ACTS_HIGHER : bits[waiting] & WAITS_ON)) {
                    who = waiting;
                    waiting = card;
                }
            }
            turns++;
            sums[ACTIONS] += who == HERO;
            if (places[who])
                sums[SECONDS]++;
            else
                places[who] = turns;
            if (now[who] == ACE) {
                now[who] = SPENT;
                bottom[under++] = who;
            }
        }
        sums[PLACE] += places[HERO];
        sums[TURNS] += turns;
        sums[TURNED_OVER] += turned;
        for (int i = 0; i < PEOPLE; i++) sums[columns[i]] += places[i];
    }
}

void trials(int64_t n, uint64_t seed, int64_t *sums) {
    sow(seed);
    rounds(n, ranks, always, sums);
}
