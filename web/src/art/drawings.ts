/**
 * Return the drawings in an SVG file, each as the content of a symbol, by id. Screen and paper share these files
 * (src/cardhouse/drawings).
 */
export function symbols(svg: string): Record<string, string> {
  return Object.fromEntries(
    svg
      .split('<symbol id="')
      .slice(1)
      .map((drawn) => {
        const [head = '', ...inner] = drawn.split('</symbol>')[0]!.split('>')
        return [head.split('"')[0]!, inner.join('>')]
      }),
  )
}

/** Return the 32-bit FNV-1a hash of a text's UTF-8. */
export function fnv(text: string): number {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash >>> 0
}

/** Return a Mulberry32 generator of 32-bit numbers. */
export function numbers(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return (t ^ (t >>> 14)) >>> 0
  }
}
