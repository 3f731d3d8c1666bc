/*
 * The page's service worker. It caches the shell, so that the page opens while the server can't be reached. It caches
 * no response of the API, no link and no game's view. The build fills in the files of the shell (app.ts).
 */
/** The server's path on its site, which it may share with other servers. */
const BASE = new URL('.', self.location).pathname
const SHELL = /* SHELL */ [''].map((file) => BASE + file)
const CACHE = `shell ${BASE} ${/* BUILD */ ''}`
/** Whether a cache is an older one of this server; the last pattern is from before servers could share a site. */
const isOld = (name) => name !== CACHE && (name.startsWith(`shell ${BASE} `) || /^shell \w*$/.test(name))
/** The time, in milliseconds, after which a silent server counts as unreachable. */
const TIMEOUT_MS = 6000

self.addEventListener('install', (event) => {
  const fill = async () => (await caches.open(CACHE)).addAll(SHELL)
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
    if (!/^(api|schema)\b/.test(pathname.slice(BASE.length))) event.respondWith(page(request))
  } else if (SHELL.includes(pathname)) {
    event.respondWith(caches.match(pathname).then((cached) => cached ?? fetch(request)))
  }
})

/** Return the server's page; the cached one if the server can't be reached. */
async function page(request) {
  const timeout = new Promise((_, fail) => setTimeout(fail, TIMEOUT_MS))
  try {
    return await Promise.race([fetch(request), timeout])
  } catch {
    return (await caches.match(BASE)) ?? Response.error()
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
