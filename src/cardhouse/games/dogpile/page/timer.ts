/** How much of the time is left, and what is to be said of it. */

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
