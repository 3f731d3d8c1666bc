import type { Answer, Asks, Offer } from '../api/protocol.ts'
import { pressStarted, SETTLING_MS } from '../lib/presses.ts'

/** A question with its offers, and the last entry that an undo would take back (0 for none). */
export interface Question {
  asks: Asks
  offers: readonly Offer[]
  undo: number
}

/** The most questions remembered. Presses older than PRESS_MS are always accepted. */
const MOST = 50
const PRESS_MS = 5000

/** The latest questions, by which to recognise an action whose meaning changed just before its press. */
export class RecentQuestions {
  /** `until` is the time of the change to the next question, by `performance.now()`. */
  #questions: (Question & { until: number })[] = []

  remember(question: Question) {
    this.#questions = [...this.#questions, { ...question, until: performance.now() }].slice(-MOST)
  }

  /** Whether an action now means something else than when its press began, or could last be seen. */
  isNew(answer: Answer, now: Question): boolean {
    const began = pressStarted()
    if (began === null || performance.now() - began > PRESS_MS) return false
    const meant = meaning(answer, now)
    const seen = this.#questions.filter(({ until }) => until > began - SETTLING_MS)
    return meant !== null && seen.some((question) => meaning(answer, question) !== meant)
  }
}

/**
 * Return an action's meaning: the question it answers or, for undo and redo, the last action in effect. Null if it
 * isn't an offer of the current question, as for offers open at any time.
 */
function meaning(answer: Answer, { asks, offers, undo }: Question): string | null {
  if ('undo' in answer || 'redo' in answer) return `after ${undo}`
  const bot = answer.t === 'let_bot'
  if (!bot && !offers.some((offer) => !offer.anytime && fits(answer, offer))) return null
  // If everyone answers separately, another player's answer only changes lists of who has answered.
  const about = Object.entries(asks.with).filter(([, value]) => !asks.together || typeof value !== 'object')
  return JSON.stringify([asks.key, about])
}

/** Whether an action fits this offer: the same name and the same constants. */
const fits = (answer: Answer, offer: Offer): boolean =>
  offer.do === answer.do &&
  offer.draw === answer.draw &&
  offer.roll === answer.roll &&
  Object.entries(offer.fields).every(
    ([field, schema]) => !('const' in schema) || !(field in answer) || schema.const === answer[field],
  )
