import { sql } from 'kysely'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { NARROW, type PageOptions, testBrowser } from '../../_util/browser/browser.ts'
import { settled } from '../../_util/browser/dashboard.ts'
import { calendarPath } from '../../_util/browser/dashboard-calendar.ts'
import { expectNoAxeInBothColors, expectNoSidewaysScroll } from '../../_util/browser/dashboard-checks.ts'
import { dashboardOnDatabase } from '../../_util/browser/dashboard-on-database.ts'

/** A day's work with the library: a file of last month is found by when it came, and its picture replaced in three posts. */

const browser = testBrowser()
const started = dashboardOnDatabase(browser)

/** By the clock of the brand: the last moment of last month, and the first one of this. */
const MONTH_BEGAN = sql`date_trunc('month', now() at time zone 'Europe/Berlin') at time zone 'Europe/Berlin'`
const CAME = {
  'last month': sql`${MONTH_BEGAN} - interval '1 second'`,
  'this month': MONTH_BEGAN,
  'two months ago': sql`${MONTH_BEGAN} - interval '40 days'`,
} as const

async function file(name: string, came: keyof typeof CAME = 'this month'): Promise<string> {
  const id = await started.dashboard.seed.media('photo.jpg', { name })
  await sql`update media_items set created_at = ${CAME[came]} where id = ${id}`.execute(started.db)
  return id
}

/** Three posts of several kinds that have a file. */
async function postsWith(mediaLibraryId: string, caption: string): Promise<string[]> {
  const media = [{ mediaLibraryId, altText: 'The menu' }]
  const post = (accountType: string, more: object = {}) => ({ accountType, caption, media, ...more })
  const wishes = [
    { status: 'DRAFT', posts: [post('BLUESKY')] },
    { status: 'SCHEDULED', posts: [post('BLUESKY'), post('THREADS')] },
    { status: 'SCHEDULED', approval: 'APPROVED', posts: [post('INSTAGRAM', { type: 'IMAGE', collaborators: [] })] },
  ]
  const made = wishes.map((wish, at) =>
    started.dashboard.seed.postSet({ scheduledAt: `2030-06-1${at}T10:00:00Z`, ...wish }),
  )
  return (await Promise.all(made)).map(({ id }) => id)
}

/** The files of all posts of a post set. */
const filesOf = async (id: string): Promise<string[]> => {
  const { posts } = await started.dashboard.seed.call('GET', `/v1/post-sets/${id}`)
  return posts.flatMap(({ media }: { media: { mediaLibraryId: string }[] }) =>
    media.map(({ mediaLibraryId }) => mediaLibraryId),
  )
}

const tile = (within: Page | Locator, name: string) => within.getByRole('button', { name: new RegExp(`^${name}, `) })

/** In the window, with nothing over its middle. */
const isSeen = (found: Locator) =>
  found.evaluate((element: never) => {
    const { getBoundingClientRect, ownerDocument } = element as Found
    const { left, top, width, height } = getBoundingClientRect.call(element)
    return (element as Found).contains(ownerDocument.elementFromPoint(left + width / 2, top + height / 2))
  })
interface Found {
  getBoundingClientRect(): { left: number; top: number; width: number; height: number }
  ownerDocument: { elementFromPoint(x: number, y: number): unknown }
  contains(other: unknown): boolean
}

const SCREENS: [string, PageOptions][] = [
  ['desktop', {}],
  ['phone', { viewport: NARROW, hasTouch: true }],
]

/** How many there are by now. */
let ofLastMonth = 0
beforeAll(async () => {
  // What a person does not want to look through.
  for (let number = 1; number <= 24; number++) await file(`Of this month ${number}`)
  await file('Long ago', 'two months ago')
}, 120_000)

test.each(SCREENS)(
  'a file of last month is found by its month, and replaced in three posts: %s',
  async (screen, options) => {
    const [old, fresh] = [`Menu for ${screen}`, `New menu for ${screen}`]
    const oldId = await file(old, 'last month')
    const posts = await postsWith(oldId, `See the menu, ${screen}`)
    const freshId = await file(fresh)
    const page = await started.dashboard.open('/dashboard/drafts', { signedIn: true, ...options })
    await settled(page)
    const phone = screen === 'phone'
    let presses = 0
    const press = async (found: Locator) => {
      await found.waitFor()
      await found.scrollIntoViewIfNeeded()
      await expect.poll(() => isSeen(found), { message: `${found} is covered` }).toBe(true)
      if (phone) await found.tap()
      else await found.click()
      presses += 1
    }
    const look = async (what: string) => {
      await settled(page)
      await expectNoSidewaysScroll(page, `${what}, ${screen}`)
      await expectNoAxeInBothColors(page, `${what}, ${screen}`)
    }

    const main = page.getByRole('navigation', { name: 'Main' })
    const media = main.getByRole('link', { name: 'Media' })
    if (phone && !(await media.isVisible())) {
      await press(main.getByText('More'))
      await press(page.getByRole('menuitem', { name: 'Media' }))
    } else await press(media)
    const library = page.getByRole('main')
    await tile(library, fresh).waitFor()
    const added = page.getByRole('combobox', { name: 'Added' })
    if (phone) await press(page.getByRole('button', { name: 'Filters', exact: true }))
    await added.selectOption('Last month')
    presses += 1
    await tile(library, fresh).waitFor({ state: 'detached' })
    ofLastMonth += 1
    await library.getByText(ofLastMonth === 1 ? '1 file' : `${ofLastMonth} files`, { exact: true }).waitFor()
    expect(await library.getByRole('list', { name: 'Files' }).getByRole('listitem').count()).toBe(ofLastMonth)
    await look('the files of last month')
    // There is no Escape on a phone: what is open closes when something else is pressed.
    if (phone) await press(page.getByRole('heading', { level: 1 }))

    await press(tile(library, old))
    const view = page.getByRole('dialog', { name: old })
    await expect.poll(() => view.getByRole('link', { name: `See the menu, ${screen}` }).count()).toBe(3)
    await look('a file of last month')
    await press(view.getByRole('button', { name: 'Replace…' }))
    const dialog = page.getByRole('dialog', { name: `Replace ${old}` })
    await look('which file takes its place')
    await press(dialog.getByRole('checkbox', { name: new RegExp(`^${fresh}, `) }))
    await expect.poll(() => dialog.getByRole('checkbox', { checked: true }).count()).toBe(3)
    await look('the posts that have it')
    await press(dialog.getByRole('button', { name: 'Replace in 3 posts' }))
    await dialog.waitFor({ state: 'detached' })
    await page.getByText(`${old} replaced in 3 posts.`).waitFor()
    process.stderr.write(`A file of last month, replaced in three posts on a ${screen}: ${presses} presses.\n`)
    expect(presses).toBeLessThanOrEqual(phone ? 9 : 6)
    for (const id of posts) expect(new Set(await filesOf(id))).toEqual(new Set([freshId]))

    // What is shown of them is the new one, and one press brings the old one back.
    await press(page.getByRole('button', { name: 'Undo' }))
    await page.getByText(/^Undone:/).waitFor()
    for (const id of posts) expect(new Set(await filesOf(id))).toEqual(new Set([oldId]))
    const { status, approval } = await started.dashboard.seed.call('GET', `/v1/post-sets/${posts[2]}`)
    expect([status, approval]).toEqual(['SCHEDULED', 'APPROVED'])
    await page.goto(`${started.dashboard.url}${calendarPath('month', { date: '2030-06-10', post: posts[0] ?? '' })}`)
    await page
      .getByRole('dialog', { name: 'Post', exact: true })
      .getByRole('img', { name: 'The menu' })
      .first()
      .waitFor()
  },
  120_000,
)
