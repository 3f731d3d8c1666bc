import type { Rule, Titled, Words } from '$contract'
import type { Delta } from './delta.ts'
import type { Answer, Code, Doc, Entry, OddsFor, Offer, Schema, Seat, TableInfo } from './protocol.ts'
import type {
  Brought,
  Campaign,
  CampaignBack,
  CreateCampaignResponse,
  Characters,
  Deal,
  Encounter,
  RecapResponse,
  ForkRequest,
  FormFilled,
  FormRead,
  FormResponse,
  LabFromHere,
  Mistake,
  PlayerSeats,
  SeatTaken,
  SeatRequest,
} from './wire.ts'
import { at } from '../lib/base.ts'
import type { People } from '../art/portraits.ts'
import { tellLeftBehind } from '../stores/leftBehind.svelte.ts'
import { houseKey } from '../stores/saved.ts'
import type { ToldWorld } from '../art/world.ts'

export type { Campaign, Encounter, RecapResponse, Rule, Titled, Words }

export interface GameInfo {
  name: string
  title: string
  tagline: string
  /** Whether the lab knows something about it. */
  lab: boolean
  /** What is chosen where nobody chooses. */
  usual_options: Record<string, unknown>
  /** Its sign as SVG; empty if it has none. */
  sign: string
  /** How its table looks; null if it says nothing of that. */
  world: ToldWorld | null
  /** Whether it has a page on which a layout is judged. */
  judge: boolean
  /** Whether it has pictures of how it is played. */
  minute: boolean
  /** By which it can be learned. */
  lessons: LessonSummary[]
  /** Whether there is a good moment to try it in at once. */
  moment: boolean
  /** Whether there is a moving picture of it. */
  preview: boolean
  /** What can be written for it on the page, card by card. */
  forms: { option: string; title: string }[]
  /** How people look in its portraits. */
  people: People
}

export interface LessonSummary {
  name: string
  title: string
  about: string
}

/** An ES module by its address, the style sheets it goes with, and modules that it will ask for. */
export interface Module {
  module: string
  styles?: string[]
  preload?: string[]
}

/** Where what a game brings for the page is to be had. */
export interface GamePage {
  view?: Module
  options?: Module
  judge?: Module
  minute?: Module
  characters?: Module
  /** How its table looks. */
  world?: ToldWorld
}

/** A game's texts, and what may be chosen when a table of it is made. */
export interface Game {
  name: string
  version: number
  rules: Record<string, Rule>
  words: Words
  options: { properties?: Record<string, Schema & { default?: unknown }> }
  decks: string[]
  steps: string[]
  /** The words of its answers. */
  actions: string[]
  /** What is the same at every table of it, for its own view. */
  facts: Record<string, unknown>
  /** How many may play beside the game master. */
  players: number
  usual_players: number
  /** Whether it has any to show. */
  odds: boolean
  /** Whether the lab knows something about it. */
  lab: boolean
  /** What is chosen where nobody chooses. */
  usual_options: Record<string, unknown>
  /** The keys of the questions at which nothing is thrown on the table. */
  silent_at: string[]
  /** The options whose files can be filled in as a form. */
  forms: string[]
  /** How people look in its portraits. */
  people: People
  page: GamePage
}

export interface NewTable {
  game: string
  name?: string
  options?: Record<string, unknown>
  seats?: number
  decks?: Record<string, string>
  by_hand?: string[]
  odds?: OddsFor
  deal?: 'together' | ''
}

/** What was wrong, in the server's words; of a file that somebody wrote, every mistake in it. */
export class ApiError extends Error {
  constructor(
    message: string,
    readonly mistakes: Mistake[] = [],
    /** Which kind of refusal it is; nothing if the server wasn't reached. */
    readonly code?: Code,
  ) {
    super(message)
  }
}

/** What the server says. */
export async function ask<T>(path: string, init?: RequestInit): Promise<T> {
  return (await (await fetched(path, init)).json()) as T
}

/** A request that brings something. */
export const sent = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...withKey() },
  body: JSON.stringify(body),
})

/** A request that brings a file, or nothing. */
const asIs = (body?: Blob): RequestInit => ({ method: 'POST', headers: withKey(), body })

/** The key of the house, if this device was given it. */
function withKey(): Record<string, string> {
  const key = houseKey()
  return key ? { 'cardhouse-key': key } : {}
}

/** A path of the server's, made of names that may have anything in them. */
export const pathOf = (...steps: string[]) => `/api/${steps.map(encodeURIComponent).join('/')}`
export const withToken = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

interface HouseInfo {
  address: string
  version: string
  tables: 'open' | 'key' | 'none'
  /** What is said to all; empty for nothing. */
  message: string
  /** People can bring pictures as portraits. */
  pictures: boolean
}
export const house = () => ask<HouseInfo>('/api/house')
export const games = () => ask<GameInfo[]>('/api/games')
export const game = (name: string) => ask<Game>(pathOf('games', name))

export interface MadeTable {
  table: string
  commitment: string
  links: Record<string, string>
}

export const makeTable = (table: NewTable) => ask<MadeTable>('/api/tables', sent(table))
/** What is to be otherwise when the same people play again. */
export type Otherwise = Partial<Omit<NewTable, 'game' | 'seats'>>
/** A request that brings something, by whoever has a secret. */
export function sentBy(token: string, body: unknown): RequestInit {
  const { headers, ...request } = sent(body)
  return { ...request, headers: { ...headers, ...withToken(token).headers } }
}

/** Another table for the same people, for the game master of one that is over; everybody's secret opens it. */
/** The table that follows; `left_out` says of each character that could not come why not. */
interface Follows {
  table: string
  left_out?: string[]
}

export async function playAgain(table: string, token: string, otherwise: Otherwise = {}): Promise<string> {
  return followed(await ask<Follows>(pathOf('tables', table, 'again'), sentBy(token, otherwise)))
}

function followed({ table, left_out = [] }: Follows): string {
  if (left_out.length) tellLeftBehind(table, left_out)
  return table
}

/** Keep a table as the first evening of a campaign, for its game master. */
export const beginCampaign = (table: string, token: string, name: string) =>
  ask<CreateCampaignResponse>(pathOf('tables', table, 'campaign'), sentBy(token, { name }))
export const campaignOf = (id: string, token: string) => ask<Campaign>(pathOf('campaigns', id), withToken(token))
/** Every character as the last session left it. */
export const charactersOf = (id: string, token: string) =>
  ask<Characters>(pathOf('campaigns', id, 'characters'), withToken(token))
export const noteCampaign = (id: string, token: string, noted: { name: string; notes: string }) =>
  ask<Campaign>(pathOf('campaigns', id), sentBy(token, noted))
/** A new link for a campaign; the old one stops working. */
export const renewCampaign = (id: string, token: string) =>
  ask<CreateCampaignResponse>(pathOf('campaigns', id, 'link'), sentBy(token, {}))
export const campaignFilePath = (id: string) => pathOf('campaigns', id, 'file')
/** Make a campaign of its file. */
export const campaignBack = (file: Blob) => ask<CampaignBack>('/api/campaigns/import', asIs(file))
/** The table of the next evening, for the same people. */
export const nextEvening = async (id: string, token: string, after: string) =>
  followed(await ask<Follows>(pathOf('campaigns', id, 'evening'), sentBy(token, { after })))
/** Keep these encounters, in place of those there were. */
export const prepareFoes = (id: string, token: string, encounters: Encounter[]) =>
  ask<Campaign>(pathOf('campaigns', id, 'encounters'), sentBy(token, { encounters }))
/** Have the foes of an encounter join the campaign's last table. */
export const bringIn = (id: string, token: string, encounter: string, hidden: boolean) =>
  ask<Brought>(pathOf('campaigns', id, 'encounters', 'bring'), sentBy(token, { encounter, hidden }))

/** Make a table that goes on where a transcript ends. */
export const bringBack = (transcript: Blob) => ask<MadeTable>('/api/tables/import', asIs(transcript))

/** A caption of a lesson, or what happens next in it. */
export interface LessonStep {
  say?: string
  ask?: string
  /** What is said to another answer than the one meant. */
  otherwise?: string
  rules?: string[]
  /** What is touched on the way to the answer: each a part of what a control is called. */
  light?: string[]
  meant?: Answer
  offers?: Offer[]
  all?: Offer[]
  story?: Entry
  doc?: Delta
}

/** A lesson, all of it, as the one who takes it sees it. */
export interface Lesson {
  title: string
  about: string
  you: string
  table: TableInfo
  seats: Seat[]
  doc: Doc
  steps: LessonStep[]
}

/** A table that goes on from a lesson, and the seat to sit in. */
export interface Begun {
  table: string
  links: Record<string, string>
  sit: string
  /** The player's character and goal, as a sentence. */
  about?: string
}

/** What the good moment of a game is called among its lessons. */
export const MOMENT = 'now'
/** What its moving picture is called there. */
export const PREVIEW = 'preview'
const lessonPath = (game: string, lesson: string) => pathOf('games', game, 'lessons', lesson)
export const lessonOf = (game: string, lesson: string) => ask<Lesson>(lessonPath(game, lesson))
/** Make a table that goes on where a lesson ends, or from the game's moment. */
export const playOn = (game: string, lesson: string) => ask<Begun>(`${lessonPath(game, lesson)}/tables`, asIs())

const seatsPath = (table: string) => pathOf('tables', table, 'seats')
/** The table that a typed code opens. */
export const tableOfCode = async (code: string) => (await ask<{ table: string }>('/api/doors', sent({ code }))).table
/** The players' seats at a table, for whoever has the secret of its door. */
export const playerSeats = (table: string, door: string) => ask<PlayerSeats>(seatsPath(table), withToken(door))
/** Take a free one. */
export function takeSeat(table: string, door: string, wanted: SeatRequest): Promise<SeatTaken> {
  return ask<SeatTaken>(seatsPath(table), sentBy(door, wanted))
}

/** Some entries of a table that is over, as a seat saw them, or with nothing hidden (`open`). */
export interface Replayed {
  you: string
  table: TableInfo
  seats: Seat[]
  total: number
  after: number
  doc: Doc
  moments: { story: Entry; doc: Delta | null }[]
}

export const replayOf = (table: string, token: string, seat: string, after: number) =>
  ask<Replayed>(
    `${pathOf('tables', table, 'replay')}?seat=${encodeURIComponent(seat)}&after=${after}`,
    withToken(token),
  )

/** Make a table of one's own that goes on from a moment of another. */
export const forkTable = (table: string, token: string, wanted: ForkRequest) =>
  ask<Begun>(pathOf('tables', table, 'fork'), sentBy(token, wanted))
/** What the lab can be asked about a moment of a table. */
export const labFromHere = (table: string, token: string, seat: string, at: number) =>
  ask<LabFromHere[]>(`${pathOf('tables', table, 'lab')}?seat=${encodeURIComponent(seat)}&at=${at}`, withToken(token))

/** What was worth remembering of a table that is over. */
export const eveningOf = (table: string, token: string) =>
  ask<RecapResponse>(pathOf('tables', table, 'evening'), withToken(token))

/** How a table that has ended was dealt. */
export const dealOf = (table: string, token: string) => ask<Deal>(pathOf('tables', table, 'deal'), withToken(token))

/** What a roster file holds: everybody's sheet, as the game has it, with all its fields. */
export interface Roster<Sheet> {
  characters: Sheet[]
}

export const rosterPath = (table: string) => pathOf('tables', table, 'roster')
/** Who is at a table, for its game master. */
export const rosterOf = <Sheet>(table: string, token: string) => ask<Roster<Sheet>>(rosterPath(table), withToken(token))
/** Who is in a roster file, if a game can use it. */
export const readRoster = <Sheet>(game: string, file: Blob) =>
  ask<Roster<Sheet>>(pathOf('games', game, 'roster'), { method: 'POST', body: file })

/** Where the file is that people start from who write their own for an option. */
export const optionFilePath = (game: string, option: string) => pathOf('games', game, 'options', option)
/** What the rules say of a layout by itself, with no table. */
export const judge = <Verdict>(game: string, cards: unknown[], options: Record<string, unknown>, init: RequestInit) =>
  ask<Verdict>(pathOf('games', game, 'judge'), { ...sent({ cards, options }), ...init })
/** The form in which an option's file is filled in. */
export const formOf = (game: string, option: string) => ask<FormResponse>(pathOf('games', game, 'forms', option))
/** What is made of a form so far. */
export const fillIn = (game: string, option: string, filled: FormFilled) =>
  ask<FormRead>(pathOf('games', game, 'forms', option), sent(filled))
/** What an option is by somebody's file: its value, under its name. */
export const readOptionFile = (game: string, option: string, file: Blob) =>
  ask<Record<string, unknown>>(optionFilePath(game, option), { method: 'POST', body: file })

/** What a server sends that is no JSON. */
export async function fetched(path: string, init?: RequestInit): Promise<Response> {
  const response = await fetch(at(path), init).catch(() => null)
  if (!response?.ok) throw await complaint(response)
  return response
}

/** Save a text that only a seat's owner may read as a file. */
export async function saveText(path: string, token: string, name: string): Promise<void> {
  const response = await fetched(path, withToken(token))
  saveFile(await response.blob(), name)
}

/** Let the browser save something as a file. */
export function saveFile(what: Blob, name: string) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(what)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

async function complaint(response: Response | null): Promise<ApiError> {
  const body: unknown = await response?.json().catch(() => null)
  const told = (body ?? {}) as { message?: string; detail?: string; mistakes?: Mistake[]; code?: Code }
  return new ApiError(told.message ?? told.detail ?? '', told.mistakes, told.code)
}
