/** Signals of one's turn for someone looking elsewhere, each by the device's preferences. */
import { at } from '../lib/base.ts'

let audio: AudioContext | null = null
let unlocked = false
let sounding = 0

/** Browsers only allow sound after a user's first touch. */
export async function unlockSound() {
  if (unlocked) return
  audio ??= new AudioContext()
  await audio.resume()
  unlocked = true
  rest()
}

/** A running audio context computes silence all the time, which drains a phone's battery. */
function rest() {
  if (!sounding) void audio?.suspend()
}

/** Two soft notes of a small bell, a fourth apart. */
export async function chime() {
  if (!audio || !unlocked) return
  sounding += 1
  try {
    await audio.resume()
    note(audio, 659.3, 0)
    await note(audio, 880, 0.14)
  } catch {
    // The device is in use for a call, which keeps its sound.
  } finally {
    sounding -= 1
    rest()
  }
}

/** Resolves when the note has faded. */
function note(audio: AudioContext, pitch: number, after: number): Promise<unknown> {
  const start = audio.currentTime + after
  const [tone, loudness] = [audio.createOscillator(), audio.createGain()]
  tone.type = 'triangle'
  tone.frequency.value = pitch
  loudness.gain.setValueAtTime(0.0001, start)
  loudness.gain.exponentialRampToValueAtTime(0.16, start + 0.015)
  loudness.gain.exponentialRampToValueAtTime(0.0001, start + 0.55)
  tone.connect(loudness).connect(audio.destination)
  tone.start(start)
  tone.stop(start + 0.6)
  return new Promise((resolve) => tone.addEventListener('ended', resolve))
}

export const canVibrate = () => 'vibrate' in navigator
export const vibrate = () => void navigator.vibrate?.([70, 60, 70])

/** Browsers only notify in secure contexts, and some only in an installed app. */
export const canNotify = () => isSecureContext && 'Notification' in window
export const mayNotify = () => canNotify() && Notification.permission === 'granted'

/** Ask for permission, from a switch just pressed; return whether it was granted. */
export async function askToNotify(): Promise<boolean> {
  return canNotify() && (await Notification.requestPermission()) === 'granted'
}

const TAG = 'turn'
const worker = () => navigator.serviceWorker?.getRegistration()

/** Show a notification of the turn; selecting it leads to the page. It doesn't contain the seat's secret. */
export async function notify(title: string, body: string) {
  const about = { body, tag: TAG, icon: at('/icons/192.png') }
  const registered = await worker()
  if (registered) return registered.showNotification(title, { ...about, data: location.pathname })
  new Notification(title, about).onclick = () => focus()
}

/** Remove the notifications, which have been seen or are outdated. */
export async function removeNotifications() {
  for (const notice of (await (await worker())?.getNotifications({ tag: TAG })) ?? []) notice.close()
}

/** Mark the app's icon, if the page is installed. */
export function badge(on: boolean) {
  void (on ? navigator.setAppBadge?.(1) : navigator.clearAppBadge?.())?.catch(() => undefined)
}
