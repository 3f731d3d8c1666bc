/** Stored data: seats, links, witness records, preferences and drafts on this device, and unsent forms in this tab. */
import { BASE } from '../lib/base.ts'
import type { Pace } from '../api/protocol.ts'
import type { StoredDevice } from '../fairness/device.ts'
import type { GivenLink, WitnessRecord } from '../fairness/witness.ts'

export interface SavedSeat {
  table: string
  seat: string
  token: string
  game: string
  name: string
  /** When the seat was last open, in Unix milliseconds. */
  seen: number
  /** The other players, as of then. */
  people?: string[]
  /** Whether it was this seat's turn then, and otherwise who was waited for. */
  mine?: boolean
  waits?: string[]
  /** The table is finished. */
  over?: boolean
  /**
   * For the game master, each seat's secret; for others, the join code's secret if they used one, and the secrets of
   * bots' seats that they may take over.
   */
  links?: Record<string, string>
  /** The seat belongs to another person than this device's other seats at the table. */
  shared?: boolean
  /** In a scene played alone against bots: the player's character and goal. */
  scene?: string
  /** The key of that scene among the game's scenes. */
  sceneKey?: string
}

const SEATS = 'cardhouse.seats'
const PREFERENCES = 'cardhouse.likes'
const NAME = 'cardhouse.name'
const KEY = 'cardhouse.key'

const device = () => localStorage
const tab = () => sessionStorage
/** Return the storage key, distinct for each server on a shared site. */
export const storageKey = (key: string): string => (BASE ? `${key} ${BASE}` : key)

function read<T>(key: string, otherwise: T, store = device): T {
  try {
    return (JSON.parse(store().getItem(storageKey(key)) ?? 'null') as T) ?? otherwise
  } catch {
    return otherwise
  }
}

/** Return whether the value was saved: if storage is full or forbidden, the page works on without it. */
function write(key: string, value: unknown, store = device): boolean {
  try {
    store().setItem(storageKey(key), JSON.stringify(value))
    return true
  } catch {
    return false
  }
}

function remove(key: string, store = device) {
  try {
    store().removeItem(storageKey(key))
  } catch {
    // Storage is unavailable, so nothing was saved.
  }
}

/** The seats taken on this device, latest first. */
export function savedSeats(): SavedSeat[] {
  return read<SavedSeat[]>(SEATS, []).sort((a, b) => b.seen - a.seen)
}

/** Save a seat, or update it. */
export function saveSeat(seat: Pick<SavedSeat, 'table' | 'seat'> & Partial<SavedSeat>) {
  const others = savedSeats().filter((s) => s.table !== seat.table || s.seat !== seat.seat)
  const before = savedSeats().find((s) => s.table === seat.table && s.seat === seat.seat)
  write(SEATS, [{ token: '', game: '', name: '', seen: 0, ...before, ...seat }, ...others])
}

/** Forget a link that the game master has replaced; what this device witnessed stays. */
export const forgetLink = (link: string) =>
  write(
    SEATS,
    savedSeats().map((seat) => (seat.token === link ? { ...seat, token: '' } : seat)),
  )

export function forgetSeat(gone: SavedSeat) {
  write(
    SEATS,
    savedSeats().filter((s) => s.table !== gone.table || s.seat !== gone.seat),
  )
  remove(witnessAt(gone.table, gone.seat))
  for (let part = 0; savedPart(gone.table, gone.seat, part).length; part++) remove(linksAt(gone.table, gone.seat, part))
  for (const page of ['j', 'replay']) forgetTabSecret(`/${page}/${gone.table}`)
  for (const here of [tabDraftAt, deviceAt]) remove(here(gone.table, gone.seat), tab)
}

/** The secret of a page that this tab showed, after the # that was in its address. */
const secretAt = (page: string) => `cardhouse.secret.${page}`
export const tabSecret = (page: string) => read(secretAt(page), '', tab)
export const saveTabSecret = (page: string, hash: string) => write(secretAt(page), hash, tab)
export const forgetTabSecret = (page: string) => remove(secretAt(page), tab)

export interface SavedCampaign {
  id: string
  token: string
  name: string
  /** When it was last open, in Unix milliseconds. */
  seen: number
}

const CAMPAIGNS = 'cardhouse.campaigns'
/** The campaigns opened on this device, latest first. */
export const savedCampaigns = () => read<SavedCampaign[]>(CAMPAIGNS, []).sort((a, b) => b.seen - a.seen)
export const saveCampaign = (campaign: SavedCampaign) =>
  write(CAMPAIGNS, [campaign, ...savedCampaigns().filter(({ id }) => id !== campaign.id)])

export function forgetCampaign(gone: string) {
  write(
    CAMPAIGNS,
    savedCampaigns().filter(({ id }) => id !== gone),
  )
  dropDraft(`campaign.${gone}`)
}

/** The player's last name. */
export const savedName = () => read(NAME, '')
export const saveName = (name: string) => write(NAME, name)

export interface Preferences {
  look: 'device' | 'dark' | 'light'
  fourColours: boolean
  /** The ways to signal one's turn. */
  sound: boolean
  vibrate: boolean
  notify: boolean
  /** The previews on the home page don't move. */
  still: boolean
  /** The pace of the bots, in play alone. */
  pace: Pace
  /** Tables show the basic view. */
  basic: boolean
  /** The keys of a table work. */
  keys: boolean
}

const DEFAULTS: Preferences = {
  look: 'device',
  fourColours: false,
  sound: true,
  vibrate: true,
  notify: false,
  still: false,
  pace: 'normal',
  basic: false,
  keys: true,
}
export const savedPreferences = () => ({ ...DEFAULTS, ...read<Partial<Preferences>>(PREFERENCES, {}) }) as Preferences
export const savePreferences = (likes: Preferences) => write(PREFERENCES, likes)

/** Whether the browser has cached the page's typefaces, as it does all files of the page. */
const FACES = 'cardhouse.faces'
export const hasFaces = () => read(FACES, false)
export const saveFaces = () => write(FACES, true)

/** The newer version of the page for which this tab was last reloaded. */
const RELOADED = 'cardhouse.reloaded'
export const reloadedFor = () => read(RELOADED, '', tab)
export const saveReload = (page: string) => write(RELOADED, page, tab)

/** This tab's running study; after a reload the page stops it before it starts another. */
const STUDY = 'cardhouse.study'
export const savedStudy = () => read(STUDY, '', tab)
export const saveStudy = (id: string) => write(STUDY, id, tab)
/** This device's last study, which another tab may stop if this one was closed before it could. */
export const lastStudy = () => read(STUDY, '')
export const saveLastStudy = (id: string) => write(STUDY, id)

/** Drafts on this device: they survive leaving the page, until saved or discarded. */
const draftAt = (form: string) => `cardhouse.draft.${form}`
export const savedDraft = <T>(form: string): T | null => read<T | null>(draftAt(form), null)
export const saveDraft = (form: string, what: unknown) => write(draftAt(form), what)
export const dropDraft = (form: string) => remove(draftAt(form))

/** Drafts in this tab, mostly of tables' forms; they survive a reload. */
const tabDraftAt = (table: string, seat: string) => `cardhouse.half-done.${table}.${seat}`
export const tabDraft = <T>(table: string, seat: string): T | null => read<T | null>(tabDraftAt(table, seat), null, tab)
export const saveTabDraft = (table: string, seat: string, what: unknown) =>
  what === null ? remove(tabDraftAt(table, seat), tab) : write(tabDraftAt(table, seat), what, tab)

/** A seat's witness record of a table (fairness/witness.ts). */
const witnessAt = (table: string, seat: string) => `cardhouse.witness.${table}.${seat}`
export const savedWitness = (table: string, seat: string) => read<WitnessRecord | null>(witnessAt(table, seat), null)
export const saveWitness = (table: string, seat: string, record: WitnessRecord) => write(witnessAt(table, seat), record)

/** The links given by a seat's devices, stored in chunks of this size so that adding one is fast. */
const LINKS_A_PART = 100
const linksAt = (table: string, seat: string, part: number) => `cardhouse.gave.${table}.${seat}.${part}`
const savedPart = (table: string, seat: string, part: number) => read<GivenLink[]>(linksAt(table, seat, part), [])

export function savedLinks(table: string, seat: string): GivenLink[] {
  const links: GivenLink[] = []
  for (let part = 0; ; part++) {
    const more = savedPart(table, seat, part)
    links.push(...more)
    if (more.length < LINKS_A_PART) return links
  }
}

export function saveLink(table: string, seat: string, link: GivenLink) {
  let part = 0
  while (savedPart(table, seat, part).length >= LINKS_A_PART) part++
  write(linksAt(table, seat, part), [...savedPart(table, seat, part), link])
}

/** The device state of a hidden tab; removed when the tab is shown, so that a duplicated tab becomes another device. */
const deviceAt = (table: string, seat: string) => `cardhouse.device.${table}.${seat}`
export const parkDevice = (table: string, seat: string, record: StoredDevice) =>
  write(deviceAt(table, seat), record, tab)

export function unparkDevice(table: string, seat: string): StoredDevice | null {
  const record = read<StoredDevice | null>(deviceAt(table, seat), null, tab)
  remove(deviceAt(table, seat), tab)
  return record
}

/** The server key, for servers where only its holders may create tables; empty for none. */
export const serverKey = () => read(KEY, '')
export const saveServerKey = (key: string) => write(KEY, key)
