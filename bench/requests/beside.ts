import { request } from 'undici'
import { call, eventually } from '../../test/_util/browser/dashboard-seed.ts'
import type { Case } from './thread.ts'

/** Whose posts go out: a brand, a key of its account, and the session of somebody in it. */
export interface Brand {
  url: string
  key: string
  cookie: string
  socialSetId: string
}

/** Time until the first one: all of them have to be on the calendar by then. */
const AHEAD_MS = 4_000
const PAUSE_MS = 30

/** How late text posts of a brand are, one a second, with what is done meanwhile until a time. In milliseconds, sorted. */
export async function postsBeside(
  { url, key, cookie, socialSetId }: Brand,
  posts: number,
  meanwhile: (until: number) => Promise<unknown>,
): Promise<number[]> {
  const byKey = { authorization: `Bearer ${key}` }
  const first = Date.now() + AHEAD_MS
  const sets: { id: string; scheduledAt: string }[] = []
  for (let index = 0; index < posts; index++) {
    const scheduledAt = new Date(first + index * 1_000).toISOString()
    const written = { accountType: 'BLUESKY', caption: `Beside ${index}`, media: [] }
    const body = { socialSetId, scheduledAt, status: 'SCHEDULED', approval: 'NONE', posts: [written] }
    sets.push(await call(`${url}/v1/post-sets`, 'POST', byKey, body))
  }
  await meanwhile(first + posts * 1_000)
  const late: number[] = []
  for (const { id, scheduledAt } of sets) {
    await eventually(`The post ${id}`, async () => {
      const { status } = await call(`${url}/v1/post-sets/${id}`, 'GET', byKey)
      return status === 'PUBLISHED' ? status : null
    })
    const { deliveries, data = deliveries } = await call(`${url}/internal/post-sets/${id}/deliveries`, 'GET', {
      cookie,
      origin: url,
    })
    // Fewer than a person may ask in a second.
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    const sentAt = JSON.stringify(data).match(/"sentAt":"([^"]+)"/)?.[1] ?? ''
    late.push(Date.parse(sentAt) - Date.parse(scheduledAt))
  }
  return late.toSorted((a, b) => a - b)
}

/** Sends requests one after the other, again and again. */
export async function askUntil(url: string, cases: readonly Case[], until: number): Promise<void> {
  while (Date.now() < until && cases.length > 0) {
    for (const { method, path, headers, json } of cases) {
      const type = json === null || 'content-type' in headers ? {} : { 'content-type': 'application/json' }
      const options = { method: method as 'GET', headers: { ...type, ...headers }, body: json, reset: true }
      await request(`${url}${path}`, options).then(
        ({ body }) => body.arrayBuffer(),
        () => {},
      )
    }
  }
}
