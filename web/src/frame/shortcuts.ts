import { useEffect, useSyncExternalStore } from 'react'
import { usePreferences } from '../api/session.ts'
import { isFocusLost } from '../design/opener.ts'
import { matchesKeys } from './keys.ts'

export interface Shortcut {
  /**
   * One key as `KeyboardEvent.key` names it, small letters for letters, with modifiers before it: `n`, `?`, `ArrowUp`,
   * `Alt+ArrowUp`, `Shift+Delete`, `Mod+z`. Mod is Command on a Mac and Ctrl elsewhere.
   */
  keys: string
  /** What it does, for the list behind `?`: "New post set". */
  label: string
  /** The heading that it stands below in the list: "Calendar". */
  group: string
  run: (event: KeyboardEvent) => void
  /** Also while the person types in a field. Only sensible with Mod. */
  inFields?: boolean
  /** Also while a dialog, a menu or a list is open. */
  inDialogs?: boolean
}

let registered: readonly (readonly Shortcut[])[] = []
const listeners = new Set<() => void>()

/**
 * Makes keys do something while the component is on the page. Off for members who turned shortcuts off, while the person
 * types, and while a dialog or a menu is open. Later components go first. Keep the array between renders (`useMemo`).
 */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const { shortcuts: on } = usePreferences()
  useEffect(() => {
    if (!on) return
    change([shortcuts, ...registered])
    return () => change(registered.filter((other) => other !== shortcuts))
  }, [shortcuts, on])
}

/** All that work now, for the list behind `?`. */
export function useRegisteredShortcuts(): readonly Shortcut[] {
  return useSyncExternalStore(subscribe, () => registered).flat()
}

/** Whether keys go into a field. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement)
    return true
  return target instanceof HTMLInputElement && !NO_TEXT.has(target.type)
}

const NO_TEXT = new Set(['button', 'checkbox', 'color', 'file', 'image', 'radio', 'range', 'reset', 'submit'])

/** The dialogs that cover the page. */
export function openDialogs(): Element[] {
  return [...document.querySelectorAll('[role="dialog"][aria-modal="true"]')]
}

/** What had the focus in a dialog, or in the panel beside the page, has gone: then that takes it, and keeps the keys. */
export function focusDialogIfLost(): void {
  const dialog = openDialogs().at(-1) ?? document.querySelector('[data-post-panel]')
  if (isFocusLost() && dialog instanceof HTMLElement) dialog.focus()
}

/** Whether keys go into a menu, a list or a dialog beside which the page can be used. */
function isInPopover(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[role="menu"], [role="listbox"], [role="dialog"]') !== null
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return
  const typing = isTyping(event.target)
  const inDialog = openDialogs().length > 0 || isInPopover(event.target)
  const found = registered
    .flat()
    .find(
      (shortcut) =>
        matchesKeys(event, shortcut.keys) && (!typing || shortcut.inFields) && (!inDialog || shortcut.inDialogs),
    )
  if (!found) return
  event.preventDefault()
  found.run(event)
}

function change(next: typeof registered): void {
  if (registered.length === 0) document.addEventListener('keydown', onKeyDown)
  registered = next
  if (registered.length === 0) document.removeEventListener('keydown', onKeyDown)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
