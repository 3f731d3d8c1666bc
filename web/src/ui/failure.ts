import type { ApiError } from '../api/http.ts'
import { t } from '../i18n/index.ts'

/** The words of an empty page, from the error of a request: the server's, unless it wasn't reached. */
export function failure(error: unknown): { title: string; detail: string } {
  const { code, message } = error as ApiError
  return { title: t(code ? 'went_wrong' : 'house_away'), detail: message }
}
