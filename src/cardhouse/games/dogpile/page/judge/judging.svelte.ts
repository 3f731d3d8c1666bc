import { judge, type Game } from '$page/api/http.ts'
import { GameContext } from '$page/client/context.svelte.ts'
import { tabDraft, saveTabDraft } from '$page/stores/saved.ts'
import { draws } from '$page/views/shows.ts'
import { capital } from '$page/i18n/text.ts'
import type { Placed } from '$page/api/wire.ts'
import type { Verdict } from '../wire.ts'
import { t } from '$page/i18n/index.ts'
import { isSame, MIDDLE, type Cell } from '../board/board.ts'
import { aboutCard, deckOf } from '../cards/deck.ts'
import DogCard from '../cards/DogCard.svelte'
import { besideWhat, heading, nextCell, TO_THE_RIGHT } from './layout.ts'

const PAUSE_MS = 120
const MOST_UNDONE = 200

/** A layout and its deck: the data of a deck file, or undefined for the standard one. */
interface Layout {
  cards: Placed[]
  deck?: unknown
}

/** A layout being tapped in, the judge's verdict on it, and the place of its next card. */
export class Judging extends GameContext {
  laid = $state.raw<Placed[]>([])
  deck = $state.raw<unknown>()
  /** The place of the next card, or of the chosen one. */
  cursor = $state.raw<Cell>(MIDDLE)
  /** The judge's last verdict, and the layout it is about. */
  verdict = $state.raw<Verdict | null>(null)
  judged = $state.raw<Placed[]>([])
  problem = $state('')

  #past = $state.raw<Layout[]>([])
  #last: Cell | null = null
  #ahead = TO_THE_RIGHT
  #waiting: ReturnType<typeof setTimeout> | undefined
  #asking: AbortController | null = null

  constructor(game: Game) {
    super(game, { face: draws(DogCard), about: aboutCard })
    const kept = tabDraft<Layout>('judge', game.name)
    if (!kept) return
    this.laid = kept.cards
    this.deck = kept.deck
    this.#goOn(kept.cards.at(-1))
    this.#judgeSoon()
  }

  override get options(): Record<string, unknown> {
    return this.deck === undefined ? {} : { deck: this.deck }
  }

  /** The deck's cards that aren't on the grid yet. */
  get left(): string[] {
    const there = new Set(this.laid.map(({ card }) => card))
    return Object.keys(deckOf(this).cards).filter((card) => !there.has(card))
  }

  cardAt(cell: Cell): string | null {
    return this.laid.find((one) => isSame(one, cell))?.card ?? null
  }

  /** The chosen card. */
  get chosen(): string | null {
    return this.cardAt(this.cursor)
  }

  /** Return the position of a place, by the card next to it. */
  where(cell: Cell): string {
    if (!this.laid.length) return this.word('judge_first')
    const beside = besideWhat(this.laid, cell)
    return beside ? this.say(this.word(`judge_${beside.side}`), beside) : this.word('judge_apart')
  }

  /** Return two cards that touch, in words. */
  touchText({ a, b }: { a: Cell; b: Cell }): string {
    return capital(this.say(this.word('contact_of'), { a: this.cardAt(a) ?? '', b: this.cardAt(b) ?? '' }))
  }

  get mayUndo(): boolean {
    return this.#past.length > 0
  }

  /** Lay a card at the cursor, replacing any card there. */
  lay(card: string) {
    const here = this.cursor
    const others = this.laid.filter((one) => !isSame(one, here))
    this.#change({ cards: [...others, { card, x: here.x, y: here.y }], deck: this.deck })
    this.#goOn(here)
  }

  /** Move a card. If there is another on its new place, they swap. */
  move(from: Cell, to: Cell) {
    const moved = ({ card, x, y }: Placed): Placed => {
      if (isSame({ x, y }, from)) return { card, ...to }
      return isSame({ x, y }, to) ? { card, ...from } : { card, x, y }
    }
    this.#change({ cards: this.laid.map(moved), deck: this.deck })
    this.cursor = to
  }

  remove(cell: Cell) {
    this.#change({ cards: this.laid.filter((one) => !isSame(one, cell)), deck: this.deck })
    this.cursor = cell
  }

  clear() {
    if (!this.laid.length) return
    this.#change({ cards: [], deck: this.deck })
    this.#goOn(undefined)
  }

  /** Change the deck and removes cards that it doesn't have. */
  choose(deck: unknown) {
    const { cards } = deckOf({ game: this.game, options: { deck } })
    this.#change({ cards: this.laid.filter(({ card }) => card in cards), deck })
    this.#goOn(this.laid.at(-1))
  }

  undo() {
    const before = this.#past.at(-1)
    if (!before) return
    this.#past = this.#past.slice(0, -1)
    this.#set(before)
    this.#goOn(before.cards.at(-1))
  }

  /** Load a layout if the judge accepts it. Returns the judge's complaint, or an empty string. */
  async read(cards: Placed[]): Promise<string> {
    try {
      await this.#ask(cards, {})
    } catch (error) {
      return (error as Error).message || t('house_away')
    }
    this.#change({ cards, deck: this.deck })
    this.#goOn(cards.at(-1))
    return ''
  }

  /** Move the cursor beside the card laid last, in the current direction. */
  #goOn(here: Cell | undefined) {
    if (here) this.#ahead = heading(this.#last, here, this.#ahead)
    else this.#ahead = TO_THE_RIGHT
    this.#last = here ?? null
    this.cursor = here ? nextCell(this.laid, here, this.#ahead) : MIDDLE
  }

  #change(layout: Layout) {
    this.#past = [...this.#past, { cards: this.laid, deck: this.deck }].slice(-MOST_UNDONE)
    this.#set(layout)
  }

  #set({ cards, deck }: Layout) {
    this.laid = cards
    this.deck = deck
    saveTabDraft('judge', this.game.name, { cards, deck })
    this.#judgeSoon()
  }

  #judgeSoon() {
    clearTimeout(this.#waiting)
    this.#waiting = setTimeout(() => void this.#judgeNow(), PAUSE_MS)
  }

  async #judgeNow() {
    const cards = this.laid
    this.#asking?.abort()
    this.#asking = new AbortController()
    const { signal } = this.#asking
    try {
      const verdict = cards.length ? await this.#ask(cards, { signal }) : null
      if (signal.aborted) return
      this.verdict = verdict
      this.judged = cards
      this.problem = ''
    } catch (error) {
      if (!signal.aborted) this.problem = (error as Error).message || t('house_away')
    }
  }

  #ask(cards: Placed[], init: RequestInit): Promise<Verdict> {
    return judge<Verdict>(this.game.name, cards, this.options, init)
  }
}
