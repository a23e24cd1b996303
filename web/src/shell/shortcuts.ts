import { useEffect, useSyncExternalStore } from 'react'
import { usePreferences } from '../api/session.ts'

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
  /** Also while somebody types in a field. Only sensible with Mod. */
  inFields?: boolean
  /** Also while a dialog is open. */
  inDialogs?: boolean
}

let registered: readonly (readonly Shortcut[])[] = []
const listeners = new Set<() => void>()

/**
 * Makes keys do something while the component is on the page. Off for members who turned shortcuts off, while somebody
 * types, and while a dialog is open. Later components go first. Keep the array between renders (`useMemo`).
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

/** The list's words for keys: `['Ctrl', 'Z']`. */
export function keyNames(keys: string): string[] {
  return keys.split(/\+(?=.)/).map((key) => {
    if (key === 'Mod') return isMac() ? '⌘' : 'Ctrl'
    return KEY_NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key)
  })
}

const KEY_NAMES: Record<string, string> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  ' ': 'Space',
  Escape: 'Esc',
}

/** Whether an event is of these keys. */
export function matchesKeys(event: KeyboardEvent, keys: string): boolean {
  const parts = keys.split(/\+(?=.)/)
  const key = parts.pop() ?? ''
  const mod = isMac() ? event.metaKey : event.ctrlKey
  const other = isMac() ? event.ctrlKey : event.metaKey
  // Signs like `?` take Shift on some keyboards and not on others; only letters and named keys look at it.
  const shiftCounts = key.length > 1 || key.toLowerCase() !== key.toUpperCase()
  return (
    (event.key.length === 1 ? event.key.toLowerCase() : event.key) === key &&
    mod === parts.includes('Mod') &&
    !other &&
    event.altKey === parts.includes('Alt') &&
    (!shiftCounts || event.shiftKey === parts.includes('Shift'))
  )
}

function isMac(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.platform)
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return
  const typing = isTyping(event.target)
  const inDialog = document.querySelector('[role="dialog"][aria-modal="true"]') !== null
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
