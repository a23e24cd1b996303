import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NARROW, testBrowser } from '../../_util/browser/browser.ts'
import type { Dashboard } from '../../_util/browser/dashboard.ts'
import { calendarPath, card, cardOn, focusOn } from '../../_util/browser/dashboard-calendar.ts'
import { expectNoAxeViolations, expectNoSidewaysScroll } from '../../_util/browser/dashboard-checks.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

/** Posts go to another brand from a card, the panel and a selection; one undo brings them back. */

const browser = testBrowser()
let dashboard: Dashboard
let tokyo: string
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
  const made = await dashboard.member('POST', '/internal/social-sets', { name: 'Tokyo tea', timezone: 'Asia/Tokyo' })
  tokyo = made.id
}, 120_000)
afterAll(() => dashboard?.stop())

const OWN = () => dashboard.socialSetId
/** Times and states of the posts of a brand with a caption. */
async function found(socialSetId: string, caption: string): Promise<string[]> {
  const { data } = await dashboard.seed.call('GET', `/v1/post-sets?socialSetId=${socialSetId}&size=100`)
  type Found = { scheduledAt: string; status: string; posts: { caption: string }[] }
  return (data as Found[])
    .filter(({ posts }) => posts.some((post) => post.caption === caption))
    .map(({ scheduledAt, status }) => `${scheduledAt} ${status}`)
    .toSorted()
}
const choose = async (page: Page, title: string, verb: string) => {
  const dialog = page.getByRole('dialog', { name: title })
  await dialog.getByRole('radio', { name: 'Tokyo tea' }).check()
  await dialog.getByRole('button', { name: verb, exact: true }).click()
}

test('a card is moved by keys to the same time on the clocks of another brand, and one undo brings it back', async () => {
  const caption = 'Wrong brand'
  await dashboard.seed.postSet({ caption, scheduledAt: '2030-06-12T10:00:00.000Z' })
  // The calendar of all brands would have the copy, too.
  const page = await dashboard.open(calendarPath('month', { set: OWN(), date: '2030-06-12' }), { signedIn: true })
  await card(page, caption).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Move to another brand…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Move to another brand' })
  // With more brands than this nothing is chosen yet.
  await dialog.getByRole('radio', { name: 'Tokyo tea' }).focus()
  await page.keyboard.press('Space')
  await dialog.getByText('Time: Wednesday 12 June 2030, 12:00').waitFor()
  await dialog.getByText('Not connected in this brand: Bluesky.').waitFor()
  await expectNoAxeViolations(page, 'to which brand')
  await page.keyboard.press('Enter')
  await page.getByText(`${caption} moved to Tokyo tea.`).first().waitFor()
  expect([await found(OWN(), caption), await found(tokyo, caption)]).toEqual([[], ['2030-06-12T03:00:00.000Z DRAFT']])
  await expect.poll(() => card(page, caption).count()).toBe(0)
  await page.keyboard.press('Control+z')
  await expect.poll(() => found(OWN(), caption)).toEqual(['2030-06-12T10:00:00.000Z DRAFT'])
  await card(page, caption).waitFor()
  expect(await found(tokyo, caption)).toEqual([])
})

test('from the panel of a phone it is copied, and stays', async () => {
  const caption = 'For both'
  const { id } = await dashboard.seed.postSet({ caption, scheduledAt: '2030-06-13T10:00:00.000Z' })
  const page = await dashboard.open(calendarPath('month', { date: '2030-06-13', post: id }), {
    signedIn: true,
    viewport: NARROW,
    colorScheme: 'dark',
  })
  await page.getByRole('dialog', { name: 'Post', exact: true }).getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Copy to another brand…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Copy to another brand' })
  await dialog.getByRole('radio', { name: 'Tokyo tea' }).waitFor()
  await expectNoAxeViolations(page, 'to which brand, on a phone')
  await expectNoSidewaysScroll(page, 'to which brand')
  await choose(page, 'Copy to another brand', 'Copy')
  await page.getByText(`${caption} copied to Tokyo tea.`).first().waitFor()
  expect((await found(OWN(), caption)).length + (await found(tokyo, caption)).length).toBe(2)
  await page.getByRole('button', { name: 'Undo' }).first().click()
  await expect.poll(() => found(tokyo, caption)).toEqual([])
  expect(await found(OWN(), caption)).toHaveLength(1)
})

test('a selection is copied or moved, with one undo for all', async () => {
  const caption = 'Several'
  for (const day of [3, 4]) await dashboard.seed.postSet({ caption, scheduledAt: `2030-09-0${day}T10:00:00.000Z` })
  const page = await dashboard.open(calendarPath('month', { date: '2030-09-03' }), { signedIn: true })
  for (const day of ['2030-09-03', '2030-09-04']) {
    await focusOn(cardOn(page, day, caption))
    await page.keyboard.press('x')
  }
  await page.getByRole('toolbar', { name: 'Selected posts' }).getByRole('button', { name: 'To another brand…' }).click()
  await choose(page, 'To another brand', 'Move')
  await page.getByText('2 posts moved to Tokyo tea.').first().waitFor()
  expect(await found(tokyo, caption)).toHaveLength(2)
  await page.keyboard.press('Control+z')
  await expect.poll(() => found(OWN(), caption)).toHaveLength(2)
  expect(await found(tokyo, caption)).toEqual([])
})

test('a copy that was changed meanwhile stays, and the person learns why', async () => {
  const caption = 'Changed there'
  await dashboard.seed.postSet({ caption, scheduledAt: '2030-06-14T10:00:00.000Z' })
  const page = await dashboard.open(calendarPath('month', { date: '2030-06-14' }), { signedIn: true })
  await card(page, caption).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Move to another brand…' }).click()
  await choose(page, 'Move to another brand', 'Move')
  await page.getByText(`${caption} moved to Tokyo tea.`).first().waitFor()
  const { data } = await dashboard.seed.call('GET', `/v1/post-sets?socialSetId=${tokyo}&size=100`)
  const copy = data.find(({ posts }: { posts: { caption: string }[] }) => posts[0]?.caption === caption)
  await dashboard.seed.call('PATCH', `/v1/post-sets/${copy.id}`, { scheduledAt: '2030-06-15T10:00:00Z' })
  await page.keyboard.press('Control+z')
  await page
    .getByText(/changed since|has changed/)
    .first()
    .waitFor()
  expect([await found(OWN(), caption), (await found(tokyo, caption)).length]).toEqual([[], 1])
})

test('the history of both says where the post went and where it came from', async () => {
  const { id } = await dashboard.seed.postSet({ caption: 'With a past', scheduledAt: '2030-06-20T10:00:00.000Z' })
  const { done } = await dashboard.member('POST', '/internal/post-sets/change', {
    ids: [{ id }],
    action: { copyTo: { socialSetId: tokyo, move: true } },
  })
  const page = await dashboard.open(calendarPath('month', { set: tokyo, post: done[0].id }), { signedIn: true })
  const history = page.getByRole('region', { name: 'History' })
  await history.getByText(/: moved from Demo$/).waitFor()
  await dashboard.member('POST', '/internal/post-sets/change', {
    ids: [{ id: done[0].id, version: done[0].version }],
    action: { undo: true },
  })
  await page.goto(`${dashboard.url}${calendarPath('month', { set: OWN(), post: id })}`)
  await history.getByText(/: moved to Tokyo tea$/).waitFor()
  await history.getByText(/: restored$/).waitFor()
})

test('in German', async () => {
  await dashboard.seed.postSet({ caption: 'Auf Deutsch', scheduledAt: '2030-06-18T10:00:00.000Z' })
  const page = await dashboard.open(calendarPath('month', { date: '2030-06-18' }), { signedIn: true, locale: 'de-DE' })
  await card(page, 'Auf Deutsch').click({ button: 'right' })
  await page.getByRole('menuitem', { name: /^In andere Marke verschieben/ }).click()
  const dialog = page.getByRole('dialog', { name: 'In eine andere Marke verschieben' })
  await dialog.getByRole('radio', { name: 'Tokyo tea' }).check()
  await dialog.getByText('In dieser Marke nicht verbunden: Bluesky.').waitFor()
  await expectNoAxeViolations(page, 'zu welcher Marke')
  await dialog.getByRole('button', { name: 'Verschieben', exact: true }).click()
  await page.getByText('Auf Deutsch nach Tokyo tea verschoben.').first().waitFor()
})
