/**
 * Where on its site this house is: the path that all of its own begin with, `/cards`; nothing for a house that has the
 * site to itself. The server wrote it into the page's head.
 */
const MANIFEST = '/cardhouse.webmanifest'
const told = globalThis.document?.querySelector('link[rel=manifest]')?.getAttribute('href') ?? MANIFEST

export const BASE = told.slice(0, -MANIFEST.length)

/** The address on this site of a path of the house. */
export const at = (path: string): string => BASE + path

/** What the addresses of this house begin with, as this page was opened. */
export const here = (): string => location.origin + BASE

/** Which page of the house is open: its path, without where the house is. */
export const path = (): string => location.pathname.slice(BASE.length)
