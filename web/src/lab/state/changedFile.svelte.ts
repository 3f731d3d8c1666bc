import { ApiError, fetchForm, game as gameOf, readOptionFile } from '../../api/http.ts'
import { cardName, isCard } from '../../lib/cards.ts'
import type { LabSetting } from '../../api/wire.ts'
import { choiceLabel, fieldLabel } from '../../designer/labels.ts'
import { FileEditor } from '../../designer/fileEditor.svelte.ts'
import { changesOf, patched, patchOf, type Change } from '../../designer/patch.ts'
import type { Json } from '../../designer/schema.ts'
import { t } from '../../i18n/lazy.ts'

/** The longest patch in a link. */
const LONGEST_PATCH = 1500
/** The most changes listed one by one. */
const MOST_LISTED = 8
/** The longest text quoted. */
const LONGEST_QUOTE = 40

/** Return `Blood` in the form used within a sentence; abbreviations such as `STR` keep their capitals. */
const uncapital = (text: string) => (/^[A-Z]{2}/.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1))

/** A setting's file, with changes made on the question's page. */
export class ChangedFile {
  editor = $state.raw<FileEditor | null>(null)
  problem = $state.raw<ApiError | null>(null)
  private readonly opening: Promise<void>

  constructor(
    game: string,
    readonly setting: LabSetting,
    /** The setting's value without changes: a name known to the server, or a file's name. */
    readonly base: string,
    /** The file's content, if the user chose it. */
    content: string | undefined,
    /** Initial changes. */
    patch: Json,
    /** It belongs to the other variant. */
    readonly there: boolean,
  ) {
    this.opening = this.open(game, content, patch).catch((error: unknown) => {
      this.problem = error instanceof ApiError ? error : new ApiError(String(error))
    })
  }

  private async open(game: string, content: string | undefined, patch: Json) {
    const [about, form] = await Promise.all([gameOf(game), fetchForm(game, this.setting.name)])
    const [usual = {}] = Object.values(form.starts) as Json[]
    let from = (form.starts[this.base] as Json | undefined) ?? usual
    if (content !== undefined) {
      const read = (await readOptionFile(game, form.option, new Blob([content])))[form.option] as Json
      from = form.cards ? read : { ...usual, ...read }
    }
    const editor = new FileEditor(about, form, from, false)
    if (Object.keys(patch).length) editor.put(patched(from, patch))
    this.editor = editor
  }

  /** The name of the changed file. */
  get file(): string {
    const stem = this.base === this.setting.usual ? this.setting.name : this.base.replace(/\.\w+$/, '')
    return `${stem}-changed${this.there ? '-there' : ''}.toml`
  }

  get changes(): Change[] {
    return this.editor ? changesOf(this.editor.from!, this.editor.filled) : []
  }

  /** The changes in words. */
  get descriptions(): string[] {
    const listed = this.changes.slice(0, MOST_LISTED).map((change) => this.describe(change))
    const more = this.changes.length - listed.length
    return more > 0 ? [...listed, t('lab_change_more', { n: more })] : listed
  }

  /** The changes as a patch for a link; null if it is too long, or the base file isn't known to the server. */
  get link(): string | null {
    const { from, filled } = this.editor!
    const patch = JSON.stringify(patchOf(from!, filled))
    return this.setting.choices.includes(this.base) && patch.length <= LONGEST_PATCH ? patch : null
  }

  /** Return the current file. Throws an ApiError if it has mistakes. */
  async text(): Promise<string> {
    await this.opening
    if (this.problem) throw this.problem
    const { file, mistakes } = await this.editor!.now()
    const [first] = mistakes
    if (first) throw new ApiError(t('lab_change_wrong', { file: this.file, why: first.message }))
    return file
  }

  private describe({ path, was, now }: Change): string {
    const { game, form, from, filled } = this.editor!
    const [first = '', ...inside] = path
    const isCards = !form.cards || first === form.cards
    const id = form.cards ? (inside[0] ?? '') : first
    const fields = !isCards ? path : form.cards ? inside.slice(1) : inside
    const named = [filled, from!].map((value) => ((form.cards ? value[form.cards] : value) as Json)[id] as Json)
    const name = String(named.find(Boolean)?.['name'] ?? (isCard(id) ? cardName(id) : id))
    const card = isCards ? name : t('make_whole')
    if (!fields.length) return t(now === undefined ? 'lab_change_gone' : 'lab_change_new', { card })
    const field = fields.map((one) => uncapital(fieldLabel(game, form.option, one))).join(', ')
    const [before, after] = [was, now].map((value) => this.shown(fields.at(-1)!, value))
    return t('lab_change', { card, field, was: before!, now: after! })
  }

  private shown(field: string, value: unknown): string {
    if (value === undefined || value === '') return t('make_none')
    if (Array.isArray(value)) return value.map((one) => this.shown(field, one)).join(', ')
    if (typeof value === 'object' && value !== null)
      return Object.entries(value)
        .map(([key, it]) => `${key} ${this.shown(key, it)}`)
        .join(', ')
    if (typeof value !== 'string') return String(value)
    if (/^[a-z_]+$/.test(value)) return uncapital(choiceLabel(this.editor!.game, field, value))
    return `“${value.length > LONGEST_QUOTE ? `${value.slice(0, LONGEST_QUOTE).trimEnd()}…` : value}”`
  }
}
