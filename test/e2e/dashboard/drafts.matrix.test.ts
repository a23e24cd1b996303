import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { NARROW, testBrowser } from '../../_util/browser/browser.ts'
import { type Dashboard, settled } from '../../_util/browser/dashboard.ts'
import { calendarPath } from '../../_util/browser/dashboard-calendar.ts'
import { expectEveryLook, expectNoAxeViolations, expectNoSidewaysScroll } from '../../_util/browser/dashboard-checks.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

/** Drafts on their screen, and the first steps of a brand that has none. */

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
}, 180_000)
afterAll(() => dashboard?.stop())

const DRAFTS = '/dashboard/drafts'
const open = (path = DRAFTS, options: object = {}) => dashboard.open(path, { signedIn: true, ...options })
const row = (page: Page, text: string) => page.getByRole('listitem').filter({ hasText: text })
const read = (id: string) => dashboard.seed.call('GET', `/v1/post-sets/${id}`)
const becomes = (id: string, wanted: object) =>
  vi.waitFor(async () => expect(await read(id)).toMatchObject(wanted), { timeout: 20_000, interval: 100 })

describe('drafts', () => {
  test('one is scheduled for a time that is asked for, and undo makes it a draft again', async () => {
    const { id } = await dashboard.seed.postSet({ caption: 'Plain draft' })
    const page = await open()
    const draft = row(page, 'Plain draft')
    await draft.getByText('Draft', { exact: true }).waitFor()
    await draft.getByText('Wed 12 Jun, 12:00').waitFor()
    await draft.getByText('Demo', { exact: false }).first().waitFor()
    await draft.getByRole('button', { name: 'Schedule…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Schedule “Plain draft”' })
    await dialog.getByLabel('Day', { exact: true }).fill('2030-06-20')
    await expectNoAxeViolations(page, 'scheduling a draft')
    await dialog.getByRole('button', { name: 'Schedule', exact: true }).click()
    await draft.waitFor({ state: 'detached' })
    await becomes(id, { status: 'SCHEDULED', scheduledAt: '2030-06-20T10:00:00.000Z' })
    await page.keyboard.press('Control+z')
    await draft.waitFor()
    await becomes(id, { status: 'DRAFT', scheduledAt: '2030-06-12T10:00:00.000Z' })
  })

  test('one is opened beside the list; Escape leaves the list, on its row, and Back does not open it again', async () => {
    await dashboard.seed.postSet({ caption: 'Read beside the list' })
    const page = await open()
    await row(page, 'Read beside the list').getByRole('link', { name: 'Read beside the list' }).click()
    const panel = page.getByRole('dialog', { name: 'Post', exact: true })
    await panel.getByRole('heading', { name: 'Read beside the list' }).waitFor()
    expect(new URL(page.url()).pathname).toBe(DRAFTS)
    await row(page, 'Read beside the list').waitFor()
    await expectEveryLook(page, 'a draft beside the list')
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Read beside the list')
    await page.goBack()
    await page.goForward()
    await settled(page)
    expect(await panel.count()).toBe(0)
    expect(new URL(page.url()).pathname).toBe(DRAFTS)
  })

  test.each(['en-GB', 'de-DE'])('on a phone, what narrows them takes one row: %s', async (locale) => {
    const german = locale === 'de-DE'
    await dashboard.seed.postSet({ caption: `Asked in ${locale}`, approval: 'PENDING' })
    await dashboard.seed.postSet({ caption: `Open in ${locale}` })
    const page = await open(DRAFTS, { viewport: NARROW, locale })
    const search = page.getByRole('searchbox')
    const button = page.getByRole('button', { name: 'Filter' })
    const [field, opener] = [await search.boundingBox(), await button.boundingBox()]
    expect(opener?.y).toBe(field?.y)
    await row(page, `Open in ${locale}`).waitFor()
    const list = page.getByRole('checkbox').first()
    expect(((await list.boundingBox())?.y ?? 0) - (field?.y ?? 0)).toBeLessThan(100)
    await button.click()
    await page.getByRole('combobox', { name: german ? 'Freigabe' : 'Approval' }).selectOption('PENDING')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: german ? 'Filter (1)' : 'Filters (1)' }).waitFor()
    await row(page, `Open in ${locale}`).waitFor({ state: 'detached' })
    await row(page, `Asked in ${locale}`).waitFor()
    await expectNoSidewaysScroll(page)
    await expectNoAxeViolations(page, 'drafts on a phone')
  })

  test('what still waits for approval is not scheduled without a question', async () => {
    const asked = await dashboard.seed.postSet({ caption: 'Asked the client', approval: 'EXTERNAL_PENDING' })
    const free = await dashboard.seed.postSet({ caption: 'Nobody is asked' })
    const page = await open()
    const choose = async () => {
      for (const name of ['Asked the client', 'Nobody is asked']) await row(page, name).getByRole('checkbox').check()
    }
    await choose()
    const schedule = page.getByRole('button', { name: 'Schedule 2 drafts' })
    await schedule.click()
    const question = page.getByRole('dialog', { name: 'Schedule without approval?' })
    await question
      .getByText('“Asked the client” still waits for the client. It goes out at its time even if no one approves it.')
      .waitFor()
    await expectNoAxeViolations(page, 'a question about what waits')
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })
    await becomes(free.id, { status: 'DRAFT' })
    await choose()
    await schedule.click()
    await question.getByRole('button', { name: 'Schedule without approval' }).click()
    await becomes(asked.id, { status: 'SCHEDULED', approval: 'EXTERNAL_PENDING' })
    await becomes(free.id, { status: 'SCHEDULED' })
  })

  test('approving and scheduling are two acts and two entries of the history', async () => {
    const { id } = await dashboard.seed.postSet({ caption: 'In review', approval: 'PENDING' })
    await dashboard.seed.postSet({ caption: 'Agreed', approval: 'APPROVED' })
    const page = await open()
    await row(page, 'Agreed').getByText('Approved, not scheduled').waitFor()
    await row(page, 'In review').getByRole('button', { name: 'Approve and schedule' }).click()
    await row(page, 'In review').waitFor({ state: 'detached' })
    await becomes(id, { status: 'SCHEDULED', approval: 'APPROVED' })
    const { data } = await dashboard.member('GET', `/internal/post-sets/${id}/history`)
    expect(data.slice(0, 2).map(({ action }: { action: string }) => action)).toEqual(['scheduled', 'approved'])
  })

  test.each([
    ['PENDING', 'Waiting for approval', '2030-03-05'],
    ['EXTERNAL_PENDING', 'Waiting for the client', '2030-03-07'],
  ] as const)('what is %s has one name: %s', async (approval, name, date) => {
    const caption = `Asked ${date}`
    const { id, socialSetId: set } = await dashboard.seed.postSet({
      caption,
      approval,
      scheduledAt: `${date}T10:00:00Z`,
    })
    const page = await open()
    await row(page, caption).getByText(name, { exact: true }).waitFor()
    await page.goto(`${dashboard.url}${calendarPath('month', { set, date, post: id })}`)
    await page.getByRole('dialog', { name: 'Post', exact: true }).getByText(name, { exact: true }).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    const card = page.locator(`[data-card="${id}"]`)
    // Shorter, as beside a picture there is room for ten letters.
    await card.getByText('Waiting', { exact: true }).waitFor()
    await card.getByRole('button', { name: `${caption} 11:00 Waiting, ${name}` }).waitFor()
    await page.getByText('List', { exact: true }).click()
    await page.getByRole('table').getByText(name, { exact: true }).waitFor()
  })

  test('what waits for the client is approved for the client, in the same words as in its panel and its menu', async () => {
    const { id, socialSetId: set } = await dashboard.seed.postSet({
      caption: 'Ask the client',
      approval: 'EXTERNAL_PENDING',
    })
    const page = await open()
    const draft = row(page, 'Ask the client')
    await draft.getByRole('button', { name: 'More for “Ask the client”' }).click()
    await page.getByRole('menuitem', { name: 'Approve for the client', exact: true }).waitFor()
    await page.getByRole('menuitem', { name: 'Approve for the client and schedule', exact: true }).waitFor()
    await page.keyboard.press('Escape')
    const panel = await open(calendarPath('month', { set, date: '2030-06-12', post: id }))
    const dialog = panel.getByRole('dialog', { name: 'Post', exact: true })
    await dialog.getByRole('button', { name: 'Approve for the client', exact: true }).waitFor()
    await draft.getByRole('button', { name: 'Approve for the client', exact: true }).click()
    await draft.getByText('Approved, not scheduled').waitFor()
    await becomes(id, { status: 'DRAFT', approval: 'APPROVED' })
    await draft.getByRole('button', { name: 'Schedule…' }).waitFor()
  })

  test('a draft whose time has passed is never published by scheduling it', async () => {
    const { id } = await dashboard.seed.postSet({ caption: 'Too late', scheduledAt: '2026-01-02T10:00:00Z' })
    const page = await open()
    await row(page, 'Too late').getByText('This time has passed').waitFor()
    await row(page, 'Too late').getByRole('button', { name: 'Schedule…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Schedule', exact: true }).click()
    await row(page, 'Too late').waitFor({ state: 'detached' })
    await becomes(id, { status: 'SCHEDULED' })
    const { scheduledAt } = await read(id)
    expect(Date.parse(scheduledAt)).toBeGreaterThan(Date.now())
  })

  test('several are found by search, scheduled, labelled and deleted together', async () => {
    const ids: string[] = []
    for (const number of [1, 2, 3]) ids.push((await dashboard.seed.postSet({ caption: `Winter ${number}` })).id)
    const page = await open()
    await row(page, 'Agreed').waitFor()
    await page.getByRole('searchbox', { name: 'Search drafts' }).fill('winter')
    await row(page, 'Agreed').waitFor({ state: 'detached' })
    await page.waitForURL(/q=winter/)
    await page.getByRole('checkbox', { name: 'Select all' }).check()
    await expectNoAxeViolations(page, 'drafts with a selection')
    await page.getByRole('button', { name: 'Schedule 3 drafts' }).click()
    await page.getByText('No draft matches the filters.').waitFor()
    for (const id of ids) await becomes(id, { status: 'SCHEDULED' })
    await page.keyboard.press('Control+z')
    await row(page, 'Winter 3').waitFor()
    for (const id of ids) await becomes(id, { status: 'DRAFT' })
    await page.getByRole('checkbox', { name: 'Select “Winter 1”' }).check()
    await page.getByRole('checkbox', { name: 'Select “Winter 2”' }).check()
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click()
    await row(page, 'Winter 1').waitFor({ state: 'detached' })
    expect(await row(page, 'Winter 3').count()).toBe(1)
    await page.getByRole('button', { name: 'Undo' }).click()
    await row(page, 'Winter 1').waitFor()
  })

  test('are accessible in light and dark, wide and narrow', async () => {
    const page = await open()
    await row(page, 'Agreed').waitFor()
    await expectEveryLook(page, 'drafts')
  }, 90_000)

  test('that could not be loaded are asked for again by themselves', async () => {
    browser.allowProblem(/\/internal\/post-sets/)
    const page = await open(DRAFTS, { failing: /\/internal\/post-sets\?/ })
    await page.getByRole('alert').getByText('The drafts could not be loaded').waitFor({ timeout: 20_000 })
    await expectNoAxeViolations(page, 'drafts that failed to load')
    await page.context().unroute(/\/internal\/post-sets\?/)
    await row(page, 'Agreed').waitFor()
  })

  test('are scheduled by those who may publish alone', async () => {
    const author = await dashboard.newMember({ role: 'author' })
    const page = await dashboard.open(DRAFTS, { signedIn: author })
    await row(page, 'Agreed').waitFor()
    expect(await page.getByRole('button', { name: /Schedule/ }).count()).toBe(0)
  })
})

describe('a brand that has never had a post', () => {
  const newBrand = async (name: string): Promise<string> =>
    (await dashboard.member('POST', '/internal/social-sets', { name, timezone: 'Europe/Berlin' })).id
  const steps = (page: Page) => page.getByRole('region', { name: 'Let’s put your first post on the calendar' })

  test('is led to its first post: brand, demo accounts, a sample picture', async () => {
    const set = await newBrand('Corner bakery')
    const page = await open(calendarPath('month', { set }))
    await steps(page)
      .getByText(/Corner bakery, Europe\/Berlin/)
      .waitFor()
    await expectNoAxeViolations(page, 'the first steps')
    await steps(page).getByRole('button', { name: 'Use demo accounts' }).click()
    const line = page.getByRole('region', { name: 'Demo accounts' })
    await line.getByText('The networks are simulated: posts stay on this computer').waitFor()
    await line.getByRole('link', { name: 'Connect your own accounts' }).waitFor()
    await steps(page)
      .getByRole('button', { name: /A cup of latte/ })
      .click()
    await page.waitForURL(/post=[0-9a-f-]{36}/, { timeout: 20_000 })
    const id = new URL(page.url()).searchParams.get('post') ?? ''
    const { status, posts, scheduledAt } = await read(id)
    expect(status).toBe('DRAFT')
    expect(Date.parse(scheduledAt)).toBeGreaterThan(Date.now())
    expect(posts).toHaveLength(10)
    for (const { media } of posts) expect(media[0].altText).toContain('latte')
    // The composer, for a post that one came to write.
    const caption = page.getByRole('dialog', { name: 'Edit post' }).getByLabel('Caption', { exact: true })
    await expect.poll(() => caption.inputValue()).toContain('Good morning!')
    await steps(page).waitFor({ state: 'detached' })
  }, 120_000)

  test('can be looked at without the steps: they stay hidden', async () => {
    const set = await newBrand('Only looking')
    const page = await open(calendarPath('month', { set }), { viewport: NARROW })
    await steps(page).waitFor()
    await settled(page)
    await expectNoAxeViolations(page, 'the first steps on a phone')
    await page.setViewportSize({ width: 320, height: 640 })
    await expectNoSidewaysScroll(page)
    await steps(page).getByRole('button', { name: 'Hide' }).click()
    await page.getByText('Connect an account first').waitFor()
    await page.reload()
    await page.getByText('Connect an account first').waitFor()
    expect(await steps(page).count()).toBe(0)
  })

  test('has no drafts, and says what they are', async () => {
    const set = await newBrand('No drafts')
    const page = await open(`${DRAFTS}?set=${set}`, { colorScheme: 'dark' })
    await page.getByText('There are no drafts.').waitFor()
    await expectNoAxeViolations(page, 'no drafts')
    await page.goto(`${dashboard.url}${calendarPath('month', { set })}`)
    await steps(page).waitFor()
    await settled(page)
    await expectNoAxeViolations(page, 'the first steps, dark')
  })
})
