import { mount, unmount } from 'svelte'
import { lazyImport } from '../stores/lazyImport.svelte.ts'

/** Copy a text; if the browser refuses, show it in a dialog, to be copied by hand. Return whether it was copied. */
export async function copy(text: string, near: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    if (copySelected(text, near)) return true
    const { default: CopyByHand } = await lazyImport(() => import('./CopyByHand.svelte'))
    // In the dialog that may be open: outside it, nothing can be reached.
    const dialog = mount(CopyByHand, {
      target: near.closest('dialog') ?? document.body,
      props: { text, onclose: () => void unmount(dialog) },
    })
    return false
  }
}

/** Copy through a selection, as pages without HTTPS have to. */
function copySelected(text: string, near: HTMLElement): boolean {
  const area = document.createElement('textarea')
  area.value = text
  area.readOnly = true
  area.className = 'seen-by-readers'
  near.append(area)
  area.select()
  const done = document.execCommand('copy')
  area.remove()
  return done
}
