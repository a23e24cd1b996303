import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NARROW, testBrowser } from '../../_util/browser/browser.ts'
import { type Dashboard, settled } from '../../_util/browser/dashboard.ts'
import {
  calendarPath,
  card,
  cardOn,
  day,
  drag,
  expectFocus,
  expectSpoken,
  expectTime,
  focusOn,
  timeOf,
} from '../../_util/browser/dashboard-calendar.ts'
import { expectNoAxeInBothColors, expectNoSidewaysScroll } from '../../_util/browser/dashboard-checks.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

/** One calendar over the brands that a member sees, by the viewer's own clock. */

const browser = testBrowser()
let dashboard: Dashboard
const brands: Record<'tokyo' | 'newYork', string> = { tokyo: '', newYork: '' }
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
  const brand = async (name: string, timezone: string, color: string) => {
    const { id } = await dashboard.member('POST', '/internal/social-sets', { name, timezone, color })
    await dashboard.member('POST', '/internal/connections/sandbox', { socialSetId: id, accountTypes: ['BLUESKY'] })
    return id as string
  }
  brands.tokyo = await brand('Kissaten', 'Asia/Tokyo', '#9457db')
  brands.newYork = await brand('Bagels', 'America/New_York', '#0b866d')
}, 120_000)
afterAll(() => dashboard?.stop())

const month = (date: string) => calendarPath('month', { date })
const open = (path: string, more: object = {}) =>
  dashboard.open(path, { signedIn: true, timezoneId: 'Europe/Berlin', ...more })
const rail = (page: Page) => page.getByRole('navigation', { name: 'Main' })
const shownHeads = (page: Page) => page.getByRole('main').locator('strong').filter({ hasText: 'All brands' })

describe('which brands are looked at', () => {
  test('an address without a brand is all of them; the switcher leads from one to all, and links keep it', async () => {
    const { seed, socialSetId } = dashboard
    await seed.postSet({ socialSetId, scheduledAt: '2030-06-03T10:00:00Z', caption: 'From Berlin' })
    await seed.postSet({ socialSetId: brands.tokyo, scheduledAt: '2030-06-03T11:00:00Z', caption: 'From Tokyo' })
    const page = await open(month('2030-06-12'))
    await card(page, 'From Berlin').waitFor()
    await card(page, 'From Tokyo').waitFor()
    await shownHeads(page).waitFor()
    // What belongs to one brand is that of one alone, and the way back is that of all.
    await rail(page).getByRole('link', { name: 'Media' }).click()
    await page.getByRole('heading', { name: 'Media' }).waitFor()
    await rail(page)
      .getByRole('link', { name: /^Calendar/ })
      .click()
    await shownHeads(page).waitFor()
    await rail(page)
      .getByRole('button', { name: /^All brands/ })
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'Kissaten' }).click()
    await page.waitForURL(new RegExp(`set=${brands.tokyo}`))
    await settled(page)
    expect(await card(page, 'From Berlin').count()).toBe(0)
    await rail(page)
      .getByRole('link', { name: /^Calendar/ })
      .click()
    await page.waitForURL(new RegExp(`set=${brands.tokyo}`))
    await rail(page)
      .getByRole('button', { name: /^Kissaten/ })
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'All brands' }).click()
    await page.waitForURL((url) => !url.search.includes('set='))
    await shownHeads(page).waitFor()
  })

  test('a link to a post opens its brand; brands and posts that are not seen are not found', async () => {
    const { seed, socialSetId } = dashboard
    const made = await seed.postSet({ socialSetId: brands.tokyo, caption: 'Linked' })
    const hidden = await seed.postSet({ socialSetId, caption: 'Of a brand that is not seen' })
    const page = await open(`/dashboard/scheduling/calendar/month?post=${made.id}`)
    await page.waitForURL(new RegExp(`set=${brands.tokyo}`))
    await page.getByRole('dialog').getByText('Linked').first().waitFor()
    const member = await dashboard.newMember({ role: 'editor', socialSetIds: [brands.tokyo, brands.newYork] })
    const theirs = await open(month('2030-06-12'), { signedIn: member })
    await card(theirs, 'Linked').waitFor()
    expect(await card(theirs, 'Of a brand that is not seen').count()).toBe(0)
    browser.allowProblem(/^GET \S+\/internal\/post-sets\/\S+: 404$/)
    await theirs.goto(`${dashboard.url}/dashboard/scheduling/calendar/month?post=${hidden.id}`)
    await theirs.getByText('There is no such post. It was deleted, or you may not see it.').waitFor()
    await theirs.goto(`${dashboard.url}/dashboard/scheduling/calendar/month?set=${socialSetId}`)
    await theirs.getByText('There is no such brand, or you may not see it.').waitFor()
    // Who sees one brand has its calendar.
    const single = await dashboard.newMember({ role: 'editor', socialSetIds: [brands.newYork] })
    const one = await open(month('2030-06-12'), { signedIn: single })
    await one.waitForURL(new RegExp(`set=${brands.newYork}`))
  })
})

test('the page is not at rest before the calendar of all brands is there, which is loaded when it is needed', async () => {
  const context = await browser.newContext({ timezoneId: 'Europe/Berlin' })
  await dashboard.signInByRequest(context)
  const page = await context.newPage()
  const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await page.route(/\/brands-calendar-[^/]+\.js$/, async (route) => {
    asked.resolve()
    await released.promise
    await route.continue()
  })
  await page.goto(`${dashboard.url}${month('2030-06-12')}`)
  await asked.promise
  // All that the shell reads is there meanwhile, and then only the calendar is waited for.
  const rested = await page.evaluate<boolean>(`new Promise((resolve) => {
    let frames = 0
    const look = () => {
      if (almanacAtRest()) resolve(true)
      else if (++frames > 120) resolve(false)
      else requestAnimationFrame(look)
    }
    look()
  })`)
  expect(rested).toBe(false)
  released.resolve()
  await settled(page)
  await expect(page.getByRole('main').locator('[data-date="2030-06-12"]').count()).resolves.toBeGreaterThan(0)
})

describe('what a card says', () => {
  /** Around the night in which Berlin puts its clocks back; Tokyo is seven hours ahead before, and eight after. */
  const AROUND = ['25T14:59', '25T15:00', '25T21:59', '25T22:00', '26T00:30', '26T01:30', '26T14:59', '26T15:00']
  beforeAll(async () => {
    const { seed, socialSetId } = dashboard
    const places = [brands.tokyo, brands.newYork, socialSetId]
    for (const [index, at] of [...AROUND, '26T22:59', '26T23:00'].entries()) {
      const place = { socialSetId: places[index % 3] ?? socialSetId, scheduledAt: `2031-10-${at}:00Z` }
      await seed.postSet({ ...place, caption: `Night ${at}` })
    }
  })

  test.each([
    ['Asia/Tokyo', { 25: 1, 26: 6, 27: 3 }],
    ['Europe/Berlin', { 25: 3, 26: 6, 27: 1 }],
  ])('seen from %s, is on the day that it has there, around a night in which clocks change', async (zone, days) => {
    const page = await open(month('2031-10-20'), { timezoneId: zone })
    await settled(page)
    for (const [day, count] of Object.entries(days)) {
      const name = await page.locator(`[data-item="day-2031-10-${day}"]`).getAttribute('aria-label')
      expect(name, day).toMatch(new RegExp(`, ${count} posts?\\b`))
    }
  })

  test('stands on the day of the viewer, names its brand, and the time there where that is another one', async () => {
    const { seed, socialSetId } = dashboard
    // 01:00 on the 9th in Tokyo.
    await seed.postSet({ socialSetId: brands.tokyo, scheduledAt: '2030-07-08T16:00:00Z', caption: 'Late in Tokyo' })
    await seed.postSet({ socialSetId, scheduledAt: '2030-07-08T16:00:00Z', caption: 'Early in Berlin' })
    await seed.note({ socialSetId: brands.tokyo, scheduledAt: '2030-07-11T15:00:00Z', content: 'Holiday in Tokyo' })
    const page = await open(month('2030-07-08'))
    const tokyo = cardOn(page, '2030-07-08', 'Late in Tokyo')
    await tokyo.waitFor()
    const nameOf = (text: string) => cardOn(page, '2030-07-08', text).getAttribute('aria-label')
    expect(await nameOf('Late in Tokyo')).toMatch(/18:00 Draft, Kissaten, Tue 9 Jul, 01:00 in Tokyo/)
    expect(await nameOf('Early in Berlin')).toMatch(/18:00 Draft, Demo, /)
    await page.getByTitle(/^Europe\/Berlin \(UTC\+02:00\)$/).waitFor()
    // The note is of the date that it has in its brand.
    await page.locator('[data-date="2030-07-12"]').getByRole('button', { name: 'Note: Holiday in Tokyo' }).waitFor()
    await expectNoAxeInBothColors(page, 'all brands, month')
    await page.goto(`${dashboard.url}${calendarPath('week', { date: '2030-07-08' })}`)
    await card(page, 'Late in Tokyo').waitFor()
    await expectNoAxeInBothColors(page, 'all brands, week')
    await page.goto(`${dashboard.url}${calendarPath('list', { date: '2030-07-08' })}`)
    const row = page.getByRole('row').filter({ hasText: 'Late in Tokyo' })
    await row.getByText('Kissaten').waitFor()
    await row.getByText('Tue 9 Jul, 01:00 in Tokyo').waitFor()
    await expectNoAxeInBothColors(page, 'all brands, list')
  })

  test('the same on a phone', async () => {
    const page = await open(month('2030-07-08'), { viewport: NARROW })
    const item = page.getByRole('listitem').filter({ hasText: 'Late in Tokyo' })
    await item.getByText('Kissaten').waitFor()
    await item.getByText('Tue 9 Jul, 01:00 in Tokyo').waitFor()
    await expectNoSidewaysScroll(page)
    await expectNoAxeInBothColors(page, 'all brands, phone')
  })
})

describe('a move', () => {
  test('by drag keeps the clock time of the brand, on its date as many days on, and lands where it was dropped', async () => {
    const { seed } = dashboard
    const made = await seed.postSet({
      ...{ socialSetId: brands.tokyo, scheduledAt: '2030-08-06T16:00:00Z', caption: 'Dragged in Tokyo' },
    })
    const page = await open(month('2030-08-06'))
    await drag(page, cardOn(page, '2030-08-06', 'Dragged in Tokyo'), day(page, '2030-08-15'))
    await expectTime(seed, made.id, '2030-08-15T16:00:00.000Z')
    await cardOn(page, '2030-08-15', 'Dragged in Tokyo').waitFor()
    await page.keyboard.press('Control+z')
    await expectTime(seed, made.id, '2030-08-06T16:00:00.000Z')
    await focusOn(cardOn(page, '2030-08-06', 'Dragged in Tokyo'))
    await page.keyboard.press('Alt+ArrowRight')
    await expectTime(seed, made.id, '2030-08-07T16:00:00.000Z')
    await expectFocus(cardOn(page, '2030-08-07', 'Dragged in Tokyo'))
    await expectSpoken(page, /moved to Wednesday 7 August 2030, 18:00/)
  })

  test('over a night that puts clocks back says the day on which it will be', async () => {
    const { seed } = dashboard
    // 23:30 of 26 October in Berlin, 17:30 in New York. A week later Berlin has put its clocks back, New York not yet.
    const early = await seed.postSet({
      ...{ socialSetId: brands.newYork, scheduledAt: '2030-10-26T22:30:00Z', caption: 'Over the night' },
    })
    const page = await open(month('2030-10-20'))
    const from = cardOn(page, '2030-10-27', 'Over the night')
    await from.waitFor()
    const [start, end] = [await from.boundingBox(), await day(page, '2030-10-30').boundingBox()]
    if (!start || !end) throw new Error('They are not on the page.')
    await page.mouse.move(start.x + 12, start.y + 8)
    await page.mouse.down()
    await page.mouse.move(end.x + end.width / 2, end.y + end.height * 0.75, { steps: 8 })
    // Half past midnight on the 27th, by the summer time of Berlin: in winter time it is 23:30 of the evening before.
    await page.getByText('Moves to Tue 29 Oct, 23:30').waitFor()
    await page.mouse.up()
    await expectTime(seed, early.id, '2030-10-29T22:30:00.000Z')
    await cardOn(page, '2030-10-29', 'Over the night').waitFor()
    await expectSpoken(page, /moved to Tuesday 29 October 2030, 23:30/)
  })

  test('to an hour of a week is that of the viewer', async () => {
    const { seed } = dashboard
    const made = await seed.postSet({
      ...{ socialSetId: brands.tokyo, scheduledAt: '2030-08-20T10:00:00Z', caption: 'Nudged' },
    })
    const page = await open(calendarPath('week', { date: '2030-08-20' }))
    await focusOn(card(page, 'Nudged'))
    await page.keyboard.press('Alt+ArrowDown')
    await expectTime(seed, made.id, '2030-08-20T10:15:00.000Z')
    await drag(page, card(page, 'Nudged'), day(page, '2030-08-22'))
    await expect.poll(() => timeOf(seed, made.id)).toMatch(/^2030-08-22T/)
  })
})

describe('something new', () => {
  test('asks for the brand first, by keys, and takes its date of that name', async () => {
    const page = await open(month('2030-09-10'))
    await focusOn(page.locator('[data-item="day-2030-09-18"]'))
    await page.keyboard.press('n')
    const dialog = page.getByRole('dialog', { name: 'New post on Wednesday, 18 September 2030: for which brand?' })
    await dialog.waitFor()
    await expectNoAxeInBothColors(page, 'the question for the brand')
    await expectFocus(dialog.getByRole('button', { name: 'Bagels' }))
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    const composer = page.getByRole('dialog').filter({ hasText: 'New post' })
    await composer.getByText('Kissaten').first().waitFor()
    const url = new URL(page.url())
    expect(url.searchParams.get('brand')).toBe(brands.tokyo)
    expect(url.searchParams.get('set')).toBeNull()
    // Ten o'clock in Tokyo.
    expect(url.searchParams.get('at')).toBe('2030-09-18T01:00:00.000Z')
    await page.keyboard.press('Escape')
    await page.waitForURL((to) => !to.searchParams.has('post') && !to.searchParams.has('brand'))
  })

  test('what is opened stays over all brands, in its own', async () => {
    const { seed } = dashboard
    await seed.postSet({ socialSetId: brands.tokyo, scheduledAt: '2030-09-24T10:00:00Z', caption: 'Opened here' })
    const page = await open(month('2030-09-10'))
    await card(page, 'Opened here').click()
    const panel = page.getByRole('dialog')
    await panel.getByText('Opened here').first().waitFor()
    expect(new URL(page.url()).searchParams.has('set')).toBe(false)
    await page.reload()
    await page.getByRole('dialog').getByText('Opened here').first().waitFor()
    await shownHeads(page).waitFor()
  })
})

test('what others change in any of the brands comes by itself', async () => {
  const { seed, socialSetId } = dashboard
  const page = await open(month('2030-11-10'))
  await seed.postSet({ socialSetId: brands.newYork, scheduledAt: '2030-11-12T10:00:00Z', caption: 'Live from Bagels' })
  await card(page, 'Live from Bagels').waitFor()
  await seed.postSet({ socialSetId, scheduledAt: '2030-11-13T10:00:00Z', caption: 'Live from Demo' })
  await card(page, 'Live from Demo').waitFor()
})

describe('lists over all brands', () => {
  test('drafts name their brand and the time there, and are scheduled by its clock', async () => {
    const { seed, socialSetId } = dashboard
    const made = await seed.postSet({
      ...{ socialSetId: brands.tokyo, scheduledAt: '2031-02-03T16:00:00Z', caption: 'Draft of Kissaten' },
    })
    await seed.postSet({ socialSetId, scheduledAt: '2031-02-03T15:00:00Z', caption: 'Draft of Demo' })
    const page = await open('/dashboard/drafts')
    await shownHeads(page).waitFor()
    const row = page.getByRole('listitem').filter({ hasText: 'Draft of Kissaten' })
    await row.getByText('Kissaten', { exact: true }).waitFor()
    await row.getByText('Tue 4 Feb, 01:00 in Tokyo').waitFor()
    await page.getByRole('listitem').filter({ hasText: 'Draft of Demo' }).waitFor()
    await expectNoAxeInBothColors(page, 'drafts of all brands')
    await row.getByRole('button', { name: 'Schedule…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Schedule “Draft of Kissaten”' })
    expect(await dialog.getByLabel('Day', { exact: true }).inputValue()).toBe('Tue, 4 Feb 2031')
    await dialog.getByRole('button', { name: 'Schedule', exact: true }).click()
    await row.waitFor({ state: 'detached' })
    await expect.poll(async () => (await seed.call('GET', `/v1/post-sets/${made.id}`)).status).toBe('SCHEDULED')
    // Opened beside the list, in its brand.
    await page.getByRole('link', { name: 'Draft of Demo' }).click()
    await page.getByRole('dialog', { name: 'Post', exact: true }).getByText('Draft of Demo').first().waitFor()
    expect(new URL(page.url()).pathname).toBe('/dashboard/drafts')
    await page.keyboard.press('Escape')
    await page.setViewportSize(NARROW)
    await settled(page)
    await expectNoSidewaysScroll(page)
    // The switcher narrows the list to one brand.
    await page.getByRole('button', { name: /^All brands/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Bagels' }).click()
    await page.waitForURL(new RegExp(`/drafts\\?set=${brands.newYork}`))
    expect(await page.getByText('Draft of Demo').count()).toBe(0)
  })

  test('approvals name their brand by its colour', async () => {
    const { seed } = dashboard
    await seed.postSet({ socialSetId: brands.tokyo, caption: 'Waits in Kissaten', approval: 'PENDING' })
    const page = await open('/dashboard/approvals')
    const row = page.getByRole('listitem').filter({ hasText: 'Waits in Kissaten' })
    await row.getByTitle('Kissaten').waitFor()
    await expectNoAxeInBothColors(page, 'approvals of all brands')
  })
})

test('in German', async () => {
  const page = await open(month('2030-07-08'), { locale: 'de-DE' })
  expect(await cardOn(page, '2030-07-08', 'Late in Tokyo').getAttribute('aria-label')).toMatch(/in Tokyo/)
  await page.getByRole('main').getByText('Alle Marken', { exact: true }).waitFor()
  await page.setViewportSize({ width: 320, height: 700 })
  await settled(page)
  await expectNoSidewaysScroll(page)
})
