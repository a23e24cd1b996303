import { type Checks, readProbe } from '../kit/checks.ts'
import { PUBLISHING } from './connect.ts'
import { errors } from './outcomes.ts'
import { creatorInfo, listPosts } from './wire.ts'

const ERROR_KEYS = ['error.code', 'error.message', 'error.log_id']
const inData = (key: string) => `data.${key}`

/** What only a real account can show. */
export const checks: Checks = {
  errors,
  probes: [
    readProbe({
      name: 'creator',
      settles: 'what the account may publish, and which audiences the app is given',
      documented: [
        ...['avatar_url?', 'username', 'nickname'].map((key) => `data.creator_${key}`),
        ...['comment', 'duet', 'stitch'].map((what) => `data.${what}_disabled`),
        ...['privacy_level_options', 'privacy_level_options[]', 'max_video_post_duration_sec'].map(inData),
        ...ERROR_KEYS,
      ],
      read(look) {
        const scopes = (look.credentials.scope ?? '').split(',')
        return scopes.includes(PUBLISHING)
          ? creatorInfo(look)
          : `The sign-in has no scope ${PUBLISHING}: it puts drafts into the inbox alone.`
      },
      says: ({ privacyLevels, maxVideoSeconds }) =>
        `Audiences: ${privacyLevels.join(', ')}. Videos of at most ${maxVideoSeconds ?? 'no named number of'} seconds.`,
      differs: ({ privacyLevels }) =>
        privacyLevels.includes('SELF_ONLY') ? null : 'The account is not offered posts that it alone sees.',
    }),
    readProbe({
      name: 'posts',
      settles: 'whether posts can be listed, by which lost photos are found',
      documented: [
        ...['id', 'create_time', 'title?', 'video_description?', 'share_url?'].map((key) => inData(`videos[].${key}`)),
        ...['cursor?', 'has_more?'].map(inData),
        ...ERROR_KEYS,
      ],
      read(look) {
        const scopes = (look.credentials.scope ?? '').split(',')
        return scopes.includes('video.list')
          ? listPosts(look)
          : `The sign-in has no scope video.list. It has: ${scopes.join(', ')}.`
      },
      says: ({ entries }) =>
        entries.length === 0 ? 'The listing is empty.' : `${entries.length} posts could be read.`,
    }),
  ],
  // Apps that are not audited may publish nothing else, and no app can delete a post.
  defaults: { privacy: 'SELF_ONLY' },
  byHand: 'Open the post in the TikTok app, open its menu and choose "Delete". Only the account itself sees it.',
}
