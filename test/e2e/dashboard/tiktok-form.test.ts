import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NARROW, testBrowser, WIDE } from '../../_util/browser/browser.ts'
import type { Dashboard } from '../../_util/browser/dashboard.ts'
import { expectEveryLook, expectNoAxeViolations, expectNoSidewaysScroll } from '../../_util/browser/dashboard-checks.ts'
import { chooseAccounts, openNewPost, saveDraft } from '../../_util/browser/dashboard-composer.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'
import { audiences, chooseAudience, openTikTok, tiktokBrand } from '../../_util/browser/tiktok-form.ts'

/** The form of a post on TikTok, point by point as the audit of an app looks at it. */

const browser = testBrowser()
let dashboard: Dashboard
let brand: string
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
  brand = await tiktokBrand(dashboard, 'Corner Bakery', ['TIKTOK', 'BLUESKY'])
}, 120_000)
afterAll(() => dashboard?.stop())

const MISSING = 'You need to indicate if your content promotes yourself, a third party, or both.'
const PRIVATE = 'Branded content visibility cannot be set to private.'
const ME = 'Only the account itself'
const schedule = (dialog: Locator) => dialog.getByRole('button', { name: 'Schedule', exact: true })
const isBlocked = async (dialog: Locator) => (await schedule(dialog).getAttribute('aria-disabled')) === 'true'
const toggle = (dialog: Locator, name: string) => dialog.getByRole('switch', { name })
const declaration = (dialog: Locator) => dialog.locator('[data-declaration]')
const top = async (locator: Locator) => (await locator.boundingBox())?.y ?? Number.NaN
/** What was saved last for a brand. */
const newest = async (socialSetId = brand) => {
  const { data } = await dashboard.seed.call('GET', `/v1/post-sets?socialSetId=${socialSetId}&size=100`)
  return data.toSorted((a: { createdAt: string }, b: { createdAt: string }) =>
    b.createdAt.localeCompare(a.createdAt),
  )[0]
}

test('1a, 2: whose post it is stands above everything; nothing is chosen, and it is asked for each time', async () => {
  const { page, dialog } = await openTikTok(dashboard, brand)
  const posting = dialog.getByText('Posts as Corner Bakery')
  await posting.waitFor()
  await dialog.getByText('@corner_bakery').first().waitFor()
  const audience = dialog.getByRole('combobox', { name: 'Who can see the posts' })
  const order = [
    posting,
    dialog.getByLabel('Caption on TikTok'),
    audience,
    toggle(dialog, 'Allow comments'),
    toggle(dialog, 'Allow duets'),
    toggle(dialog, 'Allow stitches'),
    toggle(dialog, 'Disclose commercial content'),
    declaration(dialog),
    schedule(dialog),
  ]
  for (const each of order) await each.waitFor()
  // The form may scroll: what stands above is above in the document.
  const places = await Promise.all(order.slice(0, 7).map(top))
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(await top(declaration(dialog))).toBeLessThan(await top(schedule(dialog)))
  expect([await audience.inputValue(), await audience.getAttribute('placeholder')]).toEqual(['', 'Choose'])
  expect(await audiences(page, dialog)).toEqual([
    ['Everyone', true],
    ['Friends: followers that the account follows back', true],
    [ME, true],
  ])
  for (const name of ['Allow comments', 'Allow duets', 'Allow stitches', 'Disclose commercial content']) {
    expect(await toggle(dialog, name).isChecked(), name).toBe(false)
  }
  await expect.poll(() => isBlocked(dialog)).toBe(true)
  await chooseAudience(page, dialog, 'Everyone')
  await expect.poll(() => isBlocked(dialog)).toBe(false)
  await expectEveryLook(page, 'the form of TikTok')
  // The form that is opened once more asks once more.
  const asked: string[] = []
  page.on('request', (request) => void (request.url().endsWith('/capabilities') && asked.push(request.url())))
  await page.setViewportSize(WIDE)
  await dialog.getByRole('button', { name: 'Close', exact: true }).click()
  await dialog.waitFor({ state: 'hidden' })
  await openNewPost(page)
  await chooseAccounts(dialog, 'TikTok')
  await dialog.getByRole('tab', { name: /^TikTok/ }).click()
  await posting.waitFor()
  expect(asked).toHaveLength(1)
})

test('2, 5b: what is sent is what the form shows, and the next post begins without it', async () => {
  const { page, dialog } = await openTikTok(dashboard, brand)
  await chooseAudience(page, dialog, 'Friends: followers that the account follows back')
  await toggle(dialog, 'Allow duets').check()
  await schedule(dialog).click()
  await dialog.waitFor({ state: 'hidden' })
  const set = await newest()
  expect(set.status).toBe('SCHEDULED')
  expect(set.posts[0].options).toEqual({
    privacy: 'MUTUAL_FOLLOW_FRIENDS',
    allowComments: false,
    allowDuet: true,
    allowStitch: false,
    brandContent: false,
    brandOrganic: false,
  })
  // Who agreed and when is in the history.
  const { data: history } = await dashboard.member('GET', `/internal/post-sets/${set.id}/history`)
  expect(history[0]).toMatchObject({ action: 'created', actor: expect.anything(), changes: { status: 'SCHEDULED' } })
  const next = await openTikTok(dashboard, brand)
  expect(await next.dialog.getByRole('combobox', { name: 'Who can see the posts' }).inputValue()).toBe('')
  expect(await toggle(next.dialog, 'Allow duets').isChecked()).toBe(false)
})

describe('3: the disclosure', () => {
  test('off at first; on it shows two boxes, and publishing is impossible until one is ticked', async () => {
    const { page, dialog } = await openTikTok(dashboard, brand)
    await chooseAudience(page, dialog, 'Everyone')
    await expect.poll(() => isBlocked(dialog)).toBe(false)
    expect(await dialog.getByRole('checkbox', { name: 'Your brand' }).count()).toBe(0)
    await toggle(dialog, 'Disclose commercial content').check()
    const own = dialog.getByRole('checkbox', { name: 'Your brand' })
    const branded = dialog.getByRole('checkbox', { name: 'Branded content' })
    expect([await own.isChecked(), await branded.isChecked()]).toEqual([false, false])
    await expect.poll(() => isBlocked(dialog)).toBe(true)
    await schedule(dialog).hover()
    await page.getByRole('tooltip').getByText(MISSING).waitFor()
    await dialog.getByRole('status').getByText(MISSING).waitFor()
    await expectNoAxeViolations(page, 'a disclosure without a box')
    await dialog.getByRole('button', { name: 'More options' }).click()
    for (const name of [/^Schedule/, /^Publish now/]) {
      expect(await page.getByRole('menuitem', { name }).isDisabled()).toBe(true)
    }
    expect(await page.getByRole('menuitem', { name: /^Save draft/ }).isDisabled()).toBe(false)
    await dialog.getByRole('button', { name: 'More options' }).click()
    const sentence = dialog.getByRole('status').filter({ hasText: /labeled as/ })
    await own.check()
    await expect.poll(() => sentence.innerText()).toBe("Your video will be labeled as 'Promotional content'")
    await expect.poll(() => isBlocked(dialog)).toBe(false)
    await branded.check()
    await expect.poll(() => sentence.innerText()).toBe("Your video will be labeled as 'Paid partnership'")
    await own.uncheck()
    await expect.poll(() => sentence.innerText()).toBe("Your video will be labeled as 'Paid partnership'")
    await schedule(dialog).click()
    await dialog.waitFor({ state: 'hidden' })
    expect((await newest()).posts[0].options).toMatchObject({ brandContent: true, brandOrganic: false })
  })

  test('branded content cannot be private: the audience is greyed and says why, and a chosen one is cleared', async () => {
    const { page, dialog } = await openTikTok(dashboard, brand)
    await chooseAudience(page, dialog, ME)
    await toggle(dialog, 'Disclose commercial content').check()
    await dialog.getByRole('checkbox', { name: 'Branded content' }).check()
    const audience = dialog.getByRole('combobox', { name: 'Who can see the posts' })
    expect(await audience.inputValue()).toBe('')
    await dialog
      .getByRole('status')
      .filter({ hasText: `The choice above was cleared. ${PRIVATE}` })
      .waitFor()
    await expect.poll(() => isBlocked(dialog)).toBe(true)
    expect(await audiences(page, dialog)).toContainEqual([ME, false])
    await audience.click()
    await page.getByRole('option', { name: ME }).getByText(ME).hover()
    await page.getByRole('tooltip').getByText(PRIVATE).waitFor()
    await page.keyboard.press('Escape')
    await dialog.getByRole('checkbox', { name: 'Branded content' }).uncheck()
    expect(await audiences(page, dialog)).toContainEqual([ME, true])
  })
})

test('4: the declaration is directly above the button, always, in the words of TikTok and with its links', async () => {
  const { page, dialog } = await openTikTok(dashboard, brand)
  const links = () =>
    declaration(dialog)
      .getByRole('link')
      .evaluateAll((all: { textContent: string; href: string }[]) =>
        all.map(({ textContent, href }) => [textContent, href]),
      )
  const MUSIC = ['Music Usage Confirmation', 'https://www.tiktok.com/legal/page/global/music-usage-confirmation/en']
  await expect
    .poll(() => declaration(dialog).innerText())
    .toBe("By posting, you agree to TikTok's Music Usage Confirmation.")
  expect(await links()).toEqual([MUSIC])
  await toggle(dialog, 'Disclose commercial content').check()
  await dialog.getByRole('checkbox', { name: 'Your brand' }).check()
  expect(await links()).toEqual([MUSIC])
  await dialog.getByRole('checkbox', { name: 'Branded content' }).check()
  await expect
    .poll(() => declaration(dialog).innerText())
    .toBe("By posting, you agree to TikTok's Branded Content Policy and Music Usage Confirmation.")
  expect(await links()).toEqual([
    ['Branded Content Policy', 'https://www.tiktok.com/legal/page/global/bc-policy/en'],
    MUSIC,
  ])
  // Also beside the tabs of other networks.
  await dialog.getByRole('tab', { name: 'All' }).click()
  await declaration(dialog).waitFor()
  await page.setViewportSize(NARROW)
  await expectNoSidewaysScroll(page, 'the declaration on a phone')
  const [words, button] = [await declaration(dialog).boundingBox(), await schedule(dialog).boundingBox()]
  expect((button?.y ?? 0) - ((words?.y ?? 0) + (words?.height ?? 0))).toBeLessThan(24)
})

test('4: in German the words of TikTok stay English', async () => {
  const { dialog } = await openGerman()
  await expect
    .poll(() => declaration(dialog).innerText())
    .toBe("By posting, you agree to TikTok's Music Usage Confirmation.")
  await toggle(dialog, 'Disclose commercial content').check()
  await dialog.getByRole('checkbox', { name: 'Branded content' }).waitFor()
  await dialog.getByRole('combobox', { name: 'Wer die Beiträge sehen kann' }).waitFor()
})

async function openGerman() {
  const page = await dashboard.open(
    `/dashboard/scheduling/calendar/month?set=${brand}&date=2030-06-12&post=new&at=2030-06-12T10:00:00.000Z`,
    { signedIn: true, locale: 'de-DE' },
  )
  const dialog = page.getByRole('dialog').first()
  await dialog.getByRole('checkbox', { name: /^TikTok/ }).click()
  await dialog.getByRole('tab', { name: /^TikTok/ }).click()
  return { page, dialog }
}

test('1b: an account that cannot post now stops publishing, with words; a draft can be saved', async () => {
  const set = await tiktokBrand(dashboard, 'Busy Bakery [[account:too-many-posts]]')
  const { page, dialog } = await openTikTok(dashboard, set)
  const words = 'TikTok accepts no more posts from this account for now. Try again later.'
  await dialog.getByText(words).first().waitFor()
  await expect.poll(() => isBlocked(dialog)).toBe(true)
  await schedule(dialog).hover()
  await page.getByRole('tooltip').getByText(words).waitFor()
  await expectEveryLook(page, 'an account that cannot post')
})

test('1c: a video that is longer than the account may post is refused in the form', async () => {
  const set = await tiktokBrand(dashboard, 'Short Bakery [[account:1-seconds]]')
  const { page, dialog } = await openTikTok(dashboard, set)
  await chooseAudience(page, dialog, 'Everyone')
  await expect.poll(() => isBlocked(dialog)).toBe(true)
  await schedule(dialog).click({ force: true })
  await dialog.getByText('The video is too long: 0:01 at most.').first().waitFor()
})

test('2b, 2c: a private account has its own audiences, and what the creator switched off is greyed and off', async () => {
  const words = '[[account:private]] [[account:no-comments]] [[account:no-stitches]]'
  const set = await tiktokBrand(dashboard, `Quiet Bakery ${words}`)
  const { page, dialog } = await openTikTok(dashboard, set)
  expect((await audiences(page, dialog)).map(([name]) => name)).toEqual([
    'Friends: followers that the account follows back',
    'Followers',
    ME,
  ])
  for (const [name, off] of [
    ['Allow comments', true],
    ['Allow duets', false],
    ['Allow stitches', true],
  ] as const) {
    const each = toggle(dialog, name)
    expect([await each.isDisabled(), await each.isChecked()], name).toEqual([off, false])
  }
  await dialog.getByText('Switched off for the whole account on TikTok').first().waitFor()
  await expectNoAxeViolations(page, 'switches that are off')
})

test('2c, 3a: photos show comments alone, and are called photos', async () => {
  const { dialog } = await openTikTok(dashboard, brand, { file: 'photo' })
  await toggle(dialog, 'Allow comments').waitFor()
  expect(await toggle(dialog, 'Allow duets').count()).toBe(0)
  expect(await toggle(dialog, 'Allow stitches').count()).toBe(0)
  await toggle(dialog, 'Disclose commercial content').check()
  await dialog.getByRole('checkbox', { name: 'Your brand' }).check()
  await dialog.getByText("Your photo will be labeled as 'Promotional content'").waitFor()
})

test('what goes into the inbox is decided in the app: no audience, no declaration, and the button is free', async () => {
  const { dialog } = await openTikTok(dashboard, brand)
  await declaration(dialog).waitFor()
  await expect.poll(() => isBlocked(dialog)).toBe(true)
  await dialog.getByLabel('How posts go out').selectOption('INBOX')
  await declaration(dialog).waitFor({ state: 'hidden' })
  expect(await dialog.getByRole('combobox', { name: 'Who can see the posts' }).count()).toBe(0)
  await expect.poll(() => isBlocked(dialog)).toBe(false)
  await dialog.getByLabel('How posts go out').selectOption('DIRECT')
  await declaration(dialog).waitFor()
  await expect.poll(() => isBlocked(dialog)).toBe(true)
})

test('an account whose default is the inbox sends nothing of what is decided in the app', async () => {
  const set = await tiktokBrand(dashboard, 'Inbox Bakery')
  const { data } = await dashboard.member('GET', '/internal/social-sets')
  const { accounts } = data.find(({ id }: { id: string }) => id === set)
  await dashboard.member('PUT', `/internal/connections/${accounts[0].id}/defaults`, { defaults: { mode: 'INBOX' } })
  const { page, dialog } = await openTikTok(dashboard, set)
  await expect.poll(() => isBlocked(dialog)).toBe(false)
  expect(await declaration(dialog).count()).toBe(0)
  await saveDraft(page)
  await dialog.waitFor({ state: 'hidden' })
  expect((await newest(set)).posts[0].options ?? {}).toEqual({})
})

test('a network that does not say what the account may do is asked again', async () => {
  const page = await dashboard.open(`/dashboard/scheduling/calendar/month?set=${brand}&date=2030-06-12`, {
    signedIn: true,
    failing: /\/capabilities$/,
  })
  browser.allowProblem(/capabilities: 503/)
  await page
    .getByRole('button', { name: /^New post/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog', { name: 'New post' })
  await dialog.getByRole('checkbox', { name: /^TikTok/ }).click()
  await dialog.getByRole('tab', { name: /^TikTok/ }).click()
  await dialog.getByRole('button', { name: 'Ask again' }).waitFor()
  await expect.poll(() => isBlocked(dialog)).toBe(true)
  await page.unroute(/\/capabilities$/)
  await page.context().unroute(/\/capabilities$/)
  await dialog.getByRole('button', { name: 'Ask again' }).click()
  await dialog.getByText('Posts as Corner Bakery').waitFor()
})

test('a series says for how many posts the choices are', async () => {
  const { page, dialog } = await openTikTok(dashboard, brand)
  await dialog.getByRole('switch', { name: 'Repeat' }).check()
  await dialog.getByText('What you choose here is for all 4 posts.').waitFor()
  await chooseAudience(page, dialog, ME)
  await schedule(dialog).click()
  await dialog.waitFor({ state: 'hidden' })
  const { data } = await dashboard.seed.call('GET', `/v1/post-sets?socialSetId=${brand}&size=100`)
  const { seriesId } = await newest()
  const series = data.filter((set: { seriesId?: string }) => set.seriesId === seriesId)
  expect(series.map(({ posts: [post] }: { posts: { options: object }[] }) => post?.options)).toEqual(
    Array(4).fill(expect.objectContaining({ privacy: 'SELF_ONLY', allowComments: false })),
  )
})

test('by keys alone: from the audience to the button', async () => {
  const { page, dialog } = await openTikTok(dashboard, brand)
  const audience = dialog.getByRole('combobox', { name: 'Who can see the posts' })
  await audience.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('listbox').waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect.poll(() => audience.inputValue()).not.toBe('')
  for (const name of ['Allow comments', 'Allow duets', 'Allow stitches', 'Disclose commercial content']) {
    await page.keyboard.press('Tab')
    await expect
      .poll(() =>
        toggle(dialog, name).evaluate((each: { matches(selector: string): boolean }) => each.matches(':focus')),
      )
      .toBe(true)
  }
  await page.keyboard.press('Space')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  expect(await dialog.getByRole('checkbox', { name: 'Your brand' }).isChecked()).toBe(true)
  await expect.poll(() => isBlocked(dialog)).toBe(false)
  await page.keyboard.press('Control+Enter')
  await dialog.waitFor({ state: 'hidden' })
  expect((await newest()).posts[0].options).toMatchObject({ brandOrganic: true })
})

test('on a phone it is complete and nothing is wider than the screen', async () => {
  const { page, dialog } = await openTikTok(dashboard, brand, { viewport: NARROW })
  await dialog.getByText('Posts as Corner Bakery').waitFor()
  await toggle(dialog, 'Disclose commercial content').check()
  await dialog.getByRole('checkbox', { name: 'Branded content' }).check()
  await expectNoSidewaysScroll(page, 'the form of TikTok on a phone')
  await declaration(dialog).waitFor()
})
