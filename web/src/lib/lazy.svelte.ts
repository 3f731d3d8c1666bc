/** Fetch something on first use: returns null, and updates reactively once it has arrived. */
export function lazy<Thing>(fetch: () => Promise<Thing>): () => Thing | null {
  let here = $state.raw<Thing | null>(null)
  let asked = false
  return () => {
    if (!asked) {
      asked = true
      fetch().then(
        (thing) => (here = thing),
        // No connection: the next call tries again.
        () => (asked = false),
      )
    }
    return here
  }
}
