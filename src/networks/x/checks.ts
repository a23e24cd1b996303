import { type Checks, type Probe, readProbe } from '../kit/checks.ts'
import { record } from '../kit/read-json.ts'
import { call } from './api.ts'
import { errors } from './outcomes.ts'
import { parseMe, parseTimeline } from './wire.ts'

const DAY_MS = 86_400_000

/** What only a real account can tell. Listings are billed by the posts that they show, so few are asked for. */
export const checks: Checks = {
  errors,
  probes: [
    readProbe({
      name: 'account',
      settles: 'whether the account and its subscription can be read',
      documented: [
        'data.id',
        'data.name',
        'data.username',
        'data.profile_image_url?',
        'data.subscription_type?',
        'data.verified_type?',
      ],
      read: (look) =>
        call(look, {
          method: 'GET',
          path: '2/users/me',
          query: { 'user.fields': 'name,profile_image_url,subscription_type,username,verified_type' },
          timeoutMs: 15_000,
          parse: (body) => (parseMe(body) ? record(record(body)?.data) : undefined),
        }),
      differs: ({ subscription_type: type }) =>
        type === undefined ? 'The subscription is not shown, so long posts have to be switched on by hand.' : null,
    }),
    timeline('posts', 'post.fields', 'note_post'),
    timeline('posts, older names', 'tweet.fields', 'note_tweet'),
  ],
  /** The vendor's OpenAPI 2.167, `deletePosts` (read 2026-11-21). */
  remove: (look, providerId) =>
    call(look, {
      method: 'DELETE',
      path: `2/tweets/${encodeURIComponent(providerId)}`,
      timeoutMs: 15_000,
      parse: (body) => (record(record(body)?.data)?.deleted === true ? true : undefined),
    }),
  byHand: 'Open the post on x.com, open its menu and choose "Delete".',
}

/** By the names of the present contract, or of the older pages; the connector takes whichever works. */
function timeline(name: string, parameter: string, note: string): Probe {
  return readProbe({
    name,
    settles: `whether own posts can be listed by ${parameter}, by which a lost one is found`,
    documented: [
      'data[].id',
      'data[].text',
      'data[].created_at?',
      'data[].edit_history_post_ids?',
      'data[].edit_history_tweet_ids?',
      'data[].attachments.*',
      'data[].entities.*',
      'data[].note_post.*',
      'data[].note_tweet.*',
      'meta.*',
    ],
    read: (look) =>
      call(look, {
        method: 'GET',
        path: `2/users/${look.account.externalId}/tweets`,
        query: {
          max_results: '5',
          start_time: new Date(look.now().getTime() - 7 * DAY_MS).toISOString().replace(/\.\d+Z$/, 'Z'),
          [parameter]: `attachments,created_at,entities,${note},text`,
        },
        timeoutMs: 15_000,
        parse: parseTimeline,
      }),
    says({ entries }) {
      if (entries.length === 0) return 'The listing is empty.'
      return `${entries.length} posts, ${entries.filter(({ complete }) => complete).length} with all that was asked for.`
    },
    refused: ({ status }) =>
      status === 400 ? { result: 'works as documented', detail: `The network does not know ${parameter}.` } : null,
  })
}
