/** What prepared foes are called, for people. */
import type { Encounter } from '../api/http.ts'

/** Who is in an encounter, in few words: `3 × Bandit, Nan`. */
export const whoIsIn = ({ foes }: Encounter): string =>
  foes.map(({ line, count = 1 }) => `${count > 1 ? `${count} × ` : ''}${String(line.name)}`).join(', ')
