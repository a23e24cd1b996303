import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import type { Credentials, Dashboard } from '../../_util/browser/dashboard.ts'
import {
  calendarPath,
  card,
  cardOn,
  day,
  expectFocus,
  expectTime,
  focusOn,
} from '../../_util/browser/dashboard-calendar.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'
import { throttle } from '../../_util/browser/dashboard-speed.ts'

const browser = testBrowser()
let dashboard: Dashboard
let reviewer: Credentials
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
  reviewer = await dashboard.newMember({ role: 'reviewer' })
})
afterAll(() => dashboard?.stop())

let text = ''
let number = 0
beforeEach(() => {
  text = `Rule ${++number}`
})

const seed = (scheduledAt: string, more: object = {}) =>
  dashboard.seed.postSet({ caption: text, scheduledAt, ...more }) as Promise<{ id: string }>
const open = (date: string, search: Record<string, string> = {}, signedIn: true | Credentials = true) =>
  dashboard.open(calendarPath('month', { date, ...search }), { signedIn })
const searchOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)
const expectSearch = (page: Page, part: Record<string, string>) =>
  vi.waitFor(() => expect(searchOf(page)).toMatchObject(part), { timeout: 20_000 })
const newSet = (page: Page) => page.getByRole('dialog', { name: 'New post' })

describe('the address', () => {
  test('names the social set, without another step back', async () => {
    const page = await dashboard.open('/dashboard/scheduling/calendar/month?date=2030-07-01', { signedIn: true })
    await expectSearch(page, { set: dashboard.socialSetId, date: '2030-07-01' })
    expect(await page.evaluate('history.length')).toBe(2)
  })
})

describe('filters that were used last', () => {
  test('come back with the calendar, and never with an address that says more', async () => {
    const page = await open('2030-07-01')
    await page.getByRole('button', { name: 'Filters' }).click()
    await page.getByRole('checkbox', { name: 'X', exact: true }).check()
    await expectSearch(page, { net: 'TWITTER' })
    await page.goto(`${dashboard.url}/dashboard/scheduling/calendar/month`)
    await expectSearch(page, { net: 'TWITTER', set: dashboard.socialSetId })
    await page.goto(`${dashboard.url}${calendarPath('month', { date: '2030-07-01', set: dashboard.socialSetId })}`)
    await day(page, '2030-07-10').waitFor()
    expect(searchOf(page)).not.toHaveProperty('net')
  })
})

describe('keys that are pressed one right after the other', () => {
  test('mean the page that they have turned to, while it is still being drawn', async () => {
    await seed('2030-08-06T10:00:00Z')
    const page = await open('2030-07-01')
    await day(page, '2030-07-10').waitFor()
    await throttle(page, { cpuSlowdown: 6, megabitsPerSecond: 100, latencyMs: 0 })
    await page.keyboard.press(']')
    await page.keyboard.press('n')
    const date = newSet(page).getByLabel('Date')
    await expect.poll(() => date.getAttribute('data-day'), { timeout: 20_000 }).toMatch(/^2030-08-/)
  })

  test('an arrow that is held over the edge of a page goes on in the next one', async () => {
    await seed('2030-07-31T10:00:00Z')
    const page = await open('2030-07-01')
    await focusOn(card(page, text))
    for (let presses = 0; presses < 12; presses++) await page.keyboard.press('ArrowDown')
    await page.getByRole('heading', { name: /2030/, level: 1 }).waitFor()
    const focused = () => page.evaluate<boolean>(`document.querySelector('#calendar').contains(document.activeElement)`)
    expect(await focused()).toBe(true)
    expect(await page.getByRole('heading', { level: 1 }).innerText()).not.toBe('July 2030')
  })
})

describe('somebody who does not write post sets', () => {
  test('gets no editor, by click, key or link', async () => {
    const page = await open('2030-07-01', {}, reviewer)
    const reported = page.getByText('Your role does not write posts.')
    const tellsAnd = async (run: () => Promise<unknown>) => {
      await run()
      await reported.first().waitFor()
      expect(await newSet(page).count()).toBe(0)
      await page.reload()
      await day(page, '2030-07-10').waitFor()
    }
    await tellsAnd(() => day(page, '2030-07-10').click({ position: { x: 60, y: 60 } }))
    await tellsAnd(() => page.keyboard.press('n'))
    await tellsAnd(() => page.goto(`${dashboard.url}${calendarPath('month', { date: '2030-07-01', post: 'new' })}`))
    expect(searchOf(page)).not.toHaveProperty('post')
  })
})

describe('the search', () => {
  test('keeps what is typed while the address changes, and forgets it with the filters', async () => {
    const page = await open('2030-07-01')
    const field = page.getByLabel('Search posts')
    // As on a slow machine: the page is busy for as long as nothing is done by the browser's own scheduler.
    const cdp = await page.context().newCDPSession(page)
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: 6 })
    await field.pressSequentially('teaser of the autumn', { delay: 140 })
    await expectSearch(page, { q: 'teaser of the autumn' })
    expect(await field.inputValue()).toBe('teaser of the autumn')
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: 1 })
    await field.fill('something else')
    await page.getByRole('group', { name: 'Filtered by' }).getByRole('button', { name: 'Clear filters' }).click()
    await vi.waitFor(() => expect(searchOf(page)).not.toHaveProperty('q'), { timeout: 20_000 })
    expect(await field.inputValue()).toBe('')
  })
})

describe('a move', () => {
  test('to the number of a day is one move', async () => {
    const { id } = await seed('2030-08-05T10:00:00Z')
    const page = await open('2030-08-05')
    await card(page, text).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Move by choosing a day' }).click()
    await page.getByRole('button', { name: /20 August 2030|August 20, 2030/ }).click()
    await expectTime(dashboard.seed, id, '2030-08-20T10:00:00.000Z')
    await cardOn(page, '2030-08-20', text).waitFor()
    await page.keyboard.press('Control+z')
    await expectTime(dashboard.seed, id, '2030-08-05T10:00:00.000Z')
    await page.keyboard.press('Control+z')
    expect(await page.getByText('That did not work').count()).toBe(0)
  })

  test.each(['a move', 'the editor'])('into the past is asked about though the clock here is slow: %s', async (way) => {
    browser.allowProblem(/: 409$/)
    const { id } = await seed('2030-08-06T10:00:00Z', { status: 'SCHEDULED' })
    const page = await open('2030-08-06', way === 'a move' ? {} : { post: id })
    await page.clock.install({ time: new Date('2020-01-01T00:00:00Z') })
    const past = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
    if (way === 'a move') {
      await focusOn(card(page, text))
      await page.keyboard.press('m')
      await page.getByLabel('Day', { exact: true }).fill(past)
      await page.getByRole('button', { name: 'Move', exact: true }).click()
    } else {
      await page.getByRole('button', { name: 'Edit' }).click()
      await page.getByLabel('Date').fill(past)
      await page.clock.runFor(2_000)
      await page.getByRole('button', { name: 'Save', exact: true }).click()
    }
    const question = page.getByRole('dialog', { name: 'Publish now?' })
    await question.waitFor()
    await expectTime(dashboard.seed, id, '2030-08-06T10:00:00.000Z')
    await question.getByRole('button', { name: /^Publish/ }).click()
    await dashboard.seed.until(`/v1/post-sets/${id}`, ({ scheduledAt }) => scheduledAt.startsWith(past))
  })
})

describe('asking for approval of several', () => {
  test('leaves those alone that are approved or asked for', async () => {
    const approved = await seed('2030-09-03T10:00:00Z', { approval: 'APPROVED' })
    const page = await open('2030-09-03')
    await card(page, text).click({ modifiers: ['Control'] })
    const ask = page.getByRole('toolbar').getByRole('button', { name: 'Request approval' })
    await ask.waitFor()
    expect(await ask.isDisabled()).toBe(true)
    const [first, plain] = [text, `${text} plain`]
    const other = await dashboard.seed.postSet({ caption: plain, scheduledAt: '2030-09-04T10:00:00Z' })
    await card(page, plain).click({ modifiers: ['Control'] })
    await ask.click()
    await page.getByText(`Approval of ${plain} requested.`).first().waitFor()
    await dashboard.seed.until(`/v1/post-sets/${other.id}`, ({ approval }) => approval === 'PENDING')
    expect((await dashboard.seed.call('GET', `/v1/post-sets/${approved.id}`)).approval, first).toBe('APPROVED')
  })
})

describe('the focus', () => {
  test('goes to what stands beside a card that is deleted, and comes back with it', async () => {
    await seed('2030-10-07T09:00:00Z')
    await dashboard.seed.postSet({ caption: `${text} after`, scheduledAt: '2030-10-07T10:00:00Z' })
    const page = await open('2030-10-07')
    const [deleted, after] = [
      page.locator('[data-item]').filter({ has: page.getByText(text, { exact: true }) }),
      card(page, `${text} after`),
    ]
    await focusOn(deleted)
    await page.keyboard.press('Delete')
    await expectFocus(after)
    await page.keyboard.press('Control+z')
    await expectFocus(deleted)
    await page.keyboard.press('ArrowDown')
    await expectFocus(after)
    await page.keyboard.press('Delete')
    await expectFocus(deleted)
    await page.keyboard.press('Delete')
    await expectFocus(page.locator('[data-date="2030-10-07"] [tabindex="0"]'))
  })

  test('goes beside a card that is deleted in its panel or its menu', async () => {
    // The panel learns from it that its set is gone.
    browser.allowProblem(/^GET \S+\/internal\/post-sets\/\S+: 404$/)
    await seed('2030-10-14T09:00:00Z')
    await dashboard.seed.postSet({ caption: `${text} after`, scheduledAt: '2030-10-14T10:00:00Z' })
    await dashboard.seed.postSet({ caption: `${text} last`, scheduledAt: '2030-10-14T11:00:00Z' })
    const page = await open('2030-10-14')
    await page
      .locator('[data-item]')
      .filter({ has: page.getByText(text, { exact: true }) })
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expectFocus(card(page, `${text} after`))
    await card(page, `${text} after`).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await expectFocus(card(page, `${text} last`))
  })

  test('is on the original when its copy is taken back', async () => {
    await seed('2030-10-21T09:00:00Z')
    const page = await open('2030-10-21')
    await card(page, text).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Duplicate' }).click()
    const asks = page.getByRole('dialog', { name: 'Duplicate' })
    await asks.getByLabel('Same day and time').check()
    await asks.getByRole('button', { name: 'Duplicate' }).click()
    await page.getByText(`${text} duplicated as a draft for`).first().waitFor()
    const both = page.locator('[data-card]').filter({ hasText: text })
    await both.nth(1).waitFor()
    await page.keyboard.press('Control+z')
    await both.nth(1).waitFor({ state: 'detached' })
    await expectFocus(card(page, text))
  })

  test('is not taken from where somebody is when a dialog stayed open', async () => {
    const { id } = await seed('2030-10-28T09:00:00Z')
    const page = await open('2030-10-28', { post: id })
    await page.getByRole('dialog').getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Move to…' }).click()
    await page.getByLabel('Day', { exact: true }).fill('2030-10-29')
    await page.getByRole('button', { name: 'Move', exact: true }).click()
    await expectTime(dashboard.seed, id, '2030-10-29T09:00:00.000Z')
    // Longer than a dialog takes to close.
    await page.evaluate(
      'new Promise((done) => { let left = 90; const next = () => left-- > 0 ? requestAnimationFrame(next) : done(); next() })',
    )
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expectFocus(card(page, text))
  })
})

describe('a month with nothing in it', () => {
  test('begins a post set in it: by its notice, by N and by the button above', async () => {
    const page = await open('2031-03-15')
    const begun = async () => {
      await newSet(page).waitFor()
      // No time was asked for: it is that of the day in sight.
      await expectSearch(page, { post: 'new', date: '2031-03-15' })
      expect(await newSet(page).getByLabel('Date').getAttribute('data-day')).toBe('2031-03-15')
      await page.goBack()
      await newSet(page).waitFor({ state: 'detached' })
    }
    const buttons = page.getByRole('button', { name: /^New post/ })
    await buttons.nth(1).waitFor()
    for (const at of [0, 1]) {
      await buttons.nth(at).click()
      await begun()
    }
    await page.getByLabel('Go to day').focus()
    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('n')
    await begun()
  })
})

test('the list shows notes too, and opens them', async () => {
  await dashboard.seed.note({ scheduledAt: '2031-05-12T00:00:00Z', content: 'Shop closed' })
  const page = await dashboard.open(calendarPath('list', { date: '2031-05-01' }), { signedIn: true })
  await page.getByRole('row', { name: /12 May.*Note.*Shop closed/ }).waitFor()
  expect(await page.getByText('Nothing planned').count()).toBe(0)
  await page.getByRole('button', { name: 'Shop closed' }).click()
  await page.getByRole('dialog').getByLabel('Text').waitFor()
})

// With it there are two brands, whose calendar the address without one is.
describe('the address, of two brands', () => {
  test('with a day and another social set leads to that of the post set', async () => {
    const other = await dashboard.member('POST', '/internal/social-sets', { name: 'Elsewhere', timezone: 'Asia/Tokyo' })
    const { id } = await seed('2030-07-02T10:00:00Z')
    const page = await open('2030-07-02', { set: other.id, post: id })
    await expectSearch(page, { set: dashboard.socialSetId, post: id })
    await page.getByRole('dialog').getByText(text).first().waitFor()
  })
})
