import { house } from './http.ts'
import { here } from '../lib/base.ts'
import { isLocalOnly } from '../lib/phones.ts'

/** Return the origin of links for other devices: this page's own, unless only this computer can open it. */
export async function originForOthers(): Promise<string> {
  if (!isLocalOnly(location.origin)) return here()
  try {
    return (await house()).address.replace(/\/$/, '') || here()
  } catch {
    return here() // good enough
  }
}
