import { t } from '@lingui/core/macro'
import type { AccountType, PostResult } from '#contract'
import { networkName } from '../../design/network-icon.tsx'

/** What is said of a post in the inbox of its account, or of one that was left there. `who`: the account, where it is known. */
export function inboxWords(
  { accountType, who }: { accountType: AccountType; who: string | null },
  ended: boolean,
): string {
  const network = networkName(accountType)
  if (ended) return t`Not finished in ${network}`
  if (who === null) return t`In the ${network} inbox`
  const name = `\u2068${who}\u2069`
  return t`In the ${network} inbox, waiting for ${name}`
}

/** It is published: neither failed, nor in an inbox. */
export const isLive = (result: PostResult | null | undefined): boolean =>
  result?.status === 'POSTED' && !isOfInbox(result)

/** It is in an inbox, or was not finished there. */
export const isOfInbox = (result: Pick<PostResult, 'delivery'> | null | undefined): boolean =>
  result?.delivery === 'INBOX' || result?.delivery === 'INBOX_ENDED'

/** It is live, and what came behind it is missing: a part of its thread, a comment. */
export const isIncomplete = (result: Pick<PostResult, 'warnings'> | null | undefined): boolean =>
  missingOf(result) !== ''

/** What the server says of that; nothing else. */
export const missingOf = (result: Pick<PostResult, 'warnings'> | null | undefined): string =>
  (result?.warnings ?? []).flatMap(({ code, message }) => (code === 'post:follow_up_failed' ? message : [])).join(' ')
