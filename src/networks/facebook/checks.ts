import { type Checks, readProbe } from '../kit/checks.ts'
import { id, record } from '../kit/read-json.ts'
import { call } from '../meta/graph.ts'
import { listingProbe, pagesProbe, permissionsProbe, personTokenProbe } from '../meta/probes.ts'
import { login } from './connect.ts'
import { errors } from './outcomes.ts'
import { POST_FIELDS, parseListedPost, parseStory } from './wire.ts'

const POST_KEYS = ['data[].id', 'data[].created_time?', 'data[].message?']

/** What only a real Page can tell. */
export const checks: Checks = {
  errors,
  probes: [
    permissionsProbe(login),
    personTokenProbe,
    pagesProbe,
    readProbe({
      name: 'page',
      settles: 'whether the Page can be read with its token',
      documented: ['id', 'name', 'username?', 'link?'],
      read: (look) =>
        call(look, {
          method: 'GET',
          path: look.account.externalId,
          query: { fields: 'id,name,username,link' },
          timeoutMs: 15_000,
          parse: (body) => id(record(body)?.id),
        }),
    }),
    listingProbe({
      name: 'posts, few fields',
      settles: 'whether posts can be listed without the permission pages_read_user_content',
      path: ({ account }) => `${account.externalId}/published_posts`,
      fields: 'id,message,created_time',
      documented: POST_KEYS,
      parse: parseListedPost,
      whenRefused: 'Then texts cannot be looked up after a lost answer.',
    }),
    listingProbe({
      name: 'posts, all fields',
      settles: 'whether posts can be listed with their attachments',
      path: ({ account }) => `${account.externalId}/published_posts`,
      fields: POST_FIELDS,
      documented: [...POST_KEYS, 'data[].permalink_url?', 'data[].attachments.*'],
      parse: parseListedPost,
    }),
    listingProbe({
      name: 'stories',
      settles: 'whether stories can be listed, by which a lost one is found',
      path: ({ account }) => `${account.externalId}/stories`,
      fields: 'post_id,status,creation_time,media_type,media_id,url',
      documented: [
        'data[].post_id',
        'data[].media_id',
        'data[].status?',
        'data[].creation_time?',
        'data[].media_type?',
        'data[].url?',
        'data[].id?',
      ],
      parse: parseStory,
    }),
  ],
  /** https://developers.facebook.com/docs/graph-api/reference/page-post (read 2026-11-21) */
  remove: (look, providerId) =>
    call(look, {
      method: 'DELETE',
      path: providerId,
      timeoutMs: 15_000,
      parse: (body) => (record(body)?.success === true ? true : undefined),
    }),
  byHand: 'Open the Page on facebook.com, find the post, open its menu and choose "Move to trash".',
}
