/** Where others find this house. */
import { house } from './http.ts'
import { here } from '../lib/base.ts'
import { isOnlyHere } from '../lib/phones.ts'

/** What an address begins with that others are to open: as this page's own, unless only this computer knows that one. */
export async function originForOthers(): Promise<string> {
  if (!isOnlyHere(location.origin)) return here()
  try {
    return (await house()).address.replace(/\/$/, '') || here()
  } catch {
    return here() // it does as well as any
  }
}
