/** What the page and the server say to each other; docs/protocol.md is the contract. */
import type { Delta } from './delta.ts'
import type * as wire from './wire.ts'

export interface Schema {
  const?: unknown
  enum?: unknown[]
  type?: 'string' | 'integer' | 'boolean' | 'array' | 'object'
  format?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  not?: { enum: unknown[] }
  items?: Schema
  /** Of an object: its fields. */
  properties?: Record<string, Schema>
  minItems?: number
  maxItems?: number
  /** Of an object: some that fit. */
  examples?: unknown[]
  /** What is meant where it is left out. */
  default?: unknown
  anyOf?: Schema[]
  /** Of an option that comes from a file: what kind of file. */
  contentMediaType?: string
  /** Of such an option: under what name the game's facts have those that may be chosen without a file. */
  ready?: string
  /** Of an option: the one that it takes the place of. */
  insteadOf?: string
}

/** The short words by which one refusal is told from another. */
export type Code = wire.Error['code']

export interface Offer {
  do?: string
  draw?: string
  roll?: string
  fields: Record<string, Schema>
  optional?: string[]
  anytime?: boolean
  /** It may be answered in the place of whoever sits there, who is waited for. */
  for?: string
}

export interface Asks {
  key: string
  kind: 'ask' | 'draw' | 'roll' | 'step' | 'over'
  rule?: string
  seats: string[]
  /** Each of the seats answers for themselves. */
  together?: boolean
  waits_for?: string[]
  with: Record<string, unknown>
}

export type OddsFor = wire.Set['odds']
export type TableInfo = Omit<wire.About, 'odds'> & { odds: OddsFor }
export type Seat = wire.Seated

export interface StoryEvent {
  rule: string
  key: string
  [about: string]: unknown
}

export interface Entry {
  n: number
  by: string
  events: StoryEvent[]
  undo?: number[]
  undone?: boolean
  /** Somebody said which card was turned over, or what was rolled. */
  named?: boolean
}

export interface Doc {
  view: unknown
  asks: Asks
}

export type Answer = Record<string, unknown>

/** A frame whose loose parts are known more closely. */
type Closer<Frame, Parts> = Omit<Frame, keyof Parts> & Parts

export type Said =
  | wire.Sit
  | wire.Answer
  | wire.Offers
  | wire.OddsOn
  | wire.Story
  | wire.Name
  | wire.Set
  | wire.End
  | wire.Reissue
  | wire.CloseDoor
  | wire.Bot
  | wire.LetBot
  | wire.Device
  | wire.Link
  | wire.Ping

export type Told =
  | Closer<wire.Table, { table: TableInfo; doc: Doc; offers: Offer[]; story: Entry[] }>
  | Closer<wire.Change, { doc?: Delta | null; offers?: Offer[] | null; story?: Entry[] | null }>
  | wire.Ack
  | Closer<wire.OffersNow, { offers: Offer[] }>
  | wire.OddsNow
  | Closer<wire.StoryBefore, { entries: Entry[] }>
  | wire.Seats
  | Closer<wire.Settings, { odds: OddsFor }>
  | wire.NewLink
  | wire.DeviceNow
  | wire.Round
  | wire.Pong
  | wire.Trouble
  | wire.Error
