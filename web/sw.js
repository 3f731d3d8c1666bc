/*
 * The page's service worker. It caches the shell, so that the page opens while the server can't be reached. It caches
 * no response of the API, no link and no game's view. The build fills in the files of the shell and the hash of each
 * (app.ts): any script of this site may write to the cache, also one of a package that is removed later.
 */
/** The server's path on its site, which it may share with other servers. */
const BASE = new URL('.', self.location).pathname
const SHELL = new Map(Object.entries(/* SHELL */ {}).map(([file, hash]) => [BASE + file, hash]))
const CACHE = `shell ${BASE} ${/* BUILD */ ''}`
/** Whether a cache is an older one of this server; the last pattern is from before servers could share a site. */
const isOld = (name) => name !== CACHE && (name.startsWith(`shell ${BASE} `) || /^shell \w*$/.test(name))
/** The time, in milliseconds, after which a silent server counts as unreachable. */
const TIMEOUT_MS = 6000

const fill = async () => (await caches.open(CACHE)).addAll([...SHELL.keys()])

self.addEventListener('install', (event) => {
  event.waitUntil(fill().then(() => self.skipWaiting()))
})

self.addEventListener('activate', (event) => {
  const tidy = async () => {
    const old = (await caches.keys()).filter(isOld)
    await Promise.all(old.map((name) => caches.delete(name)))
    await self.clients.claim()
  }
  event.waitUntil(tidy())
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  if (request.mode === 'navigate') {
    if (!/^(api|schema)\b/.test(pathname.slice(BASE.length))) event.respondWith(page(request, event))
  } else if (SHELL.has(pathname)) {
    event.respondWith(cached(pathname, event).then((found) => found ?? fetch(request)))
  }
})

/** Return a file of the shell from the cache, if it is as it was built; otherwise the cache starts anew. */
async function cached(path, event) {
  const found = await (await caches.open(CACHE)).match(path)
  if (!found || (await hashOf(found.clone(), path)) === SHELL.get(path)) return found
  await caches.delete(CACHE)
  event.waitUntil(fill().catch(() => undefined))
}

/** Return the SHA-256 of a file as it was built: the server writes its path into the addresses of the page (''). */
async function hashOf(file, path) {
  let bytes = await file.arrayBuffer()
  if (path === BASE) bytes = new TextEncoder().encode(new TextDecoder().decode(bytes).replaceAll(`="${BASE}`, '="/'))
  const hash = await crypto.subtle.digest('SHA-256', bytes)
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Return the server's page; the cached one if the server can't be reached. */
async function page(request, event) {
  const timeout = new Promise((_, fail) => setTimeout(fail, TIMEOUT_MS))
  try {
    return await Promise.race([fetch(request), timeout])
  } catch {
    return (await cached(BASE, event)) ?? Response.error()
  }
}

/** Selecting a notification of a turn leads to its table. */
self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const show = async () => {
    const pages = await self.clients.matchAll({ type: 'window' })
    const there = pages.find(({ url }) => new URL(url).pathname === event.notification.data)
    await (there ? there.focus() : self.clients.openWindow(event.notification.data))
  }
  event.waitUntil(show())
})
