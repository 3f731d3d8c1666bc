/** Give each thing a key, distinct even for equal things. */
export function withKeys<Thing>(
  things: readonly Thing[],
  name: (thing: Thing) => string,
): { thing: Thing; key: string }[] {
  const seen = new Map<string, number>()
  return things.map((thing) => {
    const base = name(thing)
    const before = seen.get(base) ?? 0
    seen.set(base, before + 1)
    return { thing, key: `${base} ${before}` }
  })
}
