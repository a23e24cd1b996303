import type { Page } from 'playwright-core'
import type { SharedCalendarBody } from '#contract'
import { EVERYTHING } from '../api/guests.ts'
import type { Dashboard } from './dashboard.ts'

/** A shared calendar as its guests come to it. */
export interface SharedPage {
  id: string
  /** What is sent to them, without the server: `/shared/…` */
  path: string
}

/** Makes a link as members do; it shows and allows everything, unless a test wants less. */
export async function shareBrand(dashboard: Dashboard, more: Partial<SharedCalendarBody> = {}): Promise<SharedPage> {
  const body = { name: 'Spring campaign', socialSetIds: [dashboard.socialSetId], ...EVERYTHING, ...more }
  const { sharedCalendar, address } = await dashboard.member('POST', '/internal/shared-calendars', body)
  return { id: sharedCalendar.id, path: new URL(address).pathname }
}

/** Goes to a place of the calendar that a page is of: `view=list&date=2030-06-12`. */
export async function goTo(page: Page, query: string): Promise<void> {
  await page.goto(`${page.url().split('?')[0]}?${query}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
}

/** Says who the guest is, in the dialog that asks for it. */
export async function giveName(page: Page, name = 'Clara'): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Your name' })
  await dialog.getByLabel('Name', { exact: true }).fill(name)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.waitFor({ state: 'detached' })
}
