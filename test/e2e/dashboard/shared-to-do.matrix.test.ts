import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NARROW, testBrowser } from '../../_util/browser/browser.ts'
import { type Dashboard, settled } from '../../_util/browser/dashboard.ts'
import { expectFocus } from '../../_util/browser/dashboard-calendar.ts'
import { keyboardTask } from '../../_util/browser/dashboard-keys.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'
import { giveName, goTo, shareBrand } from '../../_util/browser/dashboard-shared.ts'

/** What a guest is to decide, with the month beside it, and what guests do by keys alone. */

const browser = testBrowser()
let dashboard: Dashboard
let path: string
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
  const media = [{ mediaLibraryId: await dashboard.seed.media('photo.jpg'), altText: 'Bread' }]
  const posts = [{ accountType: 'BLUESKY', caption: 'Fresh bread from seven', media }]
  await waiting('', '12', { posts })
  await waiting('The second one', '13')
  await waiting('The third one', '13')
  ;({ path } = await shareBrand(dashboard))
}, 180_000)
afterAll(() => dashboard?.stop())

/** A post that waits for the client, on a day of June 2030. */
const waiting = (caption: string, day: string, more: object = {}) =>
  dashboard.seed.postSet({ caption, scheduledAt: `2030-06-${day}T10:00:00Z`, approval: 'EXTERNAL_PENDING', ...more })

const JUNE = 'date=2030-06-12'

async function openAt(query: string, options: Parameters<Dashboard['open']>[1] = {}): Promise<Page> {
  const page = await dashboard.open(path, options)
  await goTo(page, query)
  await settled(page)
  return page
}

describe('beside what waits', () => {
  test('a month of pictures turns, opens its days, and says what was decided', async () => {
    const page = await openAt(`view=list&waiting=1&${JUNE}`)
    await page.getByRole('complementary').getByRole('heading', { name: 'June 2030' }).waitFor()
    expect(await page.getByRole('complementary').getByRole('link').count()).toBe(0)
    const third = page.getByRole('main').getByRole('listitem').filter({ hasText: 'The third one' })
    await third.getByRole('button', { name: 'Approve' }).click()
    await giveName(page)
    await page.getByRole('button', { name: /^Thursday,? 13 June 2030, 2 posts, needs your answer$/ }).waitFor()
    await page.getByRole('heading', { name: 'You decided', exact: true }).waitFor()
    await page
      .getByRole('complementary')
      .getByRole('link', { name: /^The third one/ })
      .waitFor()
    await page.getByRole('button', { name: 'Next month' }).click()
    await page.getByRole('heading', { name: 'July 2030' }).waitFor()
    await page.getByRole('button', { name: 'Previous month' }).click()
    await page.getByRole('button', { name: /^Wednesday,? 12 June 2030, 1 post, needs your answer$/ }).click()
    await page.getByRole('article', { name: 'Bluesky' }).getByText('Fresh bread from seven').waitFor()
    await page.goBack()
    await page.getByRole('button', { name: /^Thursday,? 13 June 2030, 2 posts/ }).click()
    await page.getByRole('button', { name: 'Week', pressed: true }).waitFor()
    await page.getByRole('link', { name: /The second one/ }).waitFor()
  })

  test('dark colors are kept in this browser, and the system’s own are not', async () => {
    const page = await openAt(`view=list&waiting=1&${JUNE}`)
    const ground = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
    const light = await ground()
    await page.getByRole('button', { name: 'Dark colors' }).click()
    await page.getByRole('button', { name: 'Light colors' }).waitFor()
    const dark = await ground()
    expect(dark).not.toBe(light)
    await page.reload()
    await page.getByRole('button', { name: 'Light colors' }).waitFor()
    expect(await ground()).toBe(dark)
    await page.getByRole('button', { name: 'Light colors' }).click()
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.getByRole('button', { name: 'Light colors' }).waitFor()
    expect(await ground()).toBe(dark)
  })
})

test('words are there again after a reload, and become a comment where another guest was faster', async () => {
  browser.allowProblem(/\/decision: 412$/)
  const { id, version } = await waiting('Who is faster', '20')
  const page = await openAt(`view=list&waiting=1&${JUNE}`)
  const row = page
    .getByRole('list', { name: 'Posts that need you' })
    .getByRole('listitem')
    .filter({ hasText: 'faster' })
  const request = row.getByRole('button', { name: 'Request changes' })
  await request.click()
  await giveName(page)
  await row.getByLabel('What should change?').fill('A warmer picture')
  await page.reload()
  await request.click()
  expect(await row.getByLabel('What should change?').inputValue()).toBe('A warmer picture')
  const other = await openAt(`view=list&${JUNE}`)
  await other.evaluate(`(async () => {
    const send = (method, path, body) => fetch(location.pathname + path, {
      method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body),
    })
    await send('PUT', '/visit/name', { name: 'Gina' })
    await send('POST', '/posts/${id}/decision', { decision: 'approve', version: ${version} })
  })()`)
  await row.getByRole('button', { name: 'Send request' }).click()
  await page.getByText(/Gina\W? approved this\. Your words are below as a comment/).waitFor()
  expect(await page.getByLabel('Write a comment').inputValue()).toBe('A warmer picture')
  await page.getByRole('button', { name: 'Send comment' }).click()
  await page.getByRole('listitem').filter({ hasText: 'A warmer picture' }).waitFor()
  expect(await page.getByLabel('Write a comment').inputValue()).toBe('')
})

test('a comment that is too long says so', async () => {
  const { id } = await waiting('Long words', '21')
  const page = await openAt(`post=${id}`)
  await page.getByLabel('Write a comment').fill('word '.repeat(500))
  await page
    .getByText('At most 2000 characters fit here.')
    .or(page.getByText('At most 2,000 characters fit here.'))
    .waitFor()
})

describe('by keys alone', () => {
  test('changes are requested in a row', async () => {
    const { id } = await waiting('Not like this', '26')
    const page = await openAt(`view=list&waiting=1&${JUNE}`)
    const row = page.getByRole('listitem').filter({ hasText: 'Not like this' })
    const keys = await keyboardTask(page)
    await keys.pressUntil('Tab', row.getByRole('button', { name: 'Request changes' }), 60)
    await keys.press('Enter')
    await page.getByRole('dialog', { name: 'Your name' }).waitFor()
    await keys.type('Clara')
    await keys.press('Enter')
    await expectFocus(row.getByLabel('What should change?'))
    await keys.type('A warmer picture')
    await keys.pressUntil('Tab', row.getByRole('button', { name: 'Send request' }), 1)
    await keys.press('Enter')
    await page.getByText('Changes requested. The team sees your words.').waitFor()
    keys.finish()
    expect(await dashboard.seed.call('GET', `/v1/post-sets/${id}`)).toMatchObject({ approval: 'DENIED' })
  })

  test('posts are selected and approved', async () => {
    const { id } = await waiting('Selected by keys', '27')
    const page = await openAt(`view=list&waiting=1&${JUNE}`)
    const row = page.getByRole('listitem').filter({ hasText: 'Selected by keys' })
    const keys = await keyboardTask(page)
    await keys.pressUntil('Tab', row.getByRole('checkbox'), 60)
    await keys.press('Space')
    await keys.pressUntil('Tab', page.getByRole('button', { name: 'Approve selected' }), 60)
    await keys.press('Enter')
    await page.getByRole('dialog', { name: 'Your name' }).waitFor()
    await keys.type('Clara')
    await keys.press('Enter')
    const asked = page.getByRole('dialog', { name: 'Approve these posts?' })
    await asked.waitFor()
    await keys.pressUntil('Tab', asked.getByRole('button', { name: /^Approve/ }), 6)
    await keys.press('Enter')
    await page.getByText('1 post approved.').waitFor()
    keys.finish()
    expect(await dashboard.seed.call('GET', `/v1/post-sets/${id}`)).toMatchObject({ approval: 'APPROVED' })
  })

  test('a note is added', async () => {
    const page = await openAt(`view=list&waiting=1&${JUNE}`)
    const keys = await keyboardTask(page)
    await keys.pressUntil('Tab', page.getByRole('button', { name: 'Add a note' }), 20)
    await keys.press('Enter')
    await page.getByRole('dialog', { name: 'Your name' }).waitFor()
    await keys.type('Clara')
    await keys.press('Enter')
    const note = page.getByRole('dialog', { name: 'Add a note' })
    await note.waitFor()
    await keys.pressUntil('Tab', note.getByLabel('Text'), 3)
    await keys.type('By keys as well')
    await keys.pressUntil('Tab', note.getByRole('button', { name: 'Add note' }), 10)
    await keys.press('Enter')
    await note.waitFor({ state: 'detached' })
    keys.finish()
  })

  test('a post is opened, approved and left', async () => {
    const { id } = await waiting('By keys', '25')
    const page = await openAt(`view=list&waiting=1&${JUNE}`)
    const keys = await keyboardTask(page)
    await keys.pressUntil('Tab', page.getByRole('link', { name: 'Skip to the calendar' }), 2)
    await keys.press('Enter')
    await keys.pressUntil('Tab', page.getByRole('link').filter({ hasText: 'By keys' }), 30)
    await keys.press('Enter')
    const approve = page.getByRole('button', { name: 'Approve', exact: true })
    await approve.waitFor()
    await keys.pressUntil('Tab', approve, 8)
    await keys.press('Enter')
    await page.getByRole('dialog', { name: 'Your name' }).waitFor()
    await keys.type('Clara')
    await keys.press('Enter')
    await page.getByText('You approved this.').waitFor()
    keys.finish()
    expect(await dashboard.seed.call('GET', `/v1/post-sets/${id}`)).toMatchObject({ approval: 'APPROVED' })
  })

  test('the days of a month are one stop of Tab on a phone', async () => {
    const page = await openAt(JUNE, { viewport: NARROW })
    const days = page.getByRole('toolbar', { name: 'Days' })
    expect(await days.locator('[tabindex="0"]').count()).toBe(1)
    const keys = await keyboardTask(page)
    await days.locator('[tabindex="0"]').focus()
    await keys.press('ArrowRight')
    await keys.press('Enter')
    await page.getByRole('heading', { level: 3, name: /^Sunday,? 2 June 2030$/ }).waitFor()
    expect(await days.locator('[tabindex="0"]').count()).toBe(1)
    keys.finish()
  })
})
