/* Who is left in a gunfight, written by hand: four against five, nobody waits, nobody holds a wound. Shot at is who is
   on its feet with the fewest hit points, else who is down with the highest death-score; of equals the higher card,
   which stands first in `ranks`. See gunfight.py. */

#include "cards.h"

enum { FIGHTERS = 9, RED = FIGHTERS, BLACK, FACES = 20, ACE = 14, NOBODY = -1, TURN = 64, NEVER = 1 << 30 };
enum { ENDED, ROUNDS, OPENED, DEAD, ABLE = 5, HITS = 7, WAITED, LONGEST, TURNED, DEALT, SHUFFLES };
enum { LOST, UNDECIDED, WON };
enum { PARTS = 10 }; /* a mean wait is counted in so many parts of a turn */

typedef struct {
    int hp, needs, dice, sides; /* a shot hits with what it `needs` on a d20, or more */
} Side;

static const int8_t ranks[FIGHTERS] = {14, 13, 9, 5, 14, 13, 12, 9, 5};
static const int8_t sides_of[FIGHTERS] = {0, 0, 0, 0, 1, 1, 1, 1, 1};

static inline int can_act(const Person *who) { return who->alive && !who->helpless; }

static inline int has_checks(const Person *who) { return who->open[STAGGERS] | who->open[DAZES] | who->open[FAINTS]; }

/* Before one's turn. */
static inline void take_checks(Person *who) {
    for (int check = STAGGERS; check < CHECKS; check++) {
        int failed = 0;
        for (; who->open[check]; who->open[check]--) failed += roll(1, FACES) <= who->score;
        if (check == FAINTS) who->helpless |= failed > 0;
        if (check == DAZES) who->dazed += failed;
    }
}

/* Who is dazed tries again in each round. */
static inline void begin_round(Person *who) {
    who->open[DAZES] += who->dazed;
    who->dazed = 0;
}

/* When it is shot at, the lowest first; the place of its card stands in the lowest bits. */
static inline int turn_of(const Person *people, int one) {
    const Person *who = &people[one];
    if (!can_act(who)) return NEVER;
    return (who->down ? (1 << 20) - who->score : who->hp) * TURN + one;
}

static inline int target_of(const int *turn, const int8_t *side_of, int side) {
    int first = NEVER;
    for (int other = 0; other < FIGHTERS; other++) {
        int its = side_of[other] == side ? NEVER : turn[other];
        first = its < first ? its : first;
    }
    return first % TURN;
}

static inline int uppermost(uint8_t *bottom, int *under) {
    int card = bottom[0];
    --*under;
    for (int i = 0; i < *under; i++) bottom[i] = bottom[i + 1];
    return card;
}

static inline int any_of(uint8_t *deck, int *left) {
    uint32_t at = below((*left)--);
    int card = deck[at];
    deck[at] = deck[*left];
    return card;
}

/* The card of one who is dead leaves the deck. */
static int without(uint8_t *cards, int number, int dead) {
    int kept = 0;
    for (int i = 0; i < number; i++)
        if (cards[i] != dead) cards[kept++] = cards[i];
    return kept;
}

/* Not to be compiled for these very settings: the kernel takes any, too. */
__attribute__((noipa)) static void fights(
    int64_t n, const Wound *wounds, const Side *sides, const int8_t *rank, const int8_t *side_of, int rounds, int limit,
    int massive, int64_t *sums) {
    Person people[FIGHTERS];
    for (int64_t trial = 0; trial < n; trial++) {
        int able[2] = {0, 0}, number = 0, opened = NOBODY, hits = 0, turn[FIGHTERS];
        int all_turns = 0, waits = 0, waited = 0, longest = 0, turned = 0, since[FIGHTERS] = {0};
        open_deck();
        for (int who = 0; who < FIGHTERS; who++) {
            join(&people[who], sides[side_of[who]].hp);
            able[side_of[who]]++;
            turn[who] = turn_of(people, who);
        }
        while (number < rounds && able[0] && able[1]) {
            uint8_t deck[FIGHTERS + 2], bottom[FIGHTERS], spent[FIGHTERS] = {0};
            int left = 0, under = 0;
            number++;
            for (int who = 0; who < FIGHTERS; who++) {
                begin_round(&people[who]);
                if (people[who].alive) deck[left++] = who;
            }
            deck[left++] = RED;
            deck[left++] = BLACK;
            while (able[0] && able[1] && left + under) {
                turned++;
                int card = left ? any_of(deck, &left) : uppermost(bottom, &under);
                if (card == RED) {
                    while (under) deck[left++] = bottom[--under];
                    continue;
                }
                if (card == BLACK) {
                    turned += left || under;
                    if (left)
                        any_of(deck, &left);
                    else if (under)
                        uppermost(bottom, &under);
                    continue;
                }
                Person *who = &people[card];
                int side = side_of[card];
                if (opened == NOBODY) opened = side;
                if (has_checks(who)) {
                    able[side] -= can_act(who);
                    take_checks(who);
                    able[side] += can_act(who);
                    turn[card] = turn_of(people, card);
                }
                if (can_act(who)) {
                    int between = all_turns++ - since[card];
                    if (since[card] && side == 0) {
                        waits++;
                        waited += between;
                        longest = between > longest ? between : longest;
                    }
                    since[card] = all_turns;
                }
                if (can_act(who) && roll(1, FACES) >= sides[side].needs) {
                    int target = target_of(turn, side_of, side);
                    hit(&people[target], wounds, roll(sides[side].dice, sides[side].sides), limit, massive);
                    hits++;
                    able[1 - side] -= !can_act(&people[target]);
                    turn[target] = turn_of(people, target);
                    if (!people[target].alive) {
                        left = without(deck, left, target);
                        under = without(bottom, under, target);
                    }
                }
                if (rank[card] == ACE && !spent[card]) {
                    spent[card] = 1;
                    bottom[under++] = card;
                }
            }
        }
        int over = !(able[0] && able[1]), ended = !over ? UNDECIDED : able[0] ? WON : LOST;
        sums[ENDED] += ended;
        sums[ROUNDS] += over ? number : 0;
        sums[OPENED] += opened * 3 + ended;
        for (int who = 0; who < FIGHTERS; who++) sums[DEAD + side_of[who]] += !people[who].alive;
        for (int side = 0; side < 2; side++) sums[ABLE + side] += able[side];
        sums[HITS] += hits;
        sums[WAITED] += waits ? 1 + (PARTS * waited * 2 + waits) / (waits * 2) : 0;
        sums[LONGEST] += waits ? 1 + longest : 0;
        sums[TURNED] += turned;
        sums[DEALT] += pack.dealt;
        sums[SHUFFLES] += pack.shuffles;
    }
}

void trials(int64_t n, uint64_t seed, int64_t *sums) {
    static const Side sides[2] = {{12, 9, 1, 8}, {6, 12, 1, 8}};
    sow(seed);
    fights(n, standard, sides, ranks, sides_of, 30, 21, 13, sums);
}
