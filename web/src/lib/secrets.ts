/**
 * The secrets of links as chats and mail programs pass them on: with punctuation, emphasis or tracking behind them, with
 * escapes and unseen characters, or in capitals. Their alphabets and lengths are those of server/core/tokens.py.
 */

const TOKEN = /^[^\w-]*([\w-]{22})/
/** A join code, and the mark by which a page recognises the current one. */
const CODE = /^[^a-z\d]*([2-9a-hjkmnp-z]{8}(?:\.[\da-f]+)?)(?:[^a-z\d]|$)/i
const LINK = /(?:^|\/)([tjc]|replay)\/+([2-9a-hjkmnp-z]{8})(\/what-if)?(?:[^a-z\d#][^#]*)?(?:#(.*))?$/is
/** Soft hyphens, zero-width characters and marks of direction. */
const UNSEEN = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g
/** The longest text that is searched, in characters; a link is much shorter. */
const MOST = 2000

/** Return the secret that a text begins with: of a seat, or a join code; otherwise its first word. */
export function secretIn(text: string): string {
  const plain = cleaned(text)
  return TOKEN.exec(plain)?.[1] ?? CODE.exec(plain)?.[1]?.toLowerCase() ?? /^[\w-]*/.exec(plain)![0]
}

/** Return the address of the link in a text, without what was added to it; empty if there is none. */
export function linkIn(text: string): string {
  const [, kind, id, page = '', secrets = ''] = LINK.exec(cleaned(text)) ?? []
  return kind ? `/${kind.toLowerCase()}/${id!.toLowerCase()}${page}#${secrets}` : ''
}

function cleaned(text: string): string {
  const escaped = text.slice(0, MOST).replace(/%(?![\da-f]{2})/gi, '%25')
  try {
    text = decodeURIComponent(escaped)
  } catch {
    text = escaped // no UTF-8
  }
  return text.normalize('NFKC').replace(UNSEEN, '').trim()
}
