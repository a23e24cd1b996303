import { type Checks, type Look, readProbe } from '../kit/checks.ts'
import { call, parseId } from '../meta/graph.ts'
import { listingProbe, pagesProbe, permissionsProbe, personTokenProbe } from '../meta/probes.ts'
import { login } from './connect.ts'
import { errors } from './outcomes.ts'
import { PHOTO_POST_FIELDS, POST_FIELDS, parseListedPost, parseStory, parseSuccess } from './wire.ts'

const keys = (names: string) => names.split(' ').map((name) => `data[].${name}`)
const POST_KEYS = keys('id created_time? message?')
const posts = { path: ({ account }: Look) => `${account.externalId}/published_posts`, parse: parseListedPost }

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
      read: (look) => {
        const query = { fields: 'id,name,username,link' }
        return call(look, { method: 'GET', path: look.account.externalId, query, timeoutMs: 15_000, parse: parseId })
      },
    }),
    listingProbe({
      ...posts,
      name: 'posts, few fields',
      settles: 'whether posts can be listed without the permission pages_read_user_content',
      fields: POST_FIELDS,
      documented: POST_KEYS,
      whenRefused: 'Then texts cannot be looked up after a lost answer.',
    }),
    listingProbe({
      ...posts,
      name: 'posts, all fields',
      settles: 'whether posts can be listed with their attachments',
      fields: PHOTO_POST_FIELDS,
      documented: [...POST_KEYS, ...keys('permalink_url? attachments.*')],
    }),
    listingProbe({
      name: 'stories',
      settles: 'whether stories can be listed, by which a lost one is found',
      path: ({ account }) => `${account.externalId}/stories`,
      fields: 'post_id,status,creation_time,media_type,media_id,url',
      documented: keys('post_id media_id status? creation_time? media_type? url? id?'),
      parse: parseStory,
    }),
  ],
  /** https://developers.facebook.com/docs/graph-api/reference/page-post (read 2026-11-21) */
  remove: (look, path) => call(look, { method: 'DELETE', path, timeoutMs: 15_000, parse: parseSuccess }),
  byHand: 'Open the Page on facebook.com, find the post, open its menu and choose "Move to trash".',
}
