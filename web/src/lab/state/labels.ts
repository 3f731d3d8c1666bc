import type { LabNumber, LabPlot } from '../../api/wire.ts'
import { readable } from '../../i18n/text.ts'
import { t } from '../../i18n/lazy.ts'

/** Return the label of a setting: `HP`, `Their wait`. */
export function settingLabel(name: string): string {
  return readable(name).replace(/\bhp\b/i, 'HP')
}

const isWord = (choice: string) => /^[a-z_]{2,}$/.test(choice)

/** Return the label of a choice; one that isn't a word stays as it is. */
export function choiceLabel(choice: string): string {
  return isWord(choice) ? readable(choice) : choice
}

/** Return a choice within a sentence: `well rounded`. */
export const choiceInText = (choice: string): string => (isWord(choice) ? choice.replaceAll('_', ' ') : choice)

/** Return the files that a setting names, each possibly with changed pieces: `standard with HK=harmless`. */
export const fileNames = (text: string): string[] => text.split(',').map((one) => one.trim().split(' with ')[0]!)

/** Format a difference; that of two shares is in points, so that it isn't mistaken for a share. */
export function difference(number: LabNumber): string {
  return number.shown.replace('%', ` ${t('lab_points')}`)
}

/** Format a number of trials: `1 fight`, `2,000 fights`. */
export function countOf(n: number, trial: string): string {
  return `${n.toLocaleString('en')} ${trial}${n === 1 ? '' : 's'}`
}

/** Group each plot with the one to show next to it, if any. */
export function inPairs(plots: LabPlot[]): LabPlot[][] {
  const pairs: LabPlot[][] = []
  for (const plot of plots) {
    if (plot.beside) pairs.at(-1)!.push(plot)
    else pairs.push([plot])
  }
  return pairs
}
