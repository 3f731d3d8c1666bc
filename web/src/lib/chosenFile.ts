/** The file that was just chosen, if one was; the same one can be chosen again. */
export function chosenFile(event: Event & { currentTarget: HTMLInputElement }): File | undefined {
  const [file] = event.currentTarget.files ?? []
  event.currentTarget.value = ''
  return file
}
