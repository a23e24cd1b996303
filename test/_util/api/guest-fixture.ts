import { Readable } from 'node:stream'
import { newId } from '#domain'
import type { Mail } from '#identity'
import { createDiskStore } from '#media'
import { anyRate } from '../browser/dashboard-api.ts'
import { blankPng } from '../files/blank-png.ts'
import { type Api, INSTAGRAM_POST, startApi } from './api.ts'
import { enter, type GuestClient, OURS, type Shared, share, VISIT } from './guests.ts'
import { type Person, signInAs } from './members.ts'

export const BYTES = blankPng({ width: 4, height: 4, bits: 8, interlaced: false })
export const WAITING = { approval: 'EXTERNAL_PENDING' }
export const NOT_SHARED = [404, 'shared-calendar:not_found']

/** A request below a shared calendar. */
export interface Asked {
  method: string
  path: string
  body?: object
}

/** A link with a guest, and how each route for guests is called. */
export interface GuestFixture {
  api: Api
  owner: Person
  link: Shared
  guest: GuestClient
  /** A post set that waits, and the media item in it. */
  set: { id: string; media: string }
  mails: Mail[]
  /** Of every route, by method and path. */
  names: readonly string[]
  postWithFile(more: object): Promise<{ id: string; media: string }>
  /** A request that works for a guest of the link. */
  given(name: string): Promise<Asked>
  /** The browser of a guest at the address of another link. */
  at(id: string, client: Pick<GuestClient, 'cookies'>): Pick<GuestClient, 'request'>
}

export async function openGuestFixture(): Promise<GuestFixture> {
  const mails: Mail[] = []
  const api = await startApi({
    rate: anyRate,
    trustProxy: 1,
    mailer: { send: async (mail) => void mails.push(mail) },
    thread: {
      read: async () => [],
      write: async (_db, { actor }, _id, { text }) => ({
        ...{ id: newId(), at: '2026-03-01T10:00:00.000Z', text, editedAt: null, resolved: false },
        by: { name: actor.name, guest: true, mine: true },
      }),
    },
  })
  const owner = await signInAs(api, 'owner')
  const link = await share(api, owner)
  const guest = await enter(api, link, { name: 'Clara' })

  async function postWithFile(more: object) {
    const store = createDiskStore({ dir: api.mediaFolder })
    const { key } = await store.put(Readable.from([BYTES]))
    const mediaLibraryId = await api.newMedia({ facts: { bytes: BYTES.length, mimeType: 'image/png' } })
    const files = { storage_key: key, thumbnail_key: key, bytes: BYTES.length }
    await api.db.updateTable('media_items').set(files).where('id', '=', mediaLibraryId).execute()
    const made = await api.create({ ...more, posts: [{ ...INSTAGRAM_POST, media: [{ mediaLibraryId }] }] })
    return { id: made.id as string, media: made.posts[0].media[0].id as string }
  }

  const set = await postWithFile(WAITING)
  const waiting = async () => (await api.create(WAITING)).id as string
  const note = { socialSetId: api.socialSetId, content: 'Fair', hexColor: '#faf785', scheduledAt: '2030-06-09' }
  const routes: Record<
    string,
    () => Promise<{ id?: string; postId?: string; variant?: string; query?: string; body?: object }>
  > = {
    'GET /visit': async () => ({}),
    'PUT /visit/name': async () => ({ body: { name: 'Clara' } }),
    'PUT /visit/email': async () => ({ body: { email: null } }),
    'GET /calendar': async () => ({ query: '?from=2030-05-25&to=2030-07-06' }),
    'GET /posts/:id': async () => ({ id: set.id }),
    'GET /posts/:id/changes/:postId': async () => {
      await guest.request('PUT', `/posts/${set.id}/seen`, { body: { version: 1 } })
      return { id: set.id, postId: newId(), query: '?since=1' }
    },
    'PUT /posts/:id/seen': async () => ({ id: set.id, body: { version: 1 } }),
    'POST /posts/:id/decision': async () => ({ id: await waiting(), body: { decision: 'approve', version: 1 } }),
    'POST /posts/:id/decision/undo': async () => {
      const id = await waiting()
      await guest.request('POST', `/posts/${id}/decision`, { body: { decision: 'approve', version: 1 } })
      return { id, body: { version: 2 } }
    },
    'POST /approvals': async () => ({ body: { posts: [{ id: await waiting(), version: 1 }] } }),
    'GET /posts/:id/comments': async () => ({ id: set.id }),
    'POST /posts/:id/comments': async () => ({ id: set.id, body: { text: 'Hello' } }),
    'POST /notes': async () => ({ body: note }),
    'GET /media/:id/:variant': async () => ({ id: set.media, variant: 'original' }),
  }
  return {
    ...{ api, owner, link, guest, set, mails, names: Object.keys(routes), postWithFile },
    async given(name) {
      const [method = '', path = ''] = name.split(' ')
      const { id = '', postId = '', variant = '', query = '', body } = (await routes[name]?.()) ?? {}
      const names = { ':id': id, ':postId': postId, ':variant': variant }
      const at = path.replace(/:\w+/g, (param) => names[param as keyof typeof names] ?? '')
      return { method, path: at + query, ...(body ? { body } : {}) }
    },
    at: (id, { cookies }) => ({
      request: (method, path, options = {}) =>
        api.request(method, `/shared/view/${id}${path}`, {
          key: null,
          ...options,
          headers: { ...OURS, cookie: `${VISIT}=${cookies[VISIT]}`, ...options.headers },
        }),
    }),
  }
}

/** Sends a request as a guest. */
export const send = ({ method, path, ...body }: Asked, as: Pick<GuestClient, 'request'>, headers = {}) =>
  as.request(method, path, { headers, ...body })
