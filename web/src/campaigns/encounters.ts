import type { Encounter } from '../api/http.ts'

/** Summarise an encounter: `3 × Bandit, Nan`. */
export const encounterSummary = ({ foes }: Encounter): string =>
  foes.map(({ line, count = 1 }) => `${count > 1 ? `${count} × ` : ''}${String(line.name)}`).join(', ')
