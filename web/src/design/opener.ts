/**
 * Where the focus goes back to when a dialog closes: what has it now, or, for an entry of a menu, which goes away, the
 * button that opened the menu. Call it before the dialog opens, and the answer after it has closed.
 */
export function rememberOpener(): () => void {
  const active = document.activeElement
  const menu = active?.closest('[role="menu"], [role="listbox"]')
  const opener = menu?.id ? document.querySelector(`[aria-controls="${CSS.escape(menu.id)}"]`) : active
  return () => {
    if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
  }
}
