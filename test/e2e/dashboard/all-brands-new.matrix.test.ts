import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { NARROW, testBrowser } from '../../_util/browser/browser.ts'
import { type Dashboard, settled } from '../../_util/browser/dashboard.ts'
import { calendarPath, card } from '../../_util/browser/dashboard-calendar.ts'
import { expectNoAxeInBothColors, expectNoSidewaysScroll } from '../../_util/browser/dashboard-checks.ts'
import { composer, give } from '../../_util/browser/dashboard-composer.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'
import { readFixture } from '../../_util/networks/file-server.ts'

/** What is begun over all brands: by files that are dropped on a day, at a free time, and what is not saved yet. */

const browser = testBrowser()
let dashboard: Dashboard
let tokyo: string
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
  const made = await dashboard.member('POST', '/internal/social-sets', { name: 'Kissaten', timezone: 'Asia/Tokyo' })
  tokyo = made.id
  await dashboard.member('POST', '/internal/connections/sandbox', { socialSetId: tokyo, accountTypes: ['BLUESKY'] })
}, 120_000)
afterAll(() => dashboard?.stop())

const month = (date: string) => calendarPath('month', { date })
const open = (path: string, more: object = {}) =>
  dashboard.open(path, { signedIn: true, timezoneId: 'Europe/Berlin', ...more })
const picture = async (name: string) => ({ name, mimeType: 'image/jpeg', buffer: await readFixture('photo.jpg') })
const choose = (page: Page, name: string) =>
  page
    .getByRole('dialog', { name: /for which brand\?$/ })
    .getByRole('button', { name })
    .click()

describe('files that are dropped on a day', () => {
  test('ask for the brand first, and come into its library', async () => {
    const page = await open(month('2030-06-12'))
    await settled(page)
    const day = page.locator('[data-date="2030-06-20"]').first()
    await give(day, 'drop', [await picture('for Tokyo.jpg')])
    await page.getByRole('dialog', { name: 'New post on Thursday, 20 June 2030: for which brand?' }).waitFor()
    await expectNoAxeInBothColors(page, 'the question for the brand of a file')
    await choose(page, 'Kissaten')
    await composer(page)
      .getByRole('button', { name: /^Picture 1 of 1, for Tokyo\.jpg/ })
      .waitFor()
    expect(new URL(page.url()).searchParams.get('brand')).toBe(tokyo)
    expect(await composer(page).getByLabel('Date').getAttribute('data-day')).toBe('2030-06-20')
    const library = async (socialSetId: string): Promise<string[]> => {
      const { data } = await dashboard.member('GET', `/internal/media-library/browse?socialSetId=${socialSetId}`)
      return data.map(({ name }: { name: string }) => name)
    }
    await expect.poll(() => library(tokyo)).toContain('for Tokyo.jpg')
    expect(await library(dashboard.socialSetId)).not.toContain('for Tokyo.jpg')
  })

  test('go nowhere where the question is closed', async () => {
    const page = await open(month('2030-06-12'))
    await settled(page)
    await give(page.locator('[data-date="2030-06-21"]').first(), 'drop', [await picture('for none.jpg')])
    await page.getByRole('dialog', { name: /for which brand/ }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: /for which brand/ }).waitFor({ state: 'hidden' })
    expect(await page.getByRole('region', { name: 'Uploads' }).count()).toBe(0)
    // What comes next is another post.
    await page.keyboard.press('n')
    await choose(page, 'Kissaten')
    await composer(page).getByLabel('Caption', { exact: true }).waitFor()
    expect(
      await composer(page)
        .getByRole('button', { name: /^Picture/ })
        .count(),
    ).toBe(0)
  })
})

describe('what is not saved', () => {
  const kept = async (): Promise<{ id: string; excerpt: string }[]> =>
    (await dashboard.member('GET', '/internal/kept-drafts')).data
  beforeEach(async () => {
    for (const { id } of await kept()) await dashboard.member('DELETE', `/internal/kept-drafts/${id}`)
  })
  async function write(page: Page, brand: string, text: string): Promise<void> {
    await page.keyboard.press('n')
    await choose(page, brand)
    const caption = composer(page).getByLabel('Caption', { exact: true })
    await caption.fill(text)
    await expect.poll(async () => (await kept()).map(({ excerpt }) => excerpt)).toContain(text)
  }

  test('is offered over all brands, and listed among all drafts, with its brand', async () => {
    const page = await open(month('2030-06-12'))
    await settled(page)
    await write(page, 'Demo', 'Begun in Demo')
    await page.goto(`${dashboard.url}${month('2030-06-12')}`)
    await settled(page)
    await write(page, 'Kissaten', 'Begun in Tokyo')
    await page.goto(`${dashboard.url}${month('2030-06-12')}`)
    const line = page.getByRole('region', { name: 'Unsaved text' })
    await line.getByText('“Begun in Tokyo”').waitFor()
    await line.getByText('Kissaten').waitFor()
    await expectNoAxeInBothColors(page, 'what is not saved, over all brands')
    await line.getByRole('button', { name: 'Continue writing' }).click()
    await expect.poll(() => composer(page).getByLabel('Caption', { exact: true }).inputValue()).toBe('Begun in Tokyo')
    expect(new URL(page.url()).searchParams.get('brand')).toBe(tokyo)
    await page.goto(`${dashboard.url}${month('2030-06-12')}`)
    await line.getByRole('link', { name: 'And 1 more' }).click()
    const list = page.getByRole('region', { name: 'Not saved' })
    await expect.poll(() => list.getByRole('listitem').count()).toBe(2)
    await list.getByRole('listitem').filter({ hasText: 'Begun in Tokyo' }).getByText('Kissaten').waitFor()
    await list.getByRole('listitem').filter({ hasText: 'Begun in Demo' }).getByText('Demo', { exact: true }).waitFor()
    await expectNoAxeInBothColors(page, 'drafts of all brands with what is not saved')
    await page.setViewportSize(NARROW)
    await expectNoSidewaysScroll(page, 'drafts of all brands with what is not saved')
    await list.getByRole('button', { name: 'Discard “Begun in Tokyo”' }).click()
    await expect.poll(async () => (await kept()).map(({ excerpt }) => excerpt)).toEqual(['Begun in Demo'])
    await list.getByRole('link', { name: 'Begun in Demo' }).click()
    await expect.poll(() => composer(page).getByLabel('Caption', { exact: true }).inputValue()).toBe('Begun in Demo')
    expect(new URL(page.url()).searchParams.get('brand')).toBe(dashboard.socialSetId)
    expect(new URL(page.url()).searchParams.has('set')).toBe(false)
  })
})

describe('free times of a week', () => {
  const monday = Temporal.Now.plainDateISO('Europe/Berlin').add({ weeks: 2 })
  const date = monday.subtract({ days: monday.dayOfWeek - 1 })
  const at = (timeZone: string, plainTime: string) =>
    date.toZonedDateTime({ timeZone, plainTime }).toInstant().toString({ fractionalSecondDigits: 3 })
  const shown = (instant: string) =>
    Temporal.Instant.from(instant)
      .toZonedDateTimeISO('Europe/Berlin')
      .toPlainTime()
      .toString({ smallestUnit: 'minute' })

  test('are those of all brands on the clock of the viewer; a click begins a post of that brand, or asks for one of several', async () => {
    // Half past six in the evening of Tokyo is the morning of Berlin; what is meant is there at the same time as Berlin's.
    const together = at('Asia/Tokyo', '18:30')
    const own = shown(together)
    await dashboard.member('PUT', `/internal/social-sets/${tokyo}/saved-times`, {
      times: [
        { weekday: 1, time: '18:30' },
        { weekday: 1, time: '20:00' },
      ],
    })
    await dashboard.member('PUT', `/internal/social-sets/${dashboard.socialSetId}/saved-times`, {
      times: [{ weekday: 1, time: own }],
    })
    const alone = at('Asia/Tokyo', '20:00')
    const page = await open(calendarPath('week', { date: date.toString() }))
    const free = page.getByRole('button', { name: /free/ })
    await expect.poll(() => free.count()).toBe(2)
    await expectNoAxeInBothColors(page, 'a week of all brands with free times')
    await free.filter({ hasText: shown(alone) }).click()
    await composer(page).getByText('Kissaten').first().waitFor()
    expect(new URL(page.url()).searchParams.get('at')).toBe(alone)
    expect(new URL(page.url()).searchParams.get('brand')).toBe(tokyo)
    await page.keyboard.press('Escape')
    await composer(page).waitFor({ state: 'hidden' })
    await free.filter({ hasText: own }).click()
    await choose(page, 'Demo')
    await composer(page).getByLabel('Caption', { exact: true }).waitFor()
    expect(new URL(page.url()).searchParams.get('at')).toBe(together)
    expect(new URL(page.url()).searchParams.get('brand')).toBe(dashboard.socialSetId)
    await page.keyboard.press('Escape')
    // Taken by one of the two it is still one of the other, below the card.
    await dashboard.seed.postSet({ socialSetId: tokyo, scheduledAt: together, caption: 'Takes one of both' })
    await card(page, 'Takes one of both').waitFor()
    await expect.poll(() => free.count()).toBe(2)
    const [taken, left] = [
      await card(page, 'Takes one of both').boundingBox(),
      await free.filter({ hasText: own }).boundingBox(),
    ]
    if (!taken || !left) throw new Error('They are not on the page.')
    expect(left.y).toBeGreaterThanOrEqual(taken.y + taken.height - 1)
    await free.filter({ hasText: own }).click()
    await composer(page).getByText('Demo').first().waitFor()
    expect(new URL(page.url()).searchParams.get('brand')).toBe(dashboard.socialSetId)
  })
})
