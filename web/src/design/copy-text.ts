/** Puts a text on the clipboard. False when the browser does not let us. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

/** Pages that do not come over HTTPS have no clipboard but this one. */
function copyBySelection(text: string): boolean {
  const active = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.setAttribute('aria-hidden', 'true')
  field.style.position = 'fixed'
  field.style.opacity = '0'
  // Within the dialog, whose trap would take the focus back.
  ;(active?.parentElement ?? document.body).append(field)
  field.select()
  const copied = document.execCommand('copy')
  field.remove()
  if (active instanceof HTMLElement) active.focus()
  return copied
}
