import { setTimeout as delay } from 'node:timers/promises'
import type { Dashboard } from './dashboard.ts'

/** As many brands as an agency has, in six zones, and what they plan for the month in which Berlin puts its clocks back. */
export const MANY = { brands: 30, posts: 3_000, month: '2030-10' }

const ZONES = [
  'Asia/Tokyo',
  'Europe/Berlin',
  'Asia/Kolkata',
  'America/New_York',
  'Pacific/Auckland',
  'Australia/Lord_Howe',
]
const MINUTES = 31 * 24 * 60
/** Post sets of a request. */
const AT_ONCE = 100
/** `Retry-After` of what a member asks too often. */
const RETRY_AFTER_MS = 1_000

export interface MadePost {
  id: string
  at: string
  caption: string
}

/** Makes those brands and posts, evenly over the month. Answers the posts in their order. */
export async function makeManyBrands(
  dashboard: Pick<Dashboard, 'member' | 'seed' | 'socialSetId'>,
): Promise<MadePost[]> {
  const ids: string[] = [dashboard.socialSetId]
  const { member } = dashboard
  for (let number = 2; number <= MANY.brands; number += 1) {
    const timezone = ZONES[number % ZONES.length] ?? 'UTC'
    const { id } = await patiently(() => member('POST', '/internal/social-sets', { name: `Brand ${number}`, timezone }))
    const connection = { socialSetId: id, accountTypes: ['BLUESKY'] }
    await patiently(() => member('POST', '/internal/connections/sandbox', connection))
    ids.push(id)
  }
  const made: MadePost[] = []
  for (let from = 0; from < MANY.posts; from += AT_ONCE) {
    const items = Array.from({ length: AT_ONCE }, (_, index) => {
      const number = from + index
      const at = Date.parse(`${MANY.month}-01T00:00:00Z`) + Math.floor((number / MANY.posts) * MINUTES) * 60_000
      const caption = `Post ${number} of many`
      return {
        socialSetId: ids[number % ids.length],
        scheduledAt: new Date(at).toISOString(),
        ...{ status: 'DRAFT', approval: 'NONE', posts: [{ accountType: 'BLUESKY', caption, media: [] }] },
      }
    })
    const { data } = await dashboard.seed.call('POST', '/v1/post-sets/bulk', { mode: 'ATOMIC', postSets: items })
    for (const [index, entry] of data.entries()) {
      const item = items[index]
      if (item) made.push({ id: entry.postSet.id, at: item.scheduledAt, caption: item.posts[0]?.caption ?? '' })
    }
  }
  return made
}

/** Asks again what was asked too often, when the answer says so: on a quick machine these are more than a member's in a second. */
async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!String(error).includes('answered 429')) throw error
      await delay(RETRY_AFTER_MS)
    }
  }
}
