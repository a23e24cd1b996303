import type { AccountType } from '#contract'
import { isNetwork } from '../design/network-icon.tsx'

const nameOf = (socialSetId: string) => `almanac.last-accounts.${socialSetId}`

/** Where the last post of a brand that was saved in this browser goes to. */
export function lastAccounts(socialSetId: string): AccountType[] {
  try {
    return (localStorage.getItem(nameOf(socialSetId)) ?? '').split(' ').filter(isNetwork)
  } catch {
    return []
  }
}

export function rememberAccounts(socialSetId: string, types: readonly AccountType[]): void {
  try {
    localStorage.setItem(nameOf(socialSetId), types.join(' '))
  } catch {
    // Switched off: then nothing is offered.
  }
}
