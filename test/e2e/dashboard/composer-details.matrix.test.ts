import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NARROW, testBrowser } from '../../_util/browser/browser.ts'
import type { Dashboard } from '../../_util/browser/dashboard.ts'
import { calendarPath } from '../../_util/browser/dashboard-calendar.ts'
import { expectNoAxeViolations, expectNoSidewaysScroll } from '../../_util/browser/dashboard-checks.ts'
import { chooseAccounts, composer, give, saveDraft } from '../../_util/browser/dashboard-composer.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'
import { readFixture } from '../../_util/networks/file-server.ts'

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
}, 120_000)
afterAll(() => dashboard?.stop())

const openNew = ({ draft, ...options }: Parameters<Dashboard['open']>[1] & { draft?: string } = {}) =>
  dashboard.open(
    calendarPath('month', {
      date: '2030-06-12',
      post: 'new',
      at: '2030-06-12T10:00:00.000Z',
      ...(draft ? { draft } : {}),
    }),
    { signedIn: true, ...options },
  )
interface Found {
  createdAt: string
  labelsId: string[]
  posts: { caption: string; videoCoverImage?: number }[]
}
const withCaption = async (caption: string) => {
  const { data } = await dashboard.seed.call('GET', `/v1/post-sets?socialSetId=${dashboard.socialSetId}&size=100`)
  return (data as Found[]).filter(({ posts }) => posts.some((post) => post.caption === caption))
}

test('the cover of a video is chosen from its frames, by a slider or as a second', async () => {
  const mediaLibraryId = await dashboard.seed.media('video-h264-aac.mp4')
  const { id } = await dashboard.seed.postSet({
    caption: '',
    posts: [
      {
        accountType: 'INSTAGRAM',
        caption: 'With a cover',
        type: 'REEL',
        collaborators: [],
        media: [{ mediaLibraryId }],
      },
    ],
  })
  const page = await dashboard.open(calendarPath('month', { date: '2030-06-12', post: id }), { signedIn: true })
  await page.getByRole('button', { name: 'Edit' }).click()
  const dialog = composer(page, 'Edit post')
  await dialog.getByRole('tab', { name: /^Instagram/ }).click()
  const slider = dialog.getByRole('slider', { name: 'Cover frame' })
  await expect.poll(() => slider.isEnabled()).toBe(true)
  const second = dialog.getByLabel('Cover frame, in seconds')
  await slider.focus()
  for (let presses = 0; presses < 7; presses++) await page.keyboard.press('ArrowRight')
  expect(await second.inputValue()).toBe('0.7')
  expect(await slider.getAttribute('aria-valuetext')).toBe('0.7 seconds')
  const shown = () => dialog.locator('video').evaluate((video: { currentTime: number }) => video.currentTime)
  await expect.poll(shown).toBeCloseTo(0.7, 1)
  await expectNoAxeViolations(page, 'the cover of a video')
  await second.fill('0.3')
  await expect.poll(shown).toBeCloseTo(0.3, 1)
  await saveDraft(page)
  await dialog.waitFor({ state: 'hidden' })
  const [saved] = await withCaption('With a cover')
  expect(saved?.posts[0]?.videoCoverImage).toBe(0.3)
})

test('hashtags, mentions and addresses are tinted behind the text, where it is', async () => {
  const page = await openNew()
  const dialog = composer(page)
  const caption = dialog.getByLabel('Caption', { exact: true })
  await caption.fill('Fresh from #thë_oven by @anna.baker\n\nat https://example.com/a?b=1 today\n')
  const marks = dialog.locator('mark')
  expect(await marks.allInnerTexts()).toEqual(['#thë_oven', '@anna.baker', 'https://example.com/a?b=1'])
  const behind = dialog.locator('[aria-hidden]:has(> mark)')
  const sizeOf = (element: { clientWidth: number; scrollHeight: number }) => [element.clientWidth, element.scrollHeight]
  const style = (element: object) => {
    const { fontFamily, fontSize, lineHeight, letterSpacing, paddingLeft, paddingTop } = (
      globalThis as unknown as { getComputedStyle(of: object): Record<string, string> }
    ).getComputedStyle(element)
    return { fontFamily, fontSize, lineHeight, letterSpacing, paddingLeft, paddingTop }
  }
  expect(await behind.evaluate(style)).toEqual(await caption.evaluate(style))
  // Long enough to be scrolled: lines break in the same places, and both are in the same one.
  await caption.fill('A long line about #bread and @anna, once more. '.repeat(60))
  const [width, height] = await caption.evaluate(sizeOf)
  await expect.poll(async () => (await behind.evaluate(sizeOf))[0]).toBe(width)
  expect(Math.abs(((await behind.evaluate(sizeOf))[1] ?? 0) - (height ?? 0))).toBeLessThan(24)
  await caption.press('Control+End')
  const scrolled = (element: { scrollTop: number }) => element.scrollTop
  await expect.poll(() => caption.evaluate(scrolled)).toBeGreaterThan(0)
  await expect
    .poll(async () => Math.abs((await behind.evaluate(scrolled)) - (await caption.evaluate(scrolled))))
    .toBeLessThan(2)
  await expectNoAxeViolations(page, 'a long caption')
})

test('the preview is as wide as a phone or a desktop', async () => {
  const page = await openNew({ colorScheme: 'dark' })
  const dialog = composer(page)
  await chooseAccounts(dialog, 'Bluesky', 'LinkedIn page')
  await dialog.getByLabel('Caption', { exact: true }).fill('In two widths')
  const frame = dialog.getByRole('article', { name: 'Bluesky' })
  const width = async () => (await frame.boundingBox())?.width ?? 0
  const narrow = await width()
  await dialog.locator('label').filter({ hasText: 'Desktop' }).click()
  await expect.poll(width).toBeGreaterThan(narrow * 1.5)
  await expectNoAxeViolations(page, 'the preview of a desktop')
})

test('what single networks have of their own is said beside what all share, and leads there', async () => {
  const page = await openNew()
  const dialog = composer(page)
  await chooseAccounts(dialog, 'Instagram', 'Threads')
  await dialog.getByLabel('Caption', { exact: true }).fill('For all')
  const chips = dialog.getByRole('region', { name: 'Per network' }).getByRole('button')
  expect(await chips.count()).toBe(1)
  await dialog.getByRole('tab', { name: /^Threads/ }).click()
  await dialog.getByLabel('Caption on Threads').fill('For Threads alone')
  await dialog.getByRole('tab', { name: 'All' }).click()
  await dialog.getByRole('button', { name: 'Instagram: Kind of post Picture' }).waitFor()
  await expectNoAxeViolations(page, 'what single networks have')
  await dialog.getByRole('button', { name: 'Threads: Text its own' }).click()
  await dialog.getByRole('button', { name: 'Reset to All' }).click()
  expect(await dialog.getByLabel('Caption on Threads').inputValue()).toBe('For all')
  await dialog.getByRole('tab', { name: 'All' }).click()
  await expect.poll(() => chips.count()).toBe(1)
})

test('accounts that belong together are saved by a name, and chosen by it in any browser', async () => {
  const page = await openNew()
  const dialog = composer(page)
  await chooseAccounts(dialog, 'Bluesky', 'Threads')
  await dialog.getByRole('button', { name: 'Groups' }).click()
  await page.getByText('No groups yet.').waitFor()
  await page.getByRole('menuitem', { name: 'Save these accounts as a group…' }).click()
  const asked = page.getByRole('dialog', { name: 'New group of accounts' })
  await asked.getByText('Bluesky and Threads').waitFor()
  await expectNoAxeViolations(page, 'a new group of accounts')
  await asked.getByLabel('Name').fill('Short texts')
  await page.keyboard.press('Enter')
  await asked.waitFor({ state: 'hidden' })
  const other = await openNew()
  await composer(other).getByRole('checkbox', { name: /^X/ }).click()
  await composer(other).getByRole('button', { name: 'Groups' }).click()
  await expectNoAxeViolations(other, 'groups of accounts')
  await other.getByRole('menuitem', { name: /^Short texts/ }).click()
  const checked = () =>
    composer(other)
      .getByRole('checkbox', { checked: true })
      .evaluateAll(names as never)
  const names = (boxes: { getAttribute(name: string): string }[]) =>
    boxes.map((box) => box.getAttribute('aria-label').split(',')[0])
  expect(await checked()).toEqual(['Bluesky', 'Threads'])
  await composer(other).getByRole('button', { name: 'Groups' }).click()
  await other.getByRole('menuitem', { name: 'Delete Short texts' }).click()
  await other.getByText('Deleted: Short texts').waitFor()
  await other.getByRole('button', { name: 'Undo' }).click()
  await other.getByText(/^Undone/).waitFor()
  expect((await dashboard.member('GET', '/internal/session')).preferences.accountGroups).toHaveLength(1)
})

test('the labels of a new series are on all of its posts', async () => {
  const label = await dashboard.member('POST', '/internal/labels', { name: 'Campaign', color: null })
  const page = await openNew()
  const dialog = composer(page)
  await chooseAccounts(dialog, 'Bluesky')
  await dialog.getByLabel('Caption', { exact: true }).fill('Of a campaign')
  await dialog.getByRole('button', { name: /^Labels/ }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Campaign' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Campaign', checked: true }).waitFor()
  await expectNoAxeViolations(page, 'the menu of labels')
  await page.keyboard.press('Escape')
  await dialog.getByRole('switch', { name: 'Repeat' }).check()
  await saveDraft(page)
  await page.getByText(/4 posts saved as drafts/).waitFor()
  expect((await withCaption('Of a campaign')).map(({ labelsId }) => labelsId)).toEqual(Array(4).fill([label.id]))
  // One undo takes all of them away.
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText(/^Undone/).waitFor()
  expect(await withCaption('Of a campaign')).toEqual([])
})

test('pictures of a draft that was kept for days are shown', async () => {
  browser.allowProblem(/\/media\/\S+: 4\d\d$/)
  const mediaLibraryId = await dashboard.seed.media('photo.jpg')
  const item = await dashboard.seed.call('GET', `/v1/media-library/${mediaLibraryId}`)
  const old = (url: string) => url.replace(/e=\d+/, 'e=1700000000')
  const { type, width, height } = item
  const file = { mediaLibraryId, type, width, height, url: old(item.url), thumbnailUrl: old(item.thumbnailUrl) }
  const own = {
    ...file,
    uid: '1',
    upload: null,
    place: null,
    name: 'photo.jpg',
    altText: 'Bread',
    tags: [],
    crop: null,
  }
  const post = { accountType: 'BLUESKY', caption: null, media: [own], fields: {}, typeChosen: false }
  const draft = { caption: 'Kept for days', media: [own], posts: [post], at: '2030-06-12T10:00:00.000Z', repeat: null }
  const id = crypto.randomUUID()
  await dashboard.member('PUT', `/internal/kept-drafts/${id}`, {
    socialSetId: dashboard.socialSetId,
    postSetId: null,
    sequence: 1,
    basedOnVersion: null,
    excerpt: draft.caption,
    content: { draft: { ...draft, approval: 'NONE', labels: [] } },
  })
  const page = await openNew({ draft: id })
  const dialog = composer(page)
  const pictures = dialog.locator('img[src*="/media/"]')
  const seen = (images: { naturalWidth: number }[]) => images.map(({ naturalWidth }) => naturalWidth > 0)
  // In the strip and in the preview.
  await expect.poll(() => pictures.evaluateAll(seen as never)).toEqual([true, true])
})

test('who types without a pause is kept on the server, too', async () => {
  const page = await openNew()
  await composer(page).getByLabel('Caption', { exact: true }).focus()
  const keptNow = async () =>
    JSON.stringify((await dashboard.member('GET', `/internal/kept-drafts?socialSetId=${dashboard.socialSetId}`)).data)
  let typing = true
  const typed = (async () => {
    while (typing) await page.keyboard.type('On and ', { delay: 40 })
  })()
  await expect
    .poll(keptNow, { timeout: 20_000 })
    .toContain('On and On and On')
    .finally(() => {
      typing = false
    })
  await typed
})

test('with problems on three of all networks the day and the time are in sight, as is how much of each text is left', async () => {
  await dashboard.seed.media('photo.jpg')
  const page = await openNew()
  const dialog = composer(page)
  await dialog.getByRole('button', { name: 'All', exact: true }).click()
  const caption = dialog.getByLabel('Caption', { exact: true })
  await caption.fill(`${'Fresh bread at nine. '.repeat(10)}\n\n#bread #berlin #kreuzberg`)
  await dialog.getByRole('button', { name: 'Library' }).click()
  const picker = page.getByRole('dialog', { name: 'Add pictures and videos' })
  await picker.getByRole('checkbox').first().check()
  await picker.getByRole('button', { name: 'Add 1 file' }).click()
  await dialog.getByRole('button', { name: '4 problems' }).waitFor()
  const problems = dialog.getByRole('region', { name: 'Problems' })
  await problems.getByText('YouTube: needs a title and needs a video').waitFor()
  await problems.getByText('Pinterest: needs a title').waitFor()
  await problems.getByText(/^TikTok: /).waitFor()
  expect(await problems.getByRole('button', { name: 'Leave out YouTube' }).count()).toBe(1)

  const box = async (found: Locator) => {
    const { y = 0, height = 0 } = (await found.boundingBox()) ?? {}
    return { top: y, bottom: y + height }
  }
  const { bottom: fold } = await box(dialog.locator('[data-composer] > div').last())
  for (const field of [dialog.getByLabel('Date'), dialog.getByLabel('Time', { exact: true })])
    expect((await box(field)).bottom).toBeLessThanOrEqual(fold)
  expect((await box(problems)).bottom).toBeLessThan(
    (await box(dialog.getByRole('region', { name: 'Per network' }))).top,
  )
  const counts = dialog.locator('[data-counts] li')
  expect(await counts.count()).toBe(11)
  const tops = await Promise.all((await counts.all()).map(async (each) => (await box(each)).top))
  expect(new Set(tops).size, 'one row of counts').toBe(1)
  expect((await counts.last().innerText()).trim()).toMatch(/Facebook\s+62k$/)
  await expectNoAxeViolations(page, 'a composer with problems')
})

test('that a post is empty is one problem, no matter how many networks say so', async () => {
  const page = await openNew()
  const dialog = composer(page)
  await dialog.getByRole('button', { name: 'All', exact: true }).click()
  // TikTok has its audience chosen before anything can be scheduled.
  await chooseAccounts(dialog, 'Pinterest', 'TikTok', 'YouTube')
  await dialog.getByRole('button', { name: 'Schedule', exact: true }).click()
  const problems = dialog.getByRole('region', { name: 'Problems' })
  await problems.getByText('The post is empty. Write a caption and add a picture or video.').waitFor()
  // Beside it is what single networks need, text or not: two titles, and who sees it on TikTok.
  const rows = problems.locator('[data-problem]')
  expect((await rows.allInnerTexts()).filter((words) => /empty|picture or video|caption/i.test(words)).length).toBe(1)
  await dialog.getByRole('button', { name: '4 problems', exact: true }).click()
  await expect.poll(() => rows.first().evaluate((row) => row.matches(':focus'))).toBe(true)
  // What each of them misses of text and files is in its own tab, and here when there is a text.
  await dialog.getByLabel('Caption', { exact: true }).fill('Fresh bread at nine')
  await problems.getByText('Instagram: needs a picture or video').waitFor()
  await expectNoAxeViolations(page, 'a post that was empty')
})

test('what is measured of a file is said in sizes and times', async () => {
  const page = await openNew({ locale: 'de-DE' })
  const dialog = page.getByRole('dialog', { name: 'Neuer Beitrag' })
  await chooseAccounts(dialog, 'LinkedIn-Seite')
  const buffer = await readFixture('video-short.mp4')
  const caption = dialog.locator('textarea').first()
  await give(caption, 'paste', [{ name: 'kurz.mp4', mimeType: 'video/mp4', buffer }])
  await dialog.getByRole('button', { name: /^Video 1 von 1/ }).waitFor()
  await dialog.getByRole('button', { name: 'Planen', exact: true }).click()
  const problem = dialog.locator('[data-problem]')
  await problem.getByText(/zu klein: mindestens 76,8 kB/).waitFor()
  expect(await problem.innerText()).toMatch(/zu kurz: mindestens 0:03/)
  expect(await dialog.innerText()).not.toMatch(/76[.,]?800|Grenze/)
})

test('on a phone the preview is behind a button in the head, and the way to a problem leads back to the text', async () => {
  const page = await openNew({ viewport: NARROW })
  const dialog = composer(page)
  await chooseAccounts(dialog, 'Bluesky', 'Instagram')
  await dialog.getByLabel('Caption', { exact: true }).fill('Looked at on the way')
  const shown = dialog.getByRole('article', { name: 'Bluesky' }).getByText('Looked at on the way')
  expect(await shown.count()).toBe(0)
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await shown.waitFor()
  expect(await dialog.getByLabel('Caption', { exact: true }).isVisible()).toBe(false)
  await expectNoAxeViolations(page, 'the preview on a phone')
  await page.setViewportSize({ width: 320, height: 640 })
  await expectNoSidewaysScroll(page)
  await dialog.getByRole('button', { name: '1 problem' }).click()
  await dialog.getByText('Instagram: needs a picture or video').waitFor()
  expect(await shown.isVisible()).toBe(false)
})

test('on a phone the form is as wide as the screen, also with the longer words of another language', async () => {
  const page = await openNew({ viewport: NARROW, locale: 'de-DE' })
  const dialog = page.getByRole('dialog', { name: 'Neuer Beitrag' })
  await chooseAccounts(dialog, 'TikTok', 'YouTube')
  // Accounts alone are nothing to keep.
  await dialog.locator('textarea').first().fill('Frisches Brot um neun')
  // What is missing is said when the text is left: of whom TikTok shows it to is decided before it can be scheduled.
  await dialog.locator('textarea').first().blur()
  await dialog.getByRole('button', { name: /^\d+ Probleme$/ }).waitFor()
  await dialog
    .locator('[role=status]')
    .filter({ hasText: /Entwurf gesichert/ })
    .waitFor()
  const wide = () => dialog.locator('[data-composer]').evaluate(({ scrollWidth }) => scrollWidth)
  expect(await wide()).toBeLessThanOrEqual(NARROW.width)
  const close = await dialog.getByRole('button', { name: 'Schließen' }).boundingBox()
  expect((close?.x ?? 0) + (close?.width ?? 0)).toBeLessThanOrEqual(NARROW.width)
})

/** Presses Tab until something has the focus, as someone without a pointer does. */
/** Sizes below 12 px of text that is seen, each with what it is of. */
const SMALL_TEXT = `[...document.querySelectorAll('body *')].flatMap((element) => {
  const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== '')
  if (!own || !element.checkVisibility({ visibilityProperty: true })) return []
  const size = parseFloat(getComputedStyle(element).fontSize)
  return size < 12 ? [size + ' px: ' + element.textContent] : []
})`

test('no text is smaller than 12 px, counts in the rail and what fields say below them included', async () => {
  await dashboard.seed.postSet({ caption: 'Waits', approval: 'PENDING' })
  const page = await openNew()
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByText('1 post waits')
    .or(page.getByText('wait'))
    .first()
    .waitFor()
  await composer(page).getByRole('switch', { name: 'Repeat' }).check()
  await composer(page).getByText('Time between posts').waitFor()
  expect(await page.evaluate(SMALL_TEXT)).toEqual([])
})
