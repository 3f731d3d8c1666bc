import { createTable, saveFile, type ApiError, type Game } from '../api/http.ts'
import { savePdf } from '../api/printing.ts'
import { rememberSeat } from '../api/rememberSeat.ts'
import { t } from '../i18n/lazy.ts'
import type { FileEditor } from './fileEditor.svelte.ts'

/** The actions on an edited file, one at a time, each with its error. */
export class PendingAction {
  busy = $state(false)
  refused = $state.raw<ApiError | null>(null)
  /** The confirmation of the last action. */
  done = $state('')

  constructor(readonly goto: (path: string) => void) {}

  private async go(what: () => Promise<void>) {
    if (this.busy) return
    this.busy = true
    this.refused = null
    this.done = ''
    try {
      await what()
    } catch (error) {
      this.refused = error as ApiError
    }
    this.busy = false
  }

  /** Create a table with the file. */
  table = (editor: FileEditor) =>
    this.go(async () => {
      const { value } = await editor.now()
      if (value) await this.seat(editor.game, editor.form.option, value, editor)
    })

  /** Create a table with a value that has no form. */
  tableWith = (game: Game, option: string, value: object) => this.go(() => this.seat(game, option, value))

  private async seat(game: Game, option: string, value: object, editor?: FileEditor) {
    const usual = game.usual_options
    const options = editor?.form.roster ? usual : { ...usual, [option]: value }
    const { table: made, links } = await createTable({ game: game.name, odds: 'gm', options })
    if (editor?.form.roster) await editor.addToTable(made, links.gm!)
    this.goto(rememberSeat({ table: made, links, sit: 'gm' }, game.name))
  }

  /** Create a PDF of the cards. */
  print = (editor: FileEditor, ending: string) =>
    this.go(async () => {
      const { prints, prints_by, prints_with, option } = editor.form
      const file = `${option}.${ending}`
      const { name, how } = await savePdf(prints, {
        settings: { ...prints_with, [prints_by]: file },
        files: { [file]: (await editor.now()).file },
      })
      this.done = `${t('print_done', { name })} ${how}`
    })

  /** Save the file, or its cards as CSV. */
  save = (editor: FileEditor, as: string) =>
    this.go(async () => {
      const { file, csv } = await editor.now()
      saveFile(new Blob([as === 'csv' ? csv : file], { type: 'text/plain' }), `${editor.form.option}.${as}`)
    })
}
