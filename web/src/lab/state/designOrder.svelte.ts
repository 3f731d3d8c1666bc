import { startDesign } from '../../api/lab.ts'
import type { LabDesign, LabGame, LabRun } from '../../api/wire.ts'
import { Inquiry } from './inquiry.svelte.ts'

/** A design to order, asked for and followed like a question. */
export class DesignOrder extends Inquiry {
  constructor(game: LabGame, design: LabDesign, query: string) {
    super(game, { ...design, usual_trials: 0, advises: false, asked: '', compared: {} }, query)
  }

  protected override begin(): Promise<LabRun> {
    return startDesign(this.game.name, this.question.name, $state.snapshot(this.texts))
  }
}
