import type { Offer, Schema } from '../api/protocol.ts'
import { fieldsOf } from './forms.ts'

/** The selection of cards in one's hand, for the form of an offer that asks for cards. */
export class CardSelection {
  /** The cards that can be tapped; empty if no hand is shown. */
  hand = $state.raw<readonly string[]>([])
  chosen = $state.raw<readonly string[]>([])

  /** Set the cards shown in the hand. */
  lies(hand: readonly string[]) {
    this.hand = hand
    this.chosen = this.chosen.filter((card) => hand.includes(card))
  }

  /** Whether a field is filled in by tapping the hand: the hand has all its possible cards. */
  fills({ format, enum: cards, items }: Schema): boolean {
    const listed = items ? valuesIn(items) : (cards ?? [])
    const ofCards = (items ?? { format }).format === 'card' && format !== 'laying'
    return ofCards && listed.length > 0 && listed.every((card) => this.hand.includes(card as string))
  }

  /** Return such a field's value from the selection; undefined if the selection isn't valid. */
  valueFor(schema: Schema): unknown {
    const { items, minItems = 0, maxItems = Infinity } = schema
    const { chosen } = this
    if (!items) return chosen.length === 1 && schema.enum?.includes(chosen[0]) ? chosen[0] : undefined
    const fit = chosen.every((card) => valuesIn(items).includes(card))
    return fit && chosen.length >= Math.max(1, minItems) && chosen.length <= maxItems ? [...chosen] : undefined
  }

  /** Select or deselect a card; the offers limit how many can be selected. */
  tap(card: string, offers: Offer[]) {
    if (this.chosen.includes(card)) this.chosen = this.chosen.filter((other) => other !== card)
    else this.chosen = this.#most(card, offers) === 1 ? [card] : [...this.chosen, card]
  }

  #most(card: string, offers: Offer[]): number {
    return Math.max(1, ...fieldsIn(offers).map(({ items, maxItems = 1 }) => (has(items, card) ? maxItems : 1)))
  }
}

/** Return the values that a schema lists. */
const valuesIn = (schema: Schema): unknown[] => schema.enum ?? ('const' in schema ? [schema.const] : [])
const has = (schema: Schema | undefined, card: string): boolean => Boolean(schema && valuesIn(schema).includes(card))
const fieldsIn = (offers: Offer[]): Schema[] => offers.flatMap((offer) => fieldsOf(offer).map(([, schema]) => schema))

/** Return the cards that can be selected for one of these offers. */
export function selectable(picking: CardSelection, offers: Offer[]): Set<string> {
  const fields = fieldsIn(offers).filter((schema) => picking.fills(schema))
  return new Set(fields.flatMap((schema) => valuesIn(schema.items ?? schema) as string[]))
}
