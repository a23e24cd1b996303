import { newPerson, type Person } from './browser.ts'
import type { Filled } from './fill.ts'

/** What an installation answers about everything that `fill` has made, without what depends on the moment. */
export async function readAll(url: string, filled: Filled, madeAt: Date): Promise<Record<string, unknown>> {
  const owner = newPerson(url)
  await owner.ask('POST', '/internal/session', filled.owner)
  const api = newPerson(url, filled.key)
  const set = `socialSetId=${filled.socialSetId}`
  const day = (days: number) => new Date(madeAt.getTime() + days * 86_400_000).toISOString()
  const year = `filters[startDate]=${day(-30)}&filters[endDate]=${day(300)}`
  const paths: [Person, string][] = [
    [api, '/v1/social-sets'],
    [api, `/v1/post-sets?${set}&size=100`],
    [api, `/v1/notes?${set}&${year}`],
    [api, '/v1/labels'],
    [api, `/v1/media-library?${set}`],
    [owner, `/internal/calendar?${set}&from=${day(-10)}&to=${day(30)}`],
    [owner, `/internal/connections?${set}`],
    [owner, '/internal/holds'],
    [owner, `/internal/social-sets/${filled.socialSetId}/saved-times`],
    [owner, `/internal/hashtag-groups?${set}`],
    [owner, `/internal/kept-drafts?${set}`],
    [owner, '/internal/api-keys'],
    [owner, '/internal/members'],
    [owner, '/internal/shared-calendars'],
    [owner, `/internal/imported-calendars?${set}`],
    [owner, `/internal/social-sets/${filled.socialSetId}/calendar-feed`],
    [owner, '/internal/network-apps'],
    [owner, '/internal/news'],
    [owner, '/internal/news/choices'],
    ...(filled.externalId === undefined
      ? []
      : ([
          [api, `/v1/post-sets?${set}&filters[externalId]=${filled.externalId}`],
          // Those that were there before the last post was begun.
          [api, '/v1/events?after=0&limit=20'],
        ] as [Person, string][])),
    ...(filled.webhookId === undefined ? [] : [[owner, '/internal/webhooks'] as [Person, string]]),
    ...(filled.deletedMedia === undefined
      ? []
      : [[owner, `/internal/media-library/browse?${set}&shown=DELETED`] as [Person, string]]),
    ...(filled.commented === undefined
      ? []
      : [[owner, `/internal/post-sets/${filled.commented}/comments`] as [Person, string]]),
  ]
  const answers: Record<string, unknown> = {}
  for (const [person, path] of paths) {
    const name = path.includes('externalId') ? path : (path.split('?')[0] ?? path)
    answers[name] = steady(await person.ask('GET', path), filled.inFlight)
  }
  return answers
}

/** Differ from one moment to the next. */
const OF_THE_MOMENT = ['pagination', 'lastUsedAt', 'lastUsedAddress', 'lastActiveAt', 'status', 'failing']

/** Addresses lose their port and what signs them. */
function steady(value: unknown, without: string): unknown {
  if (typeof value === 'string') {
    const [, path] = /^http:\/\/127\.0\.0\.1:\d+([^?]*)/.exec(value) ?? []
    return path ?? value
  }
  if (Array.isArray(value)) return value.filter((item) => item?.id !== without).map((item) => steady(item, without))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !OF_THE_MOMENT.includes(name) || (name === 'status' && 'scheduledAt' in value))
      .map(([name, item]) => [name, steady(item, without)]),
  )
}
