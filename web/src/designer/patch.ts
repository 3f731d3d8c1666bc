import { lookUp } from '../lib/lookUp.ts'
import type { Json } from './schema.ts'

/** A change: its path, and the values before and after; undefined for none. */
export interface Change {
  path: string[]
  was: unknown
  now: unknown
}

const isTable = (value: unknown): value is Json => value !== null && typeof value === 'object' && !Array.isArray(value)
const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Return the merge patch (RFC 7386) that turns one value into another; null removes a key. */
export function patchOf(from: Json, to: Json): Json {
  const patch = new Map<string, unknown>()
  for (const key of new Set([...Object.keys(from), ...Object.keys(to)])) {
    const [was, now] = [lookUp(from, key), lookUp(to, key)]
    if (now === undefined) patch.set(key, null)
    else if (isTable(was) && isTable(now)) {
      const inside = patchOf(was, now)
      if (Object.keys(inside).length) patch.set(key, inside)
    } else if (!same(was, now)) patch.set(key, now)
  }
  return Object.fromEntries(patch)
}

/** Apply a patch to a value. */
export function patched(from: Json, patch: Json): Json {
  const found = new Map(Object.entries(from))
  for (const [key, now] of Object.entries(patch)) {
    const was = found.get(key)
    if (now === null) found.delete(key)
    else found.set(key, isTable(now) ? patched(isTable(was) ? was : {}, now) : now)
  }
  return Object.fromEntries(found)
}

/** List all differences at any depth; a new or removed value is one change, however large. */
export function changesOf(from: Json, to: Json, path: string[] = []): Change[] {
  return [...new Set([...Object.keys(from), ...Object.keys(to)])].flatMap((key) => {
    const [was, now] = [lookUp(from, key), lookUp(to, key)]
    if (isTable(was) && isTable(now)) return changesOf(was, now, [...path, key])
    return same(was, now) ? [] : [{ path: [...path, key], was, now }]
  })
}
