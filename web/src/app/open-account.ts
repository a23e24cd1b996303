import type { Session } from '#contract'
import { dashboardPath } from '../api/base.ts'
import { call } from '../api/client.ts'

/** Opens the account that a link names, as those of mails do, before what it leads to: one of those that the person has, else none. */
export async function openAccountOf(
  { href, search }: { href: string; search: { account?: unknown } },
  { account, accounts }: Pick<Session, 'account' | 'accounts'>,
): Promise<void> {
  const wanted = accounts.find(({ id }) => id === search.account)
  if (!wanted || wanted.id === account.id) return
  await call('PUT /session/account', { body: { accountId: wanted.id } })
  // Nothing of the other account may stay on the page.
  const url = new URL(`${dashboardPath}${href}`, window.location.origin)
  url.searchParams.delete('account')
  window.location.replace(url)
  await new Promise(() => {})
}
