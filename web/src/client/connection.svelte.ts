import type { ClientFrame, ServerFrame } from '../api/protocol.ts'
import { takeSocket } from '../api/socket.ts'

/** The state of the connection: `joining` before the first message, `refused` if the link is invalid. */
export type Status = 'joining' | 'here' | 'away' | 'refused'

const RETRY_MS = [200, 500, 1000, 2000, 4000, 8000]
/** The close code of a server that restarts. */
const RESTARTS = 1012
/** Failed attempts before the page says that the server can't be reached. */
const TRIES_UNREACHED = 2
const PING_MS = 10_000
/**
 * A connection without a pong in this time is considered dead, even if it appears open: the page says so and
 * reconnects.
 */
const PONG_MS = 4000
/** The time allowed for a new connection's first message; each attempt adds as much again. */
const CONNECT_MS = 8000
const CONNECT_MOST_MS = 30_000
/** Events after which the device may have slept and lost its connection. */
const WAKING = ['online', 'focus', 'pageshow'] as const
const WAKING_DOCUMENT = ['visibilitychange', 'resume'] as const
/** Frames that a press sends. They have no id, and may be repeated safely. */
const REPEATABLE: ClientFrame['t'][] = ['name', 'set', 'end', 'keep', 'bot', 'let_bot', 'reissue', 'close_door']

/** A ping waiting for its pong, and the frame sent just before it: the pong proves that the frame arrived. */
interface Ping {
  timer: ReturnType<typeof setTimeout>
  frame: ClientFrame | null
  sent: number
}

/** The socket between a seat and the server. Reconnects automatically. */
export class Connection {
  status = $state<Status>('joining')
  /** The server announced a restart, and when to reconnect. */
  renewing = $state(false)
  /** Several attempts to reach the server failed, and this page has never joined. */
  unreached = $state(false)

  readonly #join: () => ClientFrame
  readonly #receive: (frame: ServerFrame) => void
  #socket: WebSocket | null = null
  #opened = false
  #tries = 0
  /** An extra delay, in milliseconds, that the server asked for. */
  #delay = 0
  #retry: ReturnType<typeof setTimeout> | undefined
  #pings: ReturnType<typeof setInterval> | undefined
  #deadline: ReturnType<typeof setTimeout> | undefined
  #connecting = 0
  #unanswered: Ping[] = []
  /** Frames that may not have arrived: sent again on the next connection. */
  #unsent: ClientFrame[] = []

  /** `join` returns the first frame of each connection, and `receive` is called with each frame of the server. */
  constructor(join: () => ClientFrame, receive: (frame: ServerFrame) => void) {
    this.#join = join
    this.#receive = receive
  }

  open() {
    this.#opened = true
    this.#connect()
    for (const event of WAKING) addEventListener(event, this.#wake)
    addEventListener('offline', this.#lost)
    for (const event of WAKING_DOCUMENT) document.addEventListener(event, this.#wake)
  }

  close() {
    this.#opened = false
    clearTimeout(this.#retry)
    this.#hangUp()
    for (const event of WAKING) removeEventListener(event, this.#wake)
    removeEventListener('offline', this.#lost)
    for (const event of WAKING_DOCUMENT) document.removeEventListener(event, this.#wake)
  }

  /** The server accepted the seat. */
  joined() {
    this.#tries = 0
    this.renewing = false
    this.unreached = false
    this.status = 'here'
  }

  /** The server refused the seat for good. */
  refused() {
    this.status = 'refused'
    this.#socket?.close()
  }

  /** Send a frame. Without a connection, a repeatable one is kept for the next connection, and any other is dropped. */
  send(frame: ClientFrame) {
    const repeatable = REPEATABLE.includes(frame.t)
    if (this.status === 'here') {
      this.sendText(JSON.stringify(frame))
      if (repeatable) this.probe(frame)
    } else if (repeatable && this.#opened) {
      this.#unsent.push(frame)
    }
  }

  /** Send a frame that its sender keeps until it is acknowledged. */
  sendText(frame: string) {
    this.#socket?.send(frame)
  }

  /** Take the frames that may not have arrived on the previous connection. */
  takeUnsent(): ClientFrame[] {
    return this.#unsent.splice(0)
  }

  /** Check the connection with a ping. Its pong confirms that the frame sent before it arrived. */
  probe(frame: ClientFrame | null = null) {
    if (this.status !== 'here' || this.#socket?.readyState !== WebSocket.OPEN) return
    this.#socket.send(JSON.stringify({ t: 'ping' }))
    // Timers of a hidden page may fire long after the pong arrived; the page checks again when it is shown.
    const timer = setTimeout(() => document.visibilityState === 'hidden' || this.#lost(), PONG_MS)
    this.#unanswered.push({ timer, frame, sent: performance.now() })
  }

  /** A pong arrived. Returns how many milliseconds ago its ping was sent. */
  ponged(): number {
    const ping = this.#unanswered.shift()
    clearTimeout(ping?.timer)
    return performance.now() - (ping?.sent ?? -Infinity)
  }

  /** Reconnect immediately. */
  connectNow = () => {
    if (!this.#opened || document.visibilityState === 'hidden') return
    if (this.#socket && this.#socket.readyState <= WebSocket.OPEN) return
    clearTimeout(this.#retry)
    this.#connect()
  }

  /** The page is visible again: check whether the connection died silently. */
  #wake = () => {
    if (!this.#opened || document.visibilityState === 'hidden' || this.status === 'refused') return
    if (this.status === 'here') return this.probe()
    if (Date.now() - this.#connecting > PONG_MS) this.#hangUp()
    this.connectNow()
  }

  #connect() {
    const socket = takeSocket()
    this.#socket = socket
    this.#connecting = Date.now() // goes on while the device sleeps
    clearTimeout(this.#deadline)
    this.#deadline = setTimeout(this.#lost, Math.min(CONNECT_MS * (this.#tries + 1), CONNECT_MOST_MS))
    const opened = () => {
      socket.send(JSON.stringify(this.#join()))
      clearInterval(this.#pings)
      this.#pings = setInterval(() => this.probe(), PING_MS)
    }
    if (socket.readyState === WebSocket.OPEN) opened()
    else socket.onopen = opened
    socket.onmessage = (event) => {
      if (socket !== this.#socket) return
      clearTimeout(this.#deadline)
      this.#receive(JSON.parse(event.data as string) as ServerFrame)
    }
    socket.onclose = ({ code, reason }) => {
      if (socket !== this.#socket) return
      if (code === RESTARTS) this.#restarts(Number(reason) || 0)
      this.#lost()
    }
  }

  /**
   * Reconnect after a random delay of up to this many seconds, so that the clients of a restarting server don't all
   * return at once.
   */
  #restarts(within: number) {
    this.renewing = true
    this.#delay = within * 1000 * Math.random()
  }

  #lost = () => {
    if (!this.#opened || this.status === 'refused') return
    if (this.status === 'here') this.status = 'away'
    if (this.status === 'joining') this.unreached = this.#tries >= TRIES_UNREACHED
    this.#hangUp()
    clearTimeout(this.#retry)
    const wait = RETRY_MS[Math.min(this.#tries++, RETRY_MS.length - 1)]!
    if (this.#tries >= RETRY_MS.length) this.renewing = false // too long for a restart
    this.#retry = setTimeout(() => this.#connect(), this.#delay + wait * (0.5 + Math.random()))
    this.#delay = 0
  }

  #hangUp() {
    clearInterval(this.#pings)
    clearTimeout(this.#deadline)
    for (const { timer, frame } of this.#unanswered.splice(0)) {
      clearTimeout(timer)
      if (frame) this.#unsent.push(frame)
    }
    const socket = this.#socket
    this.#socket = null
    socket?.close()
  }
}
