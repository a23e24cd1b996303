import { afterAll, beforeAll, expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import type { Dashboard } from '../../_util/browser/dashboard.ts'
import {
  calendarPath,
  card,
  cardOn,
  expectFocus,
  expectTime,
  focusOn,
  timeOf,
} from '../../_util/browser/dashboard-calendar.ts'

/** What keys do while a dialog or a menu is open, and what an undo does that fails. */
import { saveDraft } from '../../_util/browser/dashboard-composer.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
}, 120_000)
afterAll(() => dashboard?.stop())

const month = (date: string) => dashboard.open(calendarPath('month', { date }), { signedIn: true })

test('of a panel and a dialog over it, Escape closes the dialog alone', async () => {
  await dashboard.seed.postSet({ caption: 'Layers', scheduledAt: '2030-01-10T10:00:00Z' })
  const page = await month('2030-01-10')
  await card(page, 'Layers').click()
  const panel = page.getByRole('dialog', { name: 'Post', exact: true })
  await panel.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Labels…' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'hidden' })
  expect(await panel.isVisible()).toBe(true)

  await panel.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Move to…' }).click()
  const move = page.getByRole('dialog', { name: /^Move/ })
  await move.waitFor()
  await page.keyboard.press('Escape')
  await move.waitFor({ state: 'hidden' })
  expect(await panel.isVisible()).toBe(true)
  expect(new URL(page.url()).searchParams.get('post')).not.toBeNull()

  await panel.getByRole('button', { name: 'Copy link' }).focus()
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'hidden' })
})

test('an editor closes by Escape without a question, and what was written is kept', async () => {
  const page = await month('2030-01-20')
  await page
    .getByRole('button', { name: /^New post/ })
    .first()
    .click()
  const editor = page.getByRole('dialog', { name: 'New post' })
  await editor.getByLabel('Caption', { exact: true }).fill('Half a thought')
  await page.keyboard.press('Escape')
  await editor.waitFor({ state: 'hidden' })
  expect(await page.getByRole('dialog').count()).toBe(0)
  const line = page.getByRole('region', { name: 'Unsaved text' })
  await line.getByText('“Half a thought”').waitFor()
  await line.getByRole('button', { name: 'Continue writing' }).click()
  await expect.poll(() => editor.getByLabel('Caption', { exact: true }).inputValue()).toBe('Half a thought')
})

test('Ctrl+Z takes back what was done in the panel, and nothing from within the editor', async () => {
  const { id } = await dashboard.seed.postSet({ caption: 'Movable', scheduledAt: '2030-02-12T10:00:00Z' })
  const page = await month('2030-02-12')
  await focusOn(card(page, 'Movable'))
  await page.keyboard.press('Alt+ArrowRight')
  await expectTime(dashboard.seed, id, '2030-02-13T10:00:00.000Z')
  await page
    .getByRole('button', { name: /^New post/ })
    .first()
    .click()
  const editor = page.getByRole('dialog', { name: 'New post' })
  await editor.getByRole('button', { name: 'Close', exact: true }).focus()
  await page.keyboard.press('Control+z')
  await page.keyboard.press('Escape')
  await editor.waitFor({ state: 'hidden' })
  expect(await timeOf(dashboard.seed, id)).toBe('2030-02-13T10:00:00.000Z')

  await cardOn(page, '2030-02-13', 'Movable').click()
  await page.getByRole('dialog', { name: 'Post', exact: true }).getByRole('button', { name: 'Copy link' }).focus()
  await page.keyboard.press('Control+z')
  await expectTime(dashboard.seed, id, '2030-02-12T10:00:00.000Z')
})

test('keys of the calendar do nothing while a menu is open', async () => {
  await dashboard.seed.postSet({ caption: 'With a menu', scheduledAt: '2030-03-12T10:00:00Z' })
  const page = await month('2030-03-12')
  await card(page, 'With a menu').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Labels…' }).waitFor()
  for (const key of ['n', 't', '2']) await page.keyboard.press(key)
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'hidden' })
  expect(await page.getByRole('dialog').count()).toBe(0)
  const { pathname, searchParams } = new URL(page.url())
  expect([pathname.split('/').at(-1), searchParams.get('date')]).toEqual(['month', '2030-03-12'])
})

test('an undo that the server could not be reached for can be tried again', async () => {
  browser.allowProblem(/\/post-sets\/change: net::ERR_/)
  await dashboard.seed.postSet({ caption: 'Nearly lost', scheduledAt: '2030-04-10T10:00:00Z' })
  const page = await month('2030-04-10')
  await focusOn(card(page, 'Nearly lost'))
  await page.keyboard.press('Delete')
  await page.getByText('Nearly lost deleted.').first().waitFor()
  await page.route(/\/post-sets\/change/, (route) => route.abort('connectionrefused'))
  await page.keyboard.press('Control+z')
  await page.getByRole('alert').filter({ hasText: 'cannot be reached' }).waitFor()
  await page.unroute(/\/post-sets\/change/)
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await card(page, 'Nearly lost').waitFor()
})

test('two undos in a row, and a move right after, meet no conflict', async () => {
  const { id } = await dashboard.seed.postSet({ caption: 'To and fro', scheduledAt: '2030-05-15T10:00:00Z' })
  const page = await month('2030-05-15')
  await focusOn(card(page, 'To and fro'))
  await page.keyboard.press('Alt+ArrowRight')
  await page.keyboard.press('Alt+ArrowRight')
  await expectTime(dashboard.seed, id, '2030-05-17T10:00:00.000Z')
  await page.keyboard.press('Control+z')
  await page.keyboard.press('Control+z')
  await expectTime(dashboard.seed, id, '2030-05-15T10:00:00.000Z')
  await focusOn(card(page, 'To and fro'))
  await page.keyboard.press('Alt+ArrowDown')
  // A week from where it is, or from where it is still shown, by one undo or by both.
  await expect.poll(() => timeOf(dashboard.seed, id), { timeout: 20_000 }).toMatch(/^2030-05-2[234]T/)
  expect(await page.getByText(/changed this|just now/).count()).toBe(0)
})

test('what was made and then moved is taken back step by step', async () => {
  const page = await month('2030-09-12')
  await page
    .getByRole('button', { name: /^New post/ })
    .first()
    .click()
  const editor = page.getByRole('dialog', { name: 'New post' })
  await editor.getByRole('checkbox', { name: /^Bluesky/ }).click()
  await editor.getByLabel('Caption', { exact: true }).fill('Made here')
  await saveDraft(page)
  await editor.waitFor({ state: 'hidden' })
  await focusOn(card(page, 'Made here'))
  await page.keyboard.press('Alt+ArrowRight')
  await page
    .getByText(/Made here moved/)
    .first()
    .waitFor()
  await page.keyboard.press('Control+z')
  await page.getByText(/^Undone: Made here moved/).waitFor()
  await page.keyboard.press('Control+z')
  await page.getByText(/^Undone: Saved as a draft/).waitFor()
  await card(page, 'Made here').waitFor({ state: 'detached' })
})

test('a link that could not be copied is not said to be', async () => {
  const page = await dashboard.open('/dashboard/settings/team', { signedIn: true })
  await page.evaluate(`
    Object.defineProperty(navigator, 'clipboard', { value: undefined })
    document.execCommand = () => false
  `)
  await page
    .getByRole('button', { name: /Invite/ })
    .first()
    .click()
  await page.getByLabel('Email').fill('kay@example.invalid')
  await page.getByRole('button', { name: 'Create invitation' }).click()
  await page.getByRole('button', { name: 'Copy link' }).click()
  await page.getByRole('button', { name: 'Select it and copy' }).waitFor()
  expect(await page.getByText('Copied', { exact: true }).count()).toBe(0)
})

test('a sign-in whose account is not connected any more does not wait forever', async () => {
  const page = await dashboard.open('/dashboard/connections', { signedIn: true })
  const { socialSetId } = dashboard
  const gone = { id: 'gone', socialSetId, accountType: 'BLUESKY', sandbox: true, status: 'CONNECTED' }
  const json = { ...gone, message: null, accounts: [], replaces: null, connectionId: 'none' }
  await page.route(/\/connections\/authorizations\/gone/, (route) => route.fulfill({ json }))
  await page.goto(`${dashboard.url}/dashboard/connections?set=${socialSetId}&authorization=gone`)
  await page.getByText('This no longer exists.').waitFor()
})

test('an editor that closes gives the focus back to what it was opened from', async () => {
  await dashboard.seed.postSet({ caption: 'Beside it', scheduledAt: '2030-06-12T10:00:00Z' })
  const page = await month('2030-06-12')
  const button = page.getByRole('button', { name: /^New post/ }).first()
  await button.focus()
  await page.keyboard.press('Enter')
  const editor = page.getByRole('dialog', { name: 'New post' })
  await editor.getByLabel('Caption', { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await editor.waitFor({ state: 'hidden' })
  await expectFocus(button)
  // With something written, and from a key of the calendar.
  await focusOn(card(page, 'Beside it'))
  await page.keyboard.press('n')
  await editor.getByLabel('Caption', { exact: true }).fill('Half a thought')
  await page.keyboard.press('Escape')
  await editor.waitFor({ state: 'hidden' })
  await expectFocus(card(page, 'Beside it'))
})

test('what a reviewer asks for is on the panel, and the focus stays in it', async () => {
  const reviewer = await dashboard.newMember({ role: 'reviewer', name: 'Rita' })
  const { id } = await dashboard.seed.postSet({
    caption: 'Long',
    scheduledAt: '2030-06-19T10:00:00Z',
    approval: 'PENDING',
  })
  const page = await dashboard.open(calendarPath('month', { post: id, date: '2030-06-19' }), { signedIn: reviewer })
  const panel = page.getByRole('dialog', { name: 'Post', exact: true })
  await panel.getByRole('button', { name: 'Request changes…' }).click()
  const question = page.getByRole('dialog', { name: 'Request changes' })
  await question.getByLabel(/What has to change/).fill('Shorter, please')
  await question.getByRole('button', { name: 'Request changes' }).click()
  await panel.getByText('Rita asks for changes').waitFor()
  await panel.getByText('Shorter, please', { exact: true }).waitFor()
  await expect.poll(() => panel.evaluate((element) => element.contains(element.ownerDocument.activeElement))).toBe(true)
})
