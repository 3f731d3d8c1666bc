import type { OddsFor, Schema } from './protocol.ts'

export interface Titled {
  title: string
  text: string
}

export interface Rule {
  title: string
  text: string
  ruling?: string | null
  option?: string | null
}

export interface Words {
  title: string
  tagline: string
  asks: Record<string, { you: string; others: string }>
  events: Record<string, string>
  actions: Record<string, string>
  fields: Record<string, string>
  values: Record<string, string>
  options: Record<string, Titled>
  steps: Record<string, Titled>
  decks: Record<string, Titled>
  page: Record<string, string>
}

export interface GameInfo {
  name: string
  title: string
  tagline: string
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
}

export interface NewTable {
  game: string
  name?: string
  options?: Record<string, unknown>
  seats: number
  decks?: Record<string, string>
  by_hand?: string[]
  odds?: OddsFor
}

/** What was wrong, in the server's words. */
export class ApiError extends Error {}

async function ask<T>(path: string, init?: RequestInit): Promise<T> {
  const response = await fetch(path, init).catch(() => null)
  if (!response?.ok) throw new ApiError(await complaint(response))
  return (await response.json()) as T
}

const sent = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

export const house = () => ask<{ address: string; version: string }>('/api/house')
export const games = () => ask<GameInfo[]>('/api/games')
export const game = (name: string) => ask<Game>(`/api/games/${encodeURIComponent(name)}`)

export interface MadeTable {
  table: string
  commitment: string
  links: Record<string, string>
}

export const makeTable = (table: NewTable) => ask<MadeTable>('/api/tables', sent(table))
/** Make a table that goes on where a transcript ends. */
export const bringBack = (transcript: Blob) =>
  ask<MadeTable>('/api/tables/import', { method: 'POST', body: transcript })

/** Save a text that only a seat's owner may read as a file. */
export async function saveText(path: string, token: string, name: string): Promise<void> {
  const response = await fetch(path, { headers: { authorization: `Bearer ${token}` } }).catch(() => null)
  if (!response?.ok) throw new ApiError(await complaint(response))
  const link = document.createElement('a')
  link.href = URL.createObjectURL(await response.blob())
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

async function complaint(response: Response | null): Promise<string> {
  const body: unknown = await response?.json().catch(() => null)
  const { message, detail } = (body ?? {}) as { message?: string; detail?: string }
  return message ?? detail ?? ''
}
