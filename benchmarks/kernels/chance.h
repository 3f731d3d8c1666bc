/* Chance for trials written by hand in C: a small fast generator, and a number below another without bias. */

#include <stdint.h>

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

static void sow(uint64_t seed) {
    for (int i = 0; i < 4; i++) {
        uint64_t z = seed += 0x9E3779B97F4A7C15u;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        s[i] = z ^ (z >> 31);
    }
}
