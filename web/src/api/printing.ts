import { requestJson, request, pathOf, saveFile, post } from './http.ts'
import type { Print, PrintRequest } from './wire.ts'

/** Fetch the list of what can be printed. */
export const fetchPrints = () => requestJson<Print[]>(pathOf('prints'))

/** A saved PDF: its file name, and how to print it. */
export interface SavedPdf {
  name: string
  how: string
}

/** Create a PDF and save it. */
export async function savePdf(name: string, wanted: PrintRequest): Promise<SavedPdf> {
  const response = await request(pathOf('prints', name), post(wanted))
  const encodedName = /filename\*=UTF-8''([^;]*)/.exec(response.headers.get('content-disposition') ?? '')?.[1]
  const file = decodeURIComponent(encodedName ?? `${name}.pdf`)
  saveFile(await response.blob(), file)
  return { name: file, how: decodeURIComponent(response.headers.get('cardhouse-how') ?? '') }
}
