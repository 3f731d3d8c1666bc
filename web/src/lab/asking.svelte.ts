import { ApiError } from '../lib/api.ts'
import { askLab, labRun, stopLab } from '../lib/lab.ts'
import { at } from '../lib/base.ts'
import { savedStudy, saveStudy } from '../lib/saved.ts'
import type { LabGame, LabQuestion, LabRun, LabSetting, StudyWanted } from '../lib/wire.ts'

/** How often it is asked how far a study is, in milliseconds; and when the line is lost. */
const OFTEN = 250
const SELDOM = 2000
/** What goes for all questions, by its name in the address. */
const FOR_ALL = ['trials', 'until', 'confidence', 'seed'] as const
type ForAll = (typeof FOR_ALL)[number]
const VERSUS = 'vs.'
/** What is asked about a question: its numbers, what matters most about them, or which settings meet targets. */
export type Way = LabRun['way']

/** A question as it is being put together, asked and answered. It stands in the address, so that it can be sent on. */
export class Asking {
  /** The settings that are not as usual, as one writes them. */
  texts = $state<Record<string, string>>({})
  /** The settings in which the other variant differs. */
  versus = $state<Record<string, string>>({})
  /** How many, how exactly: as typed; empty for as usual. */
  how = $state<Record<ForAll, string>>({ trials: '', until: '', confidence: '', seed: '' })
  run = $state.raw<LabRun | null>(null)
  refused = $state.raw<ApiError | null>(null)
  /** A study is being asked for, or under way. */
  busy = $state(false)
  lineLost = $state(false)
  way = $state<Way>('study')
  /** What the settings were filled in with, from something that was found; empty if they were not. */
  filled = $state('')
  /** What more is asked than a study asks, for the address. */
  more: () => [string, string][] = () => []
  private before: { way: Way; texts: Record<string, string> } | null = null
  private runs: Partial<Record<Way, LabRun | null>> = {}
  private files: Record<string, string> = {}
  private left = false

  constructor(
    readonly game: LabGame,
    readonly question: LabQuestion,
    query: string,
    way: Way = 'study',
  ) {
    this.way = way
    for (const [name, text] of new URLSearchParams(query)) {
      if (this.setting(name)) this.texts[name] = text
      else if (name.startsWith(VERSUS)) this.versus[name.slice(VERSUS.length)] = text
      else if (FOR_ALL.includes(name as ForAll)) this.how[name as ForAll] = text
    }
  }

  setting(name: string): LabSetting | undefined {
    return this.question.settings.find((setting) => setting.name === name)
  }

  set(setting: LabSetting, text: string) {
    if (text.trim() === setting.usual || text.trim() === '') delete this.texts[setting.name]
    else this.texts[setting.name] = text
  }

  /** A file that somebody chose: its name stands for what is in it. */
  bring(name: string, content: string) {
    this.files[name] = content
  }

  /** The address that asks the same. */
  query(): string {
    const query = new URLSearchParams(this.texts)
    for (const [name, text] of Object.entries(this.versus)) query.set(VERSUS + name, text)
    for (const name of FOR_ALL) if (this.how[name].trim()) query.set(name, this.how[name].trim())
    return query.size ? `?${query}` : ''
  }

  /** The address of what is asked, which way it is asked included. */
  address(): string {
    const path = at(`/lab/${this.game.name}/${this.question.name}`)
    if (this.way === 'study') return path + this.query()
    const more = new URLSearchParams(this.more()).toString()
    const query = this.query()
    return `${path}/${this.way}${query}${more && (query ? '&' : '?')}${more}`
  }

  /** Ask another way; what was found the other way is kept. */
  turn(way: Way) {
    this.stop()
    this.runs[this.way] = this.run
    this.way = way
    this.run = this.runs[way] ?? null
    this.refused = null
    history.replaceState(null, '', this.address())
  }

  /** Fill in settings that were found, for a study. */
  fill(settings: Record<string, string>, text: string) {
    this.before = { way: this.way, texts: $state.snapshot(this.texts) }
    this.texts = { ...settings }
    this.filled = text
    this.runs.study = null
    this.turn('study')
  }

  /** Back to what was found, with the settings as they were. */
  unfill() {
    if (!this.before) return
    this.texts = this.before.texts
    this.filled = ''
    this.turn(this.before.way)
    this.before = null
  }

  wanted(): StudyWanted {
    const number = (name: ForAll) => (this.how[name].trim() ? Number(this.how[name].replace('%', '')) : undefined)
    const share = (name: ForAll) => (number(name) === undefined ? undefined : number(name)! / 100)
    const meant = new Set([...Object.values(this.texts), ...Object.values(this.versus)])
    return {
      settings: $state.snapshot(this.texts),
      vs: $state.snapshot(this.versus),
      files: Object.fromEntries(Object.entries(this.files).filter(([name]) => meant.has(name))),
      trials: number('trials'),
      until: share('until'),
      confidence: share('confidence'),
      seed: number('seed'),
    }
  }

  /** Ask, and look how far it is until there is an answer; `begun` is called when it was not refused. */
  async ask(
    begun: () => void,
    begin: () => Promise<LabRun> = () => askLab(this.game.name, this.question.name, this.wanted()),
  ) {
    if (this.busy) return
    this.busy = true
    this.refused = null
    history.replaceState(null, '', this.address())
    try {
      if (savedStudy()) await stopLab(savedStudy()) // what a page says that is being left may come late
      this.run = await begin()
      saveStudy(this.run.id)
      begun()
      await this.follow(this.run.id)
      saveStudy('')
    } catch (error) {
      this.refused = error as ApiError
    }
    this.busy = false
  }

  /** Look how far it is until it is over. */
  private async follow(id: string) {
    while (this.run?.id === id && this.run.state !== 'over' && !this.left) {
      await new Promise((done) => setTimeout(done, this.lineLost ? SELDOM : OFTEN))
      try {
        const run = await labRun(id)
        if (this.run.id === id) this.run = run
        this.lineLost = false
      } catch (error) {
        // Without words it was not the server that spoke.
        if ((error as ApiError).message) throw error
        this.lineLost = true
      }
    }
  }

  stop() {
    if (this.run && this.run.state !== 'over') void stopLab(this.run.id)
  }

  /** Nobody looks at it any longer. */
  leave() {
    this.left = true
    this.stop()
  }
}
