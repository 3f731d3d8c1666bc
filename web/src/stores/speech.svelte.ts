/** What screen readers speak: `LiveRegions`, of the page and of each dialog, carry it. */
class Speech {
  /** The last message; an urgent one, which this person must answer, interrupts what is being spoken. */
  last = $state.raw({ text: '', urgent: false })
  #next: string[] = []
  #urgent = false
  #odd = false

  /** Have a text spoken, as one message with all others of this moment. */
  say(text: string, urgent = false) {
    if (!this.#next.length) queueMicrotask(this.#speak)
    this.#next.push(text)
    this.#urgent ||= urgent
  }

  #speak = () => {
    // Some readers compare texts: an invisible difference makes them speak a repetition.
    this.#odd = !this.#odd
    this.last = { text: this.#next.join(' ') + (this.#odd ? '\u00a0' : ''), urgent: this.#urgent }
    this.#next = []
    this.#urgent = false
  }
}

export const speech = new Speech()
