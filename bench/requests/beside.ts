import { request } from 'undici'
import type { Dashboard } from '../../test/_util/dashboard.ts'
import type { RouteCost } from './every-route.ts'

const POSTS = 20
/** Of the routes that cost most, so many are asked, by one client after the other. */
const WORST = 5

/**
 * How late text posts are, one a second, while a client sends the costliest requests one after the other, without a pause; with none,
 * while nothing is asked. In milliseconds, sorted.
 */
export async function postsBeside(dashboard: Dashboard, costs: readonly RouteCost[]): Promise<number[]> {
  const first = Date.now() + 4_000
  const sets: { id: string }[] = []
  for (let index = 0; index < POSTS; index++) {
    const scheduledAt = new Date(first + index * 1_000).toISOString()
    sets.push(await dashboard.seed.postSet({ scheduledAt, caption: `Beside ${index}`, status: 'SCHEDULED' }))
  }
  const until = first + POSTS * 1_000
  while (Date.now() < until && costs.length > 0) {
    for (const { worst } of costs.slice(0, WORST)) {
      const { method, path, headers, json } = worst
      const type = json === null || 'content-type' in headers ? {} : { 'content-type': 'application/json' }
      const options = { method: method as 'GET', headers: { ...type, ...headers }, body: json, reset: true }
      await request(`${dashboard.url}${path}`, options).then(
        ({ body }) => body.arrayBuffer(),
        () => {},
      )
    }
  }
  const late: number[] = []
  for (const { id } of sets) {
    await dashboard.seed.until(`/v1/post-sets/${id}`, ({ status }) => status === 'PUBLISHED')
    const { deliveries, data = deliveries } = await dashboard.member('GET', `/internal/post-sets/${id}/deliveries`)
    const { scheduledAt } = await dashboard.seed.call('GET', `/v1/post-sets/${id}`)
    const sentAt = JSON.stringify(data).match(/"sentAt":"([^"]+)"/)?.[1] ?? ''
    late.push(Date.parse(sentAt) - Date.parse(scheduledAt))
  }
  return late.toSorted((a, b) => a - b)
}
