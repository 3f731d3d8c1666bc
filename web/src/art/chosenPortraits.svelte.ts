import { FACES } from '../api/wire.ts'
import { whenNeeded } from '../lib/lazy.svelte.ts'

/** The faces that were chosen at the table that is on the page, by the name in small letters (`About.faces`). */
let chosen = $state.raw<Record<string, number>>({})
/** Where to get the address of the picture that a face is. */
const pictures = new Map<number, () => string | null>()

/** These are the table's, until somebody leaves it; `picture` brings the picture that a face is. */
export function showFaces(
  faces: Record<string, number> | undefined,
  picture?: (face: number) => Promise<Blob>,
): () => void {
  for (const face of Object.values(faces ?? {}))
    if (face >= FACES && picture && !pictures.has(face))
      pictures.set(
        face,
        whenNeeded(async () => URL.createObjectURL(await picture(face))),
      )
  const now = (chosen = faces ?? {})
  return () => {
    if (chosen === now) chosen = {}
  }
}

/** Which of a name's faces is shown; 0 for the first. */
export const faceOf = (name: string): number => chosen[name.trim().toLowerCase()] ?? 0

/** The address of the picture that a face is, once it is here; none of a drawn one. */
export const pictureOf = (face: number): string | null => pictures.get(face)?.() ?? null
