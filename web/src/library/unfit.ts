import { t } from '@lingui/core/macro'
import type { LibraryFile } from '#contract'
import { networkName } from '../design/network-icon.tsx'
import { problemWords } from '../planning/posts/problem-words.ts'

/** Whether the networks of a post take a file, and what to say of those that do not. */
export interface Fit {
  /** None of them does. */
  isUnfit: boolean
  reason: string | null
}

/** @param networks how many networks the file is for */
export function fitOf({ unfit }: Pick<LibraryFile, 'unfit'>, networks: number): Fit {
  const [first] = unfit
  if (!first || networks === 0) return { isUnfit: false, reason: null }
  if (unfit.length < networks) {
    const names = unfit.map(({ accountType }) => networkName(accountType)).join(', ')
    return { isUnfit: false, reason: t`Not for ${names}` }
  }
  const network = networkName(first.accountType)
  const why = problemWords(first)
  return { isUnfit: true, reason: t`${network}: ${why}` }
}
