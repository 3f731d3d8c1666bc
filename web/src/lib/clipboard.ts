/** Copy a text; where the browser keeps its clipboard from pages without HTTPS, by way of a selection. */
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
