import type { CommentThread } from '#contract'
import { newId } from '#domain'
import type { CommentGuest } from '#operations'
import { done } from '../browser/dashboard-api.ts'
import type { Answer, Api, Body } from './api.ts'
import type { Person } from './members.ts'

/** What members do with comments. */
export function commentsOf(person: Person) {
  return {
    thread: (id: string): Promise<CommentThread> => done(person.request('GET', `/post-sets/${id}/comments`)),
    write: (id: string, text: string, more: object = {}): Promise<Body> =>
      done(person.request('POST', `/post-sets/${id}/comments`, { body: { text, audience: 'INNER', ...more } }), 201),
    share: (id: string, text: string, more: object = {}): Promise<Body> =>
      done(person.request('POST', `/post-sets/${id}/comments`, { body: { text, audience: 'SHARED', ...more } }), 201),
    post: (id: string, body: object): Promise<Answer> => person.request('POST', `/post-sets/${id}/comments`, { body }),
    edit: (id: string, body: object): Promise<Answer> => person.request('PATCH', `/comments/${id}`, { body }),
    remove: (id: string): Promise<Answer> => person.request('DELETE', `/comments/${id}`),
    resolve: (id: string, resolved = true): Promise<Answer> =>
      person.request('PUT', `/comments/${id}/resolved`, { body: { resolved } }),
  }
}

/** A guest of a shared calendar that shows everything of a brand. */
export function guestOf(api: Api, more: Partial<CommentGuest> = {}): CommentGuest {
  return {
    accountId: api.accountId,
    socialSetIds: [api.socialSetId],
    actor: { type: 'REVIEWER', id: newId(), name: 'Maria' },
    link: { id: newId(), name: 'Spring calendar' },
    shows: () => true,
    ...more,
  }
}
