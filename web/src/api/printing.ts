import { ask, fetched, pathOf, saveFile, sent } from './http.ts'
import type { Print, PrintRequest } from './wire.ts'

/** Fetch the list of what can be printed. */
export const printsListed = () => ask<Print[]>(pathOf('prints'))

/** A saved PDF: its file name, and how to print it. */
export interface Printed {
  name: string
  how: string
}

/** Create a PDF and save it. */
export async function printIt(name: string, wanted: PrintRequest): Promise<Printed> {
  const response = await fetched(pathOf('prints', name), sent(wanted))
  const called = /filename\*=UTF-8''([^;]*)/.exec(response.headers.get('content-disposition') ?? '')?.[1]
  const file = decodeURIComponent(called ?? `${name}.pdf`)
  saveFile(await response.blob(), file)
  return { name: file, how: decodeURIComponent(response.headers.get('cardhouse-how') ?? '') }
}
