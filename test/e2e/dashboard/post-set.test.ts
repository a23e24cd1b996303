import { afterAll, beforeAll, expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import type { Dashboard } from '../../_util/browser/dashboard.ts'
import { expectNoAxeViolations } from '../../_util/browser/dashboard-checks.ts'
import { saveDraft } from '../../_util/browser/dashboard-composer.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
})
afterAll(() => dashboard.stop())

const month = (search: string) => `/dashboard/scheduling/calendar/month?set=${dashboard.socialSetId}&${search}`

test('a set is written, checked by the server while it is written, and scheduled', async () => {
  const media = await dashboard.seed.media('photo.jpg')
  const page = await dashboard.open(month('post=new&at=2030-06-12T10:00:00.000Z'), { signedIn: true })
  const dialog = page.getByRole('dialog', { name: 'New post' })
  await dialog.getByRole('checkbox', { name: /^Bluesky/ }).click()
  await dialog.getByRole('checkbox', { name: /^Instagram/ }).click()
  await dialog.getByLabel('Caption', { exact: true }).fill('Fresh bread')
  // Nothing is wrong while it is written; what is left of it is shown.
  await dialog.getByRole('listitem').filter({ hasText: 'Bluesky 289' }).waitFor()
  expect(await dialog.getByText('needs a picture or video').count()).toBe(0)
  // Instagram wants a picture: the server says so, and scheduling waits.
  await dialog.getByRole('button', { name: 'Schedule' }).click()
  await dialog.getByText('needs a picture or video').waitFor()
  await dialog.getByRole('button', { name: '1 problem' }).waitFor()
  await dialog.getByText('Fix this before it goes out.').waitFor()
  await dialog.getByRole('tab', { name: 'Instagram, 1 problem' }).waitFor()
  await expectNoAxeViolations(page)

  await dialog.getByRole('button', { name: 'Library' }).click()
  const picker = page.getByRole('dialog', { name: 'Add pictures and videos' })
  await picker.getByRole('checkbox', { name: /photo\.jpg/ }).check()
  await expectNoAxeViolations(page)
  await picker.getByRole('button', { name: 'Add 1 file' }).click()
  await dialog.getByRole('button', { name: 'Picture 1 of 1, photo.jpg, without alt text' }).click()
  const details = page.getByRole('dialog', { name: 'Picture 1 of 1' })
  await details.getByLabel('Alt text').fill('A loaf')
  await details.getByRole('button', { name: 'Done' }).click()
  await dialog.getByRole('tab', { name: /^Bluesky/ }).click()
  await dialog.getByLabel('Caption on Bluesky').fill('Fresh bread #bakery')
  await dialog.getByLabel('Time', { exact: true }).fill('09:30')
  await dialog.getByRole('button', { name: 'Schedule' }).click()
  await page
    .getByText(/Scheduled for .*09:30/)
    .first()
    .waitFor()

  const { data } = await dashboard.seed.call('GET', `/v1/post-sets?socialSetId=${dashboard.socialSetId}`)
  expect(data).toMatchObject([
    {
      status: 'SCHEDULED',
      // 09:30 in Berlin.
      scheduledAt: '2030-06-12T07:30:00.000Z',
      posts: [
        {
          accountType: 'BLUESKY',
          caption: 'Fresh bread #bakery',
          media: [{ mediaLibraryId: media, altText: 'A loaf' }],
        },
        { accountType: 'INSTAGRAM', caption: 'Fresh bread', type: 'IMAGE', media: [{ mediaLibraryId: media }] },
      ],
    },
  ])
})

test('the panel of a published set shows where it is, and what happened', async () => {
  const { id } = await dashboard.seed.postSet({
    status: 'SCHEDULED',
    scheduledAt: '2026-01-01T10:00:00Z',
    caption: 'Out at once',
  })
  await dashboard.seed.until(`/v1/post-sets/${id}`, ({ status }) => status === 'PUBLISHED')
  const page = await dashboard.open(month(`post=${id}`), { signedIn: true })
  const panel = page.getByRole('dialog', { name: 'Post', exact: true })
  await panel.getByRole('heading', { name: 'Live on 1 network' }).waitFor()
  const result = panel.getByRole('region', { name: 'Published' })
  const link = await result.getByRole('link', { name: 'Bluesky' }).getAttribute('href')
  expect(await (await fetch(link ?? '')).text()).toContain('Out at once')
  await expectNoAxeViolations(page)
  await panel.getByText(/API key “Demo key”: created/).waitFor()
  await panel
    .getByText(/Almanac: /)
    .first()
    .waitFor()
  await expectNoAxeViolations(page)
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'hidden' })
  expect(page.url()).not.toContain('post=')
})

test('a set is edited; somebody else who was faster is not overwritten', async () => {
  const { id } = await dashboard.seed.postSet({ caption: 'First words' })
  const page = await dashboard.open(month(`post=${id}`), { signedIn: true })
  await page.getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit post' })
  await dialog.getByLabel('Caption', { exact: true }).fill('Second words')
  await dashboard.seed.call('PATCH', `/v1/post-sets/${id}`, { scheduledAt: '2030-06-13T10:00:00Z' })
  browser.allowProblem(/^PATCH \S+: 412$/)
  browser.allowProblem(/412/)
  await saveDraft(page)
  await dialog
    .getByRole('alert')
    .getByText(/has changed/)
    .waitFor()
  // What was written is still there, and kept when the page goes.
  expect(await dialog.getByLabel('Caption', { exact: true }).inputValue()).toBe('Second words')
  await page.reload()
  await page.getByRole('button', { name: 'Edit' }).click()
  // It was written over an older state: that is shown, and what was written is offered.
  await dialog.getByText('What you wrote before was kept').waitFor()
  expect(await dialog.getByLabel('Caption', { exact: true }).inputValue()).toBe('First words')
  await dialog.getByRole('button', { name: 'Use what I wrote' }).click()
  expect(await dialog.getByLabel('Caption', { exact: true }).inputValue()).toBe('Second words')
  await saveDraft(page)
  await page
    .getByText(/Saved as a draft/)
    .first()
    .waitFor()
  expect(await dashboard.seed.call('GET', `/v1/post-sets/${id}`)).toMatchObject({
    posts: [{ caption: 'Second words' }],
  })
})

test('a set that is not there says so', async () => {
  browser.allowProblem(/404/)
  const page = await dashboard.open(month('post=01890000-0000-7000-8000-000000000000'), { signedIn: true })
  await page.getByText('There is no such post.').waitFor()
  await expectNoAxeViolations(page)
})

test('the further parts of a thread are shown, and stay when its first words are edited', async () => {
  const thread = ['And warm rolls', 'And cake'].map((caption) => ({ caption, media: [] }))
  const { id } = await dashboard.seed.call('POST', '/v1/post-sets', {
    socialSetId: dashboard.socialSetId,
    scheduledAt: '2030-06-14T10:00:00Z',
    status: 'DRAFT',
    approval: 'NONE',
    posts: [{ accountType: 'BLUESKY', caption: 'Fresh bread', media: [], thread }],
  })
  const page = await dashboard.open(month(`post=${id}`), { signedIn: true })
  const panel = page.getByRole('dialog', { name: 'Post', exact: true })
  await panel.getByText('Part 3').waitFor()
  expect(await panel.getByRole('article', { name: 'Bluesky' }).allTextContents()).toEqual([
    expect.stringContaining('Fresh bread'),
    expect.stringContaining('And warm rolls'),
    expect.stringContaining('And cake'),
  ])
  await expectNoAxeViolations(page)
  await page.getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit post' })
  await dialog.getByRole('tab', { name: /^Bluesky/ }).click()
  expect(await dialog.getByLabel('Text of part 3').inputValue()).toBe('And cake')
  await dialog.getByLabel('Caption on Bluesky').fill('Fresh dark bread')
  await saveDraft(page)
  await page
    .getByText(/Saved as a draft/)
    .first()
    .waitFor()
  const { posts } = await dashboard.seed.call('GET', `/v1/post-sets/${id}`)
  expect(posts).toMatchObject([{ caption: 'Fresh dark bread', thread }])
})
