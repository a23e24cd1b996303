import { type PretendLogin, type PretendPage, pretendLogin } from '../toolkit/graph-login-simulator.ts'
import { id, record, string } from '../toolkit/read-json.ts'
import type { SimulatorDeps } from '../toolkit/simulation.ts'
import { manifest } from './manifest.ts'
import type { SimulatedAccount } from './simulator-accounts.ts'

const account = (accountId: string, username: string, name: string) => ({
  instagram_business_account: { id: accountId, username, name },
})

/** The Pages of the person who signs in, and the professional accounts that hang on them. */
export const PAGES: readonly PretendPage[] = [
  {
    id: '100000000000101',
    name: 'Pretend Bakery',
    tasks: ['CREATE_CONTENT', 'MANAGE'],
    through: 'me',
    more: account('17841499999900001', 'pretend_bakery', 'Pretend Bakery'),
  },
  { id: '100000000000102', name: 'Page without an account', tasks: ['CREATE_CONTENT'], through: 'me' },
  {
    id: '100000000000103',
    name: 'Somebody else',
    tasks: ['ANALYZE'],
    through: 'me',
    more: account('17841499999900003', 'somebody_else', 'Somebody else'),
  },
  {
    id: '100000000000104',
    name: 'Pretend Kiosk',
    tasks: ['CREATE_CONTENT'],
    through: 'owned_pages',
    more: account('17841499999900004', 'pretend_kiosk', 'Pretend Kiosk'),
  },
]

/** The pretend dialog with everything behind it. */
export function simulatedLogin(deps: SimulatorDeps): PretendLogin {
  return pretendLogin(deps, {
    title: manifest.title,
    clientId: manifest.settings.CLIENT_ID?.sandbox ?? '',
    pages: PAGES,
  })
}

/** The account that a Page's token publishes to; posts of it stand in the ledger under its own id. */
export function accountOfPage(page: PretendPage | 'expired' | null): SimulatedAccount | null {
  if (page === null || page === 'expired') return null
  const linked = record(page.more?.instagram_business_account)
  const igId = id(linked?.id)
  if (igId === undefined) return null
  return { igId, connectionId: igId, username: string(linked?.username) ?? '', name: string(linked?.name) ?? '' }
}
