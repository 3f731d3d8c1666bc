/** The sockets of this page's tables. One can be opened before its table is there. */
import { at } from '../lib/base.ts'

let early: WebSocket | null = null

/** Open the socket of a table that is about to be created: its handshake takes as long as the table. */
export const connectEarly = () => void (early = takeSocket())

/** Return a socket of which nobody has used anything yet, open or about to be. */
export function takeSocket(): WebSocket {
  const opened = early
  early = null
  if (opened && opened.readyState <= WebSocket.OPEN) return opened
  return new WebSocket(`${location.origin.replace('http', 'ws')}${at('/ws')}`)
}
