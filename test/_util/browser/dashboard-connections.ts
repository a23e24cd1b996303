import type { Page } from 'playwright-core'
import type { AccountType, Connection, ConnectionOverview } from '#contract'
import type { Dashboard } from './dashboard.ts'

/** What the demo's social set is connected to, as the dashboard hears it. */
export function readOverview(dashboard: Dashboard): Promise<ConnectionOverview> {
  return dashboard.member(
    'GET',
    `/internal/connections?socialSetId=${dashboard.socialSetId}`,
  ) as Promise<ConnectionOverview>
}

/** Null when nothing of that type is connected. */
export async function readConnection(dashboard: Dashboard, accountType: AccountType): Promise<Connection | null> {
  const { connections } = await readOverview(dashboard)
  return connections.find((connection) => connection.accountType === accountType) ?? null
}

/** Ends what is connected, so that something else can be. */
export async function free(dashboard: Dashboard, accountType: AccountType): Promise<void> {
  const connection = await readConnection(dashboard, accountType)
  const body = { password: dashboard.owner.password, scheduledSets: 'LEAVE' }
  if (connection) await dashboard.member('DELETE', `/internal/connections/${connection.id}`, body)
}

/** The card of an account type. */
export const card = (page: Page, name: string) => page.getByRole('listitem', { name, exact: true })

/** Allows or denies on the page of a simulator, which leads back to the dashboard. */
export async function decide(page: Page, decision: 'Allow' | 'Deny'): Promise<void> {
  await page.getByRole('heading', { name: /simulator/ }).waitFor()
  await page.getByRole('link', { name: decision }).click()
  await page.waitForURL(/\/dashboard\/connections\?/)
}
