/** Format a number of bytes. */
export function bytes(n: number): string {
  const [size, unit] = n < 1e6 ? [n / 1e3, 'kilobyte'] : n < 1e9 ? [n / 1e6, 'megabyte'] : [n / 1e9, 'gigabyte']
  return new Intl.NumberFormat(undefined, { style: 'unit', unit, maximumFractionDigits: 1 }).format(size)
}
