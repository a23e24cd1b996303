import { useLingui } from '@lingui/react/macro'
import { IconMoon, IconSun } from '@tabler/icons-react'
import { useSyncExternalStore } from 'react'
import { isDark, onScheme, switchScheme } from './color-scheme.ts'
import controls from './controls.module.css'

/** Light or dark, for this browser. */
export function SchemeSwitch() {
  const { t } = useLingui()
  const dark = useSyncExternalStore(onScheme, isDark)
  return (
    <button
      type="button"
      className={controls.icon}
      aria-label={dark ? t`Light colors` : t`Dark colors`}
      onClick={switchScheme}
    >
      {dark ? <IconSun size={20} aria-hidden /> : <IconMoon size={20} aria-hidden />}
    </button>
  )
}
