import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NARROW, testBrowser } from '../../_util/browser/browser.ts'
import { type Dashboard, settled, startDashboard } from '../../_util/browser/dashboard.ts'
import { calendarPath, card, expectFocus, focusOn } from '../../_util/browser/dashboard-calendar.ts'
import { expectNoAxeViolations, expectNoSidewaysScroll } from '../../_util/browser/dashboard-checks.ts'
import { composer } from '../../_util/browser/dashboard-composer.ts'
import { freePort } from '../../_util/processes/ports.ts'

/** What people who plan posts every day stumble over: where the focus goes, what is found, what is in the way. */

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await startDashboard(browser, { ALMANAC_PORT: await freePort() })
  await dashboard.seed.month('2030-06', 70)
}, 120_000)
afterAll(() => dashboard?.stop())

const JUNE = { date: '2030-06-12' }
const open = (path: string, options: object = {}) => dashboard.open(path, { signedIn: true, ...options })

describe('addresses', () => {
  test.each(['/dashboard/settings/keys', '/dashboard/nowhere', '/dashboard/nowhere/at/all'])(
    '%s is not found, with the way on',
    async (path) => {
      const page = await open(path)
      await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor()
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Drafts' }).click()
      await page.getByRole('heading', { level: 1, name: 'Drafts' }).waitFor()
    },
  )

  test('settings open on the profile, and what programs need comes last', async () => {
    const page = await open('/dashboard/settings')
    await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor()
    const sections = page.getByRole('navigation', { name: 'Settings' }).getByRole('link')
    expect((await sections.allInnerTexts()).slice(-2)).toEqual(['API keys', 'Webhooks'])
  })
})

describe('a server that is dead', () => {
  test('is noticed while the computer has its network, and so is that it lives again', async () => {
    browser.allowProblem(/net::ERR_|: 50\d$/)
    browser.allowProblem(/^console error: /)
    const page = await open(calendarPath('month', JUNE))
    await card(page, 'of a full month').waitFor()
    const banner = page.getByRole('status').filter({ hasText: 'The server does not answer' })
    expect(await banner.count()).toBe(0)
    await dashboard.kill()
    await banner.waitFor()
    expect(await page.evaluate('navigator.onLine')).toBe(true)
    await expectNoAxeViolations(page, 'a server that does not answer')
    // A screen that was never opened says so as well, instead of leaving for an error of the browser.
    await page.getByRole('link', { name: 'Connections' }).click()
    await page.getByRole('alert').getByText('The server cannot be reached').waitFor({ timeout: 20_000 })
    await dashboard.startAgain()
    await banner.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Retry' }).click()
    await page.getByRole('heading', { level: 1, name: 'Connections' }).waitFor()
  })
})

describe('a server that dies while one writes', () => {
  test('is named where one writes, and gets what was written when it lives again', async () => {
    browser.allowProblem(/net::ERR_|: 50\d$/)
    browser.allowProblem(/^console error: /)
    const page = await open(calendarPath('month', { ...JUNE, post: 'new' }))
    const dialog = composer(page)
    await dialog.getByLabel('Caption', { exact: true }).fill('Written before')
    await dialog.getByText(/Draft kept \d/).waitFor()
    await dashboard.kill()
    await dialog.getByLabel('Caption', { exact: true }).fill('Written meanwhile')
    await dialog.getByText('Kept in this browser').waitFor()
    const warning = dialog.getByText(/^The server does not answer\./)
    await warning.waitFor()
    await expectNoAxeViolations(page, 'a server that does not answer, from where one writes')
    await dashboard.startAgain()
    await dialog.getByText(/Draft kept \d/).waitFor({ timeout: 20_000 })
    await warning.waitFor({ state: 'detached' })
    const kept = await dashboard.member('GET', `/internal/kept-drafts?socialSetId=${dashboard.socialSetId}`)
    expect(kept.data[0].excerpt).toBe('Written meanwhile')
  })
})

describe('search and filters', () => {
  test('name what matches in other months, and lead there; notes are out of the way', async () => {
    for (const day of ['03', '04']) {
      await dashboard.seed.postSet({ caption: 'Marzipan pigs', scheduledAt: `2030-12-${day}T10:00:00Z` })
    }
    await dashboard.seed.postSet({ caption: 'Marzipan eggs', scheduledAt: '2031-03-20T10:00:00Z' })
    await dashboard.seed.note({ content: 'Marzipan day' })
    const page = await open(calendarPath('month', JUNE))
    const note = page.getByRole('button', { name: /Marzipan day/ })
    await note.waitFor()
    await page.getByRole('searchbox', { name: 'Search posts' }).fill('marzipan')
    await page.getByText('Nothing matches the filters.').waitFor()
    expect(await note.count()).toBe(0)
    const elsewhere = page.getByRole('group', { name: 'Elsewhere' })
    await elsewhere.getByRole('button', { name: '1 more in March 2031' }).waitFor()
    await expectNoAxeViolations(page, 'matches elsewhere')
    await elsewhere.getByRole('button', { name: '2 more in December' }).click()
    await card(page, 'Marzipan pigs').waitFor()
    expect(new URL(page.url()).searchParams.get('date')).toBe('2030-12-03')
    await elsewhere.getByRole('button', { name: '1 more in March' }).waitFor()
    await page.setViewportSize({ width: 320, height: 640 })
    await expectNoSidewaysScroll(page)
  })

  test('of a status are counted elsewhere as they are here', async () => {
    const page = await open(calendarPath('list', { date: '2029-01-01', status: 'draft' }))
    await page.getByRole('button', { name: '70 more in June 2030' }).waitFor()
    await page.goto(`${dashboard.url}${calendarPath('list', { date: '2029-01-01', status: 'failed' })}`)
    await page.getByText('Nothing matches the filters.').waitFor()
    await settled(page)
    expect(await page.getByRole('group', { name: 'Elsewhere' }).count()).toBe(0)
  })
})

describe('the list', () => {
  test('is downloaded as a table', async () => {
    const page = await open(calendarPath('list', { ...JUNE, q: 'Post 7 of' }))
    await page.getByText('1 post', { exact: true }).waitFor()
    const coming = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download CSV' }).click()
    const file = await coming
    expect(file.suggestedFilename()).toBe('posts-2030-06-07-2030-06-07.csv')
    const [head, line] = (await readFile(await file.path(), 'utf8')).split('\r\n')
    expect(head).toBe('\u{feff}Date,Time,Time zone,Status,Networks,Text,Labels,Author')
    expect(line).toBe('2030-06-07,09:00,Europe/Berlin,Draft,Bluesky,Post 7 of a full month,,Demo key')
  })

  test('has all that a thread says, on paper and as a table', async () => {
    const thread = [{ caption: 'The dough rests for a night. '.repeat(6).trim(), media: [] }]
    const posts = [
      { accountType: 'THREADS', caption: 'Rye', media: [], thread, options: { firstComment: 'The recipe is here' } },
    ]
    await dashboard.seed.postSet({ scheduledAt: '2030-08-07T10:00:00Z', posts })
    const page = await open(calendarPath('list', { date: '2030-08-01' }))
    await page.getByText('1 post', { exact: true }).waitFor()
    const coming = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download CSV' }).click()
    const table = await readFile(await (await coming).path(), 'utf8')
    const whole = ['Rye', ...thread.map(({ caption }) => caption), 'First comment: The recipe is here']
    expect(table).toContain(`"${whole.join('\n\n')}"`)
    // What a browser does when it prints.
    await page.evaluate(`globalThis.print = () => {
      dispatchEvent(new Event('beforeprint'))
      globalThis.printed = document.querySelector('tbody').textContent
      dispatchEvent(new Event('afterprint'))
    }`)
    await page.getByRole('button', { name: 'Print' }).click()
    const printed = () => page.evaluate<string>('globalThis.printed ?? ""')
    await expect.poll(printed).not.toBe('')
    const paper = await printed()
    for (const words of whole) expect(paper).toContain(words)
    await expect.poll(() => page.locator('tbody').textContent()).not.toContain('First comment')
  })

  test('has all rows on paper, and nothing of what is around them', async () => {
    const page = await open(calendarPath('list', JUNE))
    await page.getByText('70 posts', { exact: true }).waitFor()
    const rows = page.getByRole('row', { name: /of a full month/ })
    expect(await rows.count()).toBeLessThan(70)
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    await page.evaluate(`dispatchEvent(new Event('beforeprint'))`)
    expect(await rows.count()).toBe(70)
    for (const gone of [page.getByRole('navigation', { name: 'Main' }), page.getByRole('button', { name: 'Print' })]) {
      expect(await gone.isVisible()).toBe(false)
    }
    const paper = await page.evaluate<string[]>(`(() => {
      const { color } = getComputedStyle(document.querySelector('tbody td:nth-child(5) button'))
      return [getComputedStyle(document.body).backgroundColor, color]
    })()`)
    expect(paper[0]).toBe('rgb(255, 255, 255)')
    expect(Number(/\d+/.exec(paper[1] ?? '')?.[0])).toBeLessThan(100)
    await page.evaluate(`dispatchEvent(new Event('afterprint'))`)
    expect(await rows.count()).toBeLessThan(70)
  })
})

describe('keys', () => {
  test('M on a day without a post says why nothing happens; the skip link leads to where arrows work', async () => {
    const page = await open(calendarPath('month', { date: '2031-09-10', q: '' }))
    await settled(page)
    for (let press = 0; press < 4; press++) {
      await page.keyboard.press('Tab')
      if (await page.getByRole('link', { name: 'Skip to calendar' }).evaluate(isFocused)) break
    }
    await page.keyboard.press('Enter')
    const day = page.locator('[data-item^="day-"]:focus')
    await day.waitFor()
    await page.keyboard.press('m')
    await page.getByText('No post has the focus. Arrow keys lead to one.').first().waitFor()
    const before = await day.getAttribute('data-item')
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => page.locator(':focus').getAttribute('data-item')).not.toBe(before)
  })

  test('a card that was moved keeps the focus, also for the next key', async () => {
    const { id } = await dashboard.seed.postSet({ caption: 'Wanderer', scheduledAt: '2031-10-14T10:00:00Z' })
    const page = await open(calendarPath('month', { date: '2031-10-14' }))
    await focusOn(card(page, 'Wanderer'))
    for (const day of ['15', '16']) {
      await page.keyboard.press('Alt+ArrowRight')
      await expectFocus(page.locator(`[data-date="2031-10-${day}"] [data-item="card-${id}"]`))
    }
    expect(page.url()).toContain('/calendar/month')
  })

  test('the line of the time now is in sight in a week', async () => {
    const page = await open(calendarPath('week', {}), { viewport: { width: 1280, height: 700 } })
    const line = page.locator('[class*="nowLine"]')
    await line.waitFor()
    const box = await line.boundingBox()
    expect(box?.y).toBeGreaterThan(100)
    expect(box?.y).toBeLessThan(700)
  })
})

describe('messages', () => {
  /** Buttons and fields that a message lies over. */
  const covered = (page: Page, within: string) =>
    page.evaluate<string[]>(`(() => {
      const message = document.querySelector('.mantine-Notification-root').getBoundingClientRect()
      return [...document.querySelectorAll(${JSON.stringify(within)})].filter((element) => {
        const { left, top, right, bottom, width } = element.getBoundingClientRect()
        return width > 0 && left < message.right && right > message.left && top < message.bottom && bottom > message.top
      }).map((element) => element.outerHTML.slice(0, 120))
    })()`)
  const shown = async (page: Page) => {
    await page.locator('.mantine-Notification-root').first().waitFor()
    // It comes in from the edge.
    await expect.poll(() => page.evaluate('document.getAnimations().length')).toBe(0)
  }

  test('do not lie over the panel', async () => {
    const { id } = await dashboard.seed.postSet({ caption: 'Beside a message', scheduledAt: '2031-11-12T10:00:00Z' })
    const page = await open(calendarPath('month', { date: '2031-11-12', post: id }), { reducedMotion: 'reduce' })
    const panel = page.getByRole('dialog', { name: 'Post', exact: true })
    await panel.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Lock' }).click()
    await shown(page)
    expect(await covered(page, '[data-post-panel] :is(button, a)')).toEqual([])
  })

  test('do not lie over the buttons that end the composer, wide and on a phone', async () => {
    await dashboard.seed.postSet({ caption: 'Moved before', scheduledAt: '2031-11-18T10:00:00Z' })
    const page = await open(calendarPath('month', { date: '2031-11-18' }), { reducedMotion: 'reduce' })
    await focusOn(card(page, 'Moved before'))
    await page.keyboard.press('Alt+ArrowRight')
    await shown(page)
    await page.keyboard.press('n')
    const dialog = composer(page)
    await dialog.getByLabel('Caption', { exact: true }).waitFor()
    await shown(page)
    const ends = '[role="dialog"] :is(header, footer) :is(button, a)'
    expect(await covered(page, ends)).toEqual([])
    await page.setViewportSize(NARROW)
    await settled(page)
    expect(await covered(page, ends)).toEqual([])
  })

  test.each([
    [1440, 900],
    [1024, 768],
    [700, 768],
    [390, 844],
  ])('do not lie over the decision about a post at %i × %i', async (width, height) => {
    for (const caption of ['Decided first', 'Decided next'])
      await dashboard.seed.postSet({ caption, approval: 'PENDING', scheduledAt: '2031-12-12T10:00:00Z' })
    const page = await open('/dashboard/approvals', { reducedMotion: 'reduce', viewport: { width, height } })
    const first = page.getByRole('region', { name: 'Posts', exact: true }).getByRole('link').first()
    if (width < 641) await first.click()
    const decision = page.getByRole('toolbar', { name: 'Decision' })
    await decision.getByRole('textbox').fill('Shorter, please.\n\nTwo lines are enough.')
    await decision.getByRole('button', { name: 'Request changes' }).click()
    await shown(page)
    // The next one is open.
    await decision.getByRole('textbox').and(page.locator(':not(:disabled)')).waitFor()
    await decision.getByRole('textbox').fill('Shorter, please.\n\nTwo lines are enough.')
    expect(await covered(page, '[aria-label="Decision"] :is(button, textarea)')).toEqual([])
  })

  test.each([
    [1440, 900],
    [1024, 600],
    [390, 844],
    [390, 500],
  ])('do not lie over the buttons that end a dialog at %i × %i', async (width, height) => {
    const at = '2032-01-14T10:00:00Z'
    await dashboard.seed.postSet({ caption: 'Below a dialog', scheduledAt: at })
    const page = await open(calendarPath('month', { date: '2032-01-14' }), { reducedMotion: 'reduce' })
    await focusOn(card(page, 'Below a dialog'))
    await page.keyboard.press('Alt+ArrowRight')
    await shown(page)
    await page.getByRole('main').getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'New note' }).click()
    const dialog = page.getByRole('dialog', { name: 'New note' })
    await dialog.waitFor()
    await page.setViewportSize({ width, height })
    await settled(page)
    await shown(page)
    const main = dialog.getByRole('button', { name: 'Save' })
    await main.scrollIntoViewIfNeeded()
    expect(await covered(page, '[role="dialog"] :is(header, [data-form-buttons]) button')).toEqual([])
  })
})

describe('dialogs', () => {
  const dialogs: [string, string, (page: Page) => Promise<unknown>, string][] = [
    ['a note', calendarPath('month', { ...JUNE, note: 'new' }), async () => {}, 'Save'],
    ['a new brand', '/dashboard/settings/social-sets', (page) => press(page, 'New brand'), 'Create brand'],
    ['an invitation', '/dashboard/settings/team', (page) => press(page, /Invite/), 'Create invitation'],
    ['a new key', '/dashboard/settings/api-keys', (page) => press(page, 'Create API key'), 'Create key'],
  ]
  const press = (page: Page, name: string | RegExp) =>
    page.getByRole('main').getByRole('button', { name }).first().click()

  test.each(dialogs)('%s has its main button in sight in a low window', async (_, path, prepare, name) => {
    const page = await open(path, { viewport: { width: 1280, height: 600 } })
    await settled(page)
    await prepare(page)
    const button = page.getByRole('dialog').getByRole('button', { name })
    await button.waitFor()
    await settled(page)
    await expect.poll(async () => ((await button.boundingBox()) ?? { y: 10_000 }).y).toBeLessThan(600 - 24)
    expect(await isSeen(button)).toBe(true)
  })
})

const isFocused = (element: { matches(rule: string): boolean }) => element.matches(':focus')

/** Whether nothing lies over the middle of it. */
function isSeen(element: Locator): Promise<boolean> {
  return element.evaluate((found: Found) => {
    const { left, top, width, height } = found.getBoundingClientRect()
    return found.contains(found.ownerDocument.elementFromPoint(left + width / 2, top + height / 2))
  })
}

interface Found {
  ownerDocument: { elementFromPoint(x: number, y: number): unknown }
  contains(other: unknown): boolean
  getBoundingClientRect(): { left: number; top: number; width: number; height: number }
}

test('what failed is said in the head, and what else there is to know is a press away and moves nothing', async () => {
  const { id } = await dashboard.seed.postSet({
    caption: 'Refused [[fault:account-suspended]]',
    status: 'SCHEDULED',
    scheduledAt: new Date().toISOString(),
  })
  await dashboard.seed.until(`/v1/post-sets/${id}`, ({ status }) => status === 'PUBLISHED')
  const page = await open(calendarPath('month', JUNE))
  const [failed, demo] = [
    page.getByRole('region', { name: 'Failed posts' }),
    page.getByRole('region', { name: 'Demo accounts' }),
  ]
  await failed.getByText('Bluesky has suspended this account.').waitFor()
  expect((await failed.boundingBox())?.height).toBeLessThanOrEqual(40)
  expect(await demo.count()).toBe(0)
  await card(page, 'of a full month').waitFor()
  const top = async () => (await page.locator('#calendar').boundingBox())?.y
  const before = await top()
  await page.getByRole('button', { name: /notices$/i }).click()
  await demo.getByText('The networks are simulated: posts stay on this computer').waitFor()
  expect(await failed.isVisible()).toBe(true)
  expect(await top()).toBe(before)
  await expectNoAxeViolations(page, 'all notices')
  await page.setViewportSize({ width: 320, height: 640 })
  await expectNoSidewaysScroll(page)
})
