import type { Titled, Words } from '$contract'
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
import { markCode } from '../lib/links.ts'
import type { People } from '../art/portraits.ts'
import { reportLeftBehind } from '../stores/leftBehind.svelte.ts'
import { serverKey } from '../stores/saved.ts'
import type { GameWorld } from '../art/world.ts'

export type { Campaign, Encounter, RecapResponse, Titled, Words }

export interface GameInfo {
  name: string
  title: string
  tagline: string
  /** Whether the lab has questions about it. */
  lab: boolean
  /** The default options. */
  usual_options: Record<string, unknown>
  /** Its icon as SVG; empty if it has none. */
  sign: string
  /** The look of its table; null for the neutral one. */
  world: GameWorld | null
  /** Whether it has a page that judges a layout. */
  judge: boolean
  /** Whether it has pictures of how to play in a minute. */
  minute: boolean
  /** Its lessons. */
  lessons: LessonSummary[]
  /** Whether it has a scene to try at once. */
  moment: boolean
  /** Whether it has an animated preview. */
  preview: boolean
  /** The options with an editor on the page. */
  forms: { option: string; title: string }[]
  /** The style of its portraits. */
  people: People
}

export interface LessonSummary {
  name: string
  title: string
  about: string
}

/** The address of an ES module, its style sheets, and the modules to preload for it. */
export interface Module {
  module: string
  styles?: string[]
  preload?: string[]
}

/** The modules that a game brings for the page. */
export interface GamePage {
  view?: Module
  options?: Module
  judge?: Module
  minute?: Module
  characters?: Module
  /** The look of its table. */
  world?: GameWorld
}

/** A game's texts, and the choices for a new table. */
export interface Game {
  name: string
  version: number
  /** The titles of its rules. */
  rules: Record<string, string>
  words: Words
  options: { properties?: Record<string, Schema & { default?: unknown }> }
  decks: string[]
  steps: string[]
  /** The names of its actions. */
  actions: string[]
  /** Constants for its own view. */
  facts: Record<string, unknown>
  /** The maximum number of players, without the game master. */
  players: number
  usual_players: number
  /** Whether it has a starter cast. */
  cast: boolean
  /** Whether it calculates odds. */
  odds: boolean
  /** Whether its characters come along to a next session. */
  continues: boolean
  /** Whether the lab has questions about it. */
  lab: boolean
  /** The default options. */
  usual_options: Record<string, unknown>
  /** The keys of the questions during which reactions are off. */
  silent_at: string[]
  /** The options whose files can be filled in as a form. */
  forms: string[]
  /** The style of its portraits. */
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

/** A refusal in the server's words, with every mistake if it is about a file. */
export class ApiError extends Error {
  constructor(
    message: string,
    readonly mistakes: Mistake[] = [],
    /** The kind of refusal; undefined if the server wasn't reached. */
    readonly code?: Code,
  ) {
    super(message)
  }
}

/** Return the server's JSON reply. Throws an ApiError. */
export async function requestJson<T>(path: string, init?: RequestInit): Promise<T> {
  return (await (await request(path, init)).json()) as T
}

/** A POST request with a JSON body. */
export const post = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...withKey() },
  body: JSON.stringify(body),
})

/** A POST request with a file, or without a body. */
const postFile = (body?: Blob): RequestInit => ({ method: 'POST', headers: withKey(), body })

/** The server key, if this device has one. */
function withKey(): Record<string, string> {
  const key = serverKey()
  return key ? { 'cardhouse-key': key } : {}
}

/** Return an API path; each step may contain any characters. */
export const pathOf = (...steps: string[]) => `/api/${steps.map(encodeURIComponent).join('/')}`
export const withToken = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

interface ServerInfo {
  address: string
  version: string
  tables: 'open' | 'key' | 'none'
  /** This device may create tables, with the server key that it has, if any. */
  makes: boolean
  /** The server notice; empty for none. */
  message: string
  /** People can bring pictures as portraits. */
  pictures: boolean
}
let pending: Promise<ServerInfo> | null = null
/** Fetch the server's information; simultaneous calls share one request. */
export const serverInfo = () =>
  (pending ??= requestJson<ServerInfo>('/api/house', { headers: withKey() }).finally(() => (pending = null)))
export const games = () => requestJson<GameInfo[]>('/api/games')
const gameNow = (name: string) => requestJson<Game>(pathOf('games', name))
const prepared = new Map<string, Promise<Game>>()

/** How long prepared texts may be used, in milliseconds: the server may get a newer game. */
const FRESH_MS = 30_000

/** Request a game's texts for the table that is about to open. */
export function prepareGame(name: string): Promise<Game> {
  const there = prepared.get(name)
  if (there) return there
  const asked = gameNow(name)
  prepared.set(name, asked)
  setTimeout(() => prepared.get(name) === asked && prepared.delete(name), FRESH_MS)
  return asked
}

/** Return a game's texts: those prepared, once; otherwise requested now. */
export function game(name: string): Promise<Game> {
  const there = prepared.get(name)
  prepared.delete(name)
  return there?.catch(() => gameNow(name)) ?? gameNow(name)
}

export interface CreatedTable {
  table: string
  commitment: string
  links: Record<string, string>
  mark?: string
}

/** Request a new table. The link of its join code gets the code's mark, for this device to save. */
async function requestTable<T extends { links: Record<string, string>; mark?: string }>(path: string, by: RequestInit) {
  const made = await requestJson<T>(path, by)
  return made.mark ? { ...made, links: { ...made.links, door: markCode(made.links.door!, made.mark) } } : made
}

export const createTable = (table: NewTable) => requestTable<CreatedTable>('/api/tables', post(table))
/** The settings that differ in a rematch. */
export type RematchSettings = Partial<Omit<NewTable, 'game' | 'seats'>> & { characters?: boolean }
/** A POST request with a JSON body, authorised by a seat's or a join secret. */
export function postBy(token: string, body: unknown): RequestInit {
  const { headers, ...request } = post(body)
  return { ...request, headers: { ...headers, ...withToken(token).headers } }
}

/** The table that follows. `left_out` has the reason for each character that could not come. */
interface NextTable {
  table: string
  left_out?: string[]
}

export async function rematch(table: string, token: string, otherwise: RematchSettings = {}): Promise<string> {
  return reportLeftOut(await requestJson<NextTable>(pathOf('tables', table, 'again'), postBy(token, otherwise)))
}

function reportLeftOut({ table, left_out = [] }: NextTable): string {
  if (left_out.length) reportLeftBehind(table, left_out)
  return table
}

/** Save a table as the first session of a campaign, as its game master. */
export const createCampaign = (table: string, token: string, name: string) =>
  requestJson<CreateCampaignResponse>(pathOf('tables', table, 'campaign'), postBy(token, { name }))
export const fetchCampaign = (id: string, token: string) =>
  requestJson<Campaign>(pathOf('campaigns', id), withToken(token))
/** Fetch every character as the last session left it. */
export const charactersOf = (id: string, token: string) =>
  requestJson<Characters>(pathOf('campaigns', id, 'characters'), withToken(token))
export const updateCampaign = (id: string, token: string, noted: { name: string; notes: string }) =>
  requestJson<Campaign>(pathOf('campaigns', id), postBy(token, noted))
/** Replace a campaign's link; the old one stops working. */
export const rotateCampaignLink = (id: string, token: string) =>
  requestJson<CreateCampaignResponse>(pathOf('campaigns', id, 'link'), postBy(token, {}))
export const campaignFilePath = (id: string) => pathOf('campaigns', id, 'file')
/** Restore a campaign from its file. */
export const importCampaign = (file: Blob) => requestTable<CampaignBack>('/api/campaigns/import', postFile(file))
/** Create the next session's table, with the same people. */
export const createNextSession = async (id: string, token: string, after: string) =>
  reportLeftOut(await requestJson<NextTable>(pathOf('campaigns', id, 'evening'), postBy(token, { after })))
/** Replace the campaign's encounters. */
export const saveEncounters = (id: string, token: string, encounters: Encounter[]) =>
  requestJson<Campaign>(pathOf('campaigns', id, 'encounters'), postBy(token, { encounters }))
/** Add an encounter's NPCs to the campaign's last table. */
export const addEncounter = (id: string, token: string, encounter: string, hidden: boolean) =>
  requestJson<Brought>(pathOf('campaigns', id, 'encounters', 'bring'), postBy(token, { encounter, hidden }))

/** Create a table that continues a transcript. */
export const importTable = (transcript: Blob) => requestTable<CreatedTable>('/api/tables/import', postFile(transcript))

/** A caption of a lesson, or the next event in it. */
export interface LessonStep {
  say?: string
  ask?: string
  /** The reply to an action other than the expected one. */
  otherwise?: string
  rules?: string[]
  /** The controls on the way to the answer, each as a part of its label. */
  light?: string[]
  meant?: Answer
  offers?: Offer[]
  all?: Offer[]
  story?: Entry
  doc?: Delta
}

/** A whole lesson, as its seat sees it. */
export interface Lesson {
  title: string
  about: string
  you: string
  table: TableInfo
  seats: Seat[]
  doc: Doc
  steps: LessonStep[]
}

/** A table that continues a lesson, and the player's seat. */
export interface StartedTable {
  table: string
  links: Record<string, string>
  mark?: string
  sit: string
  /** The player's character and goal, as a sentence. */
  about?: string
  /** The key of the scene, if the game has several. */
  scene?: string
}

/** The name of a game's scenes among its lessons. */
const SCENE = 'now'
/** The name of its animated preview among its lessons. */
export const PREVIEW = 'preview'
const lessonPath = (game: string, lesson: string) => pathOf('games', game, 'lessons', lesson)
export const fetchLesson = (game: string, lesson: string) => requestJson<Lesson>(lessonPath(game, lesson))
/** Create a table that continues a lesson. */
export const continueLesson = (game: string, lesson: string) =>
  requestTable<StartedTable>(`${lessonPath(game, lesson)}/tables`, postFile())
/** Create a table with a scene of the game, or with any but one. */
export const startScene = (game: string, wanted: { scene?: string; but?: string }) =>
  requestTable<StartedTable>(`${lessonPath(game, SCENE)}/tables`, postFile(new Blob([JSON.stringify(wanted)])))

/** Return the game master's answers that bring a starter cast, for players in the seats p1, p2 and so on. */
export const starterCast = (game: string, players: number) =>
  requestJson<Answer[]>(
    `${pathOf('games', game, 'cast')}?players=${players}&seed=${Math.floor(Math.random() * 2 ** 32)}`,
  )

const seatsPath = (table: string) => pathOf('tables', table, 'seats')
/** Return the id of the table with this join code. */
export const tableOfCode = async (code: string) =>
  (await requestJson<{ table: string }>('/api/doors', post({ code }))).table
/** Fetch the players' seats at a table; `door` is the secret of its join code. */
export const playerSeats = (table: string, door: string) => requestJson<PlayerSeats>(seatsPath(table), withToken(door))
/** Take a free seat. */
export function takeSeat(table: string, door: string, wanted: SeatRequest): Promise<SeatTaken> {
  return requestJson<SeatTaken>(seatsPath(table), postBy(door, wanted))
}

/** Some entries of a finished table, as a seat saw them, or with nothing hidden (`open`). */
export interface Replayed {
  you: string
  table: TableInfo
  seats: Seat[]
  total: number
  after: number
  doc: Doc
  moments: { story: Entry; doc: Delta | null }[]
}

export const fetchReplay = (table: string, token: string, seat: string, after: number) =>
  requestJson<Replayed>(
    `${pathOf('tables', table, 'replay')}?seat=${encodeURIComponent(seat)}&after=${after}`,
    withToken(token),
  )

/** Create a table of one's own that continues from a moment of another. */
export const forkTable = (table: string, token: string, wanted: ForkRequest) =>
  requestTable<StartedTable>(pathOf('tables', table, 'fork'), postBy(token, wanted))
/** Fetch the lab's questions about a moment of a table. */
export const labFromHere = (table: string, token: string, seat: string, at: number) =>
  requestJson<LabFromHere[]>(
    `${pathOf('tables', table, 'lab')}?seat=${encodeURIComponent(seat)}&at=${at}`,
    withToken(token),
  )

/** Fetch the recap of a finished table. */
export const fetchRecap = (table: string, token: string) =>
  requestJson<RecapResponse>(pathOf('tables', table, 'evening'), withToken(token))

/** Fetch the record of how a finished table was dealt. */
export const fetchDeal = (table: string, token: string) =>
  requestJson<Deal>(pathOf('tables', table, 'deal'), withToken(token))

/** The content of a roster file: every character with all the game's fields. */
export interface Roster<Sheet> {
  characters: Sheet[]
}

export const rosterPath = (table: string) => pathOf('tables', table, 'roster')
/** Fetch the characters at a table, as its game master. */
export const fetchRoster = <Sheet>(table: string, token: string) =>
  requestJson<Roster<Sheet>>(rosterPath(table), withToken(token))
/** Fetch the characters of a roster file. Throws an ApiError if the game can't use it. */
export const readRoster = <Sheet>(game: string, file: Blob) =>
  requestJson<Roster<Sheet>>(pathOf('games', game, 'roster'), { method: 'POST', body: file })

/** The path of the template file for an option. */
export const optionFilePath = (game: string, option: string) => pathOf('games', game, 'options', option)
/** Have the rules judge a layout, without a table. */
export const judge = <Verdict>(game: string, cards: unknown[], options: Record<string, unknown>, init: RequestInit) =>
  requestJson<Verdict>(pathOf('games', game, 'judge'), { ...post({ cards, options }), ...init })
/** Fetch the form for an option's file. */
export const fetchForm = (game: string, option: string) =>
  requestJson<FormResponse>(pathOf('games', game, 'forms', option))
/** Check a form, and return the file that results. */
export const checkForm = (game: string, option: string, filled: FormFilled) =>
  requestJson<FormRead>(pathOf('games', game, 'forms', option), post(filled))
/** Read an option's file, and return its value under the option's name. */
export const readOptionFile = (game: string, option: string, file: Blob) =>
  requestJson<Record<string, unknown>>(optionFilePath(game, option), { method: 'POST', body: file })

/** Return the server's response, which needn't be JSON. Throws an ApiError. */
export async function request(path: string, init?: RequestInit): Promise<Response> {
  const response = await fetch(at(path), init).catch(() => null)
  if (!response?.ok) throw await errorOf(response)
  return response
}

/** Save a text that only a seat's owner may read as a file. */
export async function saveText(path: string, token: string, name: string): Promise<void> {
  const response = await request(path, withToken(token))
  saveFile(await response.blob(), name)
}

/** Save a file through the browser. */
export function saveFile(what: Blob, name: string) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(what)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

async function errorOf(response: Response | null): Promise<ApiError> {
  const body: unknown = await response?.json().catch(() => null)
  const error = (body ?? {}) as { message?: string; detail?: string; mistakes?: Mistake[]; code?: Code }
  return new ApiError(error.message ?? error.detail ?? '', error.mistakes, error.code)
}
