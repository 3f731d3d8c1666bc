/** Svelte components as custom elements without shadow DOM, so that the page's style sheet applies to them. */
import type { Component } from 'svelte'
import type { Shown } from '$contract'
import { mounted } from '../views/shows.ts'
import { placeAround } from '../views/slots.svelte.ts'
import { fromAttribute, fromProperty, hyphened, type Kind } from './attributes.ts'

/** Define a component as the element `<name>`. Its props are properties, and attributes with hyphens. */
export function define(name: string, Part: Component<any>, kinds: Readonly<Record<string, Kind>>) {
  if (customElements.get(name)) return
  const byAttribute = new Map(
    Object.keys(kinds)
      .filter((key) => kinds[key] !== 'list')
      .map((key) => [hyphened(key), key]),
  )

  class PartElement extends HTMLElement {
    static observedAttributes = [...byAttribute.keys()]
    readonly given: Record<string, unknown> = $state({})
    #part: Shown | null = null

    constructor() {
      super()
      for (const key of Object.keys(kinds)) this.#property(key)
    }

    /** Its errors go to the slot around it. */
    connectedCallback() {
      if (this.#part) return
      const place = placeAround(this)
      if (!place)
        return console.error(`<${name}> stands in none of the places that a view is given, and shows nothing.`)
      this.#part = mounted(this, place.context, place, Part, withHost(this.given, this))
    }

    /** An element that was only moved keeps its component. */
    disconnectedCallback() {
      queueMicrotask(() => {
        if (this.isConnected || !this.#part) return
        this.#part.destroy!()
        this.#part = null
        this.replaceChildren()
      })
    }

    attributeChangedCallback(attribute: string, _: string | null, value: string | null) {
      const key = byAttribute.get(attribute)!
      this.given[key] = fromAttribute(kinds[key]!, value)
    }

    /** Define a property, and adopt a value set before the element was defined. */
    #property(key: string) {
      const before = Object.getOwnPropertyDescriptor(this, key)?.value as unknown
      Object.defineProperty(this, key, {
        get: () => this.given[key],
        set: (value: unknown) => this.#set(key, value),
        configurable: true,
      })
      if (before !== undefined) this.#set(key, before)
    }

    /** Flags are also set as attributes, for style sheets. */
    #set(key: string, value: unknown) {
      try {
        this.given[key] = fromProperty(kinds[key]!, value)
      } catch (error) {
        throw new TypeError(`<${name}>: “${key}” ${(error as Error).message}.`)
      }
      if (kinds[key] === 'flag') this.toggleAttribute(hyphened(key), Boolean(value))
    }
  }
  customElements.define(name, PartElement)
}

/** Return the component's props: the current properties, and the element as `host`. */
const withHost = (given: Record<string, unknown>, host: HTMLElement) =>
  new Proxy(given, {
    get: (target, key) => (key === 'host' ? host : Reflect.get(target, key)),
    has: (target, key) => key === 'host' || Reflect.has(target, key),
  })

/** Dispatch an event on an element; it bubbles. */
export const dispatch = (host: HTMLElement, event: string, detail: unknown) =>
  host.dispatchEvent(new CustomEvent(event, { detail, bubbles: true }))
