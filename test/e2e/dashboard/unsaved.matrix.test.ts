import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { NARROW, testBrowser } from '../../_util/browser/browser.ts'
import type { Dashboard } from '../../_util/browser/dashboard.ts'
import { calendarPath } from '../../_util/browser/dashboard-calendar.ts'
import { expectNoAxeViolations, expectNoSidewaysScroll } from '../../_util/browser/dashboard-checks.ts'
import { chooseAccounts, saveDraft } from '../../_util/browser/dashboard-composer.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'
import { readFixture } from '../../_util/networks/file-server.ts'

// One member with several tabs and devices, and what they have written and not saved.

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
})
beforeEach(async () => {
  for (const { id } of await kept()) await dashboard.member('DELETE', `/internal/kept-drafts/${id}`)
})
afterAll(() => dashboard?.stop())

const kept = async (): Promise<{ id: string; excerpt: string }[]> =>
  (await dashboard.member('GET', `/internal/kept-drafts?socialSetId=${dashboard.socialSetId}`)).data
const texts = async () => (await kept()).map(({ excerpt }) => excerpt).toSorted()
const MONTH = { date: '2030-06-12' }
const NEW = calendarPath('month', { ...MONTH, post: 'new', at: '2030-06-12T10:00:00.000Z' })
const open = (path: string, options: Parameters<Dashboard['open']>[1] = {}) =>
  dashboard.open(path, { signedIn: true, ...options })
const composer = (page: Page) => page.getByRole('dialog', { name: 'New post' })
const caption = (page: Page) => composer(page).getByLabel('Caption', { exact: true })
const line = (page: Page) => page.getByRole('region', { name: 'Unsaved text' })
const notice = (page: Page, name: string) => composer(page).getByRole('status', { name })
const isStored = (page: Page) =>
  composer(page)
    .getByText(/Draft kept \d/)
    .waitFor()
/** As when a window comes into sight again. */
const lookAgain = (page: Page) => page.evaluate(`window.dispatchEvent(new Event('focus'))`)
async function write(page: Page, text: string): Promise<void> {
  await caption(page).fill(text)
  await expect.poll(texts).toContain(text)
}

interface Shown {
  getBoundingClientRect(): { x: number; y: number; width: number; height: number }
  contains(other: unknown): boolean
  ownerDocument: { elementFromPoint(x: number, y: number): unknown }
}

/** Nothing lies over its middle. */
function isSeen(drawn: unknown): boolean {
  const element = drawn as Shown
  const { x, y, width, height } = element.getBoundingClientRect()
  return element.contains(element.ownerDocument.elementFromPoint(x + width / 2, y + height / 2))
}

test('two tabs write two posts, and a reload of each has its own text', async () => {
  const one = await open(NEW)
  await write(one, 'Tab one')
  const two = await one.context().newPage()
  await two.goto(`${dashboard.url}${NEW}`)
  expect(await caption(two).inputValue()).toBe('')
  await write(two, 'Tab two')
  await caption(one).pressSequentially('!')
  for (const [page, text] of [
    [one, 'Tab one!'],
    [two, 'Tab two'],
  ] as const) {
    await page.reload()
    await expect.poll(() => caption(page).inputValue()).toBe(text)
  }
  await expect.poll(texts).toEqual(['Tab one!', 'Tab two'])
})

test('what is gone on with on another device has its text at once, is saved there, and is offered nowhere any more', async () => {
  const first = await open(NEW)
  await chooseAccounts(composer(first), 'Bluesky')
  await write(first, 'Begun here')
  await isStored(first)
  const second = await open(calendarPath('month', MONTH), { viewport: NARROW })
  // Of a brand without posts its first steps are as wide as the screen.
  const notices = second.getByRole('button', { name: 'Notices' })
  await second.getByRole('heading', { name: 'Let’s put your first post on the calendar' }).waitFor()
  expect(await notices.evaluate(isSeen)).toBe(true)
  await notices.click()
  await line(second).getByRole('button', { name: 'Continue writing' }).click()
  await expect.poll(() => caption(second).inputValue()).toBe('Begun here')
  await expectNoSidewaysScroll(second)
  // Also after a reload before it is saved.
  await second.reload()
  await expect.poll(() => caption(second).inputValue()).toBe('Begun here')
  await caption(second).fill('Begun here, finished there')
  await saveDraft(second)
  await composer(second).waitFor({ state: 'hidden' })
  expect(await kept()).toEqual([])

  await lookAgain(first)
  await notice(first, 'You have saved this in another window').waitFor()
  await expectNoAxeViolations(first, 'a text that was saved in another window')
  await first.goto(`${dashboard.url}${calendarPath('month', MONTH)}`)
  await first.getByText('Begun here, finished there').first().waitFor()
  expect(await line(first).count()).toBe(0)
  const { data } = await dashboard.seed.call('GET', `/v1/post-sets?socialSetId=${dashboard.socialSetId}&size=100`)
  expect(
    data.filter(({ posts }: { posts: { caption: string }[] }) => posts[0]?.caption.startsWith('Begun')),
  ).toHaveLength(1)
})

test('who writes over what another window wrote is asked which of the two counts', async () => {
  const one = await open(NEW)
  await write(one, 'One')
  await isStored(one)
  const two = await one.context().newPage()
  await two.goto(one.url())
  await expect.poll(() => caption(two).inputValue()).toBe('One')
  await write(two, 'Two')
  await caption(one).fill('One, later')
  const question = notice(one, 'You have written something else in another window')
  await question.getByText('“Two”').waitFor()
  await expectNoAxeViolations(one, 'a question about two texts')
  expect(await texts()).toEqual(['Two'])
  await question.getByRole('button', { name: 'Keep what is here' }).click()
  await expect.poll(texts).toEqual(['One, later'])
  await lookAgain(two)
  await expect.poll(() => caption(two).inputValue()).toBe('One, later')
})

test('what was discarded in another window is kept where somebody wants it', async () => {
  const one = await open(NEW)
  await write(one, 'Not to be lost')
  await isStored(one)
  const two = await one.context().newPage()
  await two.goto(one.url())
  await composer(two).getByRole('button', { name: 'Discard it' }).click()
  await expect.poll(texts).toEqual([])
  await caption(one).pressSequentially('!')
  const told = notice(one, 'You have discarded this in another window')
  await told.getByRole('button', { name: 'Keep what is here' }).click()
  await expect.poll(texts).toEqual(['Not to be lost!'])
})

test('what was discarded in a second window and is gone on with in a third becomes one post', async () => {
  browser.allowProblem(/\/internal\/post-sets\/[^/]+: 404$/)
  const one = await open(NEW)
  await write(one, 'Once and no more')
  await isStored(one)
  const two = await one.context().newPage()
  await two.goto(one.url())
  await composer(two).getByRole('button', { name: 'Discard it' }).click()
  await expect.poll(texts).not.toContain('Once and no more')
  await caption(one).pressSequentially('!')
  await notice(one, 'You have discarded this in another window').waitFor()
  const three = await one.context().newPage()
  await three.goto(one.url())
  await expect.poll(() => caption(three).inputValue()).toBe('Once and no more!')
  await chooseAccounts(composer(three), 'Bluesky')
  await isStored(three)
  expect(new URL(three.url()).searchParams.get('draft')).toBe(new URL(one.url()).searchParams.get('draft'))
  await saveDraft(three)
  await composer(three).waitFor({ state: 'hidden' })
  await lookAgain(one)
  await notice(one, 'You have discarded this in another window')
    .getByRole('button', { name: 'Keep what is here' })
    .click()
  await notice(one, 'You have saved this in another window').waitFor()
})

test('drafts list what is not saved, to go on with or to discard', async () => {
  const page = await open(NEW)
  await write(page, 'First of two')
  await page.goto(`${dashboard.url}${NEW}`)
  await write(page, 'Second of two')
  await page.goto(`${dashboard.url}${calendarPath('month', MONTH)}`)
  await line(page).getByText('“Second of two”').waitFor()
  await line(page).getByRole('link', { name: 'And 1 more' }).click()
  const list = page.getByRole('region', { name: 'Not saved' })
  await expect.poll(() => list.getByRole('listitem').count()).toBe(2)
  await expectNoAxeViolations(page, 'drafts with what is not saved')
  await list.getByRole('button', { name: 'Discard “Second of two”' }).click()
  await expect.poll(texts).toEqual(['First of two'])
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await list.getByRole('link', { name: 'Second of two' }).click()
  await expect.poll(() => caption(page).inputValue()).toBe('Second of two')
  await expect.poll(texts).toEqual(['First of two', 'Second of two'])
})

test('a save whose answer is lost is one post when it is tried again', async () => {
  browser.allowProblem(/net::ERR_/)
  browser.allowProblem(/^console error: /)
  const page = await open(NEW)
  await chooseAccounts(composer(page), 'Bluesky')
  await write(page, 'Saved once')
  let lost = 0
  await page.route(/\/internal\/post-sets\?/, async (route) => {
    if (route.request().method() !== 'POST' || lost > 0) return route.continue()
    lost += 1
    await route.fetch()
    await route.abort()
  })
  await saveDraft(page)
  await composer(page).getByRole('alert').first().waitFor()
  await saveDraft(page)
  await composer(page).waitFor({ state: 'hidden' })
  const { data } = await dashboard.seed.call('GET', `/v1/post-sets?socialSetId=${dashboard.socialSetId}&size=100`)
  expect(data.filter(({ posts }: { posts: { caption: string }[] }) => posts[0]?.caption === 'Saved once')).toHaveLength(
    1,
  )
  expect(lost).toBe(1)
})

test('a file that another browser still has is named as that, and comes by itself when it is there', async () => {
  const first = await open(NEW)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  // Its bytes wait.
  await first.route(/\/internal\/media-upload/, async (route) => {
    if (route.request().method() !== 'GET') await released
    await route.continue()
  })
  await composer(first)
    .locator('input[type="file"]')
    .first()
    .setInputFiles({ name: 'late.jpg', mimeType: 'image/jpeg', buffer: await readFixture('photo.jpg') })
  await write(first, 'With a picture')
  const second = await open(calendarPath('month', MONTH))
  await line(second).getByRole('button', { name: 'Continue writing' }).click()
  await composer(second)
    .getByText(/is on its way from another browser/)
    .waitFor()
  await second.reload()
  await composer(second)
    .getByText(/is on its way from another browser/)
    .waitFor()
  release()
  await composer(first)
    .getByRole('button', { name: /^Picture 1 of 1, late\.jpg/ })
    .waitFor()
  await isStored(first)
  await expect
    .poll(async () => {
      await lookAgain(second)
      return composer(second)
        .getByRole('button', { name: /^Picture 1 of 1, late\.jpg/ })
        .count()
    })
    .toBe(1)
})

test('what is closed and gone on with in the same page is there, also by the way back', async () => {
  const page = await open(calendarPath('month', MONTH))
  await page.getByRole('button', { name: 'New post', exact: true }).first().click()
  await write(page, 'Closed and opened')
  await isStored(page)
  await page.keyboard.press('Escape')
  await composer(page).waitFor({ state: 'hidden' })
  await line(page).getByRole('button', { name: 'Continue writing' }).click()
  await expect.poll(() => caption(page).inputValue()).toBe('Closed and opened')
  await write(page, 'Closed and opened again')
  expect(await texts()).toEqual(['Closed and opened again'])
  // Reloaded before its first letter, a text goes on in its address.
  await page.goto(`${dashboard.url}${NEW}`)
  await caption(page).waitFor()
  await page.reload()
  await caption(page).fill('Begun after a reload')
  await isStored(page)
  await page.reload()
  await expect.poll(() => caption(page).inputValue()).toBe('Begun after a reload')
})

test('what was written is offered over the new state of the post', async () => {
  const { id } = await dashboard.seed.postSet({ caption: 'First words', scheduledAt: '2030-06-12T10:00:00Z' })
  const page = await open(calendarPath('month', { ...MONTH, post: id }))
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const editor = page.getByRole('dialog', { name: 'Edit post' })
  const words = editor.getByLabel('Caption', { exact: true })
  await words.fill('My words')
  await editor.getByText(/Draft kept \d/).waitFor()
  await dashboard.seed.call('PATCH', `/v1/post-sets/${id}`, { scheduledAt: '2030-06-13T10:00:00Z' })
  await editor.getByRole('button', { name: 'Load the new state' }).click()
  await editor.getByRole('button', { name: 'Use what I wrote' }).click()
  await expect.poll(() => words.inputValue()).toBe('My words')
})
