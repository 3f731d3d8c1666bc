import { serverInfo } from './http.ts'
import { pageOrigin } from '../lib/base.ts'
import { isLocalOnly } from '../lib/phones.ts'

/** Return the origin of links for other devices: this page's own, unless only this computer can open it. */
export async function originForOthers(): Promise<string> {
  if (!isLocalOnly(location.origin)) return pageOrigin()
  try {
    return (await serverInfo()).address.replace(/\/$/, '') || pageOrigin()
  } catch {
    return pageOrigin() // good enough
  }
}
