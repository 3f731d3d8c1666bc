import { makeTable, saveFile, type ApiError, type Game } from '../api/http.ts'
import { printIt } from '../api/printing.ts'
import { settle } from '../api/rememberSeat.ts'
import { t } from '../i18n/lazy.ts'
import type { Making } from './making.svelte.ts'

/** What is done with a file that has been made, one thing at a time; each may be refused. */
export class Doing {
  busy = $state(false)
  refused = $state.raw<ApiError | null>(null)
  /** What was done. */
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

  /** A new table with it. */
  table = (making: Making) =>
    this.go(async () => {
      const { value } = await making.now()
      if (value) await this.seat(making.game, making.form.option, value, making)
    })

  /** A new table with such a value, where there is no form for it. */
  tableWith = (game: Game, option: string, value: object) => this.go(() => this.seat(game, option, value))

  private async seat(game: Game, option: string, value: object, making?: Making) {
    const usual = game.usual_options
    const options = making?.form.roster ? usual : { ...usual, [option]: value }
    const { table: made, links } = await makeTable({ game: game.name, odds: 'gm', options })
    if (making?.form.roster) await making.bringTo(made, links.gm!)
    this.goto(settle({ table: made, links, sit: 'gm' }, game.name))
  }

  /** Its cards as a PDF. */
  print = (making: Making, ending: string) =>
    this.go(async () => {
      const { prints, prints_by, prints_with, option } = making.form
      const file = `${option}.${ending}`
      const { name, how } = await printIt(prints, {
        settings: { ...prints_with, [prints_by]: file },
        files: { [file]: (await making.now()).file },
      })
      this.done = `${t('print_done', { name })} ${how}`
    })

  /** It as a file, or as a table of its cards. */
  save = (making: Making, as: string) =>
    this.go(async () => {
      const { file, csv } = await making.now()
      saveFile(new Blob([as === 'csv' ? csv : file], { type: 'text/plain' }), `${making.form.option}.${as}`)
    })
}
