/**
 * Return the text of a file: UTF-8, or UTF-16 with a byte-order mark. Invalid bytes become U+FFFD, which the server
 * refuses.
 */
export async function textOf(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const [first, second] = bytes
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
  return new TextDecoder(encoding).decode(bytes)
}

/** Return the file just chosen, if any, and reset the input so that the same file can be chosen again. */
export function chosenFile(event: Event & { currentTarget: HTMLInputElement }): File | undefined {
  const [file] = event.currentTarget.files ?? []
  event.currentTarget.value = ''
  return file
}
