import { asDocumented, type Checks, differs, notTried, readProbe } from '../kit/checks.ts'
import { record, string } from '../kit/read-json.ts'
import { call } from './api.ts'
import { findServer } from './did.ts'
import { errors } from './outcomes.ts'
import { POSTS } from './post-record.ts'
import { readServer, readServiceToken } from './wire.ts'

/** A token for another service lives for so long. */
const SERVICE_TOKEN_SECONDS = 60
const LIMITS = 'app.bsky.video.getUploadLimits'

/** What only a real account can tell. Keys: the lexicons of 2026-08-20, https://github.com/bluesky-social/atproto. */
export const checks: Checks = {
  errors,
  probes: [
    readProbe({
      name: 'session',
      settles: 'whether the account is active, and its address confirmed, without which no video is taken',
      documented: ['did', 'handle', 'didDoc.*', 'email?', 'emailConfirmed?', 'emailAuthFactor?', 'active?', 'status?'],
      read: (look) =>
        call(look, look.endpoint('pds'), 'com.atproto.server.getSession', {
          token: look.credentials.accessJwt,
          timeoutMs: 15_000,
          parse: (body) => (string(record(body)?.did) === undefined ? undefined : record(body)),
        }),
      differs: ({ active, status }) => (active === false ? `The account is ${string(status) ?? 'not active'}.` : null),
    }),
    readProbe({
      name: 'server',
      settles: 'how the server names itself, which tokens for the video service need',
      documented: [
        'did',
        'availableUserDomains',
        'availableUserDomains[]',
        'inviteCodeRequired?',
        'phoneVerificationRequired?',
        'links.*',
        'contact.*',
      ],
      read: (look) =>
        call(look, look.endpoint('pds'), 'com.atproto.server.describeServer', { timeoutMs: 15_000, parse: readServer }),
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
        call(look, look.endpoint('pds'), 'com.atproto.repo.listRecords', {
          query: { repo: look.account.externalId, collection: POSTS, limit: '5' },
          timeoutMs: 15_000,
          parse: (body) => (Array.isArray(record(body)?.records) ? true : undefined),
        }),
    }),
    readProbe({
      name: 'videos',
      settles: 'how many videos of a day are left, and whether the video service takes any',
      documented: ['token?', 'canUpload?', 'remainingDailyVideos?', 'remainingDailyBytes?', 'message?', 'error?'],
      async read(look) {
        const service = new URL(look.endpoint('video'))
        const token = await call(look, look.endpoint('pds'), 'com.atproto.server.getServiceAuth', {
          token: look.credentials.accessJwt,
          query: {
            aud: `did:web:${encodeURIComponent(service.host)}`,
            lxm: LIMITS,
            exp: String(Math.floor(look.now().getTime() / 1000) + SERVICE_TOKEN_SECONDS),
          },
          timeoutMs: 15_000,
          parse: readServiceToken,
        })
        if (token.kind !== 'ok') return token
        return call(look, look.endpoint('video'), LIMITS, {
          token: token.value.token,
          timeoutMs: 15_000,
          parse: (body) => (typeof record(body)?.canUpload === 'boolean' ? record(body) : undefined),
        })
      },
      says: ({ canUpload }) => `Videos are ${canUpload === true ? 'taken' : 'not taken'}.`,
      refused: ({ status }) =>
        status === 404 || status === 501 ? notTried(`The service does not know the call (status ${status}).`) : null,
    }),
  ],
  /** https://docs.bsky.app/docs/api/com-atproto-repo-delete-record (read 2026-11-21) */
  remove: (look, providerId) =>
    call(look, look.endpoint('pds'), 'com.atproto.repo.deleteRecord', {
      method: 'POST',
      token: look.credentials.accessJwt,
      json: { repo: look.account.externalId, collection: POSTS, rkey: providerId.split('/').at(-1) ?? '' },
      timeoutMs: 15_000,
      parse: () => true,
    }),
  byHand: 'Open the post on bsky.app, open its menu and choose "Delete post".',
}
