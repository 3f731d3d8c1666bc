/** Something that is fetched when it is first asked for: null until it is here, and whoever asked is told when it is. */
export function whenNeeded<Thing>(fetch: () => Promise<Thing>): () => Thing | null {
  let here = $state.raw<Thing | null>(null)
  let asked = false
  return () => {
    if (!asked) {
      asked = true
      fetch().then(
        (thing) => (here = thing),
        // Without a connection: the next to ask tries again.
        () => (asked = false),
      )
    }
    return here
  }
}
