import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NARROW, testBrowser } from '../../_util/browser/browser.ts'
import type { Dashboard } from '../../_util/browser/dashboard.ts'
import { calendarPath } from '../../_util/browser/dashboard-calendar.ts'
import {
  cutTexts,
  expectEveryLook,
  expectNoAxeInBothColors,
  expectNoSidewaysScroll,
} from '../../_util/browser/dashboard-checks.ts'
import { composer, saveDraft } from '../../_util/browser/dashboard-composer.ts'
import { keyboardTask } from '../../_util/browser/dashboard-keys.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

/** What follows a post: first comments, stories of several, who may reply, and threads that are numbered or go on. */

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
}, 120_000)
afterAll(() => dashboard?.stop())

const DAY = '2030-06-14'
const panelOf = (page: Page) => page.getByRole('dialog', { name: 'Post', exact: true })
const openSet = (id: string, more: object = {}) =>
  dashboard.open(calendarPath('month', { date: DAY, post: id }), { signedIn: true, ...more })

async function edit(posts: object[], more: object = {}) {
  const { id } = await dashboard.seed.postSet({ scheduledAt: `${DAY}T10:00:00Z`, posts })
  const page = await openSet(id, more)
  await panelOf(page).getByRole('button', { name: 'Edit' }).click()
  return {
    ...{ page, dialog: composer(page, 'Edit post') },
    posts: async () => (await dashboard.seed.call('GET', `/v1/post-sets/${id}`)).posts,
  }
}
const bluesky = (caption: string) => ({ accountType: 'BLUESKY', caption, media: [] })
const facebook = { accountType: 'FACEBOOK', type: 'TEXT', caption: 'Rye', richCaption: ['Rye'], media: [] }

test('who may reply and quote, and the first comment, are chosen by keys alone', async () => {
  const { page, dialog, posts } = await edit([bluesky('Rye'), facebook])
  const task = await keyboardTask(page)
  const ofBluesky = dialog.getByRole('tab', { name: /^Bluesky/ })
  await ofBluesky.focus()
  await task.press('Enter')
  await task.pressUntil('Tab', dialog.getByRole('checkbox', { name: 'People who are mentioned' }), 60)
  await task.press('Space')
  expect(await dialog.getByRole('checkbox', { name: 'Everyone' }).isChecked()).toBe(false)
  await task.pressUntil('Tab', dialog.getByRole('combobox', { name: 'Others can quote it' }), 10)
  await task.type('No')
  await expectNoAxeInBothColors(page, 'who may reply')
  await dialog.getByRole('tab', { name: /^Facebook/ }).focus()
  await task.press('Enter')
  await task.pressUntil('Tab', dialog.getByRole('textbox', { name: 'First comment' }), 60)
  await task.type('More at https://example.com')
  await task.press('Enter')
  await task.type('and at the shop')
  await expectEveryLook(page, 'a first comment')
  task.finish(150)
  await saveDraft(page)
  await dialog.waitFor({ state: 'hidden' })
  expect(await posts()).toMatchObject([
    { options: { replyAudience: ['MENTIONED'], allowQuotes: false } },
    { options: { firstComment: 'More at https://example.com\nand at the shop' } },
  ])
  const panel = panelOf(page)
  await panel.getByText('People who are mentioned').first().waitFor()
  await panel.getByText('Facebook', { exact: true }).first().click()
  await panel.getByText('and at the shop').first().waitFor()
  await expectEveryLook(page, 'the panel of both')
})

test('a story of several pictures is written on a phone, and seen one behind the other', async () => {
  const media = [
    { mediaLibraryId: await dashboard.seed.media('photo.jpg') },
    { mediaLibraryId: await dashboard.seed.media('transparent.png') },
  ]
  const story = { accountType: 'INSTAGRAM', caption: '', type: 'STORY', collaborators: [], media }
  const { page, dialog, posts } = await edit([story], { viewport: NARROW })
  await dialog.getByRole('tab', { name: /^Instagram/ }).click()
  await dialog.getByRole('button', { name: /^Picture 2 of 2/ }).waitFor()
  expect(await dialog.getByLabel('Kind of post').inputValue()).toBe('STORY')
  await expectNoAxeInBothColors(page, 'a story of several')
  await expectNoSidewaysScroll(page, 'a story of several')
  await saveDraft(page)
  await dialog.waitFor({ state: 'hidden' })
  expect((await posts())[0].media).toHaveLength(2)
})

test('parts that are too long are split at sentences and numbered, by keys', async () => {
  const sentence = (word: string) => `${word} ${'bakes rye and wheat '.repeat(12)}today.`
  const { page, dialog, posts } = await edit([
    { ...bluesky('How we bake'), thread: [{ caption: 'By hand', media: [] }] },
  ])
  await dialog.getByRole('tab', { name: /^Bluesky/ }).click()
  const part = (number: number) => dialog.getByLabel(`Text of part ${number}`)
  await part(2).fill([sentence('Ada'), sentence('Ben')].join(' '))
  const split = dialog.getByRole('button', { name: 'Split at sentences' })
  await split.waitFor()
  await split.focus()
  await page.keyboard.press('Enter')
  await part(3).waitFor()
  expect(await part(3).inputValue()).toBe(sentence('Ben'))
  const number = dialog.getByRole('button', { name: 'Number the parts' })
  await number.focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => part(3).inputValue()).toBe(`${sentence('Ben')} (3/3)`)
  expect(await dialog.getByLabel('Caption on Bluesky').inputValue()).toBe('How we bake (1/3)')
  expect(await cutTexts(dialog.getByRole('button'))).toEqual([])
  await expectEveryLook(page, 'a thread with numbers')
  await saveDraft(page)
  await dialog.waitFor({ state: 'hidden' })
  const [{ caption, thread }] = await posts()
  expect([caption, ...thread.map((each: { caption: string }) => each.caption.slice(-5))]).toEqual([
    'How we bake (1/3)',
    '(2/3)',
    '(3/3)',
  ])
})

test('a thread that ended early is continued from its panel, by those who may publish', async () => {
  const { id } = await dashboard.seed.postSet({
    status: 'SCHEDULED',
    scheduledAt: new Date().toISOString(),
    posts: [
      {
        ...{ accountType: 'THREADS', caption: 'Half a thread', media: [] },
        thread: [{ caption: 'Refused [[fault:account-suspended]]', media: [] }],
      },
    ],
  })
  await dashboard.seed.until(`/v1/post-sets/${id}`, ({ status }) => status === 'PUBLISHED')
  const path = `/dashboard/scheduling/calendar/month?set=${dashboard.socialSetId}&post=${id}`
  const page = await dashboard.open(path, { signedIn: true })
  const button = panelOf(page).getByRole('button', { name: 'Continue the thread on Threads' })
  await button.waitFor()
  await panelOf(page).getByRole('heading', { name: 'Live on 1 network, but not all of it' }).waitFor()
  await expectEveryLook(page, 'a thread that ended early')
  const listed = await dashboard.open('/dashboard/results', { signedIn: true })
  const row = listed.getByRole('listitem').filter({ hasText: 'Half a thread' }).first()
  await row.getByText('The thread on Threads ended early').waitFor()
  await listed.close()
  await button.focus()
  await page.keyboard.press('Enter')
  // It is refused again: the network does not want that part.
  const continued = async () =>
    (await dashboard.member('GET', `/internal/post-sets/${id}/history`)).data.filter(
      ({ action }: { action: string }) => action === 'thread continued',
    )
  await expect.poll(async () => (await continued()).length).toBe(1)
  const [delivery] = (await dashboard.seed.until(`/v1/post-sets/${id}`, ({ posts }) => posts[0].result.warnings)).posts
  expect(delivery.result.status).toBe('POSTED')
  await page.getByText('Not all of it is live on Threads.', { exact: true }).first().waitFor()
  await button.waitFor()
  const author = await dashboard.newMember({ role: 'author' })
  const theirs = await dashboard.open(path, { signedIn: author })
  await panelOf(theirs).getByText('could not be made').first().waitFor()
  expect(
    await panelOf(theirs)
      .getByRole('button', { name: /^Continue the thread/ })
      .count(),
  ).toBe(0)
})
