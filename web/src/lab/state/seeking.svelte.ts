import type { ApiError } from '../../api/http.ts'
import { askChanges, labChanges } from '../../api/lab.ts'
import type {
  LabChangeable,
  LabFindingKnown,
  LabSetting,
  LabVaried,
  SensitivityRequest,
  TuneRequest,
} from '../../api/wire.ts'
import type { Asking } from './asking.svelte.ts'
import { around, builtTarget, varied } from './targets.ts'

/** What stands in an address before everything that is no setting, lest a setting be called the same. */
const ASK = 'ask.'

/** A target as it is being put together: what is typed of it. */
export interface Draft {
  finding: string
  relation: '=' | '<' | '>'
  number: string
  /** How near is near enough; empty for as usual. */
  give: string
}

/** What is asked about the changes of a question: what matters most, or which settings meet targets. */
export class Seeking {
  /** The finding that is asked about, by its key; empty for the question's first. */
  of = $state('')
  /** As one writes them. */
  targets = $state<string[]>([])
  /** The settings that may be changed, with the values that are listed for them, if any are. */
  vary = $state<Record<string, string>>({})
  tries = $state('')
  starts = $state('')
  draft = $state<Draft>({ finding: '', relation: '=', number: '', give: '' })
  /** A number was given, and not of what. */
  choose = $state(false)
  /** A target as somebody writes it. */
  typed = $state('')
  known = $state.raw<LabChangeable | null>(null)
  problem = $state.raw<ApiError | null>(null)

  constructor(
    readonly asking: Asking,
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
    asking.more = () => this.query()
  }

  finding(key: string): LabFindingKnown | undefined {
    return this.known?.findings.find((one) => one.key === key)
  }

  /** Find out what could be changed, with the settings as they are now. */
  async look() {
    try {
      const { settings, files } = await this.asking.wanted()
      this.known = await labChanges(this.asking.game.name, this.asking.question.name, { settings, files })
      this.problem = null
      // None is suggested: nobody knows yet which may be moved, and the first may be sure already.
      if (!this.finding(this.draft.finding))
        this.draft.finding = this.known.findings.length === 1 ? this.known.findings[0]!.key : ''
    } catch (error) {
      this.problem = error as ApiError
    }
  }

  /** Take what is being put together, or was written, to the targets. */
  add() {
    this.choose = Boolean(this.draft.number.trim()) && !this.draft.finding
    if (this.choose) return
    const built = builtTarget(this.draft, this.finding(this.draft.finding))
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

  /** Let a setting be changed: to all that it may be, or what is about it where that would be too much. */
  change(setting: LabSetting, about: LabVaried) {
    const all = this.asking.way !== 'tune' || about.values > 1
    this.vary[setting.name] = all ? '' : around(setting, this.asking.texts[setting.name] ?? setting.usual)
  }

  private query(): [string, string][] {
    const tuning = this.asking.way === 'tune'
    const said: [string, string][] = []
    if (!tuning && this.of) said.push([`${ASK}of`, this.of])
    if (tuning) for (const target of this.targets) said.push([`${ASK}target`, target])
    for (const one of varied(this.vary)) said.push([`${ASK}vary`, one])
    if (tuning && this.tries.trim()) said.push([`${ASK}tries`, this.tries.trim()])
    if (tuning && this.starts.trim()) said.push([`${ASK}starts`, this.starts.trim()])
    return said
  }

  /** Ask; `begun` is called when it was not refused. */
  ask(begun: () => void) {
    if (this.asking.way === 'tune') this.add()
    if (this.choose) return Promise.resolve()
    return this.asking.ask(begun, async () => {
      const { settings, files, trials, confidence, seed } = await this.asking.wanted()
      const shared = { settings, files, vary: varied(this.vary), trials, confidence, seed }
      const number = (text: string) => (text.trim() ? Number(text) : undefined)
      const wanted: SensitivityRequest | TuneRequest =
        this.asking.way === 'tune'
          ? { ...shared, targets: [...this.targets], tries: number(this.tries), starts: number(this.starts) }
          : { ...shared, of: this.of }
      const way = this.asking.way === 'tune' ? 'tune' : 'sensitivity'
      return askChanges(this.asking.game.name, this.asking.question.name, way, wanted)
    })
  }
}
