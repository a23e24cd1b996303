import type { Call } from '../kit/api.ts'
import { asDocumented, type Checks, differs, type Look, notTried, readProbe } from '../kit/checks.ts'
import { record, string } from '../kit/read-json.ts'
import { findServer } from './connect.ts'
import { errors } from './outcomes.ts'
import { POSTS } from './publish.ts'
import { askLimits } from './video.ts'
import { call, readDid } from './wire.ts'

/** A question to the server of the account, with the account's token. */
const ask = <T>(look: Look, lexicon: string, request: Pick<Call<T>, 'query' | 'json' | 'parse'>) =>
  call(look, lexicon, { token: look.credentials.accessJwt, timeoutMs: 15_000, ...request })

const DOMAINS = ['availableUserDomains', 'availableUserDomains[]']

/** What only a real account can show. Keys: the lexicons of 2026-08-20, https://github.com/bluesky-social/atproto. */
export const checks: Checks = {
  errors,
  probes: [
    readProbe({
      name: 'session',
      settles: 'whether the account is active, and its address confirmed, without which no video is taken',
      documented: ['did', 'handle', 'didDoc.*', 'email?', 'emailConfirmed?', 'emailAuthFactor?', 'active?', 'status?'],
      read: (look) =>
        ask(look, 'com.atproto.server.getSession', { parse: (body) => (readDid(body) ? record(body) : undefined) }),
      differs: ({ active, status }) => (active === false ? `The account is ${string(status) ?? 'not active'}.` : null),
    }),
    readProbe({
      name: 'server',
      settles: 'how the server names itself, which tokens for the video service need',
      documented: [...DOMAINS, 'did', 'inviteCodeRequired?', 'phoneVerificationRequired?', 'links.*', 'contact.*'],
      read: (look) => ask(look, 'com.atproto.server.describeServer', { parse: readDid }),
    }),
    {
      name: 'directory',
      settles: 'whether the document of the account names the server that is used',
      async ask(look) {
        const found = await findServer(look, look.account.externalId)
        if (found.kind === 'failed') return differs(found.message)
        const isSame = new URL(found.address).origin === new URL(look.endpoint('pds')).origin
        return isSame ? asDocumented() : differs('The account has moved to another server: connect it again.')
      },
    },
    readProbe({
      name: 'posts',
      settles: 'whether records can be listed',
      documented: ['records[].uri', 'records[].cid', 'records[].value.*', 'cursor?'],
      read: (look) =>
        ask(look, 'com.atproto.repo.listRecords', {
          query: { repo: look.account.externalId, collection: POSTS, limit: '5' },
          parse: (body) => (Array.isArray(record(body)?.records) ? true : undefined),
        }),
    }),
    readProbe({
      name: 'videos',
      settles: 'how many videos of a day are left, and whether the video service takes any',
      documented: ['token?', 'canUpload?', 'remainingDailyVideos?', 'remainingDailyBytes?', 'message?', 'error?'],
      read: askLimits,
      says: ({ canUpload }) => `Videos are ${canUpload ? 'taken' : 'not taken'}.`,
      refused: ({ status }) =>
        status === 404 || status === 501 ? notTried(`The service does not know the call (status ${status}).`) : null,
    }),
  ],
  /** https://docs.bsky.app/docs/api/com-atproto-repo-delete-record (read 2026-11-21) */
  remove: (look, providerId) =>
    ask(look, 'com.atproto.repo.deleteRecord', {
      json: { repo: look.account.externalId, collection: POSTS, rkey: providerId.split('/').at(-1) ?? '' },
      parse: () => true,
    }),
  byHand: 'Open the post on bsky.app, open its menu and choose "Delete post".',
}
