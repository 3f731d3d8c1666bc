import { valuesOf, type TableContext } from '$page/client/context.svelte.ts'
import type { Offer } from '$page/api/protocol.ts'
import { ofTier } from '../initiative.svelte.ts'
import { TIERS } from '../wire.ts'

/** Choices of side: NEW for a side still to be named, NONE for no side; existing sides are prefixed with `=`. */
export const NEW = '+'
const NONE = '-'

const sideOf = (offer: Offer) =>
  !offer.fields.side ? NONE : 'const' in offer.fields.side ? `=${String(offer.fields.side.const)}` : NEW

/** The player's choices, including those no longer available. */
export interface Wanted {
  side: string
  tier: string
  card: string | null
  newSide: string
  hidden: boolean
}
export const wanted = (): Wanted => ({ side: '', tier: 'leader', card: null, newSide: '', hidden: false })

/** The choices for joining the order: side, card, hidden. Limited to what is offered. */
export class Joining {
  /** Whether another card is being picked. */
  picking = $state(false)

  readonly #table: TableContext
  readonly #action: string
  readonly #chosen: () => Wanted

  /** `action` is the word of the joining answer; `chosen` returns where the choices are stored. */
  constructor(table: TableContext, action: string, chosen?: () => Wanted) {
    this.#table = table
    this.#action = action
    const own = $state(wanted())
    this.#chosen = chosen ?? (() => own)
  }

  get wanted(): Wanted {
    return this.#chosen()
  }

  get #offers(): Offer[] {
    return this.#table.client.allOffers.filter((offer) => offer.do === this.#action && offer.fields.card)
  }

  get sides(): { value: string; label: string }[] {
    return this.#offers.map((offer) => {
      const value = sideOf(offer)
      const word = value === NEW ? 'new_side' : 'on_no_side'
      return { value, label: value.startsWith('=') ? value.slice(1) : this.#table.word(word) }
    })
  }

  get side(): string {
    const { sides, wanted } = this
    return sides.some((side) => side.value === wanted.side) ? wanted.side : (sides[0]?.value ?? NONE)
  }

  /** The free cards on this side. */
  get free(): string[] {
    return valuesOf(this.#offers.find((offer) => sideOf(offer) === this.side)?.fields.card) as string[]
  }

  get tiers(): { value: string; label: string }[] {
    return Object.keys(TIERS)
      .filter((tier) => ofTier(this.free, tier).length)
      .map((value) => ({ value, label: this.#table.valueName('tier', value) }))
  }

  get tier(): string {
    const { tiers, wanted } = this
    return tiers.some((tier) => tier.value === wanted.tier) ? wanted.tier : (tiers[0]?.value ?? '')
  }

  /** The chosen card, or the best free one of the tier; null if none is left. */
  get card(): string | null {
    const { free, wanted } = this
    return wanted.card && free.includes(wanted.card) ? wanted.card : (ofTier(free, this.tier)[0] ?? null)
  }

  /** The fields of the answer. */
  get answer(): { card: string | null; side?: string; hidden?: boolean } {
    const side = this.side === NEW ? this.wanted.newSide.trim() : this.side.slice(1)
    return {
      card: this.card,
      ...(this.side === NONE ? {} : { side }),
      ...(this.wanted.hidden ? { hidden: true } : {}),
    }
  }

  /** Prepares the next character after this answer: same side, another card. */
  next({ side }: { side?: string }) {
    this.picking = false
    const { side: chosen, tier, hidden } = this.wanted
    Object.assign(this.wanted, { ...wanted(), tier, hidden, side: side === undefined ? chosen : `=${side}` })
  }
}
