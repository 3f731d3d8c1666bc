/*
 * The page's service worker. It keeps the shell, so that the page opens while the house can't be reached, and nothing
 * else: no answer of the server, no link, no game's view. The build fills in what the shell is (app.ts).
 */
/** Where the house is on its site, which it may share with others: they keep what is theirs. */
const HOUSE = new URL('.', self.location).pathname
const SHELL = /* SHELL */ [''].map((file) => HOUSE + file)
const KEPT = `shell ${HOUSE} ${/* BUILD */ ''}`
/** What a house kept in this place before; the last were kept when none could share a site. */
const isOld = (name) => name !== KEPT && (name.startsWith(`shell ${HOUSE} `) || /^shell \w*$/.test(name))
/** A house that says nothing for so long is away. */
const PATIENCE_MS = 6000

self.addEventListener('install', (event) => {
  const keep = async () => (await caches.open(KEPT)).addAll(SHELL)
  event.waitUntil(keep().then(() => self.skipWaiting()))
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
    if (!/^(api|schema)\b/.test(pathname.slice(HOUSE.length))) event.respondWith(page(request))
  } else if (SHELL.includes(pathname)) {
    event.respondWith(caches.match(pathname).then((kept) => kept ?? fetch(request)))
  }
})

/** The page as the house has it; the one that was kept, if the house can't be reached. */
async function page(request) {
  const away = new Promise((_, fail) => setTimeout(fail, PATIENCE_MS))
  try {
    return await Promise.race([fetch(request), away])
  } catch {
    return (await caches.match(HOUSE)) ?? Response.error()
  }
}

/** A notice that it is somebody's turn was pressed: to the table that it is about. */
self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const show = async () => {
    const pages = await self.clients.matchAll({ type: 'window' })
    const there = pages.find(({ url }) => new URL(url).pathname === event.notification.data)
    await (there ? there.focus() : self.clients.openWindow(event.notification.data))
  }
  event.waitUntil(show())
})
