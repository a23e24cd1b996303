import { useLingui } from '@lingui/react/macro'
import { useMemo, useRef } from 'react'
import { type Shortcut, useShortcuts } from '../frame/shortcuts.ts'

interface FormKeys {
  /** What the last button does. */
  primary: () => void
  saveDraft: () => void
}

/** The keys of the composer, which work while something is typed. */
export function useFormKeys(keys: FormKeys): void {
  const { t } = useLingui()
  const latest = useRef(keys)
  latest.current = keys
  const shortcuts = useMemo<Shortcut[]>(() => {
    const anywhere = { group: t`In the composer`, inFields: true, inDialogs: true }
    return [
      { ...anywhere, keys: 'Mod+Enter', label: t`Schedule or save`, run: () => latest.current.primary() },
      { ...anywhere, keys: 'Mod+s', label: t`Save as a draft`, run: () => latest.current.saveDraft() },
    ]
  }, [t])
  useShortcuts(shortcuts)
}
