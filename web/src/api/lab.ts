import { ask, pathOf, sent } from './http.ts'
import { at } from '../lib/base.ts'
import type {
  ChangeableRequest,
  LabChangeable,
  LabSummary,
  LabRun,
  SensitivityRequest,
  StudyRequest,
  TuneRequest,
} from './wire.ts'

/** What can be asked of the lab, about each game. */
export const labListed = () => ask<LabSummary>(pathOf('lab'))
/** Have a study begun. */
export const askLab = (game: string, question: string, wanted: StudyRequest) =>
  ask<LabRun>(pathOf('lab', game, question), sent(wanted))
/** Have something made to order. */
export const askForDesign = (game: string, design: string, settings: Record<string, string>) =>
  ask<LabRun>(pathOf('designs', game, design), sent({ settings }))
/** What could be changed about a question, and what could be asked of it. */
export const labChanges = (game: string, question: string, wanted: ChangeableRequest) =>
  ask<LabChangeable>(pathOf('lab', game, question, 'changes'), sent(wanted))
/** Have it found out what matters most, or which settings meet targets. */
export const askChanges = (
  game: string,
  question: string,
  way: 'sensitivity' | 'tune',
  wanted: SensitivityRequest | TuneRequest,
) => ask<LabRun>(pathOf('lab', game, question, way), sent(wanted))
/** How far a study is, and what came of it. */
export const labRun = (id: string) => ask<LabRun>(pathOf('lab', 'runs', id))
/** Stop a study, also one that nobody here looks at any longer. */
export const stopLab = (id: string) =>
  fetch(at(pathOf('lab', 'runs', id)), { method: 'DELETE', keepalive: true }).catch(() => null)
/** What came of a study, as a file. */
export const reportPath = (id: string, ending: 'html' | 'csv') => `${pathOf('lab', 'runs', id)}/report.${ending}`
