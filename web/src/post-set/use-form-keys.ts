import { useMemo, useRef } from 'react'
import { type Shortcut, useShortcuts } from '../shell/shortcuts.ts'

interface FormKeys {
  /** What the last button does. */
  primary: () => void
  saveDraft: () => void
}

/** The keys of the editor, which work while somebody types. */
export function useFormKeys(keys: FormKeys): void {
  const latest = useRef(keys)
  latest.current = keys
  const shortcuts = useMemo<Shortcut[]>(() => {
    const anywhere = { group: 'In the editor', inFields: true, inDialogs: true }
    return [
      { ...anywhere, keys: 'Mod+Enter', label: 'Schedule or save', run: () => latest.current.primary() },
      { ...anywhere, keys: 'Mod+s', label: 'Save as a draft', run: () => latest.current.saveDraft() },
    ]
  }, [])
  useShortcuts(shortcuts)
}
