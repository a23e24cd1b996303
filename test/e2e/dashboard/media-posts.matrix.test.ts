import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { NARROW, testBrowser } from '../../_util/browser/browser.ts'
import { type Dashboard, settled } from '../../_util/browser/dashboard.ts'
import { expectEveryLook, expectNoAxeViolations, expectNoSidewaysScroll } from '../../_util/browser/dashboard-checks.ts'
import { composer } from '../../_util/browser/dashboard-composer.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

/** What posts have to do with the files of the library: a file is replaced in them, and they are made of files. */

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
}, 120_000)
afterAll(() => dashboard?.stop())

let number = 0
/** Names of files of one test. */
let name: (what: string) => string
beforeEach(() => {
  const own = ++number
  name = (what) => `${what} ${own}`
})

const open = (options: object = {}) => dashboard.open('/dashboard/media', { signedIn: true, ...options })
const file = (what: string, fixture = 'photo.jpg') => dashboard.seed.media(fixture, { name: name(what) })
const tile = (page: Page, what: string) => page.getByRole('button', { name: new RegExp(`^${name(what)}, `) })
const postWith = (mediaLibraryId: string, caption: string, more: object = {}) =>
  dashboard.seed.postSet({ ...more, posts: [{ accountType: 'BLUESKY', caption, media: [{ mediaLibraryId }] }] })
const filesOf = async (id: string) =>
  (await dashboard.seed.call('GET', `/v1/post-sets/${id}`)).posts[0].media.map(
    ({ mediaLibraryId }: { mediaLibraryId: string }) => mediaLibraryId,
  )
async function select(page: Page, ...whats: string[]): Promise<void> {
  for (const what of whats) {
    await tile(page, what).hover()
    await page.getByRole('checkbox', { name: `Select ${name(what)}` }).check()
  }
}
const toolbar = (page: Page) => page.getByRole('toolbar', { name: 'Selected files' })

test('a file is replaced in the posts that take it, what is left out says why, and Undo brings it back', async () => {
  const [old, other] = [await file('Old'), await file('Other')]
  const [draft, locked, kept] = [
    await postWith(old, 'Bread of the day'),
    await postWith(old, 'Locked bread'),
    await postWith(old, 'Kept bread'),
  ]
  await dashboard.member('PUT', `/internal/post-sets/${locked.id}/lock`, { locked: true })
  const page = await open()
  await tile(page, 'Old').click()
  await page
    .getByRole('dialog', { name: name('Old') })
    .getByRole('button', { name: 'Replace…' })
    .click()
  const dialog = page.getByRole('dialog', { name: `Replace ${name('Old')}` })
  await dialog.getByRole('searchbox', { name: 'Search media' }).fill(name('O').slice(0, 1))
  const offered = dialog.getByRole('checkbox', { name: new RegExp(`^${name('Other')}, `) })
  await offered.waitFor()
  // It is not offered in its own place.
  expect(await dialog.getByRole('checkbox', { name: new RegExp(`^${name('Old')}, `) }).count()).toBe(0)
  await expectNoAxeViolations(page, 'the choice of another file')
  await offered.click()
  await dialog.getByText(`These keep ${name('Old')}`).waitFor()
  await dialog.getByText(/locked by/).waitFor()
  await dialog.getByRole('checkbox', { name: 'Kept bread' }).uncheck()
  await expectEveryLook(page, 'the posts of a file')
  const viewport = page.viewportSize()
  await page.setViewportSize(NARROW)
  const words = dialog.getByText('Choose another file', { exact: true })
  expect(await words.evaluate((shown) => shown.scrollWidth - shown.clientWidth), 'is cut off').toBeLessThanOrEqual(0)
  if (viewport) await page.setViewportSize(viewport)
  await dialog.getByRole('button', { name: 'Replace in 1 post' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText(`${name('Old')} replaced in 1 post.`).waitFor()
  expect(await filesOf(draft.id)).toEqual([other])
  expect(await filesOf(locked.id)).toEqual([old])
  expect(await filesOf(kept.id)).toEqual([old])
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText(/^Undone:/).waitFor()
  expect(await filesOf(draft.id)).toEqual([old])
})

test('the alt text of a post goes with the file that it describes, unless it is to be kept', async () => {
  const [old, other] = [await file('Old'), await file('Other')]
  const altText = 'A lit shop window at dusk'
  const posts = [{ accountType: 'BLUESKY', caption: 'Window', media: [{ mediaLibraryId: old, altText }] }]
  const { id } = await dashboard.seed.postSet({ posts })
  const saidOf = async () => (await dashboard.seed.call('GET', `/v1/post-sets/${id}`)).posts[0].media[0].altText
  const page = await open()
  const replace = async (keep: boolean) => {
    await tile(page, 'Old').click()
    await page
      .getByRole('dialog', { name: name('Old') })
      .getByRole('button', { name: 'Replace…' })
      .click()
    const dialog = page.getByRole('dialog', { name: `Replace ${name('Old')}` })
    await dialog.getByRole('checkbox', { name: new RegExp(`^${name('Other')}, `) }).click()
    await dialog.getByText('It describes the old file, and the new one has none.').waitFor()
    const box = dialog.getByRole('checkbox', { name: 'Keep the alt text of 1 post' })
    expect(await box.isChecked()).toBe(false)
    if (keep) await box.check()
    await expectNoAxeViolations(page, 'alt texts of a file that is replaced')
    await dialog.getByRole('button', { name: 'Replace in 1 post' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await filesOf(id)).toEqual([other])
  }
  await replace(false)
  expect(await saidOf()).toBeNull()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText(/^Undone:/).waitFor()
  expect(await saidOf()).toBe(altText)
  await page.goto(`${dashboard.url}/dashboard/media`)
  await replace(true)
  expect(await saidOf()).toBe(altText)
})

test('one post per file: some days apart, and Undo removes those that are as they were, and lists the others', async () => {
  for (const what of ['First', 'Second', 'Third']) await file(what)
  const page = await open()
  await select(page, 'First', 'Second', 'Third')
  await toolbar(page).getByRole('button', { name: 'One post per file' }).click()
  const dialog = page.getByRole('dialog', { name: 'One post per file' })
  // A picture is a video's thumbnail there, and nothing alone.
  expect(await dialog.getByRole('checkbox', { name: 'YouTube' }).isDisabled()).toBe(true)
  for (const box of await dialog.getByRole('checkbox').all()) await box.uncheck()
  expect(await dialog.getByRole('button', { name: 'Create 3 drafts' }).isDisabled()).toBe(true)
  await dialog.getByRole('checkbox', { name: 'Instagram' }).check()
  await dialog.getByRole('checkbox', { name: 'Bluesky' }).check()
  await dialog.getByLabel('Date').fill('2031-03-29')
  await dialog.getByLabel('Date').press('Tab')
  await dialog.getByLabel('Time').fill('09:00')
  await dialog.getByLabel('Time').press('Tab')
  await dialog.getByLabel('Days between').fill('2')
  await expectEveryLook(page, 'one post per file')
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.url().endsWith('/internal/post-sets/bulk')),
    dialog.getByRole('button', { name: 'Create 3 drafts' }).click(),
  ])
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('3 drafts created.').waitFor()
  const { data } = (await answer.json()) as {
    data: { postSet: { id: string; scheduledAt: string; posts: object[] } }[]
  }
  const made = data.map(({ postSet }) => postSet)
  // Two days later by the clock of the brand, over the change to summer time too.
  expect(made.map(({ scheduledAt }) => scheduledAt)).toEqual([
    '2031-03-29T08:00:00.000Z',
    '2031-03-31T07:00:00.000Z',
    '2031-04-02T07:00:00.000Z',
  ])
  expect(made[0]?.posts).toMatchObject([
    { accountType: 'BLUESKY', media: [{}] },
    { accountType: 'INSTAGRAM', type: 'IMAGE', media: [{}] },
  ])
  await dashboard.seed.call('PATCH', `/v1/post-sets/${made[1]?.id}`, {
    status: 'DRAFT',
    scheduledAt: '2031-06-01T09:00',
  })
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText(/1 draft stays, because it was changed since: /).waitFor()
  const isThere = (id: string) =>
    dashboard.member('GET', `/internal/post-sets/${id}`).then(
      () => true,
      () => false,
    )
  expect(await Promise.all(made.map(({ id }) => isThere(id)))).toEqual([false, true, false])
})

test('a selection becomes a carousel in the composer, in the order in which it was selected', async () => {
  for (const what of ['Slide A', 'Slide B']) await file(what)
  const page = await open()
  await select(page, 'Slide B', 'Slide A')
  await toolbar(page).getByRole('button', { name: 'New post' }).click()
  const dialog = composer(page)
  await dialog.getByRole('button', { name: new RegExp(`^Picture 1 of 2, ${name('Slide B')}`) }).waitFor()
  await dialog.getByRole('button', { name: new RegExp(`^Picture 2 of 2, ${name('Slide A')}`) }).waitFor()
})

test('the bar of a selection has room on a phone, and an account is not offered what it does not take', async () => {
  await file('One')
  await file('Two', 'video-short.mp4')
  const page = await open({ viewport: NARROW })
  await tile(page, 'One').waitFor()
  for (const what of ['One', 'Two']) await page.getByRole('checkbox', { name: `Select ${name(what)}` }).check()
  await toolbar(page).getByRole('button', { name: 'One post per file' }).waitFor()
  await settled(page)
  await expectNoSidewaysScroll(page)
  await expectNoAxeViolations(page, 'a selection on a phone')
  await toolbar(page).getByRole('button', { name: 'One post per file' }).click()
  const dialog = page.getByRole('dialog', { name: 'One post per file' })
  expect(await dialog.getByRole('checkbox', { name: 'Google Business' }).isDisabled()).toBe(true)
  expect(await dialog.getByRole('checkbox', { name: 'Instagram' }).isChecked()).toBe(true)
  // Of videos alone YouTube has posts.
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('checkbox', { name: `Select ${name('One')}` }).uncheck()
  await file('Three', 'video-short.mp4')
  await tile(page, 'Three').waitFor()
  await page.getByRole('checkbox', { name: `Select ${name('Three')}` }).check()
  await toolbar(page).getByRole('button', { name: 'One post per file' }).click()
  expect(await dialog.getByRole('checkbox', { name: 'YouTube' }).isEnabled()).toBe(true)
})

test('a label for several files at once, with one undo', async () => {
  for (const what of ['Rye', 'Spelt', 'Oats']) await file(what)
  const label = name('Breads')
  const { id: labelId } = await dashboard.member('POST', '/internal/labels', { name: label })
  const labelled = async () => {
    const { socialSetId } = dashboard
    const { data } = await dashboard.member(
      'GET',
      `/internal/media-library/browse?${new URLSearchParams({ socialSetId, labelId })}`,
    )
    return data.map((one: { name: string }) => one.name).sort()
  }
  const page = await open()
  await select(page, 'Rye', 'Oats')
  await toolbar(page).getByRole('button', { name: 'Labels…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Labels' })
  await dialog.getByText('Choose a label for 2 files. A label that all of them already have is removed.').waitFor()
  await expectEveryLook(page, 'a label for files')
  await dialog.getByRole('button', { name: `Add ${label}` }).click()
  await page.getByText(`${label} added to 2 files.`).waitFor()
  expect(await labelled()).toEqual([name('Oats'), name('Rye')])
  expect(await toolbar(page).count()).toBe(0)
  // Of those that have it already, the others get it, and Undo takes it from those alone.
  await select(page, 'Rye', 'Spelt')
  await toolbar(page).getByRole('button', { name: 'Labels…' }).click()
  await dialog.getByRole('button', { name: `Add ${label}` }).click()
  await page.getByText(`${label} added to 1 file.`).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText(/^Undone:/).waitFor()
  expect(await labelled()).toEqual([name('Oats'), name('Rye')])
  await select(page, 'Oats')
  await toolbar(page).getByRole('button', { name: 'Labels…' }).click()
  await dialog.getByRole('button', { name: `Remove ${label}` }).click()
  await page.getByText(`${label} removed from 1 file.`).waitFor()
  expect(await labelled()).toEqual([name('Rye')])
})
