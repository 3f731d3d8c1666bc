/** Shows what is wrong with a form's field next to the field, in place of the browser's bubble. */
import { t } from '../i18n/index.ts'

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement
let count = 0
const OURS = /^wrong-\d+$/

let submitted: HTMLFormElement | null = null

/** The form being submitted, if any. */
export const submittedForm = () => submitted

/** Show the server's complaint, as the rest of a sentence, at a form's field; false if there is no such field. */
export function showAt(form: HTMLFormElement | null, field: string, fault: string): boolean {
  const control = form?.querySelector<Control>(`[data-field="${CSS.escape(field)}"]`)
  if (!control) return false
  const label = control.labels?.[0]?.querySelector('span')?.textContent?.trim() ?? ''
  showMessage(control, `${label} ${fault}.`.trim())
  control.focus()
  return true
}

/** Watch all forms of the page, including games' own. */
export function showInvalid(page: Document) {
  const sending = (event: Event) => {
    submitted = event.target as HTMLFormElement
    readFilled(submitted)
    setTimeout(() => (submitted = null))
  }
  page.addEventListener('submit', sending, true)
  page.addEventListener('invalid', (event) => showValidation(event, event.target as Control), true)
  // At the window, after the field's own handler has judged the new value: a message that disappears only on blur would
  // move the button from under the tap.
  for (const changed of ['input', 'change']) {
    page.defaultView!.addEventListener(changed, (event) => isControl(event.target) && revalidate(event.target))
  }
}

const TYPED = 'input:is([type=text], [type=password], [type=number], :not([type])), textarea'

/** Take in what autofill or a password manager wrote into a form's fields without telling the page. */
function readFilled(form: HTMLFormElement) {
  for (const field of form.querySelectorAll<HTMLInputElement>(TYPED))
    if (field.value) field.dispatchEvent(new Event('input', { bubbles: true }))
}

const isControl = (target: EventTarget | null): target is Control =>
  target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement

/** Reject values of spaces alone, and remove messages that no longer apply. */
function revalidate(control: Control) {
  if (control instanceof HTMLInputElement && control.required && control.type === 'text') {
    control.setCustomValidity(control.value && !control.value.trim() ? t('needed') : '')
  }
  if (control.hasAttribute('aria-invalid') && control.validity.valid) removeMessage(control)
}

function showValidation(event: Event, control: Control) {
  event.preventDefault()
  showMessage(control, control.validationMessage)
  if (control.form?.querySelector(':is(input, select, textarea):invalid') === control) control.focus()
}

function showMessage(control: Control, problem: string) {
  removeMessage(control)
  const line = document.createElement('span')
  line.id = `wrong-${++count}`
  line.className = 'problem small wrong'
  line.setAttribute('aria-hidden', 'true') // keeps it out of the field's accessible name
  line.textContent = problem
  control.setAttribute('aria-invalid', 'true')
  control.setAttribute('aria-describedby', [...described(control), line.id].join(' '))
  control.after(line)
}

const described = (control: Control) => (control.getAttribute('aria-describedby') ?? '').split(' ').filter(Boolean)

function removeMessage(control: Control) {
  control.removeAttribute('aria-invalid')
  const [others, ours] = [
    described(control).filter((id) => !OURS.test(id)),
    described(control).filter((id) => OURS.test(id)),
  ]
  for (const id of ours) document.getElementById(id)?.remove()
  if (others.length) control.setAttribute('aria-describedby', others.join(' '))
  else control.removeAttribute('aria-describedby')
}
