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

/** Fetch the lab's questions and designs for each game. */
export const labListed = () => ask<LabSummary>(pathOf('lab'))
/** Start a study. */
export const askLab = (game: string, question: string, wanted: StudyRequest) =>
  ask<LabRun>(pathOf('lab', game, question), sent(wanted))
/** Start a design to order. */
export const askForDesign = (game: string, design: string, settings: Record<string, string>) =>
  ask<LabRun>(pathOf('designs', game, design), sent({ settings }))
/** Fetch the settings that a search may change, and the findings it may target. */
export const labChanges = (game: string, question: string, wanted: ChangeableRequest) =>
  ask<LabChangeable>(pathOf('lab', game, question, 'changes'), sent(wanted))
/** Start a sensitivity analysis, or a search for settings that meet targets. */
export const askChanges = (
  game: string,
  question: string,
  way: 'sensitivity' | 'tune',
  wanted: SensitivityRequest | TuneRequest,
) => ask<LabRun>(pathOf('lab', game, question, way), sent(wanted))
/** Fetch the progress and the result of a run. */
export const labRun = (id: string) => ask<LabRun>(pathOf('lab', 'runs', id))
/** Stop a run; the request survives closing the page. */
export const stopLab = (id: string) =>
  fetch(at(pathOf('lab', 'runs', id)), { method: 'DELETE', keepalive: true }).catch(() => null)
/** The path of a run's report. */
export const reportPath = (id: string, ending: 'html' | 'csv') => `${pathOf('lab', 'runs', id)}/report.${ending}`
