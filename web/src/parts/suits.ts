/** The four suits in our own hand, each in a box of 100 by 100. */
export const SUIT_PATHS = {
  H: 'M50 91C24 68 7 51 7 32 7 18 17 9 29 9c10 0 17 6 21 16C54 15 61 9 71 9c12 0 22 9 22 23 0 19-17 36-43 59Z',
  D: 'M50 4c9 18 21 32 35 46-14 14-26 28-35 46C41 78 29 64 15 50 29 36 41 22 50 4Z',
  S: 'M50 5C43 25 9 41 9 63c0 12 9 20 20 20 7 0 13-3 17-9-1 10-5 16-13 21h34c-8-5-12-11-13-21 4 6 10 9 17 9 11 0 20-8 20-20C91 41 57 25 50 5Z',
  C: 'M50 6c-12 0-21 9-21 21 0 6 3 12 7 16-3-2-6-3-10-3C14 40 5 49 5 61s9 21 21 21c9 0 17-5 20-13 0 11-4 19-12 26h32c-8-7-12-15-12-26 3 8 11 13 20 13 12 0 21-9 21-21s-9-21-21-21c-4 0-7 1-10 3 4-4 7-10 7-16 0-12-9-21-21-21Z',
} as const

/** A star of five points, for the jokers' corner. */
export const STAR = 'M50 6 61 38h34L68 58l10 33-28-20-28 20 10-33L5 38h34Z'

/** What sits on a court card's suit: a jack's feathered cap, a queen's coronet, a king's crown; a box of 60 by 40. */
export const COURT_PATHS: Record<string, string> = {
  K: 'M8 36h44M9 30 6 12l13 10L30 6l11 16 13-10-3 18ZM30 6V-3M26 1h8',
  Q: 'M9 36h42M10 30C8 22 6 17 3 13c6 2 11 5 14 9 1-6 6-11 13-17 7 6 12 11 13 17 3-4 8-7 14-9-3 4-5 9-7 17ZM30 0a2.500 2.500 0 1 0 0-.01M1 9a2 2 0 1 0 0-.01M59 9a2 2 0 1 0 0-.01',
  J: 'M6 36c14-5 34-5 48 0M10 32c0-14 8-22 20-22s19 7 20 20M42 15C44 5 51-1 60-3c0 10-5 17-14 20M60-3C53 3 48 9 44 17',
}

/** A jester's cap with three bells, in the card's own box of 100 by 140. */
export const JESTER = {
  cap: 'M30 108C31 88 27 71 13 75c5-16 24-19 33-2 0-14 4-24 11-32 7 8 11 18 11 32 9-17 28-14 33 2-14-4-18 13-17 33Z',
  band: 'M29 116h56',
  bells: [
    [12, 81],
    [57, 35],
    [102, 81],
  ],
} as const

/** The lattice on the back of a card, and the house on it. */
export const BACK = {
  lattice: lattice(),
  house: 'M32 90 50 50h4l18 40M40 90l12-27 12 27M37 80h30',
}

function lattice(): string {
  const lines: string[] = []
  for (let x = -120; x <= 80; x += 10) lines.push(`M${10 + x} 10l120 120`, `M${90 - x} 10l-120 120`)
  return lines.join('')
}

/** A dog's paw: four toes and the pad, in a box of 100 by 100. */
export const PAW =
  'M16 34c7-1 14 5 15 14s-3 17-10 18S8 61 7 52s2-17 9-18ZM36 10c8-1 14 7 15 17s-4 18-11 19-14-7-15-17 4-18 11-19ZM64 10c7 1 12 9 11 19s-8 18-15 17-12-9-11-19 7-18 15-17ZM84 34c7 1 10 9 9 18s-7 15-14 14-11-9-10-18 8-15 15-14ZM50 52c12 0 27 16 27 29 0 8-6 11-12 10-6-2-10-3-15-3s-9 1-15 3c-6 1-12-2-12-10 0-13 15-29 27-29Z'
