/**
 * The page's address, without the secrets of links, so that neither the history nor a copied address has them. A secret
 * leaves the address once this device has it: a seat's or a campaign's among the saved ones, another page's in this tab.
 * Where the browser refuses to store anything, it stays.
 */
import { at, path } from '../lib/base.ts'
import { readSecrets } from '../lib/links.ts'
import { linkIn } from '../lib/secrets.ts'
import { savedCampaigns, savedSeats, saveServerKey, saveTabSecret, serverKey, tabSecret } from './saved.ts'

/** The pages that a device doesn't save by themselves. */
const IN_TAB = /^\/(?:j|replay|house)\b/

/** Return the path, and the secret from the address or from this tab. A link with the server key saves the key. */
export function readAddress(): string {
  mendLink()
  const page = path()
  const key = /^\/(?:index\.html)?$/.test(page) && /^#key=(.+)$/.exec(location.hash)?.[1]
  if (key) saveServerKey(decoded(key))
  const hash = location.hash || (IN_TAB.test(page) && tabSecret(page))
  hideSecret()
  return page + (key ? '' : hash || '')
}

/** Undo what a chat or a mail program did to the link on its way. */
function mendLink() {
  const given = path() + location.hash
  const [page = '', secret] = linkIn(given).split('#')
  const link = secret ? `${page}#${secret}` : page
  if (page && link !== given)
    history.replaceState(history.state, '', at(page) + location.search + (secret ? `#${secret}` : ''))
}

/** Take the secret out of the address, if this device has it. */
export function hideSecret() {
  const state = location.hash && stateOf(path(), location.hash)
  if (state) history.replaceState({ ...history.state, ...state }, '', location.pathname + location.search)
}

/** Add a history entry, or replace the current one. */
export function enter(to: string, instead: boolean) {
  const [page = '', secret] = to.split('#')
  const state = secret ? stateOf(page.replace(/[?].*/, ''), `#${secret}`) : null
  const address = at(state ? page : to)
  if (instead) history.replaceState(state, '', address)
  else history.pushState(state, '', address)
}

/** Return the state of a history entry without this secret: its seat, if any; null if this device lacks the secret. */
function stateOf(page: string, hash: string): { seat?: string } | null {
  if (hash.startsWith('#key=')) return serverKey() === decoded(hash.slice('#key='.length)) ? {} : null
  const [, kind, id] = page.split('/')
  const { token } = readSecrets(hash.slice(1))
  if (kind === 't') {
    const seat = savedSeats().find((one) => one.table === id && one.token === token)?.seat
    return seat ? { seat } : null
  }
  const isSaved =
    kind === 'c' ? savedCampaigns().some((one) => one.id === id && one.token === token) : IN_TAB.test(page)
  return isSaved && (kind === 'c' || saveTabSecret(page, hash)) ? {} : null
}

/** Return a key from an address, in which browsers encode some characters, such as spaces. */
export function decoded(key: string): string {
  try {
    return decodeURIComponent(key)
  } catch {
    return key
  }
}

/** The seat of the current history entry, if its secret was taken out. */
export const seatOfEntry = (): string | undefined => (history.state as { seat?: string } | null)?.seat
