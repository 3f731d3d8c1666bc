import { tick } from 'svelte'
import type { DogpileView } from '../wire.ts'
import { keyOf, MIDDLE } from './board.ts'
import { boxInSight, comeFrom, likenessesOf, runTo, toss, turnOver, type Likeness } from './motion.ts'

const pile = (name: string) => boxInSight(document.querySelector(`[data-pile="${name}"]`))

/** The animations on the board when the table changes. `before` and `after` are called around each render. */
export class Movement {
  #shown: DogpileView | null = null
  #leaving: Likeness[] = []
  readonly #felt: () => HTMLElement | undefined
  readonly #you: string

  constructor(felt: () => HTMLElement | undefined, you: string) {
    this.#felt = felt
    this.#you = you
  }

  before(view: DogpileView) {
    const felt = this.#felt()
    if (felt && this.#shown?.phase === 'judged' && view.round > this.#shown.round) {
      this.#leaving = likenessesOf(felt.querySelectorAll<HTMLElement>('[data-face]'))
    }
  }

  after(view: DogpileView) {
    const [felt, was] = [this.#felt(), this.#shown]
    this.#shown = view
    if (!felt || !was || was === view) return
    if (view.round === was.round + 1) {
      this.#packLeaves(felt, was.joined === true)
      this.#leaderComes(felt)
    } else if (view.round === was.round) {
      if (view.verdict && !was.verdict) turnOver(felt.querySelectorAll<HTMLElement>('.laid [data-face]'))
      else this.#cardsCome(felt, view, was.laid.length)
    }
  }

  /** Animate a card from its place to its new place after a change, in the hand or on the board. */
  async carry(card: string, change: () => void) {
    const at = () => document.querySelector<HTMLElement>(`[data-at="${CSS.escape(card)}"]`)
    const from = boxInSight(at())
    change()
    await tick()
    const to = at()
    if (from && to) comeFrom(to, from)
  }

  #packLeaves(felt: HTMLElement, joined: boolean) {
    const home = pile('dogpile')
    if (joined && home) runTo(this.#leaving, home)
    else toss(this.#leaving, felt.getBoundingClientRect())
    this.#leaving = []
  }

  #leaderComes(felt: HTMLElement) {
    const leader = this.#faceAt(felt, keyOf(MIDDLE))
    if (!leader) return
    comeFrom(leader, pile('draft') ?? edgeOf(felt))
    turnOver([leader])
  }

  #cardsCome(felt: HTMLElement, view: DogpileView, known: number) {
    view.laid.slice(known).forEach((card, place) => {
      const face = card.seat === this.#you ? null : this.#faceAt(felt, keyOf(card))
      const owner = boxInSight(document.querySelector(`[data-owner="${CSS.escape(card.seat)}"]`))
      if (face) comeFrom(face, owner ?? edgeOf(felt), place * 40)
    })
  }

  #faceAt = (felt: HTMLElement, key: string) => felt.querySelector<HTMLElement>(`[data-cell="${key}"] [data-face]`)
}

/** Return a small box at the upper edge of the board, the origin of cards from out of view. */
function edgeOf(felt: HTMLElement): DOMRect {
  const box = felt.getBoundingClientRect()
  return new DOMRect(box.left + box.width / 2 - 20, box.top - 60, 40, 56)
}
