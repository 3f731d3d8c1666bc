/** Svelte parts as custom elements, in the light DOM: the page's style sheet holds in them, and readers see them. */
import { mount, unmount, type Component } from 'svelte'
import { contextOf } from '../context.svelte.ts'
import { contextAround } from '../slots.svelte.ts'

/** What an attribute says: a text, whether it is there, a number, or several words with spaces between them. */
export type Kind = 'text' | 'flag' | 'number' | 'words'

const READ: Record<Kind, (value: string | null) => unknown> = {
  text: (value) => value ?? undefined,
  flag: (value) => value !== null,
  number: (value) => (value === null || value === '' ? undefined : Number(value)),
  words: (value) => (value === null ? undefined : value.split(/\s+/).filter(Boolean)),
}

/** Have a part be `<name>`: each of `attributes`, by its property's name, is one as well, written with hyphens. */
export function define(
  name: string,
  Part: Component<any>,
  attributes: Record<string, Kind>,
  properties: string[] = [],
) {
  if (customElements.get(name)) return
  const byAttribute = new Map(Object.keys(attributes).map((key) => [hyphened(key), key]))

  class PartElement extends HTMLElement {
    static observedAttributes = [...byAttribute.keys()]
    readonly given: Record<string, unknown> = $state({})
    #part: object | null = null

    constructor() {
      super()
      for (const key of [...byAttribute.values(), ...properties]) this.#property(key)
    }

    connectedCallback() {
      if (this.#part) return
      const context = contextAround(this)
      const props = withHost(this.given, this)
      this.#part = mount(Part, { target: this, props, context: context ? contextOf(context) : new Map() })
    }

    /** An element that was only moved keeps its part. */
    disconnectedCallback() {
      queueMicrotask(() => {
        if (this.isConnected || !this.#part) return
        void unmount(this.#part)
        this.#part = null
        this.replaceChildren()
      })
    }

    attributeChangedCallback(attribute: string, _: string | null, value: string | null) {
      const key = byAttribute.get(attribute)!
      this.given[key] = READ[attributes[key]!](value)
    }

    /** What was set before the element was known is taken over. */
    #property(key: string) {
      const before = Object.getOwnPropertyDescriptor(this, key)?.value as unknown
      Object.defineProperty(this, key, {
        get: () => this.given[key],
        set: (value: unknown) => (this.given[key] = value),
        configurable: true,
      })
      if (before !== undefined) this.given[key] = before
    }
  }
  customElements.define(name, PartElement)
}

/** What a part is given: its attributes and properties as they are now, and its element as `host`. */
const withHost = (given: Record<string, unknown>, host: HTMLElement) =>
  new Proxy(given, {
    get: (target, key) => (key === 'host' ? host : Reflect.get(target, key)),
    has: (target, key) => key === 'host' || Reflect.has(target, key),
  })

const hyphened = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** Tell whoever listens to an element; it bubbles. */
export const tell = (host: HTMLElement, event: string, detail: unknown) =>
  host.dispatchEvent(new CustomEvent(event, { detail, bubbles: true }))
