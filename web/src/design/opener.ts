/**
 * Where the focus goes back to when a dialog closes: what has it now, or, for an entry of a menu, which goes away, the
 * button that opened the menu. Call it before the dialog opens, and the answer after it has closed.
 */
export function rememberOpener(): () => void {
  const active = document.activeElement
  const menu = active?.closest('[role="menu"], [role="listbox"]')
  const opener = menu?.id ? document.querySelector(`[aria-controls="${CSS.escape(menu.id)}"]`) : active
  const item = opener?.closest<HTMLElement>('[data-item]')?.dataset.item
  return () => {
    // What is drawn again meanwhile is known by its name.
    const drawn = opener?.isConnected || !item ? opener : document.querySelector(`[data-item="${CSS.escape(item)}"]`)
    if (drawn instanceof HTMLElement && drawn.isConnected) drawn.focus()
  }
}

/** Whether nothing has the focus: what had it is gone. */
export function isFocusLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body
}

/**
 * What had the focus has gone with what was done: then the page's main part takes it, so that keys do not begin again. A
 * calendar puts the focus itself, where its cards are drawn.
 */
export function focusMainIfLost(): void {
  if (document.querySelector('[data-calendar]')) return
  if (isFocusLost()) document.querySelector('main')?.focus()
}
