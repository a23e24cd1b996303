import { useLingui } from '@lingui/react/macro'
import { useMemo, useRef } from 'react'
import { type Shortcut, useShortcuts } from '../frame/shortcuts.ts'

/** J and K lead through the list. */
export function useListKeys(step: (by: 1 | -1) => void): void {
  const { t } = useLingui()
  const latest = useRef(step)
  latest.current = step
  const shortcuts = useMemo<Shortcut[]>(() => {
    const group = t`Approvals`
    return [
      { keys: 'j', label: t`Next post`, group, run: () => latest.current(1) },
      { keys: 'k', label: t`Previous post`, group, run: () => latest.current(-1) },
    ]
  }, [t])
  useShortcuts(shortcuts)
}
