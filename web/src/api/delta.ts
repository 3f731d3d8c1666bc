/** The difference between two JSON values; docs/protocol.md describes the format. */
export type Delta = [unknown] | { [key: string]: unknown }

/** Return the value after a delta. Unchanged parts are shared with `value`, which isn't modified. */
export function apply(value: unknown, delta: Delta): unknown {
  if (Array.isArray(delta)) return delta[0]
  return Array.isArray(value) ? applyToList(value, delta) : applyToObject((value ?? {}) as object, delta)
}

function applyToObject(value: object, delta: { [key: string]: unknown }): unknown {
  const changed = new Map<string, unknown>(Object.entries(value))
  for (const [key, change] of Object.entries(delta)) {
    if (key === '-') for (const gone of change as string[]) changed.delete(gone)
    else changed.set(key, apply(changed.get(key), change as Delta))
  }
  return Object.fromEntries(changed)
}

function applyToList(value: unknown[], delta: { [key: string]: unknown }): unknown {
  const { '#': length, '+': added, ...changes } = delta
  const changed = value.slice(0, (length as number | undefined) ?? value.length)
  for (const [key, change] of Object.entries(changes))
    changed[Number(key)] = apply(changed[Number(key)], change as Delta)
  return added === undefined ? changed : [...changed, ...(added as unknown[])]
}
