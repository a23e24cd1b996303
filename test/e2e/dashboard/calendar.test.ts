import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import type { Dashboard } from '../../_util/browser/dashboard.ts'
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
} from '../../_util/browser/dashboard-calendar.ts'
import { expectNoAxeViolations } from '../../_util/browser/dashboard-checks.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'
import { SEEDED_MONTH } from '../../_util/browser/dashboard-seed.ts'

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
})
afterAll(() => dashboard?.stop())

const on = (number: number) => `${SEEDED_MONTH}-${String(number).padStart(2, '0')}`
const open = (search: Record<string, string> = {}) =>
  dashboard.open(calendarPath('month', { date: on(1), ...search }), { signedIn: true })

let number = 0
let text = ''
beforeEach(() => {
  text = `Teaser ${++number}`
})

test('resources-72: a link to a post set opens its month and its panel, and Back closes it', async () => {
  const set = await dashboard.seed.postSet({ caption: text, scheduledAt: `${on(12)}T10:00:00Z` })
  const page = await dashboard.open(
    `/dashboard/scheduling/calendar/month?set=${dashboard.socialSetId}&post=${set.id}`,
    {
      signedIn: true,
    },
  )
  await page.getByRole('dialog').getByText(text).first().waitFor()
  await page.getByRole('heading', { level: 1, name: 'June 2030', includeHidden: true }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expectFocus(card(page, text))
})

describe('moving', () => {
  test('a card that is dragged to another day keeps its clock time, and undo brings it back', async () => {
    const set = await dashboard.seed.postSet({ caption: text, scheduledAt: `${on(4)}T10:15:00Z` })
    const page = await open()
    await drag(page, card(page, text), day(page, on(20)))
    await expectTime(dashboard.seed, set.id, `${on(20)}T10:15:00.000Z`)
    await expectSpoken(page, new RegExp(`${text} moved to Thursday 20 June 2030, 12:15. Press Control Z to undo.`))
    await expectFocus(cardOn(page, on(20), text))
    await page.keyboard.press('Control+z')
    await expectTime(dashboard.seed, set.id, `${on(4)}T10:15:00.000Z`)
    await expectFocus(cardOn(page, on(4), text))
  })

  test('Alt and arrows move the card that has the focus', async () => {
    const set = await dashboard.seed.postSet({ caption: text, scheduledAt: `${on(5)}T08:00:00Z` })
    const page = await open()
    await focusOn(card(page, text))
    await page.keyboard.press('Alt+ArrowRight')
    await page.keyboard.press('Alt+ArrowDown')
    await expectTime(dashboard.seed, set.id, `${on(13)}T08:00:00.000Z`)
    await expectFocus(cardOn(page, on(13), text))
  })

  test('“Move to…” takes a day and a time by the clock of the social set', async () => {
    const set = await dashboard.seed.postSet({ caption: text, scheduledAt: `${on(6)}T08:00:00Z` })
    const page = await open()
    await card(page, text).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Move to…' }).click()
    await page.getByLabel('Day', { exact: true }).fill(on(21))
    await page.getByLabel('Time', { exact: true }).fill('06:30')
    await page.getByRole('button', { name: 'Move', exact: true }).click()
    await expectTime(dashboard.seed, set.id, `${on(21)}T04:30:00.000Z`)
    await expectFocus(cardOn(page, on(21), text))
  })
})

test('filters are in the address, narrow the grid, and are cleared', async () => {
  await dashboard.seed.postSet({ caption: text, scheduledAt: `${on(7)}T08:00:00Z` })
  const page = await open()
  await card(page, text).waitFor()
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByRole('checkbox', { name: 'Published', exact: true }).check()
  await page.keyboard.press('Escape')
  await card(page, text).waitFor({ state: 'detached' })
  expect(page.url()).toContain('status=published')
  await page.getByText('Nothing matches the filters.').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).first().click()
  await card(page, text).waitFor()
})

test('a full day shows four cards, and all of them in its panel', async () => {
  for (const hour of [1, 2, 3, 4, 5, 6]) {
    await dashboard.seed.postSet({ caption: `${text} no ${hour}`, scheduledAt: `${on(25)}T0${hour}:00:00Z` })
  }
  const page = await open()
  await cardOn(page, on(25), `${text} no 1`).waitFor()
  expect(await cardOn(page, on(25), text).count()).toBe(4)
  await page.getByRole('button', { name: '+2 more' }).click()
  const panel = page.getByRole('dialog', { name: /25 June 2030/ })
  await panel.getByText(`${text} no 6`).waitFor()
  await expectNoAxeViolations(page, 'the panel of a day')
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
})

test('what somebody else does is seen without a reload', async () => {
  const page = await open()
  await page.getByRole('cell').first().waitFor()
  const set = await dashboard.seed.postSet({ caption: text, scheduledAt: `${on(18)}T08:00:00Z` })
  await cardOn(page, on(18), text).waitFor()
  await dashboard.seed.call('PATCH', `/v1/post-sets/${set.id}`, { scheduledAt: `${on(19)}T08:00:00Z` })
  await cardOn(page, on(19), text).waitFor()
})

test('the grid is one stop of the Tab key, has no axe violations, and a set of others is not found', async () => {
  await dashboard.seed.postSet({ caption: text, scheduledAt: `${on(8)}T08:00:00Z` })
  await dashboard.seed.note({ content: `Note ${text}` })
  const page = await open()
  await card(page, text).waitFor()
  const stops = () =>
    page.evaluate<number>(
      '[...document.querySelectorAll("#calendar *")].filter(({ tabIndex }) => tabIndex >= 0).length',
    )
  await vi.waitFor(async () => expect(await stops()).toBe(1))
  await expectNoAxeViolations(page, 'the month')
  await page.goto(`${dashboard.url}/dashboard/scheduling/calendar/month?set=${crypto.randomUUID()}`)
  await page.getByText('There is no such brand, or you may not see it.').waitFor()
})
