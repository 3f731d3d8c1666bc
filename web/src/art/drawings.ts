/** Drawings, which screen and paper share: SVG files of many symbols, in the package (src/cardhouse/drawings). */

/** The drawings of a file by their names, each as the SVG inside it. */
export function symbols(svg: string): Record<string, string> {
  return Object.fromEntries(
    [...svg.matchAll(/<symbol id="([^"]+)"[^>]*>(.*?)<\/symbol>/gs)].map(([, id, inner]) => [id!, inner!]),
  )
}

/** FNV-1a of a text's UTF-8, 32 bits. */
export function fnv(text: string): number {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash >>> 0
}

/** Mulberry32: each call gives the next 32 bits. */
export function numbers(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return (t ^ (t >>> 14)) >>> 0
  }
}
