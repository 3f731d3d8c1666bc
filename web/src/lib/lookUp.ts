/**
 * Return a value by a name that people type. Read no object by such a name otherwise: without an own entry,
 * `constructor` and `toString` are found in Object.prototype.
 */
export const lookUp = <T>(of: Readonly<Record<string, T>> | null | undefined, name: string): T | undefined =>
  of && Object.hasOwn(of, name) ? of[name] : undefined
