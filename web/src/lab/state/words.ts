import type { LabNumber, LabPlot } from '../../api/wire.ts'
import { readable } from '../../i18n/text.ts'
import { t } from '../../i18n/lazy.ts'

/** What a setting is called: `HP`, `Their wait`. */
export function called(name: string): string {
  return readable(name).replace(/\bhp\b/i, 'HP')
}

const isWord = (choice: string) => /^[a-z_]{2,}$/.test(choice)

/** What one of its choices is called; what is no word stays as it is. */
export function choiceCalled(choice: string): string {
  return isWord(choice) ? readable(choice) : choice
}

/** The same within a sentence: `well rounded`. */
export const choiceWritten = (choice: string): string => (isWord(choice) ? choice.replaceAll('_', ' ') : choice)

/** A difference as people read it: that of two shares is in points, lest it be taken for a share of one of them. */
export function difference(number: LabNumber): string {
  return number.shown.replace('%', ` ${t('lab_points')}`)
}

/** So many of what is played once: `1 fight`, `2,000 fights`. */
export function howMany(n: number, trial: string): string {
  return `${n.toLocaleString('en')} ${trial}${n === 1 ? '' : 's'}`
}

/** Plots with the one that stands beside each, if there is one. */
export function inPairs(plots: LabPlot[]): LabPlot[][] {
  const pairs: LabPlot[][] = []
  for (const plot of plots) {
    if (plot.beside) pairs.at(-1)!.push(plot)
    else pairs.push([plot])
  }
  return pairs
}
