import { WEEK_MS } from '#contract/durations'
import { type Checks, type Probe, readProbe } from '../kit/checks.ts'
import { record } from '../kit/read-json.ts'
import { errors } from './outcomes.ts'
import { call, readMe, readTimeline } from './wire.ts'

const ME = ['id', 'name', 'username', 'profile_image_url?', 'subscription_type?', 'verified_type?']
const POST = ['id', 'text', 'created_at?', 'edit_history_post_ids?', 'edit_history_tweet_ids?']
const PARTS_OF_POST = ['attachments.*', 'entities.*', 'note_post.*', 'note_tweet.*']

/** What only a real account can show. Listings are billed by the posts that they show, so few are asked for. */
export const checks: Checks = {
  errors,
  probes: [
    readProbe({
      name: 'account',
      settles: 'whether the account and its subscription can be read',
      documented: ME.map((key) => `data.${key}`),
      read: (look) => readMe(look, 'name,profile_image_url,subscription_type,username,verified_type'),
      differs: ({ premium }) =>
        premium === null ? 'The subscription is not shown, so long posts have to be switched on by hand.' : null,
    }),
    timeline('posts', 'post'),
    timeline('posts, older names', 'tweet'),
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
function timeline(name: string, noun: 'post' | 'tweet'): Probe {
  return readProbe({
    name,
    settles: `whether own posts can be listed by ${noun}.fields, by which a lost one is found`,
    documented: [...[...POST, ...PARTS_OF_POST].map((key) => `data[].${key}`), 'meta.*'],
    read: (look) => readTimeline(look, { noun, from: new Date(look.now().getTime() - WEEK_MS), most: 5 }),
    says({ entries }) {
      if (entries.length === 0) return 'The listing is empty.'
      return `${entries.length} posts, ${entries.filter(({ complete }) => complete).length} with all that was asked for.`
    },
    refused: ({ status }) =>
      status === 400 ? { result: 'works as documented', detail: `The network does not know ${noun}.fields.` } : null,
  })
}
