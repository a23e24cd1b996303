import { t } from '@lingui/core/macro'

/** A device as the server names it (`Safari on iPhone`), in the language of the screen. */
export function deviceText(device: string): string {
  const [, browser, system] = /^(.+) on (.+)$/.exec(device) ?? []
  if (!browser || !system) return device === 'An unknown browser' ? t`An unknown browser` : device
  return browser === 'A browser' ? t`A browser on ${system}` : t`${browser} on ${system}`
}
