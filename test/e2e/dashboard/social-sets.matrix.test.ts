import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NARROW, testBrowser, WIDE } from '../../_util/browser/browser.ts'
import { type Dashboard, settled, startDashboard } from '../../_util/browser/dashboard.ts'
import { expectNoAxeViolations, expectNoSidewaysScroll } from '../../_util/browser/dashboard-checks.ts'
import { withPlans } from '../../_util/processes/app.ts'

/** What a change of the timezone says in every case, the end of the plan, and the dialogs in every look. */

const browser = testBrowser()
let dashboard: Dashboard
let plans: string

beforeAll(async () => {
  plans = await mkdtemp(join(tmpdir(), 'almanac-plans-'))
  const settings = await withPlans(join(plans, 'data'), { SCALE: { socialSets: 2, requestsPerSecond: 1_000_000 } })
  dashboard = await startDashboard(browser, settings)
}, 120_000)

afterAll(async () => {
  await dashboard?.stop()
  await rm(plans, { recursive: true })
})

const open = (options = {}) => dashboard.open('/dashboard/settings/social-sets', { signedIn: true, ...options })
const opened = (page: Page) => page.getByRole('dialog')

async function chooseZone(page: Page, text: string, option: RegExp): Promise<void> {
  await opened(page)
    .getByRole('combobox', { name: 'Time zone' })
    .or(opened(page).getByLabel('Time zone'))
    .first()
    .fill(text)
  await page.getByRole('option', { name: option }).click()
}

test('a long name is cut in the bar of a phone, which stays one row, and is read as a whole', async () => {
  const [brand] = (await dashboard.seed.call('GET', '/v1/social-sets')).data
  const name = 'Kaffeerösterei und Konditorei Sonnenschein am Alten Markt, Filiale Nord'
  await dashboard.member('PATCH', `/internal/social-sets/${brand.id}`, { name })
  try {
    const page = await dashboard.open('/dashboard/scheduling/calendar/month', { signedIn: true, viewport: NARROW })
    const switcher = page.getByRole('banner').getByRole('button', { name: new RegExp(`^${name}\\s*, switch brand$`) })
    expect((await switcher.boundingBox())?.height).toBe(44)
    const news = await page.getByRole('banner').getByRole('button', { name: /^News/ }).boundingBox()
    expect((news?.x ?? 0) + (news?.width ?? 0)).toBeLessThanOrEqual(NARROW.width)
    const shown = switcher.getByText(name)
    expect(await shown.evaluate((box: Box) => box.scrollWidth > box.clientWidth)).toBe(true)
    await page.setViewportSize({ width: 320, height: 640 })
    await expectNoSidewaysScroll(page, 'a long name of a brand')
  } finally {
    await dashboard.member('PATCH', `/internal/social-sets/${brand.id}`, { name: brand.name })
  }
})

interface Box {
  scrollWidth: number
  clientWidth: number
}

describe('another timezone', () => {
  test('is found by the name that programs write, and what is none is not taken for one', async () => {
    const page = await open()
    await page.getByRole('button', { name: 'Change Demo' }).click()
    const field = opened(page)
      .getByRole('combobox', { name: 'Time zone' })
      .or(opened(page).getByLabel('Time zone'))
      .first()
    await field.fill('new_york')
    await page.getByRole('option', { name: /America\/New York/ }).waitFor()
    await field.fill('nowhere at all')
    await page.getByText('No time zone of that name. Try the nearest large city.').waitFor()
    await field.press('Enter')
    expect(await opened(page).isVisible()).toBe(true)
    expect(await page.getByText(/^Saved/).count()).toBe(0)
    await page.keyboard.press('Escape')
  })

  test('that skips the hour of a set says so', async () => {
    await dashboard.seed.postSet({ scheduledAt: '2030-07-01T10:00:00Z' })
    // 02:30 in Berlin. New York puts its clocks forward that night, Berlin three weeks later.
    await dashboard.seed.postSet({ scheduledAt: '2030-03-10T01:30:00Z' })
    const page = await open()
    await page.getByRole('button', { name: 'Change Demo' }).click()
    await chooseZone(page, 'new york', /America\/New York/)
    await opened(page).getByRole('radio', { name: 'Keep clock times' }).check()
    await opened(page)
      .getByText(/This moves 2 posts\./)
      .waitFor()
    await opened(page)
      .getByText(/1 of them falls into an hour that the new time zone skips/)
      .waitFor()
    await opened(page).getByRole('button', { name: 'Cancel' }).click()
    await opened(page).waitFor({ state: 'hidden' })
    await page.getByText('Europe/Berlin').first().waitFor()
  })

  test('sends nothing early, and says that it does not', async () => {
    const scheduledAt = new Date(Date.now() + 3_600_000).toISOString()
    const set = await dashboard.seed.postSet({ scheduledAt, status: 'SCHEDULED' })
    const page = await open()
    await page.getByRole('button', { name: 'Change Demo' }).click()
    await chooseZone(page, 'tokyo', /Asia\/Tokyo/)
    await opened(page).getByRole('radio', { name: 'Keep clock times' }).check()
    await opened(page)
      .getByText(/1 scheduled post keeps its moment/)
      .waitFor()
    await expectNoAxeViolations(page)
    await opened(page).getByRole('button', { name: 'Save' }).click()
    await page.getByText(/^Saved\./).waitFor()
    expect((await dashboard.member('GET', `/internal/post-sets/${set.id}`)).scheduledAt).toBe(scheduledAt)
  })

  test('keeps the moments when that is chosen', async () => {
    const set = await dashboard.seed.postSet({ scheduledAt: '2030-08-01T10:00:00.000Z' })
    const page = await open()
    await page.getByRole('button', { name: 'Change Demo' }).click()
    await chooseZone(page, 'kathmandu', /Asia\/Kathmandu/)
    await opened(page).getByRole('radio', { name: 'Keep the moments' }).check()
    await opened(page).getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    await page
      .getByText(/UTC\+05:45/)
      .first()
      .waitFor()
    const after = await dashboard.member('GET', `/internal/post-sets/${set.id}`)
    expect(after.scheduledAt).toBe('2030-08-01T10:00:00.000Z')
  })
})

describe.each([
  { name: 'light, wide', colorScheme: 'light' as const, viewport: WIDE },
  { name: 'dark, narrow', colorScheme: 'dark' as const, viewport: NARROW },
])('$name', (look) => {
  test('the dialogs have no fault', async () => {
    const page = await open(look)
    await page.getByRole('button', { name: 'Change Demo' }).click()
    await chooseZone(page, 'lisbon', /Europe\/Lisbon/)
    await opened(page).getByRole('radio', { name: 'Keep clock times' }).check()
    await opened(page)
      .getByText(/^This moves|Nothing has to move/)
      .waitFor()
    await settled(page)
    await expectNoAxeViolations(page)
    await page.setViewportSize({ width: 320, height: 844 })
    await expectNoSidewaysScroll(page)
  })
})

test('where the plan ends, the button says why, and what is there goes on', async () => {
  const page = await open()
  await page.getByText('1 of 2 brands of your plan used.').waitFor()
  await page.getByRole('button', { name: 'New brand' }).click()
  await opened(page).getByLabel('Name').fill('Second brand')
  await opened(page).getByRole('button', { name: 'Create brand' }).click()
  // What comes next for a new brand is its accounts.
  await page.getByRole('heading', { level: 1, name: 'Connections' }).waitFor()
  await page.getByText('The accounts that Second brand publishes to').waitFor()
  await page.goBack()
  await page.getByText(/2 of 2 brands of your plan used\. You cannot create more/).waitFor()
  expect(await page.getByRole('button', { name: 'New brand' }).isDisabled()).toBe(true)
  await expectNoAxeViolations(page)
  await page.getByRole('button', { name: 'Change Second brand' }).click()
  await opened(page).getByLabel('Name').fill('Renamed brand')
  await opened(page).getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Renamed brand' }).waitFor()
})
