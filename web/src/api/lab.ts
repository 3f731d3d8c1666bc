import { requestJson, pathOf, post } from './http.ts'
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
export const fetchLab = () => requestJson<LabSummary>(pathOf('lab'))
/** Start a study. */
export const startStudy = (game: string, question: string, wanted: StudyRequest) =>
  requestJson<LabRun>(pathOf('lab', game, question), post(wanted))
/** Start a design to order. */
export const startDesign = (game: string, design: string, settings: Record<string, string>) =>
  requestJson<LabRun>(pathOf('designs', game, design), post({ settings }))
/** Fetch the settings that a search may change, and the findings it may target. */
export const fetchSearchOptions = (game: string, question: string, wanted: ChangeableRequest) =>
  requestJson<LabChangeable>(pathOf('lab', game, question, 'changes'), post(wanted))
/** Start a sensitivity analysis, or a search for settings that meet targets. */
export const startSearch = (
  game: string,
  question: string,
  way: 'sensitivity' | 'tune',
  wanted: SensitivityRequest | TuneRequest,
) => requestJson<LabRun>(pathOf('lab', game, question, way), post(wanted))
/** Fetch the progress and the result of a run. */
export const fetchRun = (id: string) => requestJson<LabRun>(pathOf('lab', 'runs', id))
/** Stop a run; the request survives closing the page. */
export const stopRun = (id: string) =>
  fetch(at(pathOf('lab', 'runs', id)), { method: 'DELETE', keepalive: true }).catch(() => null)
/** The path of a run's report. */
export const reportPath = (id: string, ending: 'html' | 'csv') => `${pathOf('lab', 'runs', id)}/report.${ending}`
