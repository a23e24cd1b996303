import { NOTE_COLORS } from '#contract'
import type { FileServer } from '../networks/file-server.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are checked by what a test expects of them, not by types
export type Body = any

/** A client of the public interface, for what has to be there before a page is opened. Throws on an answer that is an error. */
export interface Seeds {
  call(method: string, path: string, body?: unknown): Promise<Body>
  /** Asks again until the answer is as wanted, for half a minute at most. */
  until(path: string, wanted: (body: Body) => boolean): Promise<Body>
  /** A draft in the demo's social set with one post on Bluesky, unless a test says otherwise. */
  postSet(more?: { scheduledAt?: string; caption?: string; [field: string]: unknown }): Promise<Body>
  note(more?: { scheduledAt?: string; content?: string; [field: string]: unknown }): Promise<Body>
  /** Imports a fixture by its address and waits until it is in the library. Gives the library's id. `name`: the file's. */
  media(fixture: string, options?: { name?: string }): Promise<string>
  /**
   * Drafts spread evenly over the days of a month, from 07:00 to 20:00 UTC.
   *
   * @param month `2030-06`
   */
  month(month: string, count: number): Promise<Body[]>
  /** The same by another key. */
  by(key: string): Seeds
}

/** The month that tests plan in: far enough away that nothing is published, with no change of clocks in Europe. */
export const SEEDED_MONTH = '2030-06'

export function seeds(options: { url: string; key: string; socialSetId: string; files: FileServer }): Seeds {
  const { url, key, socialSetId, files } = options

  const ask: Seeds['call'] = (method, path, body) =>
    call(`${url}${path}`, method, { authorization: `Bearer ${key}` }, body)

  const all: Seeds = {
    call: ask,
    until: (path, wanted) =>
      eventually(path, async () => {
        const body = await ask('GET', path)
        return wanted(body) ? body : null
      }),
    postSet: ({ caption = 'Autumn teaser', ...more } = {}) =>
      ask('POST', '/v1/post-sets', {
        socialSetId,
        scheduledAt: `${SEEDED_MONTH}-12T10:00:00Z`,
        status: 'DRAFT',
        approval: 'NONE',
        posts: [{ accountType: 'BLUESKY', caption, media: [] }],
        ...more,
      }),
    note: (more = {}) =>
      ask('POST', '/v1/notes', {
        socialSetId,
        scheduledAt: `${SEEDED_MONTH}-12T00:00:00Z`,
        content: 'Shop closed',
        hexColor: NOTE_COLORS[0],
        ...more,
      }),
    async media(fixture, { name = fixture } = {}) {
      const source = await files.fixture(fixture)
      const upload = await ask('POST', '/v1/media-upload', { socialSetId, url: source, name })
      const ended = await all.until(`/v1/media-upload/${upload.id}`, ({ status }) => /READY|FAILED/.test(status))
      if (ended.status !== 'READY') throw new Error(`${fixture} was not imported: ${JSON.stringify(ended)}`)
      return ended.mediaLibraryId
    },
    async month(month, count) {
      const [year = 0, number = 0] = month.split('-').map(Number)
      const days = new Date(Date.UTC(year, number, 0)).getUTCDate()
      const made: Body[] = []
      for (let index = 0; index < count; index++) {
        const day = String((index % days) + 1).padStart(2, '0')
        const minutes = 7 * 60 + ((Math.floor(index / days) * 47) % (13 * 60))
        const time = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':')
        const set = { scheduledAt: `${month}-${day}T${time}:00Z`, caption: `Post ${index + 1} of a full month` }
        made.push(await all.postSet(set))
      }
      return made
    },
    by: (other) => seeds({ ...options, key: other }),
  }
  return all
}

/** The answer's JSON; null of an empty one. Throws on an answer that is an error. */
export async function call(
  address: string,
  method: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<Body> {
  const response = await fetch(address, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${address} answered ${response.status}: ${text}`)
  return text === '' ? null : JSON.parse(text)
}

/** Looks again until there is something, for half a minute at most. */
export async function eventually<T>(what: string, look: () => T | null | Promise<T | null>): Promise<T> {
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; ) {
    const found = await look()
    if (found !== null) return found
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`${what} did not come to be as wanted.`)
}
