import { request } from 'node:http'
import { expect, vi } from 'vitest'
import type { Api } from './api.ts'
import type { Person } from './members.ts'

export interface EventStream {
  status: number
  headers: Record<string, string | string[] | undefined>
  /** What came so far: `[event, ids]`, ids null of `ready`. */
  events: [string, string[] | null][]
  /** Everything as it came. */
  text(): string
  /** Until an event of that name has reported these ids, together or one after the other. */
  until(event: string, ids?: readonly string[]): Promise<void>
  /** Resolves when the server has ended it. */
  ended: Promise<void>
  close(): void
}

/** Follows the live events of a social set, or of all that the person sees (null), as a browser does. */
export async function follow(
  api: Pick<Api, 'url'>,
  person: Pick<Person, 'cookie'>,
  socialSetId: string | null,
): Promise<EventStream> {
  const over = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<EventStream>()
  const url = `${api.url}/internal/live${socialSetId === null ? '' : `?socialSetId=${socialSetId}`}`
  const headers = { cookie: person.cookie, accept: 'text/event-stream', 'sec-fetch-site': 'same-origin' }
  const asking = request(url, { headers, agent: false }, (response) => {
    let text = ''
    const stream: EventStream = {
      status: response.statusCode ?? 0,
      headers: response.headers,
      events: [],
      text: () => text,
      until: (event, ids = []) =>
        vi.waitFor(
          () => {
            const reported = stream.events.filter(([name]) => name === event)
            expect(reported.length).toBeGreaterThan(0)
            expect(reported.flatMap(([, some]) => some ?? [])).toEqual(expect.arrayContaining([...ids]))
          },
          { timeout: 20_000, interval: 10 },
        ),
      ended: over.promise,
      close: () => asking.destroy(),
    }
    response.setEncoding('utf8')
    response.on('data', (part: string) => {
      text += part
      stream.events = [...text.matchAll(/event: (.+)\ndata: (.+)\n\n/g)].map(([, event = '', data = '']) => [
        event,
        JSON.parse(data).ids ?? null,
      ])
    })
    response.on('close', over.resolve)
    response.on('error', () => {})
    opened.resolve(stream)
  })
  asking.on('error', opened.reject)
  asking.end()
  return opened.promise
}
