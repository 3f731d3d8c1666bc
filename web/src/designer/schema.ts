/** JSON Schema, reduced to the parts that forms use. */
import { lookUp } from '../lib/lookUp.ts'

export interface Json {
  [key: string]: unknown
}

export interface Schema {
  type?: string
  enum?: unknown[]
  anyOf?: Schema[]
  $ref?: string
  $defs?: Record<string, Schema>
  properties?: Record<string, Schema>
  propertyNames?: { enum: string[] }
  additionalProperties?: Schema | boolean
  items?: Schema
  required?: string[]
  minimum?: number
  maximum?: number
  maxLength?: number
  maxItems?: number
  description?: string
  default?: unknown
}

export type Kind = 'yes' | 'one' | 'number' | 'text' | 'words' | 'some' | 'table' | 'parts' | 'list'

/** A field's kind and schema. */
export interface FieldKind {
  kind: Kind
  schema: Schema
  /** It may be left out. */
  optional: boolean
  /** It accepts integers as well as texts. */
  numbers: boolean
}

type Defs = Record<string, Schema>

function resolved(schema: Schema, defs: Defs): Schema {
  return schema.$ref ? (defs[schema.$ref.split('/').at(-1)!] ?? {}) : schema
}

/** Return the kind of a field. */
export function fieldKind(schema: Schema, defs: Defs, required: boolean): FieldKind {
  const alternatives = (schema.anyOf ?? [schema]).map((option) => resolved(option, defs))
  const some = alternatives.filter((option) => option.type !== 'null')
  const first = some[0] ?? {}
  const text = some.find((option) => option.type === 'string' || (option.enum && some.length > 1))
  const common = { optional: !required, numbers: some.some((option) => option.type === 'integer') }
  if (text && some.length > 1) return { ...common, kind: 'text', schema: { ...text, maxLength: 10 } }
  return { ...common, kind: kindOf(first, defs), schema: first }
}

function kindOf(schema: Schema, defs: Defs): Kind {
  if (schema.enum) return 'one'
  if (schema.type === 'boolean') return 'yes'
  if (schema.type === 'integer') return 'number'
  if (schema.type === 'array') {
    const items = resolved(schema.items ?? {}, defs)
    return items.enum ? 'some' : items.type === 'object' ? 'list' : 'words'
  }
  if (schema.type === 'object') return schema.properties ? 'parts' : 'table'
  return 'text'
}

/** Parse typed text: an integer if it is one, otherwise the text. */
export function parsed(text: string): unknown {
  return /^-?\d{1,9}$/.test(text.trim()) ? Number(text.trim()) : text
}

/** Parse typed text that may list several values with commas. */
export function parsedList(text: string): unknown {
  const parts = text.split(',').filter((part) => part.trim())
  return parts.length > 1 ? parts.map((part) => parsed(part.trim())) : parsed(text)
}

/** Return a value in its typed form. */
export const typedForm = (value: unknown) => (Array.isArray(value) ? value.join(', ') : (value ?? ''))

/** Return an object with a field set; an empty value removes the field. */
export function withField(table: Json, field: string, value: unknown): Json {
  const { [field]: _, ...others } = table
  if (isEmpty(value)) return others
  // Keep the order of fields.
  return lookUp(table, field) === undefined
    ? { ...table, [field]: value }
    : Object.fromEntries(Object.entries(table).map(([key, it]) => [key, key === field ? value : it]))
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined ||
    value === '' ||
    value === false ||
    (Array.isArray(value) && !value.length) ||
    (value !== null && typeof value === 'object' && !Array.isArray(value) && !Object.keys(value).length)
  )
}
