/** The messages between page and server; docs/protocol.md is the contract. */
import type { Answer, Asks, Entry, Offer, Schema, StoryEvent } from '$contract'
import type { Delta } from './delta.ts'
import type * as wire from './wire.ts'

export type { Answer, Asks, Entry, Offer, Schema, StoryEvent }

/** The codes of refusals. */
export type Code = wire.Error['code']

export type OddsFor = wire.Set['odds']
export type Pace = wire.SetPace['pace']
export type TableInfo = Omit<wire.About, 'odds'> & { odds: OddsFor }
export type Seat = wire.Seated

export type UndoCount = wire.UndoCountNow
export type Thrown = wire.Thrown
export type Reaction = Thrown['sign']

/** A value that the game master may override. */
export type Editable = Closer<wire.Editable, { schema: Schema }>

export interface Doc {
  view: unknown
  asks: Asks
}

/** A frame type with more precise types for some fields. */
type Closer<Frame, Parts> = Omit<Frame, keyof Parts> & Parts

export type ClientFrame =
  | wire.Sit
  | wire.Answer
  | wire.Offers
  | wire.EditableQuery
  | wire.UndoCount
  | wire.OddsOn
  | wire.Story
  | wire.Name
  | wire.Face
  | wire.Set
  | wire.End
  | wire.Keep
  | wire.Reissue
  | wire.CloseDoor
  | wire.Bot
  | wire.SetPace
  | wire.LetBot
  | wire.Device
  | wire.Link
  | wire.Throw
  | wire.ViewFailed
  | wire.Ping

export type ServerFrame =
  | Closer<wire.Table, { table: TableInfo; doc: Doc; offers: Offer[]; story: Entry[] }>
  | Closer<wire.Change, { doc?: Delta | null; offers?: Offer[] | null; story?: Entry[] | null }>
  | wire.Ack
  | Closer<wire.OffersNow, { offers: Offer[] }>
  | Closer<wire.EditableNow, { amendable: Editable[] }>
  | wire.UndoCountNow
  | wire.OddsNow
  | Closer<wire.StoryBefore, { entries: Entry[] }>
  | wire.Seats
  | Closer<wire.Settings, { odds: OddsFor }>
  | wire.NewLink
  | wire.DeviceNow
  | wire.Round
  | wire.Thrown
  | wire.Pong
  | wire.Trouble
  | wire.Notice
  | wire.HouseSays
  | wire.Error
