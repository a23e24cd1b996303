import { expect } from 'vitest'
import type { CalendarCard, MoveScope, PostSet, PostSetBulkDone } from '#contract'
import { newId } from '#domain'
import type { Answer, Api, ApiOptions, Body } from '../api/api.ts'
import type { Person } from '../api/members.ts'

/** Lets a member ask as often as a test wants. */
export const anyRate: NonNullable<ApiOptions['rate']> = () => ({
  take: async (_, limit) => ({ allowed: true, limit, remaining: limit, resetAt: new Date() }),
  look: async (_, limit) => ({ allowed: true, limit, remaining: limit, resetAt: new Date() }),
  takeHere: (_, limit) => ({ allowed: true, limit, remaining: limit, resetAt: new Date() }),
  inDatabase: async () => null,
  countsInMemory: () => false,
})

/** Status and code of an answer that is a problem. */
export const statusAndCode = ({ status, body }: Answer) => [status, body.code]

export const NOT_SIGNED_IN = [401, 'auth:not_signed_in']
export const WRONG_ROLE = [403, 'auth:insufficient_role']
export const OTHER_SITE = [403, 'auth:cross_site_request']
export const NO_SET = [404, 'post-set:not_found']
export const NO_SOCIAL_SET = [404, 'social-set:not_found']

/** What is answered when it works. */
export async function done(answer: Promise<Answer>, status = 200): Promise<Body> {
  const { status: found, body } = await answer
  expect(found, JSON.stringify(body)).toBe(status)
  return body
}

/** The query of a calendar, by default around the drafts of the tests. */
export function calendarQuery(api: Api, more: [string, string][] = []): string {
  const given = new Map([...Object.entries({ socialSetId: api.socialSetId, from: '2030-05-25', to: '2030-07-06' })])
  const all = [...given].filter(([name]) => !more.some(([other]) => other === name))
  return `/calendar?${new URLSearchParams([...all, ...more])}`
}

export async function cardsOf(api: Api, person: Person, more: [string, string][] = []): Promise<CalendarCard[]> {
  return (await done(person.request('GET', calendarQuery(api, more)))).cards
}

/** What members do to sets, which must work. */
export function actionsOf(person: Person) {
  const post = (path: string, body?: object) => done(person.request('POST', path, body ? { body } : {}))
  return {
    read: (id: string): Promise<PostSet & Body> => done(person.request('GET', `/post-sets/${id}`)),
    patch: (id: string, body: object): Promise<PostSet & Body> =>
      done(person.request('PATCH', `/post-sets/${id}`, { body })),
    lock: (id: string, locked = true): Promise<PostSet> =>
      done(person.request('PUT', `/post-sets/${id}/lock`, { body: { locked } })),
    label: (id: string, labelsId: string[], scope?: MoveScope): Promise<PostSet> =>
      done(person.request('PUT', `/post-sets/${id}/labels`, { body: { labelsId, ...(scope ? { scope } : {}) } })),
    review: (id: string, body: object): Promise<PostSet> =>
      done(person.request('POST', `/post-sets/${id}/review`, { body, headers: { 'if-match': '*' } })),
    remove: (id: string): Promise<unknown> => done(person.request('DELETE', `/post-sets/${id}`), 204),
    restore: (id: string): Promise<Body> => post(`/post-sets/${id}/restore`),
    move: (id: string, body: object): Promise<Body> => post(`/post-sets/${id}/move`, body),
    bulk: (ids: { id: string; version?: number }[], action: object): Promise<PostSetBulkDone> =>
      post('/post-sets/change', {
        ids: ids.map(({ id, version }) => ({ id, ...(version ? { version } : {}) })),
        action,
      }),
    history: async (id: string): Promise<Body[]> =>
      (await done(person.request('GET', `/post-sets/${id}/history`))).data,
  }
}

/** Leaves a set as the publisher does; `results` are those of its posts, null while there is none. */
export async function publishAs(
  api: Api,
  id: string,
  status: 'PUBLISHING' | 'PUBLISHED',
  results: readonly ('POSTED' | 'FAILED' | null)[],
): Promise<void> {
  await api.db.updateTable('post_sets').set({ status }).where('id', '=', id).execute()
  const posts = await api.db.selectFrom('posts').selectAll().where('post_set_id', '=', id).orderBy('position').execute()
  const at = new Date('2030-06-01T10:00:01Z')
  await api.db
    .insertInto('deliveries')
    .values(
      posts.map((post, index) => {
        const result = results[index] ?? null
        return {
          id: newId(),
          post_set_id: id,
          post_id: post.id,
          content_version: 1,
          account_type: post.account_type,
          connection_id: null,
          state: result === null ? ('PREPARING' as const) : ('DONE' as const),
          next_at: at,
          gives_up_at: new Date('2030-06-02'),
          first_fenced_at: result === null ? null : at,
          finished_at: result === null ? null : at,
          result: result === null ? null : JSON.stringify({ status: result }),
        }
      }),
    )
    .execute()
}
