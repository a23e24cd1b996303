import { setTimeout as delay } from 'node:timers/promises'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { NARROW, testBrowser } from '../../_util/browser/browser.ts'
import { type Dashboard, settled } from '../../_util/browser/dashboard.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'
import { goTo, shareBrand } from '../../_util/browser/dashboard-shared.ts'

/** A finger that taps once too often decides once: about the post that it saw. */

const browser = testBrowser()
const PHONE = { viewport: NARROW, hasTouch: true }
let dashboard: Dashboard
let path: string
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
  ;({ path } = await shareBrand(dashboard))
}, 180_000)
afterAll(() => dashboard?.stop())

/** So many posts of one month that wait, one a day. A month of its own for each test. */
let month = 0
async function waiting(approval: 'PENDING' | 'EXTERNAL_PENDING', count = 4) {
  const of = `${2031 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`
  month += 1
  const posts = Array.from({ length: count }, (_, day) => ({
    caption: `${of} number ${day + 1}`,
    scheduledAt: `${of}-${10 + day}T10:00:00Z`,
    approval,
  }))
  const ids: string[] = []
  for (const post of posts) ids.push((await dashboard.seed.postSet(post)).id)
  return { of, ids }
}

const approvals = async (ids: readonly string[]): Promise<string[]> => {
  const sets = await Promise.all(ids.map((id) => dashboard.seed.call('GET', `/v1/post-sets/${id}`)))
  return sets.map(({ approval }) => approval)
}

/** Taps on the spot where something is, so often and so far apart; whatever is there by then. */
async function tap(page: Page, target: Locator, { times, apart }: { times: number; apart: number }): Promise<void> {
  await target.scrollIntoViewIfNeeded()
  const box = await target.boundingBox()
  if (!box) throw new Error('What is to be tapped is not in sight.')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  // By the clock, also while the page is busy: what is tried is how far apart they are.
  const finger = await page.context().newCDPSession(page)
  const began = Date.now()
  const taps: Promise<unknown>[] = []
  for (let done = 0; done < times; done++) {
    await delay(Math.max(0, began + done * apart - Date.now()))
    const timestamp = Date.now() / 1_000
    taps.push(
      finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }], timestamp }),
      finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [], timestamp }),
    )
  }
  await Promise.all(taps)
  await finger.detach()
}

/** What was tapped for has arrived: one is approved, and no request is under way. */
async function expectOne(page: Page, ids: readonly string[], waits: string): Promise<void> {
  await vi.waitFor(async () => expect(await approvals(ids)).toContain('APPROVED'), { timeout: 10_000 })
  await settled(page)
  expect(await approvals(ids)).toEqual(['APPROVED', ...ids.slice(1).map(() => waits)])
}

const TAPS = [
  { times: 2, apart: 60 },
  { times: 2, apart: 250 },
  { times: 2, apart: 600 },
  { times: 5, apart: 400 },
]

describe('a guest', () => {
  async function toDo(of: string): Promise<Page> {
    const page = await dashboard.open(path, PHONE)
    await page.evaluate(`fetch(location.pathname + '/visit/name', {
      method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ name: 'Clara' }),
    })`)
    await goTo(page, `view=list&waiting=1&date=${of}-10`)
    await settled(page)
    return page
  }
  const rows = (page: Page) => page.getByRole('list', { name: 'Posts that need you' }).getByRole('listitem')

  test.each(TAPS)('who taps $times times, $apart ms apart, in the list', async (taps) => {
    const { of, ids } = await waiting('EXTERNAL_PENDING')
    const page = await toDo(of)
    const tops = async () => Promise.all((await rows(page).all()).map(async (row) => (await row.boundingBox())?.y))
    await rows(page).first().getByRole('button', { name: 'Approve' }).scrollIntoViewIfNeeded()
    const before = await tops()
    await tap(page, rows(page).first().getByRole('button', { name: 'Approve' }), taps)
    await expectOne(page, ids, 'EXTERNAL_PENDING')
    await rows(page).first().getByText('Approved', { exact: true }).first().waitFor()
    // Nothing has moved under the finger.
    expect(await tops()).toEqual(before)
    expect(page.url()).not.toContain('post=')
  })

  test.each(TAPS)('who taps $times times, $apart ms apart, on the open post', async (taps) => {
    const { of, ids } = await waiting('EXTERNAL_PENDING')
    const page = await toDo(of)
    await page.getByRole('link', { name: `${of} number 1` }).click()
    await page.getByRole('heading', { level: 2, name: 'Approval' }).waitFor()
    await settled(page)
    await tap(page, page.getByRole('button', { name: 'Approve', exact: true }), taps)
    await expectOne(page, ids, 'EXTERNAL_PENDING')
    expect(page.url()).toContain(ids[0])
  })

  test('takes an approval back in its row, and what is decided folds when no one touches the page', async () => {
    const { of, ids } = await waiting('EXTERNAL_PENDING', 3)
    const page = await toDo(of)
    await page.clock.install()
    await page.reload()
    const row = rows(page).filter({ hasText: `${of} number 1` })
    await row.getByRole('button', { name: 'Approve' }).tap()
    await row.getByRole('button', { name: 'Undo your approval' }).tap()
    await row.getByRole('button', { name: 'Approve' }).waitFor()
    expect(await approvals(ids)).toEqual(Array(3).fill('EXTERNAL_PENDING'))
    await page.clock.runFor(1_000)
    await row.getByRole('button', { name: 'Approve' }).tap()
    await row.getByRole('button', { name: 'Undo your approval' }).waitFor()
    await page.clock.runFor(9_000)
    expect(await rows(page).count()).toBe(3)
    await page.clock.runFor(3_000)
    await row.waitFor({ state: 'detached' })
    // Later it is taken back where it is open.
    await goTo(page, `post=${ids[0]}`)
    await page.getByText('Changed your mind?').waitFor()
    await page.getByRole('button', { name: 'Take it back' }).tap()
    await page.getByRole('button', { name: 'Approve', exact: true }).waitFor()
    expect(await approvals(ids)).toEqual(Array(3).fill('EXTERNAL_PENDING'))
    await page.getByRole('button', { name: 'Approve', exact: true }).tap()
    await page.getByText('You approved this.').waitFor()
    await dashboard.seed.call('PATCH', `/v1/post-sets/${ids[0]}`, { status: 'SCHEDULED' })
    await page.reload()
    await page.getByText('You approved this.').waitFor()
    expect(await page.getByText('Changed your mind?').count()).toBe(0)
  })
})

describe('a member', () => {
  test.each(TAPS)('who taps $times times, $apart ms apart', async (taps) => {
    const { ids } = await waiting('PENDING')
    const page = await dashboard.open(`/dashboard/approvals?post=${ids[0]}`, { signedIn: true, ...PHONE })
    const approve = page.getByRole('toolbar', { name: 'Decision' }).getByRole('button', { name: /^Approve/ })
    await approve.first().waitFor()
    await settled(page)
    await tap(page, approve.first(), taps)
    await expectOne(page, ids, 'PENDING')
  })

  test('has the way back on a phone, too, which shows one post at a time', async () => {
    const { ids } = await waiting('PENDING')
    const page = await dashboard.open(`/dashboard/approvals?post=${ids[0]}`, { signedIn: true, ...PHONE })
    const decision = page.getByRole('toolbar', { name: 'Decision' })
    const [approve, others] = [decision.getByRole('button', { name: /^Approve/ }), 'Other ways to approve']
    await approve.waitFor()
    // One button of two parts, in one line.
    const tops = [approve, decision.getByRole('button', { name: others })].map(
      async (each) => (await each.boundingBox())?.y,
    )
    expect(await tops[1]).toBe(await tops[0])
    const back = page.getByRole('button', { name: 'All approvals' })
    const place = (await back.boundingBox())?.y
    await approve.tap()
    const undo = page.getByRole('button', { name: /^Undo what you decided/ })
    await undo.waitFor()
    expect((await back.boundingBox())?.y).toBe(place)
    await undo.tap()
    await vi.waitFor(async () => expect(await approvals(ids)).toEqual(Array(4).fill('PENDING')), { timeout: 10_000 })
    await undo.waitFor({ state: 'detached' })
  })

  test('sees what was decided stay in the list, with the way back', async () => {
    const { of, ids } = await waiting('PENDING')
    const page = await dashboard.open(`/dashboard/approvals?post=${ids[0]}`, { signedIn: true })
    const rows = page.getByRole('region', { name: 'Posts', exact: true }).getByRole('listitem').filter({ hasText: of })
    // The list scrolls to what is next: what counts is where its rows are in it.
    const tops = async () => {
      const boxes = await Promise.all((await rows.all()).map((row) => row.boundingBox()))
      return boxes.map((box) => (box?.y ?? 0) - (boxes[0]?.y ?? 0))
    }
    const approve = page
      .getByRole('toolbar', { name: 'Decision' })
      .getByRole('button', { name: /^Approve/ })
      .first()
    await approve.waitFor()
    await settled(page)
    const before = await tops()
    expect(before).toHaveLength(4)
    await approve.click()
    await rows.first().getByText('Approved', { exact: true }).waitFor()
    await settled(page)
    expect(await tops()).toEqual(before)
    await rows
      .first()
      .getByRole('button', { name: /^Undo what you decided/ })
      .click()
    await vi.waitFor(async () => expect(await approvals(ids)).toEqual(Array(4).fill('PENDING')), { timeout: 10_000 })
    await rows.first().getByText('Approved', { exact: true }).waitFor({ state: 'detached' })
    expect(await tops()).toEqual(before)
  })
})
