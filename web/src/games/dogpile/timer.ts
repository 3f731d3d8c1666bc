/** How much of the time is left, and what is to be said of it. */

/** Whole seconds left until a time (in Unix seconds), begun ones counted; `now` is in Unix milliseconds. */
export const secondsLeft = (endsAt: number, now: number) => Math.max(0, Math.ceil((endsAt * 1000 - now) / 1000))

/** Milliseconds until `secondsLeft` says something else. */
export function untilNext(endsAt: number, now: number): number {
  const left = endsAt * 1000 - now
  return left - (Math.ceil(left / 1000) - 1) * 1000
}

/** Minutes and seconds, as on a kitchen timer. */
export const clockText = (seconds: number) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`

/** The last minute is marked. */
export const LAST_SECONDS = 60

/** What is told to those who only listen: that so many minutes are left. */
const TOLD_MINUTES = [5, 1]

/** The minutes to be told of, once these seconds have become those; null if none. */
export function toldMinutes(before: number, now: number): number | null {
  return TOLD_MINUTES.find((minutes) => before > minutes * 60 && now <= minutes * 60 && now > 0) ?? null
}
