/** Dark or light as the guest chose it in this browser; else as the system has it. */
const KEY = 'almanac.guest.color-scheme'

const listeners = new Set<() => void>()
const system = window.matchMedia('(prefers-color-scheme: dark)')

/** Before anything is drawn. */
export function applyKeptScheme(): void {
  const kept = read()
  if (kept !== null) document.documentElement.style.colorScheme = kept
}

export const isDark = () => (read() ?? (system.matches ? 'dark' : 'light')) === 'dark'

/** The other one from now on. A choice that is the system's own is not kept: it follows the system again. */
export function switchScheme(): void {
  const next = isDark() ? 'light' : 'dark'
  const own = system.matches === (next === 'dark')
  document.documentElement.style.colorScheme = own ? '' : next
  try {
    if (own) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, next)
  } catch {
    // A browser that keeps nothing shows it until the page is left.
  }
  for (const listener of listeners) listener()
}

/** Calls the listener when `isDark` may answer something else. Answers how to stop that. */
export function onScheme(listener: () => void): () => void {
  listeners.add(listener)
  system.addEventListener('change', listener)
  return () => {
    listeners.delete(listener)
    system.removeEventListener('change', listener)
  }
}

function read(): 'dark' | 'light' | null {
  const shown = document.documentElement.style.colorScheme
  if (shown === 'dark' || shown === 'light') return shown
  try {
    const kept = localStorage.getItem(KEY)
    return kept === 'dark' || kept === 'light' ? kept : null
  } catch {
    return null
  }
}
