/** The time left, and its announcements. */

/** Return minutes and seconds, as on a kitchen timer. */
export const clockText = (seconds: number) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`

/** The last minute is marked. */
export const LAST_SECONDS = 60

/** The minutes left that screen readers announce. */
const TOLD_MINUTES = [5, 1]

/** Return the minutes to announce when the seconds go from `before` to `now`; null if none. */
export function toldMinutes(before: number, now: number): number | null {
  return TOLD_MINUTES.find((minutes) => before > minutes * 60 && now <= minutes * 60 && now > 0) ?? null
}
