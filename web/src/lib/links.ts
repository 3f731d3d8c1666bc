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
