/** Return the file just chosen, if any, and reset the input so that the same file can be chosen again. */
export function chosenFile(event: Event & { currentTarget: HTMLInputElement }): File | undefined {
  const [file] = event.currentTarget.files ?? []
  event.currentTarget.value = ''
  return file
}
