import { ApiError } from '../../api/http.ts'
import { startStudy, fetchRun, stopRun } from '../../api/lab.ts'
import { at } from '../../lib/base.ts'
import type { Json } from '../../designer/schema.ts'
import { ChangedFile } from './changedFile.svelte.ts'
import { fileNames } from './labels.ts'
import { lastStudy, saveLastStudy, savedStudy, saveStudy } from '../../stores/saved.ts'
import type { LabGame, LabQuestion, LabRun, LabSetting, StudyRequest } from '../../api/wire.ts'

/** The polling interval in milliseconds, and that after a lost connection. */
const OFTEN = 250
const SELDOM = 2000
/** The settings of all questions, by their names in the address. */
const FOR_ALL = ['trials', 'until', 'confidence', 'seed'] as const
type ForAll = (typeof FOR_ALL)[number]
const VERSUS = 'vs.'
const CHANGED = 'changed.'
/** The end of an address whose question is asked at once. */
export const ASKED = '#asked'
/** The kind of run: the question's numbers, a sensitivity analysis, or a search for settings that meet targets. */
export type RunKind = LabRun['way']

/** A question with its settings, run and answer. The address contains its settings, so that it can be shared. */
export class Inquiry {
  /** The settings that differ from their defaults, as typed. */
  texts = $state<Record<string, string>>({})
  /** The settings in which the other variant differs. */
  versus = $state<Record<string, string>>({})
  /** Trials and precision, as typed; empty for the default. */
  how = $state<Record<ForAll, string>>({ trials: '', until: '', confidence: '', seed: '' })
  run = $state.raw<LabRun | null>(null)
  refused = $state.raw<ApiError | null>(null)
  /** A run has been requested or is in progress. */
  busy = $state(false)
  lineLost = $state(false)
  way = $state<RunKind>('study')
  /** The name of the result that filled in the settings; empty for none. */
  filled = $state('')
  /** Further parameters for the address, of a search. */
  more: () => [string, string][] = () => []
  private before: { way: RunKind; texts: Record<string, string> } | null = null
  private runs: Partial<Record<RunKind, LabRun | null>> = {}
  /** Changed files by setting; the other variant's have the prefix `vs.`. */
  changed = $state<Record<string, ChangedFile>>({})
  /** The files of the current run, by name. */
  asked = $state.raw<Record<string, string>>({})
  /** The address of the current run if it carries changes to files, which the server's link can't. */
  link = $state('')
  /** The files that the user chose, by name. */
  private files = $state<Record<string, string>>({})
  private left = false

  constructor(
    readonly game: LabGame,
    readonly question: LabQuestion,
    query: string,
    way: RunKind = 'study',
  ) {
    this.way = way
    for (const [name, text] of new URLSearchParams(query)) {
      if (this.setting(name)) this.texts[name] = text
      else if (name.startsWith(VERSUS)) this.versus[name.slice(VERSUS.length)] = text
      else if (FOR_ALL.includes(name as ForAll)) this.how[name as ForAll] = text
    }
    const asksForOne = Object.keys(question.compared).some((name) => name in this.texts)
    if (way === 'study' && !asksForOne && !Object.keys(this.versus).length) this.versus = { ...question.compared }
    for (const [name, text] of new URLSearchParams(query)) {
      if (name.startsWith(CHANGED)) this.changeBy(name.slice(CHANGED.length), text)
    }
  }

  /** Apply a patch from the address; an invalid one is ignored. */
  private changeBy(key: string, text: string) {
    const setting = this.setting(key.startsWith(VERSUS) ? key.slice(VERSUS.length) : key)
    try {
      const patch = JSON.parse(text) as Json
      if (setting?.has_form && typeof patch === 'object') this.change(setting, key.startsWith(VERSUS), patch ?? {})
    } catch {
      // For example, the link was truncated.
    }
  }

  /** Open a setting's file for editing; `there` selects the other variant's. */
  change(setting: LabSetting, there: boolean, patch: Json = {}): ChangedFile {
    const base = ((there ? this.versus : this.texts)[setting.name] ?? setting.usual).trim()
    const changedFile = new ChangedFile(this.game.name, setting, base, this.files[base], patch, there)
    this.changed[keyOf(setting, there)] = changedFile
    return changedFile
  }

  changedFile(setting: LabSetting, there: boolean): ChangedFile | undefined {
    return this.changed[keyOf(setting, there)]
  }

  /** Discard the changes to a file. */
  leaveUnchanged(setting: LabSetting, there: boolean) {
    delete this.changed[keyOf(setting, there)]
  }

  /** Whether a setting names a file that was chosen on another device. */
  isMissing(setting: LabSetting, text: string): boolean {
    const isHere = (one: string) => setting.choices.includes(one) || Object.hasOwn(this.files, one)
    return setting.kind === 'file' && !fileNames(text).every(isHere)
  }

  setting(name: string): LabSetting | undefined {
    return this.question.settings.find((setting) => setting.name === name)
  }

  set(setting: LabSetting, text: string) {
    if (text.trim() === setting.usual || text.trim() === '') delete this.texts[setting.name]
    else this.texts[setting.name] = text
  }

  /** Remove a setting from the other variant. */
  without(setting: LabSetting) {
    delete this.versus[setting.name]
    this.leaveUnchanged(setting, true)
  }

  /** Add a file that the user chose, under its name. */
  bring(name: string, content: string) {
    this.files[name] = content
  }

  /** Return the query of an address that asks the same. */
  query(): string {
    const query = new URLSearchParams(this.texts)
    for (const [name, text] of Object.entries(this.versus)) query.set(VERSUS + name, text)
    for (const [key, { link, file, changes }] of Object.entries(this.changed)) {
      if (changes.length) query.set(link ? CHANGED + key : key, link ?? file)
    }
    for (const name of FOR_ALL) if (this.how[name].trim()) query.set(name, this.how[name].trim())
    return query.size ? `?${query}` : ''
  }

  /** Return the address of the question, including the kind of run. */
  address(): string {
    const path = at(`/lab/${this.game.name}/${this.question.name}`)
    if (this.way === 'study') return path + this.query()
    const more = new URLSearchParams(this.more()).toString()
    const query = this.query()
    return `${path}/${this.way}${query}${more && (query ? '&' : '?')}${more}`
  }

  /** Switch to another kind of run; results of the previous one are kept. */
  turn(way: RunKind) {
    this.stop()
    this.runs[this.way] = this.run
    this.way = way
    this.run = this.runs[way] ?? null
    this.refused = null
    history.replaceState(null, '', this.address())
  }

  /** Fill in settings from a result, for a study. */
  fill(settings: Record<string, string>, text: string) {
    this.before = { way: this.way, texts: $state.snapshot(this.texts) }
    this.texts = { ...settings }
    this.filled = text
    this.runs.study = null
    this.turn('study')
  }

  /** Return to the search's result, with the earlier settings. */
  unfill() {
    if (!this.before) return
    this.texts = this.before.texts
    this.filled = ''
    this.turn(this.before.way)
    this.before = null
  }

  /** Return the changed files by name, and the settings that use them. */
  private async changedNow() {
    const found = {
      settings: {} as Record<string, string>,
      vs: {} as Record<string, string>,
      files: {} as typeof this.files,
    }
    for (const changedFile of Object.values(this.changed)) {
      const text = await changedFile.text()
      if (!changedFile.changes.length) continue
      found[changedFile.there ? 'vs' : 'settings'][changedFile.setting.name] = changedFile.file
      found.files[changedFile.file] = text
    }
    return found
  }

  async request(): Promise<StudyRequest> {
    const changed = await this.changedNow()
    const number = (name: ForAll) => (this.how[name].trim() ? Number(this.how[name].replace('%', '')) : undefined)
    const share = (name: ForAll) => (number(name) === undefined ? undefined : number(name)! / 100)
    const texts = [...Object.values(this.texts), ...Object.values(this.versus)]
    const meant = new Set(texts.flatMap(fileNames))
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

  /** Start a run. */
  protected async begin(): Promise<LabRun> {
    const request = await this.request()
    const run = await startStudy(this.game.name, this.question.name, request)
    this.asked = request.files ?? {}
    this.link = Object.values(this.changed).some(({ link, changes }) => link && changes.length)
      ? location.origin + this.address()
      : ''
    return run
  }

  /** Start a run, and poll until it is over; `begun` is called once it is accepted. */
  async ask(begun: () => void, begin: () => Promise<LabRun> = () => this.begin()) {
    if (this.busy) return
    this.busy = true
    this.refused = null
    history.replaceState(null, '', this.address())
    try {
      if (savedStudy()) await stopRun(savedStudy()) // a stop request from a page being left may arrive late
      this.run = await begin()
      saveStudy(this.run.id)
      saveLastStudy(this.run.id)
      begun()
      await this.follow(this.run.id)
      saveStudy('')
      saveLastStudy('')
    } catch (error) {
      this.refused = error as ApiError
    }
    this.busy = false
  }

  /** Whether another study of this device is in the way: its tab may be closed, and can't stop it any more. */
  get isBlocked(): boolean {
    return this.refused?.code === 'too_many' && lastStudy() !== ''
  }

  /** Stop the study that is in the way. */
  async unblock() {
    await stopRun(lastStudy())
    saveLastStudy('')
    this.refused = null
  }

  /** Poll a run until it is over. */
  private async follow(id: string) {
    while (this.run?.id === id && this.run.state !== 'over' && !this.left) {
      await new Promise((done) => setTimeout(done, this.lineLost ? SELDOM : OFTEN))
      try {
        const run = await fetchRun(id)
        if (this.run.id === id) this.run = run
        this.lineLost = false
      } catch (error) {
        // An error without a message means that the server wasn't reached.
        if ((error as ApiError).message) throw error
        this.lineLost = true
      }
    }
  }

  stop() {
    if (this.run && this.run.state !== 'over') void stopRun(this.run.id)
  }

  /** Stop polling and stop the run: the page is being left. */
  leave() {
    this.left = true
    this.stop()
  }
}

const keyOf = (setting: LabSetting, there: boolean) => (there ? VERSUS : '') + setting.name
