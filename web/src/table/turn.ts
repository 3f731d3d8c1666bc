/** How somebody who looks elsewhere hears, feels and sees that it is their turn. Every way is the device's own choice. */
import { at } from '../lib/base.ts'

let audio: AudioContext | null = null
let unlocked = false
let sounding = 0

/** Browsers let a page sound only after its owner has touched it: from the first touch on it can. */
export async function unlockSound() {
  if (unlocked) return
  audio ??= new AudioContext()
  await audio.resume()
  unlocked = true
  rest()
}

/** Sound that goes on computes silence, all evening, and takes a phone's battery. */
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
    // Somebody is on the phone: what takes the device's sound away may keep it.
  } finally {
    sounding -= 1
    rest()
  }
}

/** Resolves when it has died away. */
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

/** Browsers tell of nothing where the address isn't secure, and some only in an installed app. */
export const canNotify = () => isSecureContext && 'Notification' in window
export const mayNotify = () => canNotify() && Notification.permission === 'granted'

/** Ask whoever has just pressed a switch; whether it is allowed. */
export async function askToNotify(): Promise<boolean> {
  return canNotify() && (await Notification.requestPermission()) === 'granted'
}

const TAG = 'turn'
const worker = () => navigator.serviceWorker?.getRegistration()

/** Tell, beside the page, that it is somebody's turn; a press leads to the page. The seat's secret is no part of it. */
export async function notify(title: string, body: string) {
  const about = { body, tag: TAG, icon: at('/icons/192.png') }
  const registered = await worker()
  if (registered) return registered.showNotification(title, { ...about, data: location.pathname })
  new Notification(title, about).onclick = () => focus()
}

/** It is seen, or no longer true. */
export async function takeNoticeAway() {
  for (const notice of (await (await worker())?.getNotifications({ tag: TAG })) ?? []) notice.close()
}

/** Mark the app's icon, where the page is installed as one. */
export function badge(on: boolean) {
  void (on ? navigator.setAppBadge?.(1) : navigator.clearAppBadge?.())?.catch(() => undefined)
}
