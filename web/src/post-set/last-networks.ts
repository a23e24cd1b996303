import type { AccountType } from '#contract'
import { isNetwork } from '../design/network-icon.tsx'

/** What is remembered in this browser for the next post of a brand: where the last one went to, and which networks were previewed. */
type Remembered = 'accounts' | 'previews'

const nameOf = (what: Remembered, socialSetId: string) => `almanac.last-${what}.${socialSetId}`

export function lastNetworks(what: Remembered, socialSetId: string): AccountType[] {
  try {
    return (localStorage.getItem(nameOf(what, socialSetId)) ?? '').split(' ').filter(isNetwork)
  } catch {
    return []
  }
}

export function rememberNetworks(what: Remembered, socialSetId: string, types: readonly AccountType[]): void {
  try {
    localStorage.setItem(nameOf(what, socialSetId), types.join(' '))
  } catch {
    // Switched off: then nothing is offered.
  }
}
