import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MailServer, startMailServer } from '../../_util/api/mail-server.ts'
import { NARROW, testBrowser } from '../../_util/browser/browser.ts'
import { type Dashboard, startDashboard } from '../../_util/browser/dashboard.ts'
import { box } from '../../_util/browser/dashboard-calendar.ts'
import { giveName, goTo, shareBrand } from '../../_util/browser/dashboard-shared.ts'

/** What guests of a shared calendar do in a browser, and what it comes to in the API. */

const browser = testBrowser()
let mail: MailServer
let dashboard: Dashboard
beforeAll(async () => {
  mail = await startMailServer()
  dashboard = await startDashboard(browser, {
    ALMANAC_SMTP_URL: mail.url,
    ALMANAC_MAIL_FROM: 'Almanac <almanac@example.com>',
  })
}, 120_000)
afterAll(async () => {
  await dashboard?.stop()
  await mail?.close()
})

const CALENDAR_READS = /\/shared\/view\/[^/]+\/calendar\?/
const PHONE = { viewport: NARROW, hasTouch: true }

const waiting = (caption: string, day: string, more: object = {}) =>
  dashboard.seed.postSet({ caption, scheduledAt: `${day}T10:00:00Z`, approval: 'EXTERNAL_PENDING', ...more })
/** The page of a post that the server knows to be seen: what changes before that is not told apart from what a guest never saw. */
async function openSeen(path: string, id: string): Promise<Page> {
  const page = await dashboard.open(path, PHONE)
  const seen = page.waitForResponse((answer) => answer.url().endsWith('/seen') && answer.ok())
  await page.goto(`${dashboard.url}${path}?post=${id}`)
  await seen
  return page
}
const read = (id: string) => dashboard.seed.call('GET', `/v1/post-sets/${id}`)

test('a client on a phone approves two posts, requests changes to one, and adds a note', async () => {
  const first = await waiting('Stollen is back', '2030-06-12')
  const second = await waiting('Opening hours', '2030-06-13')
  const third = await waiting('One more sleep', '2030-06-14', { status: 'SCHEDULED' })
  const link = await shareBrand(dashboard)
  const page = await dashboard.open(link.path, PHONE)
  expect(new URL(page.url()).pathname).toBe(`/shared/view/${link.id}`)
  await page.getByRole('heading', { name: '3 posts need you, the first by 12 June' }).waitFor()
  expect(await page.title()).toBe('Spring campaign · Almanac')

  const toDo = page.getByRole('list', { name: 'Posts that need you' })
  const row = (caption: string) => toDo.getByRole('listitem').filter({ hasText: caption })
  const approve = row('Stollen is back').getByRole('button', { name: 'Approve' })
  for (const name of ['Approve', 'Request changes']) {
    const button = row('Stollen is back').getByRole('button', { name })
    expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(48)
  }
  const progress = page.getByText('0 of 3 decided')
  await progress.waitFor()
  // Whose posts they are comes first.
  const { name: brand } = (await dashboard.seed.call('GET', '/v1/social-sets')).data[0]
  expect((await page.getByRole('banner').innerText()).split('\n').filter(Boolean)).toEqual([
    brand[0],
    brand,
    'Spring campaign',
  ])
  await approve.click()
  await giveName(page)
  // In the place of the buttons, with the way back.
  await row('Stollen is back').getByRole('button', { name: 'Undo your approval' }).waitFor()
  await page.getByText('1 of 3 decided').waitFor()
  expect((await page.getByRole('banner').innerText()).split('\n').at(-1)).toBe('C')

  await row('Opening hours').getByRole('link').click()
  await page.getByRole('article', { name: 'Bluesky' }).getByText('Opening hours').waitFor()
  // The calendar is read again only when the next post is open.
  const next = Promise.withResolvers<void>()
  await page.route(CALENDAR_READS, (route) => next.promise.then(() => route.continue()))
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  await page.getByText('You approved this.').waitFor()

  await page.getByRole('button', { name: 'Next post that needs you' }).click()
  await page.getByRole('article', { name: 'Bluesky' }).getByText('One more sleep').waitFor()
  const calendar = page.waitForResponse(CALENDAR_READS)
  next.resolve()
  await calendar
  await page.unroute(CALENDAR_READS)
  const answer = page.getByRole('button', { name: 'Request changes', exact: true })
  await expect.poll(() => answer.isEnabled()).toBe(true)
  // What was said of the post before lies over none of the buttons of this one.
  await page.getByRole('button', { name: 'Request changes', exact: true }).click({ trial: true })
  await page.getByRole('button', { name: 'Request changes', exact: true }).click()
  const changes = page.getByRole('dialog', { name: 'Request changes' })
  await changes.getByRole('button', { name: 'Send request' }).click()
  await changes.getByRole('alert').getByText('Write what should change.').waitFor()
  await changes.getByLabel('What should change?').fill('Please use the picture with both shops.')
  await changes.getByRole('button', { name: 'Send request' }).click()
  await page.getByText('You requested changes.').waitFor()

  await page.getByRole('button', { name: 'Calendar', exact: true }).click()
  await page.getByRole('heading', { name: 'All done' }).waitFor()
  await page.getByRole('button', { name: 'Show all posts' }).first().click()
  await page.getByRole('button', { name: 'Add a note', exact: true }).click()
  const note = page.getByRole('dialog', { name: 'Add a note' })
  await note.getByLabel('Text').fill('Closed for the fair')
  await note.getByLabel('Day').fill('2030-06-20')
  await note.getByRole('radio', { name: 'Mint' }).check()
  await note.getByRole('button', { name: 'Add note' }).click()
  await note.waitFor({ state: 'detached' })
  await page.getByText('Closed for the fair').waitFor()

  expect(await read(first.id)).toMatchObject({ status: 'DRAFT', approval: 'APPROVED' })
  expect(await read(second.id)).toMatchObject({ status: 'DRAFT', approval: 'APPROVED' })
  expect(await read(third.id)).toMatchObject({ status: 'DRAFT', approval: 'DENIED' })
  const query = `socialSetId=${dashboard.socialSetId}&filters[startDate]=2030-06-01&filters[endDate]=2030-06-30`
  expect(await dashboard.seed.call('GET', `/v1/notes?${query}`)).toMatchObject([
    { content: 'Closed for the fair', hexColor: '#e4f8e2', source: { type: 'SHARED_CALENDAR' } },
  ])
  const historyOf = async (id: string) => (await dashboard.member('GET', `/internal/post-sets/${id}/history`)).data
  const by = { id: link.id, name: 'Spring campaign' }
  expect(await historyOf(first.id)).toContainEqual(
    expect.objectContaining({
      action: 'approved',
      actor: expect.objectContaining({ type: 'REVIEWER', name: 'Clara' }),
      changes: expect.objectContaining({ link: by }),
    }),
  )
  expect(await historyOf(third.id)).toContainEqual(
    expect.objectContaining({
      action: 'changes requested',
      actor: expect.objectContaining({ name: 'Clara' }),
      changes: expect.objectContaining({ link: by, message: 'Please use the picture with both shops.' }),
    }),
  )
})

test('the link of a mail opens its post, which is approved by two more clicks', async () => {
  const { id } = await waiting('From a mail', '2030-07-02')
  const link = await shareBrand(dashboard)
  const context = await browser.newContext(PHONE)
  await context.addInitScript(`
    globalThis.clicks = 0
    addEventListener('click', ({ isTrusted }) => { globalThis.clicks += isTrusted ? 1 : 0 }, true)
  `)
  const page = await context.newPage()
  await page.goto(`${dashboard.url}${link.path}?post=${id}`)
  await page.getByRole('article', { name: 'Bluesky' }).getByText('From a mail').waitFor()
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Your name' })
  await dialog.waitFor()
  // The field has the focus: it takes no click.
  await page.keyboard.type('Clara')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('You approved this.').waitFor()
  expect(await page.evaluate('globalThis.clicks')).toBe(2)
  expect(await read(id)).toMatchObject({ approval: 'APPROVED' })
  await page.getByRole('button', { name: 'Calendar', exact: true }).click()
  await page.getByRole('heading', { name: 'July 2030', exact: true }).waitFor()
})

test('a post that has changed since it was seen is shown with what changed, and asked about again', async () => {
  browser.allowProblem(/\/decision: 412$/)
  const set = await waiting('The first text', '2030-08-06')
  const link = await shareBrand(dashboard)
  const page = await openSeen(link.path, set.id)
  await page.getByText('The first text').waitFor()
  const [{ id }] = set.posts
  const posts = [{ id, accountType: 'BLUESKY', caption: 'The second text', media: [] }]
  await dashboard.seed.call('PATCH', `/v1/post-sets/${set.id}`, { posts })
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  await giveName(page)
  await page.getByRole('alert').getByText('This post has changed since you saw it.').waitFor()
  expect(await read(set.id)).toMatchObject({ approval: 'EXTERNAL_PENDING' })
  const changed = page.getByRole('region', { name: 'Changed since you saw it' })
  await changed.getByText('The first text').waitFor()
  await changed.getByText('The second text').waitFor()
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  await page.getByText('You approved this.').waitFor()
  expect(await read(set.id)).toMatchObject({ approval: 'APPROVED' })
})

test('of two networks that have changed the texts are loaded by pressing', async () => {
  const on = (caption: string, ids: readonly string[] = []) =>
    ['BLUESKY', 'THREADS'].map((accountType, at) => ({
      ...{ accountType, caption, media: [] },
      ...(ids[at] === undefined ? {} : { id: ids[at] }),
    }))
  const set = await dashboard.seed.postSet({
    ...{ scheduledAt: '2030-08-07T10:00:00Z', approval: 'EXTERNAL_PENDING', posts: on('What was seen') },
  })
  const link = await shareBrand(dashboard)
  const page = await openSeen(link.path, set.id)
  await page.getByText('What was seen').first().waitFor()
  const ids = set.posts.map(({ id }: { id: string }) => id)
  await dashboard.seed.call('PATCH', `/v1/post-sets/${set.id}`, { posts: on('What is there now', ids) })
  const asked: string[] = []
  page.on('request', (request) => void (request.url().includes('/changes/') && asked.push(request.url())))
  await goTo(page, `post=${set.id}`)
  const changed = page.getByRole('region', { name: 'Changed since you saw it' })
  const entry = changed.getByText('The text has changed.')
  await entry.nth(1).waitFor()
  expect(asked).toEqual([])
  await entry.nth(1).click()
  await changed.locator('del').filter({ hasText: 'What was seen' }).waitFor()
  // Asked again where the visit had asked too often in that second.
  expect([...new Set(asked)]).toEqual([expect.stringContaining(`/changes/${ids[1]}?since=1`)])
})

test('what needs the guest in other months is named, and one press away', async () => {
  await waiting('In October', '2031-10-06')
  await waiting('In November', '2031-11-06')
  const link = await shareBrand(dashboard)
  const page = await dashboard.open(link.path, PHONE)
  await goTo(page, 'view=list&waiting=1&date=2031-10-01')
  await page.getByText('In October').waitFor()
  await page.getByRole('button', { name: '1 more in November 2031' }).click()
  await page.getByText('In November').waitFor()
  await page.getByRole('button', { name: '1 more in October 2031' }).waitFor()
  await goTo(page, 'view=list&waiting=1&date=2031-12-01')
  await page.getByText('Nothing is planned in December 2031 yet.').waitFor()
  await page.getByRole('button', { name: '1 more in November 2031' }).waitFor()

  // A note is not among what waits: the way to it is offered.
  await page.getByRole('button', { name: 'Add a note', exact: true }).click()
  await giveName(page)
  const note = page.getByRole('dialog', { name: 'Add a note' })
  await note.getByLabel('Text').fill('Closed in winter')
  await note.getByLabel('Day').fill('2031-12-20')
  await note.getByRole('button', { name: 'Add note' }).click()
  await page.getByRole('status').getByRole('button', { name: 'Show note' }).click()
  await page.getByText('Closed in winter').waitFor()

  // Behind the last one of a month the way goes on.
  await goTo(page, 'view=list&waiting=1&date=2031-11-01')
  await page.getByRole('listitem').filter({ hasText: 'In November' }).getByRole('link').click()
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  await page.getByText('You approved this.').waitFor()
  await page.getByRole('button', { name: '1 more in October 2031' }).click()
  await page.getByRole('heading', { name: 'October 2031', exact: true }).waitFor()
  await page.getByRole('listitem').filter({ hasText: 'In October' }).getByRole('button', { name: 'Approve' }).waitFor()
})

test('what is selected, and all that waits in a month, is approved with one confirmation each', async () => {
  const sets = []
  for (const day of ['03', '04', '05', '06']) sets.push(await waiting(`Post of day ${day}`, `2030-09-${day}`))
  const link = await shareBrand(dashboard)
  const page = await dashboard.open(link.path)
  await goTo(page, 'date=2030-09-12')
  for (const day of [3, 4])
    await page.getByRole('checkbox', { name: new RegExp(`^Select, Tue,? ${day} |^Select, Wed,? ${day} `) }).check()
  await page.getByRole('button', { name: 'Approve selected' }).click()
  await giveName(page)
  const dialog = page.getByRole('dialog', { name: 'Approve these posts?' })
  await dialog.waitFor()
  expect(await dialog.getByRole('listitem').count()).toBe(2)
  await dialog.getByRole('button', { name: 'Approve 2 posts' }).click()
  await page.getByRole('status').getByText('2 posts approved.').waitFor()
  expect(await read(sets[2].id)).toMatchObject({ approval: 'EXTERNAL_PENDING' })
  await page.getByRole('button', { name: 'Approve all 2 in September 2030…' }).click()
  await dialog.getByRole('button', { name: 'Approve 2 posts' }).click()
  await page.getByRole('button', { name: /^Approve all/ }).waitFor({ state: 'detached' })
  for (const { id } of sets) expect(await read(id)).toMatchObject({ approval: 'APPROVED', status: 'DRAFT' })
})

test('news by mail go to an address that the guest has confirmed, until they stop them', async () => {
  const link = await shareBrand(dashboard)
  const page = await dashboard.open(link.path, PHONE)
  await page.getByRole('button', { name: 'Get news by mail' }).click()
  await giveName(page)
  const dialog = page.getByRole('dialog', { name: 'News by mail' })
  await dialog.getByLabel('Email address').fill('clara@example.com')
  await dialog.getByRole('button', { name: 'Send the link' }).click()
  await dialog.getByText('Follow the link in it to confirm the address.').waitFor()
  const { text } = await mail.next('clara@example.com')
  const confirming = await page.context().newPage()
  await confirming.goto(/https?:\S+\/shared\/confirm\/\S+/.exec(text)?.[0] ?? '')
  await confirming.getByRole('button', { name: 'Confirm' }).click()
  await confirming.getByRole('heading', { name: 'Your address is confirmed' }).waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'News by mail: on' }).click()
  await dialog.getByText('clara@example.com').waitFor()
  await dialog.getByRole('button', { name: 'Stop news' }).click()
  await dialog.getByRole('button', { name: 'Stop news' }).waitFor({ state: 'detached' })
  await dialog.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Get news by mail' }).waitFor()
})

interface Picture {
  complete: boolean
  naturalWidth: number
}

interface Film {
  duration: number
  error: { code: number } | null
  preload: string
  onloadedmetadata: () => void
  onerror: () => void
  load(): void
}

test('pictures and captions are whole, videos play, and comments reach the team', async () => {
  const { seed } = dashboard
  const picture = [{ mediaLibraryId: await seed.media('photo.jpg'), altText: 'Bread on a shelf' }]
  const film = [{ mediaLibraryId: await seed.media('video-h264-aac.mp4') }]
  const caption = `${'A long text. '.repeat(150)}The end.`
  const posts = [
    { accountType: 'BLUESKY', caption: 'Bread and a film', media: picture },
    { accountType: 'INSTAGRAM', type: 'REEL', caption, collaborators: [], media: film },
  ]
  const { id } = await seed.postSet({
    posts,
    scheduledAt: '2030-10-02T10:00:00Z',
    approval: 'EXTERNAL_PENDING',
  })
  const link = await shareBrand(dashboard)
  const page = await dashboard.open(`${link.path}?post=${id}`, PHONE)
  const preview = page.getByRole('article', { name: 'Instagram' })
  expect(await preview.innerText()).toContain('The end.')
  // A reel is as large as on a phone, and called so.
  expect(await preview.innerText()).toContain('Instagram · Reel')
  const { width, height } = await box(preview.locator('video'))
  expect(width / height).toBeCloseTo(9 / 16, 2)
  const image = page.getByRole('article', { name: 'Bluesky' }).getByRole('img', { name: 'Bread on a shelf' })
  await image.waitFor()
  await expect
    .poll(() => image.evaluate(({ complete, naturalWidth }: Picture) => complete && naturalWidth > 0))
    .toBe(true)
  expect(await image.getAttribute('src')).toContain(`/shared/view/${link.id}/media/`)
  const video = preview.locator('video')
  expect(await video.getAttribute('src')).toContain(`/shared/view/${link.id}/media/`)
  expect(await video.getAttribute('autoplay')).toBeNull()
  const loaded = await video.evaluate(
    (film: Film) =>
      new Promise<string>((resolve) => {
        film.onloadedmetadata = () => resolve(film.duration > 0 ? 'loaded' : 'empty')
        film.onerror = () => resolve(`error ${film.error?.code}`)
        film.preload = 'metadata'
        film.load()
      }),
  )
  // 4: the browser of the tests has no decoder for it. The file came, and the policy of the page let it.
  expect(['loaded', 'error 4']).toContain(loaded)
  await page.getByLabel('Write a comment').fill('Lovely, but is it the right loaf?')
  await page.getByRole('button', { name: 'Send comment' }).click()
  await giveName(page)
  await page.getByRole('listitem').filter({ hasText: 'Lovely, but is it the right loaf?' }).waitFor()
  const { data } = await dashboard.member('GET', `/internal/post-sets/${id}/comments`)
  expect(JSON.stringify(data)).toContain('Lovely, but is it the right loaf?')
})
