/** What a form's fields may be, as JSON Schema says it, boiled down to what a page asks for. */

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

/** A field: what kind of thing is asked for, and what may be said there. */
export interface Asked {
  kind: Kind
  schema: Schema
  /** It may be left out. */
  optional: boolean
  /** A whole number goes here beside a text. */
  numbers: boolean
}

type Defs = Record<string, Schema>

function resolved(schema: Schema, defs: Defs): Schema {
  return schema.$ref ? (defs[schema.$ref.split('/').at(-1)!] ?? {}) : schema
}

/** What a field asks for. */
export function askedFor(schema: Schema, defs: Defs, required: boolean): Asked {
  const ways = (schema.anyOf ?? [schema]).map((way) => resolved(way, defs))
  const some = ways.filter((way) => way.type !== 'null')
  const first = some[0] ?? {}
  const text = some.find((way) => way.type === 'string' || (way.enum && some.length > 1))
  const asked = { optional: !required, numbers: some.some((way) => way.type === 'integer') }
  if (text && some.length > 1) return { ...asked, kind: 'text', schema: { ...text, maxLength: 10 } }
  return { ...asked, kind: kindOf(first, defs), schema: first }
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

/** What somebody typed: a whole number where one may stand, else the text. */
export function meant(text: string): unknown {
  return /^-?\d{1,9}$/.test(text.trim()) ? Number(text.trim()) : text
}

/** The same where several things may be listed with commas. */
export function allMeant(text: string): unknown {
  const parts = text.split(',').filter((part) => part.trim())
  return parts.length > 1 ? parts.map((part) => meant(part.trim())) : meant(text)
}

/** What is meant, as one writes it. */
export const written = (value: unknown) => (Array.isArray(value) ? value.join(', ') : (value ?? ''))

/** A table with a field that says something else; one that says nothing is left out. */
export function withField(table: Json, field: string, value: unknown): Json {
  const { [field]: was, ...others } = table
  if (isNothing(value)) return others
  // What is there stays in its place.
  return was === undefined
    ? { ...table, [field]: value }
    : Object.fromEntries(Object.entries(table).map(([key, it]) => [key, key === field ? value : it]))
}

function isNothing(value: unknown): boolean {
  return (
    value === undefined ||
    value === '' ||
    value === false ||
    (Array.isArray(value) && !value.length) ||
    (value !== null && typeof value === 'object' && !Array.isArray(value) && !Object.keys(value).length)
  )
}
