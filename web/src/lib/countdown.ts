/** Whole seconds left until a time in Unix seconds, rounded up; `now` is in Unix milliseconds. */
export const secondsLeft = (endsAt: number, now: number) => Math.max(0, Math.ceil((endsAt * 1000 - now) / 1000))

/** Milliseconds until `secondsLeft` changes. */
export function untilNext(endsAt: number, now: number): number {
  const left = endsAt * 1000 - now
  return left - (Math.ceil(left / 1000) - 1) * 1000
}
