/** What a form of an offer asks for, and what it begins with. */
import type { Answer, Offer, Schema } from '../api/protocol.ts'

/** So many values of a field may be buttons; of more a form is easier to read. */
const MOST_BUTTONS = 6

/** The fields that leave something to say. */
export function fieldsOf(offer: Offer): [string, Schema][] {
  return Object.entries(offer.fields).filter(
    ([field, schema]) => !('const' in schema) || offer.optional?.includes(field),
  )
}

/** What a field begins with, if it begins with anything. */
export function beginning(schema: Schema, optional: boolean): unknown {
  const { default: usual, enum: choices, type, format } = schema
  if (usual !== undefined && isShown(usual, schema)) return usual
  if (optional) return undefined
  if (type === 'boolean') return false
  return choices && format !== 'card' ? choices[0] : undefined
}

/** Whether a default is one of the choices that a form has, or fits into its field. */
function isShown(usual: unknown, { enum: choices, const: only, items }: Schema): boolean {
  if (choices || only !== undefined) return choices?.includes(usual) ?? usual === only
  return typeof usual !== 'object' || items?.type !== 'object'
}

/** Each answer that an offer can be, where it is so few that each may be a button; null where a form is better. */
export function fewAnswers(offer: Offer): Answer[] | null {
  const [open, ...more] = fieldsOf(offer)
  if (!open || more.length || offer.roll || offer.draw) return null
  const [field, schema] = open
  if (offer.optional?.includes(field)) return null
  const values = schema.type === 'boolean' ? [true, false] : schema.enum
  const few = values && values.length <= MOST_BUTTONS && schema.format !== 'card'
  return few ? values.map((value) => ({ [field]: value })) : null
}
