import { ask, fetched, pathOf, saveFile, sent } from './http.ts'
import type { Print, PrintRequest } from './wire.ts'

/** All that can be printed. */
export const printsListed = () => ask<Print[]>(pathOf('prints'))

/** A PDF just saved: what it is called, and how it is best printed. */
export interface Printed {
  name: string
  how: string
}

/** Have something printed, and save its PDF. */
export async function printIt(name: string, wanted: PrintRequest): Promise<Printed> {
  const response = await fetched(pathOf('prints', name), sent(wanted))
  const called = /filename\*=UTF-8''([^;]*)/.exec(response.headers.get('content-disposition') ?? '')?.[1]
  const file = decodeURIComponent(called ?? `${name}.pdf`)
  saveFile(await response.blob(), file)
  return { name: file, how: decodeURIComponent(response.headers.get('cardhouse-how') ?? '') }
}
