// How keys are named in lists of shortcuts, and distinguished from events.
import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

/** The list's words for keys: `['Ctrl', 'Z']`. */
export function keyNames(keys: string): string[] {
  return keys.split(/\+(?=.)/).map((key) => {
    if (key === 'Mod') return isMac() ? '⌘' : 'Ctrl'
    const name = KEY_NAMES[key]
    return (typeof name === 'object' ? i18n._(name) : name) ?? (key.length === 1 ? key.toUpperCase() : key)
  })
}

const KEY_NAMES: Record<string, string | MessageDescriptor> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  ' ': msg`Space`,
  Escape: msg`Esc`,
}

/** Whether an event is of these keys. On a Mac, whose keyboards delete with Backspace, that is Delete, too. */
export function matchesKeys(event: KeyboardEvent, keys: string): boolean {
  const parts = keys.split(/\+(?=.)/)
  const key = parts.pop() ?? ''
  const isSign = key.length === 1 && key.toLowerCase() === key.toUpperCase()
  // Many keyboards write signs like `[` with AltGr, which some systems report as Ctrl and Alt, or with Option.
  const woven = isSign && (event.getModifierState('AltGraph') || (isMac() && event.altKey))
  const ctrl = event.ctrlKey && !(woven && !isMac())
  const alt = event.altKey && !woven
  const mod = isMac() ? event.metaKey : ctrl
  const other = isMac() ? event.ctrlKey : event.metaKey
  return (
    nameOf(event) === key &&
    mod === parts.includes('Mod') &&
    !other &&
    alt === parts.includes('Alt') &&
    // Signs like `?` take Shift on some keyboards and not on others; only letters and named keys look at it.
    (isSign || event.shiftKey === parts.includes('Shift'))
  )
}

function nameOf({ key }: KeyboardEvent): string {
  if (key === 'Backspace' && isMac()) return 'Delete'
  return key.length === 1 ? key.toLowerCase() : key
}

function isMac(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.platform)
}
