import { afterAll, beforeAll, expect, test } from 'vitest'
import { NARROW, testBrowser } from '../../_util/browser/browser.ts'
import { type Dashboard, settled } from '../../_util/browser/dashboard.ts'
import { calendarPath } from '../../_util/browser/dashboard-calendar.ts'
import { expectNoAxeViolations, expectNoSidewaysScroll } from '../../_util/browser/dashboard-checks.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

/** Who else has a post open, in two windows of two people. */

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
}, 120_000)
afterAll(() => dashboard?.stop())

const HERE = /has this post open, too\./

test('two people in one post see each other, also while one edits, until one leaves', async () => {
  const { id } = await dashboard.seed.postSet({ caption: 'Both look', scheduledAt: '2030-06-12T10:00:00.000Z' })
  const path = calendarPath('month', { date: '2030-06-12', post: id })
  const colleague = await dashboard.newMember({ role: 'editor' })
  const mine = await dashboard.open(path, { signedIn: true })
  const panel = mine.getByRole('dialog', { name: 'Post', exact: true })
  await panel.waitFor()
  expect(await mine.getByText(HERE).count()).toBe(0)
  const theirs = await dashboard.open(path, { signedIn: colleague, viewport: NARROW, colorScheme: 'dark' })
  // Without reading again by hand: the live events bring it.
  await panel.getByText(HERE).waitFor({ state: 'attached' })
  await theirs.getByText(HERE).waitFor({ state: 'attached' })
  await settled(mine)
  await expectNoAxeViolations(mine, 'a post that someone else has open')
  await settled(theirs)
  await expectNoAxeViolations(theirs, 'the same on a phone')
  await expectNoSidewaysScroll(theirs, 'a post that someone else has open')
  await panel.getByRole('button', { name: 'Edit' }).click()
  await mine.getByRole('dialog').getByText(HERE).waitFor({ state: 'attached' })
  await expect.poll(() => theirs.getByText(HERE).count()).toBe(1)
  await theirs.close()
  await expect.poll(() => mine.getByText(HERE).count(), { timeout: 20_000 }).toBe(0)
})

test('who switches it off in the profile is not seen, and sees no one; in German', async () => {
  const { id } = await dashboard.seed.postSet({ caption: 'Unseen', scheduledAt: '2030-06-13T10:00:00.000Z' })
  const path = calendarPath('month', { date: '2030-06-13', post: id })
  const colleague = await dashboard.newMember({ role: 'editor' })
  const theirs = await dashboard.open('/dashboard/settings/profile', { signedIn: colleague, locale: 'de-DE' })
  await theirs.getByRole('switch', { name: 'Zeigen, wer einen Beitrag geöffnet hat' }).uncheck()
  await theirs.getByRole('button', { name: 'Einstellungen speichern' }).click()
  await theirs
    .getByText(/gespeichert/)
    .first()
    .waitFor()
  const mine = await dashboard.open(path, { signedIn: true })
  await theirs.goto(`${dashboard.url}${path}`)
  await theirs.getByRole('dialog', { name: 'Beitrag', exact: true }).waitFor()
  await settled(theirs)
  await settled(mine)
  expect(await mine.getByText(HERE).count()).toBe(0)
  expect(await theirs.getByText(/auch geöffnet/).count()).toBe(0)
})
