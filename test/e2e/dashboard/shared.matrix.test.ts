import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NARROW, testBrowser, WIDE } from '../../_util/browser/browser.ts'
import { type Dashboard, settled } from '../../_util/browser/dashboard.ts'
import { expectFocus } from '../../_util/browser/dashboard-calendar.ts'
import {
  COLOR_RULES,
  expectControlsApart,
  expectEveryLook,
  expectNoAxeViolations,
  expectNoSidewaysScroll,
  SMALLEST,
} from '../../_util/browser/dashboard-checks.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'
import { giveName, goTo, shareBrand } from '../../_util/browser/dashboard-shared.ts'
import { untranslatedWords } from '../../_util/browser/untranslated.ts'

/** The page of guests in every look and state, in other languages, and with texts that mean harm. */

const HOSTILE = [
  '<img src=x onerror="globalThis.hacked=1">',
  '</script><script>globalThis.hacked=1</script>',
  '"><svg onload="globalThis.hacked=1">',
  'javascript:globalThis.hacked=1',
  '{{constructor.constructor("globalThis.hacked=1")()}}',
] as const
const ALL = HOSTILE.join(' ')
/** What looks like the tags that messages have for elements. */
const TAGS = '<constructor>boom</constructor> <b>bold</b> <0/>'

const browser = testBrowser()
let dashboard: Dashboard
/** The path of a link that shows and allows everything, and posts that it shows. */
let path: string
let post: string

beforeAll(async () => {
  dashboard = await joinDashboard(browser)
  const { seed } = dashboard
  const media = [{ mediaLibraryId: await seed.media('photo.jpg'), altText: 'Bread' }]
  const posts = [{ accountType: 'BLUESKY', caption: 'Fresh bread from seven', media }]
  ;({ id: post } = await waiting('', '12', { posts }))
  await waiting('The second one', '13')
  const approved = await waiting('The third one', '13')
  const refused = await waiting('The fourth one', '14')
  await seed.postSet({ caption: 'A draft of the team', scheduledAt: '2030-06-20T10:00:00Z' })
  const link = await shareBrand(dashboard, { lastDay: '2031-01-31' })
  path = link.path
  const page = await dashboard.open(path)
  await page.evaluate(`(async () => {
    const send = async (method, path, body) => {
      const answer = await fetch(location.pathname + path, {
        method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body),
      })
      if (!answer.ok) throw new Error(method + ' ' + path + ': ' + (await answer.text()))
    }
    await send('PUT', '/visit/name', { name: 'Clara' })
    await send('POST', '/posts/${approved.id}/decision', { decision: 'approve', version: ${approved.version} })
    await send('POST', '/posts/${refused.id}/decision', {
      decision: 'request-changes', version: ${refused.version}, message: 'The logo is old.',
    })
    await send('POST', '/posts/${post}/comments', { text: 'Lovely.' })
    const note = { socialSetId: '${dashboard.socialSetId}', hexColor: '#e4f8e2', scheduledAt: '2030-06-18' }
    await send('POST', '/notes', { ...note, content: 'Fair in town' })
  })()`)
  await page.context().close()
}, 180_000)
afterAll(() => dashboard?.stop())

/** A post that waits for the client, on a day of June 2030. */
const waiting = (caption: string, day: string, more: object = {}) =>
  dashboard.seed.postSet({ caption, scheduledAt: `2030-06-${day}T10:00:00Z`, approval: 'EXTERNAL_PENDING', ...more })

const JUNE = 'date=2030-06-12'
const VIEWS = [
  ['month', () => JUNE],
  ['week', () => `view=week&${JUNE}`],
  ['list', () => `view=list&${JUNE}`],
  ['what waits', () => `view=list&waiting=1&${JUNE}`],
  ['post', () => `${JUNE}&post=${post}`],
] as const

async function openAt(query: string, options: Parameters<Dashboard['open']>[1] = {}): Promise<Page> {
  const page = await dashboard.open(path, options)
  await goTo(page, query)
  await settled(page)
  return page
}

describe('looks', () => {
  test.each(VIEWS)('%s', async (_, query) => {
    await expectEveryLook(await openAt(query()))
  })

  test.each(VIEWS)('%s from right to left', async (_, query) => {
    const page = await dashboard.open(path, { viewport: NARROW })
    await page.addInitScript(
      `document.addEventListener('readystatechange', () => { document.documentElement.dir = 'rtl' })`,
    )
    await goTo(page, query())
    await settled(page)
    await expectNoSidewaysScroll(page)
    await page.setViewportSize(WIDE)
    await expectNoSidewaysScroll(page)
    await expectControlsApart(page)
  })

  test('dialogs', async () => {
    const page = await openAt(`view=list&${JUNE}`, { viewport: NARROW })
    const dialog = page.getByRole('dialog')
    const look = async (name: string, role: 'dialog' | 'region' = 'dialog') => {
      await page.getByRole(role, { name }).waitFor()
      await expectNoAxeViolations(page, name)
      await page.emulateMedia({ colorScheme: 'dark' })
      await expectNoAxeViolations(page, `${name}, dark`, COLOR_RULES)
      await page.emulateMedia({ colorScheme: 'light' })
      await page.setViewportSize(SMALLEST)
      await expectNoSidewaysScroll(page, name)
      await page.setViewportSize(NARROW)
    }
    const row = page.getByRole('listitem').filter({ hasText: 'Fresh bread' })
    const request = row.getByRole('button', { name: 'Request changes' })
    await request.click()
    await look('Your name')
    await giveName(page)
    // In its row, where the post stays in sight.
    await look('Request changes', 'region')
    await expectFocus(row.getByLabel('What should change?'))
    await row.getByRole('button', { name: 'Send request' }).click()
    await row.getByRole('alert').waitFor()
    await expectNoAxeViolations(page, 'a row with something wrong')
    await row.getByLabel('What should change?').fill('Another picture')
    await page.keyboard.press('Escape')
    await expectFocus(request)
    await request.click()
    expect(await row.getByLabel('What should change?').inputValue()).toBe('Another picture')
    await row.getByRole('button', { name: 'Cancel' }).click()
    await expectFocus(request)
    await row.getByRole('link').click()
    await page.getByRole('button', { name: 'Request changes', exact: true }).click()
    await look('Request changes')
    await dialog.getByLabel('What should change?').fill('')
    await dialog.getByRole('button', { name: 'Send request' }).click()
    await dialog.getByRole('alert').waitFor()
    await expectNoAxeViolations(page, 'a dialog with something wrong')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Calendar', exact: true }).click()
    await page.getByRole('button', { name: /^Approve all/ }).click()
    await look('Approve these posts?')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Add a note', exact: true }).click()
    await look('Add a note')
  })
})

describe('a link of several brands', () => {
  let several: string
  let garden: string
  let empty: string
  beforeAll(async () => {
    const newBrand = async (name: string): Promise<string> =>
      (await dashboard.member('POST', '/internal/social-sets', { name, timezone: 'Europe/Berlin' })).id
    garden = await newBrand('Garden')
    empty = await newBrand('Orchard')
    await waiting('Of the garden', '27', { socialSetId: garden })
    ;({ path: several } = await shareBrand(dashboard, { socialSetIds: [dashboard.socialSetId, garden, empty] }))
  })
  const openSeveral = async (query: string, options: Parameters<Dashboard['open']>[1] = {}) => {
    const page = await dashboard.open(several, options)
    await goTo(page, query)
    await settled(page)
    return page
  }

  test.each(['en-GB', 'de-DE'])('has a toolbar of two rows on a phone: %s', async (locale) => {
    for (const view of ['month', 'week', 'list']) {
      const page = await openSeveral(`view=${view}&date=2030-09-28`, { viewport: NARROW, locale })
      const toolbar = await page.locator('#calendar').boundingBox()
      // Two targets of 44 pixels, and a gap.
      expect(toolbar?.height, view).toBeLessThanOrEqual(104)
      await expectNoSidewaysScroll(page)
      await expectNoAxeViolations(page, view)
    }
  })

  test('says of the chosen brand how many posts need the guest, and how many more are of others', async () => {
    const page = await openSeveral(`view=list&${JUNE}`)
    const needs = (count: string) => page.getByRole('heading', { level: 2, name: new RegExp(`^${count} need`) })
    await needs('\\d+ posts').waitFor()
    const brand = page.getByRole('combobox', { name: 'Brand' })
    await brand.selectOption('Garden')
    await needs('1 post').waitFor()
    await page.getByRole('button', { name: 'Show them' }).click()
    await page.getByRole('link').filter({ hasText: 'Of the garden' }).waitFor()
    await brand.selectOption('Orchard')
    await page.getByRole('heading', { level: 2, name: /^Nothing of \W?Orchard\W? needs you$/ }).waitFor()
    await page
      .getByRole('button', { name: /^\d+ more of other brands$/ })
      .first()
      .click()
    await needs('\\d+ posts').waitFor()
    expect(await brand.inputValue()).toBe('')
  })
})

describe('states', () => {
  test('a month with nothing planned', async () => {
    const page = await openAt('date=2031-01-12')
    await page.getByText('Nothing is planned in January 2031 yet.').waitFor()
    await expectEveryLook(page)
  })

  test.each([
    ['2031-01-12', '+01:00'],
    ['2031-07-12', '+02:00'],
  ])('a month with nothing planned shows its own time: %s', async (date, offset) => {
    const page = await openAt(`date=${date}`)
    await page.getByText(`Times are those of Europe/Berlin (UTC${offset}).`).waitFor()
  })

  test('nothing to review', async () => {
    const { id } = await dashboard.member('POST', '/internal/social-sets', { name: 'Quiet', timezone: 'Europe/Berlin' })
    const link = await shareBrand(dashboard, { name: 'Quiet', socialSetIds: [id] })
    const page = await dashboard.open(link.path)
    await page.getByRole('heading', { name: 'All done' }).waitFor()
    await page.getByText('The next posts appear here.').waitFor()
    await expectEveryLook(page)
  })

  test.each([
    ['the visit', /\/shared\/view\/[^/]+\/visit$/, () => JUNE],
    ['the calendar', /\/shared\/view\/[^/]+\/calendar\?/, () => JUNE],
    ['a post', /\/shared\/view\/[^/]+\/posts\/[^/]+$/, () => `post=${post}`],
  ])('%s that cannot be read is said to be so, with another try', async (_, failing, query) => {
    browser.allowProblem(/: 503$/)
    const page = await openAt(query(), { failing })
    const alert = page.getByRole('alert').filter({ hasText: 'The database does not answer' })
    await alert.waitFor({ timeout: 20_000 })
    await alert.getByText('019f0000-0000-7000-8000-000000000000').waitFor()
    await expectEveryLook(page)
    const asked = page.waitForRequest(failing)
    await page.getByRole('button', { name: 'Retry' }).click()
    await asked
    await page.context().unroute(failing)
    await page.getByRole('button', { name: 'Retry' }).waitFor({ state: 'detached' })
  })

  test('without a network, what was read stays, and the page says so', async () => {
    browser.allowProblem(/net::ERR_(INTERNET_DISCONNECTED|NETWORK_IO_SUSPENDED)/)
    const page = await openAt(`view=list&${JUNE}`)
    const banner = page.getByRole('status').filter({ hasText: 'You are offline' })
    await page.context().setOffline(true)
    await banner.waitFor()
    await page.getByText('Fresh bread').waitFor()
    await expectNoAxeViolations(page)
    await page.context().setOffline(false)
    await banner.waitFor({ state: 'detached' })
  })

  test('a link that is closed while the page is open shows nothing of the calendar any more', async () => {
    browser.allowProblem(/\/shared\/\S+: 404$/)
    const link = await shareBrand(dashboard)
    const page = await dashboard.open(link.path)
    await goTo(page, `view=list&${JUNE}`)
    await page.getByText('Fresh bread').waitFor()
    await dashboard.member('POST', `/internal/shared-calendars/${link.id}/close`)
    await page.getByRole('button', { name: 'Next month' }).click()
    await page.getByRole('heading', { level: 1, name: 'This calendar is not shared any more' }).waitFor()
    expect(await page.getByText(/Fresh bread|Spring campaign/).count()).toBe(0)
    await expectEveryLook(page)
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'This calendar is not shared any more' }).waitFor()
    await page.goto(`${dashboard.url}${link.path}`)
    await page.getByRole('heading', { level: 1, name: 'This calendar is not shared any more' }).waitFor()
  })

  test('a passcode is asked for, and nothing is shown before it is right', async () => {
    browser.allowProblem(/: 403$/)
    const link = await shareBrand(dashboard, { passcode: 'open sesame' })
    const page = await dashboard.open(link.path, { viewport: NARROW })
    await expectNoAxeViolations(page)
    expect(await page.content()).not.toContain('Spring campaign')
    const field = await page.getByLabel('Passcode').boundingBox()
    const button = await page.getByRole('button', { name: 'Open the calendar' }).boundingBox()
    expect(field?.height).toBeGreaterThanOrEqual(44)
    expect(field?.width).toBeGreaterThan(300)
    expect(button?.height).toBeGreaterThanOrEqual(44)
    await page.getByLabel('Passcode').fill('not this one')
    await page.getByRole('button', { name: 'Open the calendar' }).click()
    await page.getByText('That is not the passcode.').waitFor()
    await page.getByLabel('Passcode').fill('open sesame')
    await page.getByRole('button', { name: 'Open the calendar' }).click()
    await page.getByRole('heading', { level: 1, name: 'Spring campaign' }).waitFor()
  })

  test('a link that only shows offers nothing to do', async () => {
    const link = await shareBrand(dashboard, { allows: { comment: false, decide: false, notes: false } })
    const page = await dashboard.open(link.path)
    await goTo(page, `view=list&${JUNE}`)
    await page.getByText('Fresh bread').waitFor()
    expect(await page.getByRole('button', { name: /Approve|Request changes|Add a note/ }).count()).toBe(0)
    expect(await page.getByRole('checkbox').count()).toBe(0)
  })

  test('a post that the link does not show is not found, and leads back', async () => {
    browser.allowProblem(/\/posts\/\S+: 404$/)
    const page = await openAt('post=019f0000-0000-7000-8000-000000000000')
    await page.getByRole('heading', { level: 1, name: 'This post is not in this calendar any more' }).waitFor()
    await page.getByRole('button', { name: 'Calendar', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Spring campaign' }).waitFor()
  })
})

describe('languages', () => {
  test.each(VIEWS)('%s has every word from a catalog', async (_, query) => {
    // Written by people, where nothing in the page says so; and the name of an account.
    const data = ['Fresh bread from seven', 'Bread', /The \w+ one/g, 'A draft of the team', 'Clara']
    for (const viewport of [WIDE, NARROW]) {
      const page = await openAt(query(), { locale: 'en-XA', viewport })
      expect(await untranslatedWords(page, data)).toEqual([])
    }
  })

  test('a German browser reads German', async () => {
    const page = await openAt(`view=list&${JUNE}`, { locale: 'de-DE' })
    await page.getByRole('heading', { name: /^\d+ Beiträge brauchen dich, der erste bis 12\. Juni$/ }).waitFor()
    await page
      .getByRole('button', { name: /^Freigeben, / })
      .first()
      .waitFor()
    expect(await page.evaluate('document.documentElement.lang')).toBe('de')
  })
})

test('markup in texts, names, comments and notes is the text that it is', async () => {
  const { id } = await dashboard.seed.postSet({
    posts: [{ accountType: 'BLUESKY', caption: ALL, media: [] }],
    scheduledAt: '2030-11-05T10:00:00Z',
    approval: 'EXTERNAL_PENDING',
  })
  const link = await shareBrand(dashboard, { name: `Link ${HOSTILE[0]}` })
  const page = await dashboard.open(`${link.path}?post=${id}`)
  const nothingRan = async () => {
    await settled(page)
    expect(await page.evaluate('globalThis.hacked')).toBeUndefined()
    expect(await page.locator('img[src="x"], [onerror], [onload], [href^="javascript:" i]').count()).toBe(0)
  }
  await page.getByRole('article').getByText(HOSTILE[0]).waitFor()
  await page.getByLabel('Write a comment').fill(ALL)
  await page.getByRole('button', { name: 'Send comment' }).click()
  await giveName(page, TAGS)
  await page.getByText(`You are ${TAGS}.`).waitFor()
  await page.getByRole('listitem').filter({ hasText: HOSTILE[1] }).waitFor()
  await nothingRan()
  for (const query of ['date=2030-11-05', 'view=week&date=2030-11-05', 'view=list&date=2030-11-05']) {
    await goTo(page, query)
    await page.getByRole('main').getByText(HOSTILE[0]).first().waitFor()
    await nothingRan()
  }
  browser.allowProblem(/\/shared\/view\/\S+: 4\d\d$/)
  await goTo(page, new URLSearchParams({ view: ALL, date: ALL, brand: ALL, post: ALL }).toString())
  await nothingRan()
})

test('in German, guests of a link that wants it are addressed with “Sie”', async () => {
  await dashboard.seed.postSet({
    caption: 'Frisches Brot',
    scheduledAt: '2030-06-12T10:00:00Z',
    approval: 'EXTERNAL_PENDING',
  })
  const { path } = await shareBrand(dashboard, { formal: true })
  const context = await browser.newContext({ locale: 'de-DE' })
  const page = await context.newPage()
  await page.goto(`${dashboard.url}${path}`)
  await page.getByRole('heading', { name: /Sie/ }).first().waitFor()
  await settled(page)
  expect(await page.locator('body').innerText()).not.toMatch(/\b([Dd]u|[Dd]ein\w*|[Dd]ich|[Dd]ir)\b/)
})
