import { lookUp } from '../lib/lookUp.ts'
import { FACES } from '../api/wire.ts'
import { lazy } from '../lib/lazy.svelte.ts'

/** The portraits chosen at the current table, by name in lower case (`About.faces`). */
let chosen = $state.raw<Record<string, number>>({})
/** The address of each uploaded picture, by its number among the portraits. */
const pictures = new Map<number, () => string | null>()

/** Use this table's choices until the returned function is called; `picture` fetches an uploaded one. */
export function showFaces(
  faces: Record<string, number> | undefined,
  picture?: (face: number) => Promise<Blob>,
): () => void {
  for (const face of Object.values(faces ?? {}))
    if (face >= FACES && picture && !pictures.has(face))
      pictures.set(
        face,
        lazy(async () => URL.createObjectURL(await picture(face))),
      )
  const now = (chosen = faces ?? {})
  return () => {
    if (chosen === now) chosen = {}
  }
}

/** Return the number of a name's chosen portrait; 0 is the first. */
export const faceOf = (name: string): number => lookUp(chosen, name.trim().toLowerCase()) ?? 0

/** Return the address of an uploaded picture once it is loaded; null for a drawn portrait. */
export const pictureOf = (face: number): string | null => pictures.get(face)?.() ?? null
