/** The addresses that are given out, and what a page is told by its own. */

/** The link to a seat; the screen's brings the secret of the table's door along, whose code it shows. */
export const seatLink = (origin: string, table: string, token: string, door = ''): string =>
  `${origin}/t/${table}#${token}${door ? `&join=${door}` : ''}`

/** The link by which whoever has it takes a free seat. */
export const doorLink = (origin: string, table: string, door: string): string => `${origin}/j/${table}#${door}`

/** What stands behind the # of a seat's link. */
export function readSecrets(fragment: string): { token: string; door: string } {
  const [token = '', ...more] = fragment.split('&')
  return { token, door: new URLSearchParams(more.join('&')).get('join') ?? '' }
}

/** The code of a table's door as people type it, in two halves; empty for a link of before codes were typed. */
export function codeOf(link: string): string {
  const code = /#([a-z0-9]{8})$/.exec(link)?.[1]?.toUpperCase() ?? ''
  return code && `${code.slice(0, 4)} ${code.slice(4)}`
}
