import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NARROW, testBrowser, WIDE } from '../../_util/browser/browser.ts'
import type { Dashboard } from '../../_util/browser/dashboard.ts'
import { expectFocus } from '../../_util/browser/dashboard-calendar.ts'
import { cutTexts, expectEveryLook, expectNoAxeInBothColors } from '../../_util/browser/dashboard-checks.ts'
import { keyboardTask } from '../../_util/browser/dashboard-keys.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'
import { shareBrand } from '../../_util/browser/dashboard-shared.ts'

/** Guests see all that they decide on: the parts of a thread, the items of a story, comments and options. */

const browser = testBrowser()
let dashboard: Dashboard
let path: string
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
  ;({ path } = await shareBrand(dashboard))
}, 120_000)
afterAll(() => dashboard?.stop())

const SIZES = [
  ['wide', { viewport: WIDE }],
  ['a phone', { viewport: NARROW, hasTouch: true }],
] as const
const LONG = `${'The dough rests for a night and a day. '.repeat(9)}Then it is baked.`
const COMMENT = 'The recipe: https://example.com/rye'
const THREAD = ['Rye in three parts', LONG, 'At four\n\nthe oven is hot.']

const photo = async (altText: string) => ({ mediaLibraryId: await dashboard.seed.media('photo.jpg'), altText })
const waiting = async (posts: object[]): Promise<{ id: string; version: number }> =>
  dashboard.seed.postSet({ scheduledAt: '2030-08-12T10:00:00Z', approval: 'EXTERNAL_PENDING', posts })

async function threads() {
  const thread = [
    { caption: THREAD[1], media: [await photo('Dough')] },
    { caption: THREAD[2], media: [await photo('Oven'), await photo('Loaf')] },
  ]
  return [
    { accountType: 'THREADS', caption: THREAD[0], media: [], thread, options: { firstComment: COMMENT } },
    {
      accountType: 'FACEBOOK',
      type: 'TEXT',
      caption: 'Rye',
      richCaption: ['Rye'],
      media: [],
      options: { firstComment: COMMENT },
    },
    {
      ...{
        accountType: 'BLUESKY',
        caption: THREAD[0],
        media: [await photo('Grain')],
        thread: [{ caption: 'Two', media: [] }],
      },
      options: { replyAudience: ['MENTIONED'], allowQuotes: false },
    },
  ]
}

const opened = (id: string, size: object) => dashboard.open(`${path}?post=${id}`, size)
const frame = (page: Page, name: string) => page.getByRole('article', { name, exact: true })

test.each(SIZES)(
  'a thread with comments and options is shown whole and approved by keys alone: %s',
  async (what, size) => {
    const { id } = await waiting(await threads())
    const page = await opened(id, size)
    const ofThreads = frame(page, 'Threads')
    await ofThreads.getByText('Then it is baked.').waitFor()
    // In its order, with its files, and nothing of it cut.
    const words = await ofThreads.innerText()
    const places = ['Rye in three parts', 'Part 2', 'The dough rests', 'Part 3', 'At four', COMMENT].map((text) =>
      words.indexOf(text),
    )
    expect(places).toEqual([...places].sort((a, b) => a - b))
    expect(places).not.toContain(-1)
    expect(words.replace(/\s+/g, ' ')).toContain(LONG)
    expect(await cutTexts(ofThreads)).toEqual([])
    const second = ofThreads.getByRole('region', { name: 'Part 2, Threads' })
    await second.getByRole('img', { name: 'Dough' }).waitFor()
    const third = ofThreads.getByRole('region', { name: 'Part 3, Threads' })
    for (const name of ['Oven', 'Loaf']) await third.getByRole('img', { name }).waitFor({ state: 'attached' })
    await frame(page, 'Facebook').getByText(COMMENT).waitFor()
    const bluesky = frame(page, 'Bluesky')
    await bluesky.getByText('People who are mentioned').waitFor()
    await bluesky.getByText('Others can quote it').waitFor()
    await expectNoAxeInBothColors(page, `a thread before a guest, ${what}`)
    if (what === 'wide') await expectEveryLook(page, 'a thread before a guest')

    const task = await keyboardTask(page)
    await task.pressUntil('Tab', page.getByRole('button', { name: 'Approve', exact: true }), 30)
    await task.press('Enter')
    await page.getByRole('dialog', { name: 'Your name' }).waitFor()
    // The field has the focus.
    await task.type('Clara')
    await task.press('Enter')
    await page.getByText('You approved this.').waitFor()
    task.finish()
    expect(await dashboard.seed.call('GET', `/v1/post-sets/${id}`)).toMatchObject({ approval: 'APPROVED' })
  },
)

test.each(SIZES)(
  'the items of a story are shown one beside the other and leafed through by keys: %s',
  async (what, size) => {
    const media = [await photo('Grain'), await photo('Dough'), await photo('Loaf')]
    const story = { accountType: 'INSTAGRAM', caption: '', type: 'STORY', collaborators: [], media }
    const { id } = await waiting([story])
    const page = await opened(id, size)
    const items = frame(page, 'Instagram').getByRole('region', { name: 'Pictures and videos, 3 in all: Instagram' })
    await items.waitFor()
    expect(await items.getByRole('img').evaluateAll((all: { alt: string }[]) => all.map(({ alt }) => alt))).toEqual([
      'Grain',
      'Dough',
      'Loaf',
    ])
    await frame(page, 'Instagram').getByText('Instagram · Story').waitFor()
    const task = await keyboardTask(page)
    await task.pressUntil('Tab', items, 30)
    await expectFocus(items)
    await task.press('ArrowRight')
    await expect.poll(() => items.evaluate((element: { scrollLeft: number }) => element.scrollLeft)).toBeGreaterThan(0)
    await expectNoAxeInBothColors(page, `a story of several before a guest, ${what}`)
  },
)

test('options are said in the language of the guest', async () => {
  const [, , post] = await threads()
  const { id } = await waiting([post as object])
  const page = await dashboard.open(`${path}?post=${id}`, { locale: 'de-DE' })
  const bluesky = frame(page, 'Bluesky')
  await bluesky.getByText('Wer antworten kann').waitFor()
  await bluesky.getByText('Personen, die erwähnt werden').waitFor()
})

test('what has changed in a part since the guest saw it is shown, and what they saw is not approved', async () => {
  const [post] = await threads()
  const { id } = await waiting([post as object])
  const page = await opened(id, { viewport: NARROW, hasTouch: true })
  await frame(page, 'Threads').getByText('the oven is hot').waitFor()
  // The server knows it.
  const said = "performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/seen'))"
  await expect.poll(() => page.evaluate(said)).toBe(true)
  const set = await dashboard.seed.call('GET', `/v1/post-sets/${id}`)
  const [{ thread, ...first }] = set.posts
  const posts = [{ ...first, thread: [{ ...thread[0], caption: 'It rests for two nights.' }, thread[1]] }]
  await dashboard.seed.call('PATCH', `/v1/post-sets/${id}`, { posts })
  await page.reload()
  await page.getByRole('heading', { name: 'Changed since you saw it' }).waitFor()
  const changes = page.getByRole('region', { name: 'Changed since you saw it' })
  await changes.getByText('It rests for two nights.').waitFor()
  expect(await changes.innerText()).toContain('The dough rests')
  await expectEveryLook(page, 'a part that has changed before a guest')
})
