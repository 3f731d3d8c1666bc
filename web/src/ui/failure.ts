import type { ApiError } from '../api/http.ts'
import { t } from '../i18n/index.ts'

/** The words of an empty page, from the error of a request: the error's own, unless the server wasn't reached. */
export function failure(error: unknown): { title: string; detail: string } {
  const { message } = error as ApiError
  return { title: t(message ? 'went_wrong' : 'house_away'), detail: message }
}
