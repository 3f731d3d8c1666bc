import { ApiError } from '../../api/http.ts'
import { askLab, labRun, stopLab } from '../../api/lab.ts'
import { at } from '../../lib/base.ts'
import type { Json } from '../../designer/schema.ts'
import { Changing } from './changing.svelte.ts'
import { savedStudy, saveStudy } from '../../stores/saved.ts'
import type { LabGame, LabQuestion, LabRun, LabSetting, StudyRequest } from '../../api/wire.ts'

/** How often it is asked how far a study is, in milliseconds; and when the line is lost. */
const OFTEN = 250
const SELDOM = 2000
/** What goes for all questions, by its name in the address. */
const FOR_ALL = ['trials', 'until', 'confidence', 'seed'] as const
type ForAll = (typeof FOR_ALL)[number]
const VERSUS = 'vs.'
const CHANGED = 'changed.'
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
  /** Files that are changed here, by the setting, with `vs.` before it for the other variant's. */
  changed = $state<Record<string, Changing>>({})
  /** What was in the files that the present study was asked with, by name. */
  asked = $state.raw<Record<string, string>>({})
  /** What is in the files that somebody chose, by name. */
  private files = $state<Record<string, string>>({})
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
    for (const [name, text] of new URLSearchParams(query)) {
      if (name.startsWith(CHANGED)) this.changeBy(name.slice(CHANGED.length), text)
    }
  }

  /** Begin with what somebody changed who sent the address; what makes no sense there is no change. */
  private changeBy(key: string, text: string) {
    const setting = this.setting(key.startsWith(VERSUS) ? key.slice(VERSUS.length) : key)
    try {
      const patch = JSON.parse(text) as Json
      if (setting?.has_form && typeof patch === 'object') this.change(setting, key.startsWith(VERSUS), patch ?? {})
    } catch {
      // It has been cut off on its way, say.
    }
  }

  /** Open what a setting is at present, to be changed piece by piece; the other variant's, if it is `there`. */
  change(setting: LabSetting, there: boolean, patch: Json = {}): Changing {
    const base = ((there ? this.versus : this.texts)[setting.name] ?? setting.usual).trim()
    const changing = new Changing(this.game.name, setting, base, this.files[base], patch, there)
    this.changed[keyOf(setting, there)] = changing
    return changing
  }

  changing(setting: LabSetting, there: boolean): Changing | undefined {
    return this.changed[keyOf(setting, there)]
  }

  /** Leave a file as it was. */
  leaveUnchanged(setting: LabSetting, there: boolean) {
    delete this.changed[keyOf(setting, there)]
  }

  /** Whether what stands in a setting is a file that was chosen on another device. */
  isMissing(setting: LabSetting, text: string): boolean {
    const names = text.split(',').map((one) => one.trim())
    return setting.kind === 'file' && names.some((one) => !setting.choices.includes(one) && !(one in this.files))
  }

  setting(name: string): LabSetting | undefined {
    return this.question.settings.find((setting) => setting.name === name)
  }

  set(setting: LabSetting, text: string) {
    if (text.trim() === setting.usual || text.trim() === '') delete this.texts[setting.name]
    else this.texts[setting.name] = text
  }

  /** The other variant is no longer another in this setting. */
  without(setting: LabSetting) {
    delete this.versus[setting.name]
    this.leaveUnchanged(setting, true)
  }

  /** A file that somebody chose: its name stands for what is in it. */
  bring(name: string, content: string) {
    this.files[name] = content
  }

  /** The address that asks the same. */
  query(): string {
    const query = new URLSearchParams(this.texts)
    for (const [name, text] of Object.entries(this.versus)) query.set(VERSUS + name, text)
    for (const [key, { link, file, changes }] of Object.entries(this.changed)) {
      if (changes.length) query.set(link ? CHANGED + key : key, link ?? file)
    }
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

  /** The changed files by name, and the settings that are one of them. */
  private async changedNow() {
    const found = {
      settings: {} as Record<string, string>,
      vs: {} as Record<string, string>,
      files: {} as typeof this.files,
    }
    for (const changing of Object.values(this.changed)) {
      const text = await changing.text()
      if (!changing.changes.length) continue
      found[changing.there ? 'vs' : 'settings'][changing.setting.name] = changing.file
      found.files[changing.file] = text
    }
    return found
  }

  async wanted(): Promise<StudyRequest> {
    const changed = await this.changedNow()
    const number = (name: ForAll) => (this.how[name].trim() ? Number(this.how[name].replace('%', '')) : undefined)
    const share = (name: ForAll) => (number(name) === undefined ? undefined : number(name)! / 100)
    const texts = [...Object.values(this.texts), ...Object.values(this.versus)]
    const meant = new Set(texts.flatMap((text) => text.split(',').map((one) => one.trim())))
    return {
      settings: { ...$state.snapshot(this.texts), ...changed.settings },
      vs: { ...$state.snapshot(this.versus), ...changed.vs },
      files: {
        ...Object.fromEntries(Object.entries($state.snapshot(this.files)).filter(([name]) => meant.has(name))),
        ...changed.files,
      },
      trials: number('trials'),
      until: share('until'),
      confidence: share('confidence'),
      seed: number('seed'),
    }
  }

  /** Have it begun. */
  protected async begin(): Promise<LabRun> {
    const wanted = await this.wanted()
    const run = await askLab(this.game.name, this.question.name, wanted)
    this.asked = wanted.files ?? {}
    return run
  }

  /** Ask, and look how far it is until there is an answer; `begun` is called when it was not refused. */
  async ask(begun: () => void, begin: () => Promise<LabRun> = () => this.begin()) {
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

const keyOf = (setting: LabSetting, there: boolean) => (there ? VERSUS : '') + setting.name
