import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { endInbox } from '#persistence'
import { NARROW, testBrowser } from '../../_util/browser/browser.ts'
import type { Dashboard } from '../../_util/browser/dashboard.ts'
import { calendarPath, card } from '../../_util/browser/dashboard-calendar.ts'
import { expectNoAxeInBothColors, expectNoSidewaysScroll } from '../../_util/browser/dashboard-checks.ts'
import { composer, saveDraft } from '../../_util/browser/dashboard-composer.ts'
import { dashboardOnDatabase } from '../../_util/browser/dashboard-on-database.ts'
import { goTo, shareBrand } from '../../_util/browser/dashboard-shared.ts'

/** Posts for the inbox of TikTok's app: written on a screen and on a phone, and what each screen says of them. */

const browser = testBrowser()
const started = dashboardOnDatabase(browser)
let dashboard: Dashboard
beforeAll(() => {
  dashboard = started.dashboard
})

const DAY = '2030-06-14'
const panelOf = (page: Page) => page.getByRole('dialog', { name: 'Post', exact: true })

async function edit(fixture: string, caption: string, more: object = {}) {
  const media = [{ mediaLibraryId: await dashboard.seed.media(fixture) }]
  const posts = [{ accountType: 'TIKTOK', caption, media }]
  const { id } = await dashboard.seed.postSet({ scheduledAt: `${DAY}T10:00:00Z`, posts })
  const page = await dashboard.open(calendarPath('month', { date: DAY, post: id }), { signedIn: true, ...more })
  await panelOf(page).getByRole('button', { name: 'Edit' }).click()
  const dialog = composer(page, 'Edit post')
  await dialog.getByRole('tab', { name: /^TikTok/ }).click()
  return { page, dialog, saved: async () => (await dashboard.seed.call('GET', `/v1/post-sets/${id}`)).posts[0].options }
}

test.each([
  ['on a screen', {}],
  ['on a phone', { viewport: NARROW }],
])('a video for the inbox is written %s, which says that its caption is not sent', async (_, more) => {
  const { page, dialog, saved } = await edit('video-h264-aac.mp4', 'Rye bread', more)
  await dialog.getByLabel('How posts go out').selectOption('INBOX')
  await dialog
    .getByText(/TikTok takes no caption of a video for the inbox/)
    .first()
    .waitFor()
  await expectNoAxeInBothColors(page, 'a video for the inbox')
  await expectNoSidewaysScroll(page, 'a video for the inbox')
  await saveDraft(page)
  await dialog.waitFor({ state: 'hidden' })
  expect(await saved()).toEqual({ mode: 'INBOX' })
})

test('title, cover and music of photos, and a moment of a video, are fields of the form', async () => {
  const photos = await edit('photo.jpg', 'Rye bread')
  await photos.dialog.getByLabel('Title of the photos').fill('Three loaves')
  await photos.dialog.getByLabel('Cover photo').selectOption({ label: 'Photo 1' })
  await photos.dialog.getByLabel('Add music').selectOption('true')
  // What is of videos alone is not asked for.
  expect(await photos.dialog.getByLabel(/^Cover frame/).count()).toBe(0)
  await expectNoAxeInBothColors(photos.page, 'options of photos')
  await saveDraft(photos.page)
  await photos.dialog.waitFor({ state: 'hidden' })
  expect(await photos.saved()).toMatchObject({ title: 'Three loaves', coverIndex: 0, autoMusic: true })
  const video = await edit('video-h264-aac.mp4', 'Rye bread')
  for (const name of ['Title of the photos', 'Cover photo', 'Add music'])
    expect([name, await video.dialog.getByLabel(name).count()]).toEqual([name, 0])
  // The picker of every other video: a slider that shows the frame, and its second.
  await video.dialog.getByRole('slider', { name: 'Cover frame' }).waitFor({ state: 'attached' })
  await video.dialog.getByLabel('Cover frame, in seconds').fill('0.25')
  await expectNoAxeInBothColors(video.page, 'the cover of a video')
  await saveDraft(video.page)
  await video.dialog.waitFor({ state: 'hidden' })
  expect(await video.saved()).toMatchObject({ coverMilliseconds: 250 })
  await panelOf(video.page).getByText('0.3 seconds').waitFor()
})

test('what is in the inbox is told apart on every screen', async () => {
  const media = [{ mediaLibraryId: await dashboard.seed.media('video-h264-aac.mp4') }]
  const options = { mode: 'INBOX' }
  const { id, scheduledAt } = await dashboard.seed.postSet({
    status: 'SCHEDULED',
    scheduledAt: '2026-01-01T10:00:00Z',
    posts: [{ accountType: 'TIKTOK', caption: 'A loaf in the inbox', media, options }],
  })
  const { posts } = await dashboard.seed.until(`/v1/post-sets/${id}`, ({ status }) => status === 'PUBLISHED')
  expect(posts[0].result).toEqual({ status: 'POSTED', delivery: 'INBOX' })

  const day = scheduledAt.slice(0, 10)
  const page = await dashboard.open(calendarPath('month', { date: day, post: id }), { signedIn: true })
  const panel = panelOf(page)
  await panel.getByText(/^In the TikTok inbox, waiting for /).waitFor()
  await panel.getByRole('heading', { name: 'Not published yet' }).waitFor()
  await panel.getByRole('button', { name: 'Copy the caption' }).waitFor()
  await panel.getByText('Paste it in the app').waitFor()
  expect(await panel.getByText('Published', { exact: true }).count()).toBe(0)
  expect(await panel.getByRole('button', { name: 'Retry' }).count()).toBe(0)
  await expectNoAxeInBothColors(page, 'the panel of a post in the inbox')

  await page.goto(new URL(calendarPath('month', { date: day }), page.url()).href)
  await card(page, 'A loaf in the inbox').waitFor()
  expect(await card(page, 'A loaf in the inbox').getAttribute('aria-label')).toMatch(/In the TikTok inbox/)
  await expectNoAxeInBothColors(page, 'a card of a post in the inbox')
  await page.goto(new URL(calendarPath('list', { date: day }), page.url()).href)
  await page.getByText('In the TikTok inbox').first().waitFor()
  await expectNoAxeInBothColors(page, 'the list with a post in the inbox')

  for (const viewport of [undefined, NARROW]) {
    const results = await dashboard.open('/dashboard/results?days=all', {
      signedIn: true,
      ...(viewport ? { viewport } : {}),
    })
    const region = results.getByRole('region', { name: /^In the inbox/ })
    await region
      .getByText(/^In the TikTok inbox, waiting for /)
      .first()
      .waitFor()
    expect(
      await results
        .getByRole('region', { name: /^Published/ })
        .getByText('A loaf in the inbox')
        .count(),
    ).toBe(0)
    await expectNoAxeInBothColors(results, 'results with a post in the inbox')
    await expectNoSidewaysScroll(results, 'results with a post in the inbox')
  }

  const link = await shareBrand(dashboard)
  const guest = await dashboard.open(link.path)
  await goTo(guest, `view=list&date=${day}`)
  await guest.getByText('In the inbox of the app').first().waitFor()
  await expectNoAxeInBothColors(guest, 'the calendar of a guest with a post in the inbox')
  await goTo(guest, `view=list&date=${day}&post=${id}`)
  await guest.getByText('In the TikTok inbox.').first().waitFor()
  await expectNoAxeInBothColors(guest, 'the page of a guest with a post in the inbox')
})

test('what was not finished there says so, and is copied as a draft; nothing offers to send it again', async () => {
  const media = [{ mediaLibraryId: await dashboard.seed.media('photo.jpg') }]
  const { id } = await dashboard.seed.postSet({
    status: 'SCHEDULED',
    scheduledAt: '2026-01-02T10:00:00Z',
    posts: [{ accountType: 'TIKTOK', caption: 'A loaf that was left', media, options: { mode: 'INBOX' } }],
  })
  await dashboard.seed.until(`/v1/post-sets/${id}`, ({ status }) => status === 'PUBLISHED')
  // A day later.
  const delivery = await started.db
    .selectFrom('deliveries')
    .select('id')
    .where('post_set_id', '=', id)
    .executeTakeFirstOrThrow()
  const warning = { code: 'post:not_finished', message: 'The post was not finished in the TikTok app within a day.' }
  const actor = { type: 'PUBLISHER', id: null, name: 'Publisher' } as const
  await endInbox(started.db, { id: delivery.id, postSetId: id, end: { kind: 'ended', warning } }, actor)

  const page = await dashboard.open(calendarPath('month', { date: '2026-01-02', post: id }), { signedIn: true })
  const panel = panelOf(page)
  await panel.getByText('Not finished in TikTok').waitFor()
  await panel.getByText(warning.message).waitFor()
  expect(await panel.getByRole('button', { name: 'Retry' }).count()).toBe(0)
  await expectNoAxeInBothColors(page, 'the panel of a post that was not finished')

  const results = await dashboard.open('/dashboard/results?days=all', { signedIn: true, viewport: NARROW })
  const row = results
    .getByRole('region', { name: /^In the inbox/ })
    .getByRole('listitem')
    .filter({ hasText: 'was left' })
  await row.first().getByText('Not finished in TikTok').waitFor()
  expect(await row.first().getByRole('button', { name: 'Retry' }).count()).toBe(0)
  await expectNoAxeInBothColors(results, 'results with a post that was not finished')
  await expectNoSidewaysScroll(results, 'results with a post that was not finished')

  await panel.getByRole('button', { name: 'Copy as a draft' }).click()
  await panel.getByText('Draft', { exact: true }).waitFor()
  const copy = new URL(page.url()).searchParams.get('post') ?? ''
  expect(copy).not.toBe(id)
  const { status, posts } = await dashboard.seed.call('GET', `/v1/post-sets/${copy}`)
  expect([status, posts[0].options]).toEqual(['DRAFT', { mode: 'INBOX' }])
})
