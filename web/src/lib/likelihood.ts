/** Return a chance in a word, the end of a key of the game's texts. */
export function likelihood(chance: number): 'sure' | 'likely' | 'even' | 'unlikely' | 'never' {
  if (chance >= 1) return 'sure'
  if (chance <= 0) return 'never'
  return chance > 0.55 ? 'likely' : chance >= 0.45 ? 'even' : 'unlikely'
}
