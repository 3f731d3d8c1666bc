import type { Answer, Offer, Schema } from '../api/protocol.ts'

/** The most values of a field shown as buttons; for more, a form is clearer. */
const MOST_BUTTONS = 6

/** Return the fields that aren't constant. */
export function fieldsOf(offer: Offer): [string, Schema][] {
  return Object.entries(offer.fields).filter(
    ([field, schema]) => !('const' in schema) || offer.optional?.includes(field),
  )
}

/** Return a field's initial value; undefined for none. */
export function beginning(schema: Schema, optional: boolean): unknown {
  const { default: usual, enum: choices, type, format } = schema
  if (usual !== undefined && isShown(usual, schema)) return usual
  if (optional) return undefined
  if (type === 'boolean') return false
  return choices && format !== 'card' ? choices[0] : undefined
}

/** Whether a default can be selected or entered in the form. */
function isShown(usual: unknown, { enum: choices, const: only, items }: Schema): boolean {
  if (choices || only !== undefined) return choices?.includes(usual) ?? usual === only
  return typeof usual !== 'object' || items?.type !== 'object'
}

/** Return all answers of an offer if they are few enough for buttons; null if a form is better. */
export function fewAnswers(offer: Offer): Answer[] | null {
  const [open, ...more] = fieldsOf(offer)
  if (!open || more.length || offer.roll || offer.draw) return null
  const [field, schema] = open
  if (offer.optional?.includes(field)) return null
  const values = schema.type === 'boolean' ? [true, false] : schema.enum
  const few = values && values.length <= MOST_BUTTONS && schema.format !== 'card'
  return few ? values.map((value) => ({ [field]: value })) : null
}

/** Return the cards to pick from, for a draw from a real deck; null for other offers. */
export function cardsOf(offer: Offer): string[] | null {
  const card = offer.draw ? offer.fields.card : undefined
  return card ? ((card.enum ?? [card.const]) as string[]) : null
}

/** Whether the player whose card it is is here; the game master then selects it only as an exception. */
export function isForAnother(offer: Offer, players: readonly { seat: string; here: boolean }[]): boolean {
  return players.some(({ seat, here }) => seat === offer.for && here)
}
