/** The faces that were chosen at the table that is on the page, by the name in small letters (`About.faces`). */
let chosen = $state.raw<Record<string, number>>({})

/** These are the table's, until somebody leaves it. */
export function showFaces(faces: Record<string, number> | undefined): () => void {
  const now = (chosen = faces ?? {})
  return () => {
    if (chosen === now) chosen = {}
  }
}

/** Which of a name's faces is shown; 0 for the first. */
export const faceOf = (name: string): number => chosen[name.trim().toLowerCase()] ?? 0
