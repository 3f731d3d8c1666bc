import { secretIn } from './secrets.ts'

/** The link to a seat; the table screen's also has the secret of the join code that it shows. */
export const seatLink = (origin: string, table: string, token: string, joinSecret = ''): string =>
  `${origin}/t/${table}#${token}${joinSecret ? `&join=${joinSecret}` : ''}`

/** A join code with its mark, by which a page recognises the current code; both are from the server. */
export const markCode = (code: string, mark?: string): string => (mark ? `${code}.${mark}` : code)

/** The link that lets its holder take a free seat, given a join code with its mark or without. */
export const joinLink = (origin: string, table: string, joinSecret: string): string =>
  `${origin}/j/${table}#${joinSecret.split('.')[0]}`

/** Read the part of a seat's link after the #. */
export function readSecrets(fragment: string): { token: string; joinSecret: string } {
  return { token: secretIn(fragment), joinSecret: secretIn(/[&;]join=(.*)/s.exec(fragment)?.[1] ?? '') }
}

/** The join code as people type it, in two halves; empty for an old link without a code to type. */
export function codeOf(link: string): string {
  const code = /#([a-z0-9]{8})$/.exec(link)?.[1]?.toUpperCase() ?? ''
  return code && `${code.slice(0, 4)} ${code.slice(4)}`
}
