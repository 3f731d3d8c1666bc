import type { ApiError } from '../../api/http.ts'
import { startSearch, fetchSearchOptions } from '../../api/lab.ts'
import type {
  LabChangeable,
  LabFindingKnown,
  LabSetting,
  LabVaried,
  SensitivityRequest,
  TuneRequest,
} from '../../api/wire.ts'
import type { Inquiry } from './inquiry.svelte.ts'
import { around, targetOf, varied } from './targets.ts'

/** The prefix of parameters in the address that aren't settings. */
const ASK = 'ask.'

/** A target being entered. */
export interface Draft {
  finding: string
  relation: '=' | '<' | '>'
  number: string
  /** The tolerance; empty for the default. */
  give: string
}

/** A search about a question: a sensitivity analysis, or settings that meet targets. */
export class LabSearch {
  /** The key of the finding; empty for the question's first. */
  of = $state('')
  /** The targets, as typed. */
  targets = $state<string[]>([])
  /** The settings that may change, with their values; empty for the default values. */
  vary = $state<Record<string, string>>({})
  tries = $state('')
  starts = $state('')
  draft = $state<Draft>({ finding: '', relation: '=', number: '', give: '' })
  /** A number without a finding was entered. */
  choose = $state(false)
  /** A target typed as text. */
  typed = $state('')
  known = $state.raw<LabChangeable | null>(null)
  problem = $state.raw<ApiError | null>(null)

  constructor(
    readonly inquiry: Inquiry,
    query: string,
  ) {
    for (const [name, text] of new URLSearchParams(query)) {
      if (name === `${ASK}of`) this.of = text
      else if (name === `${ASK}target`) this.targets.push(text)
      else if (name === `${ASK}vary`) {
        const [setting = '', values = ''] = text.split(/=(.*)/s)
        this.vary[setting] = values
      } else if (name === `${ASK}tries`) this.tries = text
      else if (name === `${ASK}starts`) this.starts = text
    }
    inquiry.more = () => this.query()
  }

  finding(key: string): LabFindingKnown | undefined {
    return this.known?.findings.find((one) => one.key === key)
  }

  /** Fetch the settings that can change and the findings, for the current settings. */
  async look() {
    try {
      const { settings, files } = await this.inquiry.request()
      this.known = await fetchSearchOptions(this.inquiry.game.name, this.inquiry.question.name, { settings, files })
      this.problem = null
      // Suggest a finding only if there is just one: the first may not be the one to change.
      if (!this.finding(this.draft.finding))
        this.draft.finding = this.known.findings.length === 1 ? this.known.findings[0]!.key : ''
    } catch (error) {
      this.problem = error as ApiError
    }
  }

  /** Add the target being entered, and the typed one. */
  add() {
    this.choose = Boolean(this.draft.number.trim()) && !this.draft.finding
    if (this.choose) return
    const built = targetOf(this.draft, this.finding(this.draft.finding))
    for (const target of [built, this.typed.trim()]) {
      if (target && !this.targets.includes(target)) this.targets.push(target)
    }
    this.draft.number = ''
    this.draft.give = ''
    this.typed = ''
  }

  remove(target: string) {
    this.targets = this.targets.filter((one) => one !== target)
  }

  /** Allow a setting to change: to all its values, or to some around the current one if they are too many. */
  change(setting: LabSetting, about: LabVaried) {
    const all = this.inquiry.way !== 'tune' || about.values > 1
    this.vary[setting.name] = all ? '' : around(setting, this.inquiry.texts[setting.name] ?? setting.usual)
  }

  private query(): [string, string][] {
    const tuning = this.inquiry.way === 'tune'
    const pairs: [string, string][] = []
    if (!tuning && this.of) pairs.push([`${ASK}of`, this.of])
    if (tuning) for (const target of this.targets) pairs.push([`${ASK}target`, target])
    for (const one of varied(this.vary)) pairs.push([`${ASK}vary`, one])
    if (tuning && this.tries.trim()) pairs.push([`${ASK}tries`, this.tries.trim()])
    if (tuning && this.starts.trim()) pairs.push([`${ASK}starts`, this.starts.trim()])
    return pairs
  }

  /** Start the search; `begun` is called once it is accepted. */
  ask(begun: () => void) {
    if (this.inquiry.way === 'tune') this.add()
    if (this.choose) return Promise.resolve()
    return this.inquiry.ask(begun, async () => {
      const { settings, files, trials, confidence, seed } = await this.inquiry.request()
      const shared = { settings, files, vary: varied(this.vary), trials, confidence, seed }
      const number = (text: string) => (text.trim() ? Number(text) : undefined)
      const request: SensitivityRequest | TuneRequest =
        this.inquiry.way === 'tune'
          ? { ...shared, targets: [...this.targets], tries: number(this.tries), starts: number(this.starts) }
          : { ...shared, of: this.of }
      const way = this.inquiry.way === 'tune' ? 'tune' : 'sensitivity'
      return startSearch(this.inquiry.game.name, this.inquiry.question.name, way, request)
    })
  }
}
