import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { NARROW, testBrowser } from '../../_util/browser/browser.ts'
import type { Dashboard } from '../../_util/browser/dashboard.ts'
import {
  box,
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
import { expectNoAxeViolations, expectNoSidewaysScroll } from '../../_util/browser/dashboard-checks.ts'
import { keyboardTask } from '../../_util/browser/dashboard-keys.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
})
afterAll(() => dashboard?.stop())

const ZONES = ['America/New_York', 'Asia/Kathmandu', 'UTC']
let made: string[] = []
// Before the next test: the pages of the last one, which ask for what they show, are closed by then.
beforeEach(async () => {
  for (const id of made) await dashboard.seed.call('DELETE', `/v1/post-sets/${id}`).catch(() => {})
  made = []
})

async function seed(caption: string, scheduledAt: string, more: object = {}): Promise<string> {
  const { id } = await dashboard.seed.postSet({ caption, scheduledAt, ...more })
  made.push(id)
  return id
}

const month = (date: string, options: object = {}) =>
  dashboard.open(calendarPath('month', { date }), { signedIn: true, ...options })
const week = (date: string, options: object = {}) =>
  dashboard.open(calendarPath('week', { date }), { signedIn: true, ...options })

describe.each(ZONES)('with the browser in %s', (timezoneId) => {
  test('moves over both changes of clocks keep the clock time of the social set', async () => {
    const autumn = await seed('Autumn', '2029-10-22T13:45:00Z')
    const spring = await seed('Spring', '2030-03-28T14:45:00Z')
    const page = await month('2029-10-20', { timezoneId })
    await drag(page, card(page, 'Autumn'), day(page, '2029-10-29'))
    await expectTime(dashboard.seed, autumn, '2029-10-29T14:45:00.000Z')
    await expectFocus(cardOn(page, '2029-10-29', 'Autumn'))
    await page.keyboard.press('Alt+ArrowUp')
    await expectTime(dashboard.seed, autumn, '2029-10-22T13:45:00.000Z')
    await page.goto(`${dashboard.url}${calendarPath('month', { date: '2030-03-20' })}`)
    await focusOn(card(page, 'Spring'))
    for (let days = 0; days < 4; days++) await page.keyboard.press('Alt+ArrowRight')
    await expectTime(dashboard.seed, spring, '2030-04-01T13:45:00.000Z')
    await expectSpoken(page, /Spring moved to Monday 1 April 2030, 15:45\./)
  })

  test('a time that the clock skips, or shows twice, is asked for', async () => {
    const gap = await seed('Gap', '2030-03-30T01:30:00Z')
    const page = await month('2030-03-20', { timezoneId })
    await drag(page, card(page, 'Gap'), day(page, '2030-03-31'))
    await page.getByRole('button', { name: '03:30 (UTC+02:00)' }).click()
    await expectTime(dashboard.seed, gap, '2030-03-31T01:30:00.000Z')
    const twice = await seed('Twice', '2029-10-27T00:30:00Z')
    await page.goto(`${dashboard.url}${calendarPath('month', { date: '2029-10-20' })}`)
    await focusOn(card(page, 'Twice'))
    await page.keyboard.press('Alt+ArrowRight')
    await page.getByRole('button', { name: 'Second 02:30 (UTC+01:00)' }).click()
    await expectTime(dashboard.seed, twice, '2029-10-28T01:30:00.000Z')
  })
})

describe('what cannot be moved', () => {
  test('a locked card says why, and stays', async () => {
    const id = await seed('Locked up', '2030-05-06T10:00:00Z')
    const page = await month('2030-05-06')
    await card(page, 'Locked up').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Lock', exact: true }).click()
    await page
      .getByRole('button', { name: /Locked up.*locked/ })
      .first()
      .waitFor()
    await drag(page, card(page, 'Locked up'), day(page, '2030-05-15'))
    await expectSpoken(page, /locked by .+ Unlock it to change it/)
    await expectTime(dashboard.seed, id, '2030-05-06T10:00:00.000Z')
    await page.keyboard.press('Control+z')
    await page
      .getByRole('button', { name: /Locked up.*locked/ })
      .first()
      .waitFor({ state: 'detached' })
  })

  test('another member was faster: the card flies back, and the screen shows who', async () => {
    const id = await seed('Contested', '2030-05-07T10:00:00Z')
    const page = await month('2030-05-07')
    await card(page, 'Contested').waitFor()
    browser.allowProblem(/: 412$/)
    // The page reads nothing new until it sends the move, as over a bad line.
    browser.allowProblem(/internal\/calendar/)
    let sent = false
    page.on('request', (request) => {
      sent ||= request.method() === 'PATCH'
    })
    await page.route('**/internal/calendar?*', (route) => (sent ? route.continue() : route.abort()))
    await dashboard.seed.call('PATCH', `/v1/post-sets/${id}`, { scheduledAt: '2030-05-09T10:00:00Z' })
    const refused = page.waitForResponse((answer) => answer.status() === 412)
    await drag(page, card(page, 'Contested'), day(page, '2030-05-22'))
    await refused
    const reported = page.getByText(/moved this just now/)
    await reported.first().waitFor()
    await cardOn(page, '2030-05-09', 'Contested').waitFor()
    await expectTime(dashboard.seed, id, '2030-05-09T10:00:00.000Z')
    await page.getByRole('button', { name: 'View', exact: true }).click()
    await page.getByRole('dialog').getByText('Contested').first().waitFor()
  })

  test('a scheduled card dropped on a day that has passed asks first; a draft just lies there', async () => {
    const now = Temporal.Now.zonedDateTimeISO('Europe/Berlin')
    const yesterday = now.toPlainDate().subtract({ days: 1 }).toString()
    const later = now.add({ days: 6 }).toInstant().toString({ smallestUnit: 'second' })
    const id = await seed('Too late', later, { status: 'SCHEDULED' })
    const page = await week(now.toPlainDate().toString())
    await page.goto(`${dashboard.url}${calendarPath('list', { date: later.slice(0, 10) })}`)
    await page.getByRole('button', { name: /Actions for Too late/ }).click()
    await page.getByRole('menuitem', { name: 'Move to…' }).click()
    await page.getByLabel('Day', { exact: true }).fill(yesterday)
    await page.getByRole('button', { name: 'Move', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Publish now?' })
    await dialog.getByText(/published immediately to Bluesky/).waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect((await dashboard.seed.call('GET', `/v1/post-sets/${id}`)).status).toBe('SCHEDULED')
  })
})

test('who leaves for a screen that still loads is not brought back when the calendar is there', async () => {
  const page = await dashboard.open('/dashboard/settings/profile', { signedIn: true })
  const brands = Promise.withResolvers<void>()
  const screen = Promise.withResolvers<void>()
  await page.route(/\/internal\/social-sets/, (route) => brands.promise.then(() => route.continue()))
  await page.route(/results-page.*js/, (route) => screen.promise.then(() => route.continue()))
  await page.goto(`${dashboard.url}/dashboard/scheduling/calendar/month`)
  const asked = page.waitForRequest(/results-page.*js/)
  await page.getByRole('link', { name: /^Results/ }).click()
  await asked
  brands.resolve()
  await page.getByRole('button', { name: 'New post' }).first().waitFor()
  screen.resolve()
  await page.getByRole('heading', { level: 1, name: 'Results' }).waitFor()
})

test('a series moves as far as is asked for, and comes back by one undo', async () => {
  const id = await seed('Weekly', '2030-05-06T10:00:00Z', { repeat: { interval: 'WEEK', occurrences: 4 } })
  const page = await month('2030-05-06')
  await focusOn(card(page, 'Weekly'))
  await page.keyboard.press('Alt+ArrowRight')
  const dialog = page.getByRole('dialog', { name: 'Which posts do you want to move?' })
  await dialog.getByLabel('All of the series').check()
  await dialog.getByText('4 posts would move.').waitFor()
  await dialog.getByRole('button', { name: 'Move', exact: true }).click()
  for (const date of ['07', '14', '21', '28']) await cardOn(page, `2030-05-${date}`, 'Weekly').waitFor()
  await page.keyboard.press('Control+z')
  for (const date of ['06', '13', '20', '27']) await cardOn(page, `2030-05-${date}`, 'Weekly').waitFor()
  await expectTime(dashboard.seed, id, '2030-05-06T10:00:00.000Z')
})

test('a finger moves a card after a long press', async () => {
  const id = await seed('Touched', '2030-05-06T10:00:00Z')
  const page = await month('2030-05-06', { hasTouch: true })
  const [from, to] = [await box(card(page, 'Touched')), await box(day(page, '2030-05-16'))]
  const session = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x: number, y: number) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] })
  await touch('touchStart', from.x + 20, from.y + 10)
  await page.locator('[data-dragging]').waitFor()
  const [x, y] = [to.x + to.width / 2, to.y + to.height * 0.75]
  for (let step = 1; step <= 10; step++) {
    await touch('touchMove', from.x + ((x - from.x) * step) / 10, from.y + ((y - from.y) * step) / 10)
  }
  await touch('touchEnd', 0, 0)
  await expectTime(dashboard.seed, id, '2030-05-16T10:00:00.000Z')
})

test('holding a card at the edge turns the page', async () => {
  const id = await seed('Far away', '2030-05-06T10:00:00Z')
  const page = await month('2030-05-06')
  const [from, grid] = [await box(card(page, 'Far away')), await box(page.getByLabel('Calendar of May 2030'))]
  await page.mouse.move(from.x + 12, from.y + 8)
  await page.mouse.down()
  await page.mouse.move(grid.x + grid.width - 10, grid.y + 300, { steps: 8 })
  await page.getByRole('heading', { name: 'June 2030' }).waitFor()
  const target = await box(day(page, '2030-06-12'))
  await page.mouse.move(target.x + 60, target.y + 60, { steps: 5 })
  await page.mouse.up()
  await expectTime(dashboard.seed, id, '2030-06-12T10:00:00.000Z')
})

describe('the week', () => {
  test('takes quarters of an hour, and five minutes with Shift', async () => {
    const id = await seed('Snapped', '2030-05-06T07:00:00Z')
    const page = await week('2030-05-06')
    const hour = (hours: number) => box(page.locator(`[data-hour="${hours}"]`))
    /** Drags the card until it begins at a time; hours that are in between are not as high as others. */
    const move = async (hours: number, share: number, shift = false) => {
      const start = await box(card(page, 'Snapped'))
      const [from, to] = [await hour(hours), await hour(hours + 1)]
      const y = from.y + from.height / 2 + (to.y - from.y) * share
      await page.mouse.move(start.x + 12, start.y + 8)
      await page.mouse.down()
      if (shift) await page.keyboard.down('Shift')
      await page.mouse.move(start.x + 14, y + 8, { steps: 6 })
      await page.mouse.up()
      if (shift) await page.keyboard.up('Shift')
    }
    expect((await box(card(page, 'Snapped'))).height).toBeGreaterThanOrEqual(64)
    await move(10, 2 / 60)
    await expectTime(dashboard.seed, id, '2030-05-06T08:00:00.000Z')
    await expectFocus(card(page, 'Snapped'))
    await move(10, 20 / 60, true)
    await expectTime(dashboard.seed, id, '2030-05-06T08:20:00.000Z')
    await page.keyboard.press('Alt+ArrowUp')
    await expectTime(dashboard.seed, id, '2030-05-06T08:05:00.000Z')
  })

  test('hours fit beside their lines with a clock of twelve hours, and a long note ends with its day', async () => {
    await dashboard.seed.note({
      scheduledAt: '2030-05-14T00:00:00Z',
      content: 'Photos of the whole market for next week',
    })
    const page = await week('2030-05-13', { locale: 'en-US' })
    const ten = page.locator('[data-hour="10"]')
    expect(await ten.innerText()).toMatch(/^10\sAM$/)
    expect(await ten.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
    const [note, lane] = [
      await box(page.getByRole('button', { name: /Photos of the whole/ })),
      await box(day(page, '2030-05-14')),
    ]
    expect(note.x + note.width).toBeLessThanOrEqual(lane.x + lane.width)
  })

  test('a click on a slot begins a post set at that time', async () => {
    const page = await week('2030-05-06')
    const lane = await box(day(page, '2030-05-08'))
    const [ten, eleven] = [await box(page.locator('[data-hour="10"]')), await box(page.locator('[data-hour="11"]'))]
    await page.mouse.click(lane.x + 40, ten.y + ten.height / 2 + (eleven.y - ten.y) * 0.6)
    await vi.waitFor(() => expect(page.url()).toContain('at=2030-05-08T08%3A30%3A00.000Z'))
  })
})

test.each([1280, 1366, 1440])(
  'beside the panel of a post, at %i pixels, no number of networks and no word of the search is cut',
  async (width) => {
    const posts = ['BLUESKY', 'THREADS', 'TWITTER'].map((accountType) => ({
      accountType,
      caption: 'Teaser',
      media: [],
    }))
    const id = await seed('', '2030-05-15T10:30:00Z', { status: 'SCHEDULED', posts })
    await seed('', '2030-05-16T10:30:00Z', { status: 'SCHEDULED', posts })
    const path = calendarPath('month', { date: '2030-05-15', post: id })
    const page = await dashboard.open(path, { signedIn: true, locale: 'en-US', viewport: { width, height: 900 } })
    await page
      .getByText(/12:30\sPM/)
      .nth(1)
      .waitFor()
    await page.getByRole('dialog', { name: 'Post', exact: true }).getByText('Teaser').first().waitFor()
    // The calendar makes room when the panel has come, and measures again when the font has.
    await expect.poll(() => page.evaluate(CUT_NUMBERS)).toEqual([])
    // There is no room for the field beside a panel: a sign opens it.
    await page.getByRole('button', { name: 'Search posts' }).click()
    await expect.poll(() => page.evaluate(ROOM_OF_SEARCH)).toBeGreaterThanOrEqual(0)
  },
)

/** Numbers such as "+2" that begin within the line of their card and end behind it. */
const CUT_NUMBERS = `[...document.querySelectorAll('[data-one]')].filter((number) => {
  const [own, line] = [number, number.parentElement.parentElement].map((element) => element.getBoundingClientRect())
  return own.width > 0 && own.top < line.bottom && own.right > line.right + 0.5
}).map(({ dataset: { one } }) => one)`

/** What the field has beside what it asks for. */
const ROOM_OF_SEARCH = `(() => {
  const field = document.querySelector('input[type="search"]')
  const { font, paddingLeft, paddingRight } = getComputedStyle(field)
  const pen = document.createElement('canvas').getContext('2d')
  pen.font = font
  const words = pen.measureText(field.placeholder).width
  return field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - words
})()`

test('the list is sorted and selected in, and several sets are moved, labelled and deleted at once', async () => {
  const ids = [await seed('First of two', '2030-05-06T10:00:00Z'), await seed('Second of two', '2030-05-07T10:00:00Z')]
  const page = await dashboard.open(calendarPath('list', { date: '2030-05-01' }), { signedIn: true })
  const rows = page.getByRole('row').filter({ hasText: 'of two' })
  expect(await rows.first().innerText()).toContain('First of two')
  await page.getByRole('button', { name: /^Time/ }).click()
  expect(await rows.first().innerText()).toContain('Second of two')
  await expectNoAxeViolations(page, 'the list')
  for (const name of ['First of two', 'Second of two'])
    await page.getByRole('checkbox', { name: `Select ${name}` }).click()
  await page.getByText('2 posts selected').waitFor()
  await page.getByRole('button', { name: 'Move by days…' }).click()
  await page.getByLabel('Days', { exact: true }).fill('3')
  await page.getByRole('button', { name: 'Move', exact: true }).click()
  await expectTime(dashboard.seed, ids[0] ?? '', '2030-05-09T10:00:00.000Z')
  await expectTime(dashboard.seed, ids[1] ?? '', '2030-05-10T10:00:00.000Z')
  await page.keyboard.press('Control+z')
  await expectTime(dashboard.seed, ids[1] ?? '', '2030-05-07T10:00:00.000Z')
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await rows.first().waitFor({ state: 'detached' })
  await page.keyboard.press('Control+z')
  await rows.nth(1).waitFor()
})

describe('on a narrow screen', () => {
  test('the month is a list of days; a card is moved without dragging', async () => {
    const id = await seed('Pocket', '2030-05-06T10:00:00Z')
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await month('2030-05-06', { viewport: NARROW, hasTouch: true, colorScheme })
      await card(page, 'Pocket').waitFor()
      await expectNoAxeViolations(page, `the narrow month, ${colorScheme}`)
      await expectNoSidewaysScroll(page)
      await page.setViewportSize({ width: 320, height: 700 })
      await expectNoSidewaysScroll(page)
    }
    const page = await month('2030-05-06', { viewport: NARROW, hasTouch: true })
    await page.getByRole('button', { name: /Actions for Pocket/ }).tap()
    await page.getByRole('menuitem', { name: 'Move by choosing a day' }).tap()
    await page.getByText('Moving “Pocket” — choose a day').waitFor()
    await page.getByRole('button', { name: /^Wednesday,? 8 May 2030/ }).tap()
    await expectTime(dashboard.seed, id, '2030-05-08T10:00:00.000Z')
  })
})

describe('by keys alone', () => {
  test('a card is found, moved to a day of another month and brought back', async () => {
    const id = await seed('By keys', '2030-05-06T10:00:00Z')
    const page = await month('2030-05-06')
    const task = await keyboardTask(page)
    await task.pressUntil('Tab', page.locator('#calendar [tabindex="0"]'), 30)
    await task.pressUntil('ArrowDown', card(page, 'By keys'), 8)
    await task.press('m')
    const field = page.getByLabel('Day', { exact: true })
    await field.waitFor()
    await field.fill('2030-06-03')
    await task.press('Enter')
    await expectTime(dashboard.seed, id, '2030-06-03T10:00:00.000Z')
    await page.getByRole('heading', { name: 'June 2030' }).waitFor()
    await expectFocus(cardOn(page, '2030-06-03', 'By keys'))
    await task.press('Control+z')
    await expectTime(dashboard.seed, id, '2030-05-06T10:00:00.000Z')
    task.finish()
  })

  test('pages and views are changed, keys are listed, a set is begun and a card deleted', async () => {
    await seed('Doomed', '2030-05-06T10:00:00Z')
    const page = await month('2030-05-06')
    await focusOn(card(page, 'Doomed'))
    const task = await keyboardTask(page)
    await task.press(']')
    await page.getByRole('heading', { name: 'June 2030' }).waitFor()
    await task.press('[')
    await task.press('2')
    await page.getByRole('heading', { name: /6\s–\s12 May 2030/ }).waitFor()
    await task.press('1')
    await page.getByRole('heading', { name: 'May 2030' }).waitFor()
    await focusOn(card(page, 'Doomed'))
    await task.press('Delete')
    await card(page, 'Doomed').waitFor({ state: 'detached' })
    await task.press('Control+z')
    await card(page, 'Doomed').waitFor()
    await task.press('?')
    await page.getByRole('dialog').getByText('Move to…').waitFor()
    await task.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await task.press('n')
    await vi.waitFor(() => expect(page.url()).toContain('post=new'))
    task.finish()
  })
})
