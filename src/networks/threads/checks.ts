import { type Checks, readProbe } from '../kit/checks.ts'
import { listingProbe, quotaProbe, tokenProbe } from '../meta/probes.ts'
import { tokens } from './connect.ts'
import { errors } from './outcomes.ts'
import { POST_FIELDS, parsePost, QUOTA_EDGE } from './wire.ts'

/** What only a real profile can show. */
export const checks: Checks = {
  errors,
  probes: [
    readProbe({
      name: 'account',
      settles: 'whether the profile can be read',
      documented: ['id', 'username', 'name?', 'threads_profile_picture_url?'],
      read: tokens.readProfile,
    }),
    quotaProbe('how many posts a day the network takes', () => `me/${QUOTA_EDGE}`),
    listingProbe({
      name: 'posts',
      settles: 'whether posts can be listed by time, by which a lost one is found',
      path: () => 'me/threads',
      fields: POST_FIELDS,
      documented: ['data[].id', 'data[].text?', 'data[].permalink?', 'data[].timestamp?', 'data[].media_type?'],
      parse: parsePost,
      since: true,
    }),
    // Asked about with itself: https://developers.facebook.com/docs/threads/troubleshooting (read 2026-11-21).
    tokenProbe((look) => ({
      asker: look,
      path: `${look.endpoint('graph')}/debug_token`,
      token: look.credentials.accessToken ?? '',
    })),
  ],
  // Deleting takes the permission threads_delete, which publishing does not ask for.
  byHand: 'Open the post in the Threads app, open its menu and choose "Delete".',
}
