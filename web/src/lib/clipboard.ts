/** Copy a text; without HTTPS, where the clipboard API is blocked, through a selection. */
export async function copy(text: string, near: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
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
}
