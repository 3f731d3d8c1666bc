import type { Offer, Schema } from '../api/protocol.ts'
import { fieldsOf } from './forms.ts'

/** Cards of one's own hand that are chosen by a tap on them, for the form of an offer that asks for some. */
export class Picking {
  /** The cards that lie there to be tapped; empty where no hand is shown. */
  hand = $state.raw<readonly string[]>([])
  chosen = $state.raw<readonly string[]>([])

  /** These cards lie there now. */
  lies(hand: readonly string[]) {
    this.hand = hand
    this.chosen = this.chosen.filter((card) => hand.includes(card))
  }

  /** Whether a field is filled in by taps on the hand: all that it may be lies there. */
  fills({ format, enum: cards, items }: Schema): boolean {
    const listed = items ? valuesIn(items) : (cards ?? [])
    const ofCards = (items ?? { format }).format === 'card' && format !== 'laying'
    return ofCards && listed.length > 0 && listed.every((card) => this.hand.includes(card as string))
  }

  /** What the taps put into such a field; undefined as long as it doesn't fit. */
  valueFor(schema: Schema): unknown {
    const { items, minItems = 0, maxItems = Infinity } = schema
    const { chosen } = this
    if (!items) return chosen.length === 1 && schema.enum?.includes(chosen[0]) ? chosen[0] : undefined
    const fit = chosen.every((card) => valuesIn(items).includes(card))
    return fit && chosen.length >= Math.max(1, minItems) && chosen.length <= maxItems ? [...chosen] : undefined
  }

  /** Take a card up, or lay it down; how many may be up at once follows from what is offered. */
  tap(card: string, offers: Offer[]) {
    if (this.chosen.includes(card)) this.chosen = this.chosen.filter((other) => other !== card)
    else this.chosen = this.#most(card, offers) === 1 ? [card] : [...this.chosen, card]
  }

  #most(card: string, offers: Offer[]): number {
    return Math.max(1, ...fieldsIn(offers).map(({ items, maxItems = 1 }) => (has(items, card) ? maxItems : 1)))
  }
}

/** The values that a schema lists. */
const valuesIn = (schema: Schema): unknown[] => schema.enum ?? ('const' in schema ? [schema.const] : [])
const has = (schema: Schema | undefined, card: string): boolean => Boolean(schema && valuesIn(schema).includes(card))
const fieldsIn = (offers: Offer[]): Schema[] => offers.flatMap((offer) => fieldsOf(offer).map(([, schema]) => schema))

/** The cards that a tap could choose, for one of these offers. */
export function pickable(picking: Picking, offers: Offer[]): Set<string> {
  const fields = fieldsIn(offers).filter((schema) => picking.fills(schema))
  return new Set(fields.flatMap((schema) => valuesIn(schema.items ?? schema) as string[]))
}
