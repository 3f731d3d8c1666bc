/**
 * What this device remembers: seats, links, what it was told of the deals, how its owner likes the page; and what is
 * half done in this tab.
 */
import { BASE } from '../lib/base.ts'
import type { KeptDevice } from '../fairness/device.ts'
import type { Gave, Kept } from '../fairness/witness.ts'

export interface SavedSeat {
  table: string
  seat: string
  token: string
  game: string
  name: string
  /** When it was last open, in milliseconds since 1970. */
  seen: number
  /** Who sat there, when it was last open. */
  people?: string[]
  /** Whether it was one's own turn then, and else who was waited for. */
  mine?: boolean
  waits?: string[]
  /** Nothing can be played there any more. */
  over?: boolean
  /** The game master's: each seat's secret; of others the door's, by which they came. */
  links?: Record<string, string>
  /** It is another person's than the other seats which this device has at the table. */
  shared?: boolean
  /** Somebody plays here alone, against bots: who they are, and what they want. */
  scene?: string
}

const SEATS = 'cardhouse.seats'
const LIKES = 'cardhouse.likes'
const NAME = 'cardhouse.name'
const KEY = 'cardhouse.key'

const device = () => localStorage
const tab = () => sessionStorage
/** What is kept is a house's own, where several have a site together. */
export const own = (key: string): string => (BASE ? `${key} ${BASE}` : key)

function read<T>(key: string, otherwise: T, store = device): T {
  try {
    return (JSON.parse(store().getItem(own(key)) ?? 'null') as T) ?? otherwise
  } catch {
    return otherwise
  }
}

/** Whether it is kept: a full or forbidden store takes nothing, and the page works without, it only forgets. */
function write(key: string, value: unknown, store = device): boolean {
  try {
    store().setItem(own(key), JSON.stringify(value))
    return true
  } catch {
    return false
  }
}

function remove(key: string, store = device) {
  try {
    store().removeItem(own(key))
  } catch {
    // Nothing was kept there.
  }
}

/** The seats taken on this device, the latest first. */
export function savedSeats(): SavedSeat[] {
  return read<SavedSeat[]>(SEATS, []).sort((a, b) => b.seen - a.seen)
}

/** Remember a seat, or what is new about it. */
export function saveSeat(seat: Pick<SavedSeat, 'table' | 'seat'> & Partial<SavedSeat>) {
  const others = savedSeats().filter((s) => s.table !== seat.table || s.seat !== seat.seat)
  const before = savedSeats().find((s) => s.table === seat.table && s.seat === seat.seat)
  write(SEATS, [{ token: '', game: '', name: '', seen: 0, ...before, ...seat }, ...others])
}

export function forgetSeat(gone: SavedSeat) {
  write(
    SEATS,
    savedSeats().filter((s) => s.table !== gone.table || s.seat !== gone.seat),
  )
  remove(witnessAt(gone.table, gone.seat))
  for (let part = 0; savedPart(gone.table, gone.seat, part).length; part++) remove(linksAt(gone.table, gone.seat, part))
}

export interface SavedCampaign {
  id: string
  token: string
  name: string
  /** When it was last open, in milliseconds since 1970. */
  seen: number
}

const CAMPAIGNS = 'cardhouse.campaigns'
/** The campaigns that were opened on this device, the latest first. */
export const savedCampaigns = () => read<SavedCampaign[]>(CAMPAIGNS, []).sort((a, b) => b.seen - a.seen)
export const saveCampaign = (campaign: SavedCampaign) =>
  write(CAMPAIGNS, [campaign, ...savedCampaigns().filter(({ id }) => id !== campaign.id)])

/** What the owner of this device was called last. */
export const savedName = () => read(NAME, '')
export const saveName = (name: string) => write(NAME, name)

export interface Likes {
  look: 'device' | 'dark' | 'light'
  fourColours: boolean
  /** How one is told that it is one's turn. */
  sound: boolean
  vibrate: boolean
  notify: boolean
  /** The pictures on the home page stand still. */
  still: boolean
}

const USUAL: Likes = { look: 'device', fourColours: false, sound: true, vibrate: true, notify: false, still: false }
export const savedLikes = () => ({ ...USUAL, ...read<Partial<Likes>>(LIKES, {}) }) as Likes
export const saveLikes = (likes: Likes) => write(LIKES, likes)

/** That this device has the page's typefaces: they are kept like all that the page is made of. */
const FACES = 'cardhouse.faces'
export const hasFaces = () => read(FACES, false)
export const saveFaces = () => write(FACES, true)

/** For which newer page of the house this tab was loaded anew last. */
const RELOADED = 'cardhouse.reloaded'
export const reloadedFor = () => read(RELOADED, '', tab)
export const saveReload = (page: string) => write(RELOADED, page, tab)

/** The study that this tab has under way, which a page that is loaded anew stops before it asks for another. */
const STUDY = 'cardhouse.study'
export const savedStudy = () => read(STUDY, '', tab)
export const saveStudy = (id: string) => write(STUDY, id, tab)

/** What somebody is writing into a form on this device; it outlives leaving the page, until it is saved or given up. */
const draftAt = (form: string) => `cardhouse.draft.${form}`
export const drafted = <T>(form: string): T | null => read<T | null>(draftAt(form), null)
export const saveDraft = (form: string, what: unknown) => write(draftAt(form), what)
export const dropDraft = (form: string) => remove(draftAt(form))

/** The drafts of this tab, mostly of tables' forms; they survive a reload. */
const halfDoneAt = (table: string, seat: string) => `cardhouse.half-done.${table}.${seat}`
export const halfDone = <T>(table: string, seat: string): T | null => read<T | null>(halfDoneAt(table, seat), null, tab)
export const saveHalfDone = (table: string, seat: string, what: unknown) =>
  what === null ? remove(halfDoneAt(table, seat), tab) : write(halfDoneAt(table, seat), what, tab)

/** What was told to a seat of a table (fairness/witness.ts). */
const witnessAt = (table: string, seat: string) => `cardhouse.witness.${table}.${seat}`
export const savedWitness = (table: string, seat: string) => read<Kept | null>(witnessAt(table, seat), null)
export const saveWitness = (table: string, seat: string, kept: Kept) => write(witnessAt(table, seat), kept)

/** The links that a seat's devices gave, so many to a part that adding one is quick. */
const LINKS_A_PART = 100
const linksAt = (table: string, seat: string, part: number) => `cardhouse.gave.${table}.${seat}.${part}`
const savedPart = (table: string, seat: string, part: number) => read<Gave[]>(linksAt(table, seat, part), [])

export function savedLinks(table: string, seat: string): Gave[] {
  const links: Gave[] = []
  for (let part = 0; ; part++) {
    const more = savedPart(table, seat, part)
    links.push(...more)
    if (more.length < LINKS_A_PART) return links
  }
}

export function saveLink(table: string, seat: string, gave: Gave) {
  let part = 0
  while (savedPart(table, seat, part).length >= LINKS_A_PART) part++
  write(linksAt(table, seat, part), [...savedPart(table, seat, part), gave])
}

/** The device of a tab that isn't looked at: taken out again when it is, so that a copy of the tab is another device. */
const deviceAt = (table: string, seat: string) => `cardhouse.device.${table}.${seat}`
export const parkDevice = (table: string, seat: string, kept: KeptDevice) => write(deviceAt(table, seat), kept, tab)

export function unparkDevice(table: string, seat: string): KeptDevice | null {
  const kept = read<KeptDevice | null>(deviceAt(table, seat), null, tab)
  remove(deviceAt(table, seat), tab)
  return kept
}

/** The key of the house, with which tables are made where not everybody may; empty for none. */
export const houseKey = () => read(KEY, '')
export const keepHouseKey = (key: string) => write(KEY, key)
