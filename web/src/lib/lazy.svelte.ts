/** Fetch something on first use: returns null, and updates reactively once it has arrived. */
export function lazy<Thing>(fetch: () => Promise<Thing>): () => Thing | null {
  let here = $state.raw<Thing | null>(null)
  let requested = false
  return () => {
    if (!requested) {
      requested = true
      fetch().then(
        (thing) => (here = thing),
        // No connection: the next call tries again.
        () => (requested = false),
      )
    }
    return here
  }
}
