import { sql } from 'kysely'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, test, vi } from 'vitest'
import { searchable } from '#domain'
import { NARROW, testBrowser } from '../../_util/browser/browser.ts'
import { settled } from '../../_util/browser/dashboard.ts'
import { calendarPath } from '../../_util/browser/dashboard-calendar.ts'
import { expectEveryLook, expectNoAxeViolations, expectNoSidewaysScroll } from '../../_util/browser/dashboard-checks.ts'
import { chooseAccounts, give, openNewPost } from '../../_util/browser/dashboard-composer.ts'
import { dashboardOnDatabase } from '../../_util/browser/dashboard-on-database.ts'
import { readFixture } from '../../_util/networks/file-server.ts'

/** The screen of the media library, and the picker of the composer, which is the same. */

const browser = testBrowser()
const started = dashboardOnDatabase(browser)
const MEDIA = '/dashboard/media'
const open = (path = MEDIA, options: object = {}) => started.dashboard.open(path, { signedIn: true, ...options })
const newBrand = async (name: string): Promise<string> =>
  (await started.dashboard.member('POST', '/internal/social-sets', { name, timezone: 'Europe/Berlin' })).id
const of = (brand: string, more = '') => `${MEDIA}?set=${brand}${more}`
const tile = (page: Page | Locator, name: string) => page.getByRole('button', { name: new RegExp(`^${name}, `) })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })

/** Rows of files without bytes: pictures that are not there are tiles without one. */
async function fill(brand: string, count: number): Promise<void> {
  await sql`
    insert into media_items (id, account_id, social_set_id, name, facts, bytes, sha256, storage_key, source, search_text,
      created_at)
    select gen_random_uuid(), account_id, id, 'number ' || n,
      jsonb_build_object('type', case when n % 10 = 0 then 'VIDEO' else 'IMAGE' end, 'mimeType', 'image/jpeg', 'bytes', n,
        'width', 1000, 'height', 1250, 'durationMs', case when n % 10 = 0 then 12000 end),
      n, '', gen_random_uuid()::text, 'UPLOAD', replace('number ' || n, ' ', ${searchable(' ')}),
      now() - (${count}::int - n) * interval '1 minute'
    from social_sets, generate_series(1, ${count}::int) n where id = ${brand}`.execute(started.db)
}

test('a file is found, described, deleted and brought back', async () => {
  const { seed } = started.dashboard
  await seed.media('photo.jpg', { name: 'Rye loaf' })
  await seed.media('photo.jpg', { name: 'Oven' })
  const page = await open()
  await tile(page, 'Rye loaf').waitFor()
  await page.getByRole('searchbox', { name: 'Search media' }).fill('RYE')
  await tile(page, 'Oven').waitFor({ state: 'detached' })
  await tile(page, 'Rye loaf').focus()
  await page.keyboard.press('Enter')
  const view = dialog(page, 'Rye loaf')
  await view.getByText('No post has this file.').waitFor()
  await view.getByText(/^Picture · 900 × 1200 · 3:4 · /).waitFor()
  await view.getByLabel('Alt text').fill('A loaf of rye bread')
  await view.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  await expectNoAxeViolations(page, 'the large view')
  // What it says now is found, also by its address alone.
  await page.reload()
  await dialog(page, 'Rye loaf').getByLabel('Alt text').waitFor()
  expect(await dialog(page, 'Rye loaf').getByLabel('Alt text').inputValue()).toBe('A loaf of rye bread')
  await page.keyboard.press('Escape')
  await page.getByRole('searchbox', { name: 'Search media' }).fill('of rye bread')
  await tile(page, 'Rye loaf').click()
  await dialog(page, 'Rye loaf').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Rye loaf deleted. It can be restored for 30 days.').waitFor()
  await tile(page, 'Rye loaf').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await tile(page, 'Rye loaf').waitFor()
  // And later, among those that were deleted.
  await tile(page, 'Rye loaf').focus()
  await page.keyboard.press('Delete')
  await tile(page, 'Rye loaf').waitFor({ state: 'detached' })
  await page.getByRole('combobox', { name: 'Use' }).selectOption('DELETED')
  await tile(page, 'Rye loaf').click()
  await dialog(page, 'Rye loaf').getByRole('button', { name: 'Restore' }).click()
  await page.getByText('No file matches the filters.').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await tile(page, 'Rye loaf').waitFor()
  await tile(page, 'Oven').waitFor()
})

/** Types into the search, chooses a kind of file at once, and types on at the moment at which the address says what was typed. */
const TYPED_AND_CHOSEN = `{
  const enter = (field, prototype, value, event) => {
    Object.getOwnPropertyDescriptor(prototype, 'value').set.call(field, value)
    field.dispatchEvent(new Event(event, { bubbles: true }))
  }
  const type = (text) =>
    enter(document.querySelector('input[type="search"]'), HTMLInputElement.prototype, text, 'input')
  const replace = history.replaceState
  history.replaceState = function (...entry) {
    replace.apply(this, entry)
    if (!location.search.includes('q=walnut')) return
    history.replaceState = replace
    type('walnut b')
  }
  type('walnut')
  enter(document.querySelector('select[aria-label="Kind"]'), HTMLSelectElement.prototype, 'IMAGE', 'change')
}`

test('what is typed and chosen in one go is searched by as a whole', async () => {
  const { seed } = started.dashboard
  for (const name of ['Walnut bread', 'Walnut cake']) await seed.media('photo.jpg', { name })
  const page = await open()
  await tile(page, 'Walnut bread').waitFor()
  const field = page.getByRole('searchbox', { name: 'Search media' })
  await expect.poll(() => field.evaluate((each) => each.tagName)).toBe('INPUT')
  // A filter within the pause after the last letter, and a letter while what was typed before is on its way into the address.
  await page.evaluate(TYPED_AND_CHOSEN)
  await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe('walnut b')
  expect(new URL(page.url()).searchParams.get('kind')).toBe('image')
  expect(await field.inputValue()).toBe('walnut b')
  await tile(page, 'Walnut cake').waitFor({ state: 'detached' })
})

test('a file in a draft is not deleted, and the post is a click away', async () => {
  browser.allowProblem(/\/internal\/media-library\/[^/]+: 409$/)
  const { seed } = started.dashboard
  const media = await seed.media('photo.jpg', { name: 'In a draft' })
  await seed.postSet({
    posts: [{ accountType: 'BLUESKY', caption: 'Bread of the day', media: [{ mediaLibraryId: media }] }],
  })
  await seed.media('photo.jpg', { name: 'In no draft' })
  const page = await open()
  await page.getByRole('button', { name: /^In a draft, picture, .*, In 1 post$/ }).waitFor()
  for (const name of ['In a draft', 'In no draft']) {
    await tile(page, name).hover()
    await page.getByRole('checkbox', { name: `Select ${name}` }).check()
  }
  const bar = page.getByRole('toolbar', { name: 'Selected files' })
  await bar.getByText('2 files selected').waitFor()
  await expectNoAxeViolations(page, 'two that are selected')
  await bar.getByRole('button', { name: 'Delete' }).click()
  const refused = dialog(page, 'Not deleted')
  await refused.getByText('A draft or scheduled post has this file. Take it out of the post first.').waitFor()
  await tile(page, 'In no draft').waitFor({ state: 'detached' })
  await expectNoAxeViolations(page, 'what is in use')
  await refused.getByRole('link', { name: 'Bread of the day' }).click()
  await page.getByRole('dialog').getByText('Bread of the day').first().waitFor()
})

test('files are dropped anywhere on the screen', async () => {
  const brand = await newBrand('Drops')
  const page = await open(of(brand))
  await page.getByText('There are no files yet. Drop pictures and videos here, or upload them.').waitFor()
  const buffer = await readFixture('photo.jpg')
  await give(page.getByRole('region', { name: 'Media' }), 'drop', [
    { name: 'dropped.jpg', mimeType: 'image/jpeg', buffer },
  ])
  await tile(page, 'dropped.jpg').waitFor()
})

describe('a library of ten thousand', () => {
  test('each filter is answered within 300 ms', async () => {
    const brand = await newBrand('Ten thousand filtered')
    await fill(brand, 10_000)
    const page = await open(of(brand))
    await tile(page, 'number 10000').waitFor()
    const filters = [
      '',
      'search=99',
      'type=VIDEO',
      'shape=PORTRAIT',
      'shown=UNUSED',
      'shown=NO_ALT_TEXT',
      'month=LAST',
      'sort=NAME',
    ]
    for (const filter of filters) {
      const took: number[] = []
      for (let time = 0; time < 5; time++) {
        const began = performance.now()
        const answer = await page.request.get(
          `${started.dashboard.url}/internal/media-library/browse?socialSetId=${brand}&${filter}`,
        )
        took.push(performance.now() - began)
        expect(answer.status(), filter).toBe(200)
      }
      // The quickest: the machine may have more to do.
      expect(Math.min(...took), filter).toBeLessThan(300)
    }
  })

  test('is there at once, scrolls without long tasks, and is walked by keys', async () => {
    const brand = await newBrand('Ten thousand')
    await fill(brand, 10_000)
    const page = await open(of(brand))
    await page
      .getByText('10000 files', { exact: true })
      .or(page.getByText('10,000 files', { exact: true }))
      .waitFor()
    await tile(page, 'number 10000').waitFor()
    const count = () =>
      page
        .getByRole('listitem')
        .filter({ has: page.locator('[data-index]') })
        .count()
    expect(await count()).toBeLessThan(80)
    const longest = await page.evaluate(SCROLLED)
    expect(longest.scrolled).toBeGreaterThan(5_000)
    // Of a machine that does nothing else it is under 50 ms; this finds a grid that draws everything.
    expect(longest.ms).toBeLessThan(1_000)
    expect(await count()).toBeLessThan(80)
    await page.evaluate(`document.querySelector('ul[aria-label="Files"]').parentElement.scrollTo(0, 0)`)
    await tile(page, 'number 10000').focus()
    await page.keyboard.press('ArrowRight')
    await vi.waitFor(async () => expect(await focused(page)).toMatch(/^number 9999,/), { timeout: 5_000 })
    await page.keyboard.press('Space')
    await page.getByText('1 file selected').waitFor()
    for (let step = 0; step < 6; step++) await page.keyboard.press('ArrowDown')
    await vi.waitFor(async () => expect(await focused(page)).toMatch(/^number 99[0-8]\d,/), { timeout: 5_000 })
    await page.getByRole('searchbox', { name: 'Search media' }).fill('number 1234')
    await tile(page, 'number 1234').waitFor()
    await page.getByText('1 file', { exact: true }).waitFor()
  })
})

const focused = (page: Page) =>
  page.evaluate<string | null>(`document.activeElement && document.activeElement.textContent`)

/** Scrolls over some thousand pixels; the longest task meanwhile, in milliseconds. */
const SCROLLED = `new Promise((resolve) => {
  let ms = 0
  const observer = new PerformanceObserver((list) => { for (const entry of list.getEntries()) ms = Math.max(ms, entry.duration) })
  observer.observe({ entryTypes: ['longtask'] })
  const place = document.querySelector('ul[aria-label="Files"]').parentElement
  const step = () => {
    place.scrollBy(0, 120)
    if (place.scrollTop < 6000) requestAnimationFrame(step)
    else { observer.disconnect(); resolve({ ms, scrolled: place.scrollTop }) }
  }
  step()
})` as unknown as () => Promise<{ ms: number; scrolled: number }>

test('the picker greys what no network of the post takes, and says why', async () => {
  const { seed } = started.dashboard
  await seed.media('photo.jpg', { name: 'A picture' })
  await seed.media('video-short.mp4', { name: 'A film' })
  const page = await open(calendarPath('month', { set: started.dashboard.socialSetId, date: '2030-06-12' }))
  const post = await openNewPost(page)
  await chooseAccounts(post, 'Google Business')
  await post.getByRole('button', { name: 'Library' }).click()
  const picker = dialog(page, 'Add pictures and videos')
  const film = picker.getByRole('checkbox', { name: /^A film, video/ })
  await film.getByText(/^Google Business: /).waitFor()
  expect(await film.getAttribute('aria-disabled')).toBe('true')
  await film.click({ force: true })
  expect(await film.isChecked()).toBe(false)
  await picker.getByRole('searchbox').fill('a picture')
  await film.waitFor({ state: 'detached' })
  await picker.getByRole('checkbox', { name: /^A picture, picture/ }).check()
  await expectNoAxeViolations(page, 'the picker')
  await picker.getByRole('button', { name: 'Add 1 file' }).click()
  await post.getByRole('button', { name: /^Picture 1 of 1/ }).waitFor()
  await picker.waitFor({ state: 'detached' })
  // Where one of two takes it, it can be chosen.
  await chooseAccounts(post, 'YouTube')
  await post.getByRole('button', { name: 'Library' }).click()
  await film.getByText('Not for Google Business', { exact: true }).waitFor()
  await film.check()
})

test('a reviewer looks, and changes nothing', async () => {
  const { dashboard } = started
  await dashboard.seed.media('photo.jpg', { name: 'Looked at' })
  const reviewer = await dashboard.newMember({ role: 'reviewer' })
  const page = await dashboard.open(MEDIA, { signedIn: reviewer })
  await tile(page, 'Looked at').click()
  const view = dialog(page, 'Looked at')
  await view.getByRole('link', { name: 'Download' }).waitFor()
  expect(await view.getByRole('button', { name: 'Delete' }).count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Upload' }).count()).toBe(0)
})

test('in every look', async () => {
  const { seed } = started.dashboard
  await seed.media('photo.jpg', { name: 'In every look, with a name that is too long for a tile' })
  const page = await open()
  await tile(page, 'In every look').waitFor()
  await expectEveryLook(page, 'the media screen')
  const empty = await open(of(await newBrand('Empty')))
  await empty.getByText('There are no files yet.', { exact: false }).waitFor()
  await expectEveryLook(empty, 'an empty library')
  const phone = await open(MEDIA, { viewport: NARROW, locale: 'de-DE' })
  await phone.getByRole('button', { name: 'Hochladen' }).waitFor()
  await settled(phone)
  await expectNoSidewaysScroll(phone)
  const shots = process.env.MEDIA_SHOTS
  if (!shots) return
  await page.screenshot({ path: `${shots}/media-light.png` })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.screenshot({ path: `${shots}/media-dark.png` })
  await phone.screenshot({ path: `${shots}/media-phone.png` })
})
