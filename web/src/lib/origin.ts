/** Where others find this house. */
import { house } from './api.ts'
import { isOnlyHere } from './phones.ts'

/** What an address begins with that others are to open: as this page's own, unless only this computer knows that one. */
export async function originForOthers(): Promise<string> {
  if (!isOnlyHere(location.origin)) return location.origin
  try {
    return (await house()).address.replace(/\/$/, '') || location.origin
  } catch {
    return location.origin // it does as well as any
  }
}
