import type { Dashboard } from '../../test/_util/browser/dashboard.ts'
import { call } from '../../test/_util/browser/dashboard-seed.ts'

/** What the routes are asked about: the same things once nearly empty and once full. */
export interface Things {
  socialSetId: string
  postSetId: string
  /** Its post, and the newest entry of its history. */
  postId: string
  entryId: string
  noteId: string
  mediaId: string
  /** The version of the post set that was seen first. */
  since: number
  /** `2030-06` */
  month: string
  feedToken: string
  guest: { token: string; link: string; cookie: string }
}

const CAPTION = 2_000
const EDITS = 600
/** Of a caption: nearly as long as one may be. */
const EDITED = 60_000

/** A brand with one post set that was changed once. */
export async function littleThings(dashboard: Dashboard, mediaId: string): Promise<Things> {
  const month = monthIn(6)
  const set = await dashboard.seed.postSet({ scheduledAt: `${month}-12T10:00:00Z` })
  const edited = await edit(dashboard, set, 'Another caption')
  const note = await dashboard.seed.note({ scheduledAt: `${month}-12T00:00:00Z` })
  const ids = { socialSetId: dashboard.socialSetId, postSetId: set.id, noteId: note.id, mediaId, since: edited.version }
  return { ...ids, ...(await partsOf(dashboard, set)), month, ...(await shareBrand(dashboard, dashboard.socialSetId)) }
}

/** A brand with 2,000 post sets and as many notes in a month and a half, one of which has a history of 600 long texts. */
export async function manyThings(dashboard: Dashboard, mediaId: string): Promise<Things> {
  const { seed } = dashboard
  const { id: socialSetId } = await dashboard.member('POST', '/internal/social-sets', {
    name: 'Full',
    timezone: 'Europe/Berlin',
  })
  const accountTypes = ['BLUESKY', 'THREADS', 'TWITTER']
  await dashboard.member('POST', '/internal/connections/sandbox', { socialSetId, accountTypes })
  const month = monthIn(1)
  const posts = accountTypes.map((accountType) => ({
    accountType,
    caption: 'word '.repeat(CAPTION / 5),
    media: [],
  }))
  let postSetId = ''
  for (let hour = 0; hour < 40; hour++) {
    const scheduledAt = `${month}-01T${String(hour % 24).padStart(2, '0')}:${hour < 24 ? '00' : '30'}:00Z`
    const repeat = { interval: 'DAY', occurrences: 50 }
    const set = await seed.postSet({ socialSetId, scheduledAt, posts, repeat })
    postSetId = set.id ?? set.data?.[0]?.id
  }
  let noteId = ''
  for (let hour = 0; hour < 20; hour++) {
    const repeat = { interval: 'DAY', occurrences: 100 }
    const note = await seed.note({
      socialSetId,
      scheduledAt: `${month}-01T00:00:00Z`,
      content: 'n'.repeat(1_000),
      repeat,
    })
    noteId = note.id ?? note.data?.[0]?.id
  }
  const single = await seed.postSet({ socialSetId, scheduledAt: `${month}-12T10:15:00Z` })
  const { version: since } = await edit(dashboard, single, 'What the guest has seen')
  const shared = await shareBrand(dashboard, socialSetId)
  const { link, cookie } = shared.guest
  const ours = { cookie, origin: dashboard.url, 'sec-fetch-site': 'same-origin' }
  await call(`${dashboard.url}/shared/view/${link}/posts/${single.id}/seen`, 'PUT', ours, { version: since })
  for (let index = 0; index < EDITS; index++) {
    await edit(dashboard, single, `${index} ${'слово '.repeat(EDITED / 6)}`)
  }
  const ids = { socialSetId, postSetId: single.id ?? postSetId, noteId, mediaId, since }
  return { ...ids, ...(await partsOf(dashboard, single)), month, ...shared }
}

async function partsOf({ member }: Dashboard, { id, posts }: { id: string; posts: { id: string }[] }) {
  const { data } = await member('GET', `/internal/post-sets/${id}/history?size=1`)
  return { postId: posts[0]?.id ?? '', entryId: data[0].id as string }
}

/** `2031-06`: so many months ahead. Calendars to subscribe to show a year. */
function monthIn(months: number): string {
  return Temporal.Now.plainDateISO('UTC').add({ months }).toPlainYearMonth().toString()
}

/** The post keeps its id: it is not another one. */
export function edit(
  { seed }: Dashboard,
  { id, posts: [post] }: { id: string; posts: { id: string }[] },
  caption: string,
) {
  const posts = [{ id: post?.id, accountType: 'BLUESKY', caption, media: [] }]
  return seed.call('PATCH', `/v1/post-sets/${id}`, { posts })
}

/** Its calendar to subscribe to, and a guest of its shared calendar who has come in. */
export async function shareBrand(
  dashboard: Dashboard,
  socialSetId: string,
): Promise<Pick<Things, 'feedToken' | 'guest'>> {
  const { url: feed } = await dashboard.member('PUT', `/internal/social-sets/${socialSetId}/calendar-feed`)
  const { address } = await dashboard.member('POST', '/internal/shared-calendars', {
    name: 'Guests',
    socialSetIds: [socialSetId],
    shows: { scheduled: true, drafts: true, published: true },
    allows: { comment: true, decide: true, notes: true },
  })
  const token = new URL(address).pathname.split('/').at(-1) ?? ''
  const entered = await fetch(`${dashboard.url}/shared/${token}`, { redirect: 'manual' })
  const link = entered.headers.get('location')?.split('/').at(-1) ?? ''
  const entry = cookiesOf(entered)
  const page = await fetch(`${dashboard.url}/shared/view/${link}`, { headers: { cookie: entry } })
  return {
    feedToken: new URL(feed).pathname.split('/').at(-1) ?? '',
    guest: { token, link, cookie: cookiesOf(page) },
  }
}

const cookiesOf = ({ headers }: Response) =>
  headers
    .getSetCookie()
    .filter((line) => !line.includes('Max-Age=0;'))
    .map((line) => line.split(';', 1)[0])
    .join('; ')
