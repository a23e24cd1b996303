import { SimulatedRefusal } from '../kit/faults.ts'
import type { Simulator, SimulatorDeps } from '../kit/simulation.ts'
import { type Call, showPost, simulatedApi, visibly } from '../kit/simulator.ts'
import { type Account, openAccounts } from './simulator/accounts.ts'
import { readBytes, readJson, refusal } from './simulator/answers.ts'
import { openBlobs } from './simulator/blobs.ts'
import { openRecords, type PutRequest } from './simulator/records.ts'
import { isAnswer } from './simulator/tokens.ts'
import { openVideoService } from './simulator/video.ts'

/** Largest body that is not a file. */
const MAX_JSON_BYTES = 1_000_000
/** Of a sign-in, which anyone may send. */
const MAX_SIGN_IN_BYTES = 16_384
const TOO_LARGE = refusal(413, 'PayloadTooLarge', 'request entity too large')
const NO_BODY = refusal(400, 'InvalidRequest', 'A request body is expected but none was provided')

/**
 * A pretend Bluesky: a server of accounts (`/pds`), the directory of accounts (`/plc`), the video service (`/video`) and
 * the pages of posts (`/web`). It answers the calls that the connector makes as the real ones do, and checks what it is sent.
 */
export function simulate(deps: SimulatorDeps): Simulator {
  const accounts = openAccounts(deps, { pds: `${deps.url}/pds` })
  const blobs = openBlobs(deps.store)
  const records = openRecords(deps, blobs)
  const videos = openVideoService(deps, { accounts, blobs })
  const server = '/pds/xrpc/com.atproto'
  const video = '/video/xrpc/app.bsky.video'

  return simulatedApi<Account, null>(deps, {
    identityFor(connection) {
      const account = accounts.forConnection(connection)
      const session = accounts.sessionFor(account)
      return {
        externalId: account.did,
        name: account.name,
        username: account.handle,
        profileUrl: `${deps.url}/web/profile/${account.handle}`,
        avatarUrl: null,
        credentials: { accessJwt: session.accessJwt, refreshJwt: session.refreshJwt },
        expiresAt: session.expiresAt,
        endpoints: {},
      }
    },
    authorize(request) {
      const account = accounts.authorize(request.headers.authorization)
      if (isAnswer(account)) throw new SimulatedRefusal(account)
      return account
    },
    notFound: refusal(501, 'MethodNotImplemented', 'Method Not Implemented'),
    tooLarge: TOO_LARGE,
    open: {
      'GET /plc/:did': ({ at }) => accounts.inDirectory(at.did ?? ''),
      'GET /web/profile/:who': (call) => showPost(call),
      'GET /web/profile/:who/post/:rkey'(call) {
        const account = accounts.find(call.at.who ?? '')
        return showPost(call, account ? records.uri(account, call.at.rkey ?? '') : undefined)
      },
      [`GET ${server}.server.describeServer`]: () => ({
        status: 200,
        body: { did: accounts.serverDid, availableUserDomains: ['.test'], inviteCodeRequired: true },
      }),
      async [`POST ${server}.server.createSession`]({ request }) {
        const body = await readJson(request, MAX_SIGN_IN_BYTES)
        return body ? accounts.signIn(body) : NO_BODY
      },
      [`POST ${server}.server.refreshSession`]: ({ request }) => accounts.refresh(request.headers.authorization),
      [`GET ${server}.identity.resolveHandle`]({ query }) {
        const account = accounts.find(query.get('handle') ?? '')
        return account
          ? { status: 200, body: { did: account.did } }
          : refusal(400, 'HandleNotFound', 'Unable to resolve handle')
      },
      [`GET ${server}.repo.getRecord`]: ({ query }) => records.get(accounts.find(query.get('repo') ?? ''), query),
      [`GET ${server}.repo.listRecords`]: ({ query }) => records.list(accounts.find(query.get('repo') ?? ''), query),
      [`POST ${video}.uploadVideo`]: ({ request, query }) => videos.upload(request, query),
      [`GET ${video}.getJobStatus`]: ({ query }) => videos.status(query),
      [`GET ${video}.getUploadLimits`]: ({ request }) => videos.limits(request),
    },
    routes: {
      [`GET ${server}.server.getServiceAuth`]: [null, ({ by, query }) => accounts.serviceToken(by, query)],
      [`POST ${server}.repo.uploadBlob`]: [
        null,
        async ({ by, request }) => {
          const bytes = await readBytes(request, blobs.maxBytes)
          if (bytes === null) return TOO_LARGE
          return { status: 200, body: { blob: await blobs.add(by.did, bytes, request.headers['content-type']) } }
        },
      ],
      [`POST ${server}.repo.putRecord`]: [null, putRecord],
      [`POST ${server}.repo.deleteRecord`]: [
        null,
        async ({ by, request }) => {
          const body = (await readJson(request, MAX_JSON_BYTES)) as PutRequest | null
          return body ? records.remove(by, body) : NO_BODY
        },
      ],
      [`GET ${server}.server.getSession`]: [null, ({ by }) => accounts.present(by)],
    },
  })

  /** The visible call: faults that the text asks for strike here. */
  async function putRecord(call: Call<Account>) {
    const body = (await readJson(call.request, MAX_JSON_BYTES)) as PutRequest | null
    if (!body) return NO_BODY
    const schemas = await import('@atproto/api')
    return visibly(call, {
      key: [call.by.did, body.rkey],
      text: String(body.record?.text ?? ''),
      accept: () => records.put(call.by, body, schemas),
      answers: {
        '500-before': refusal(500, 'InternalServerError', 'Internal Server Error'),
        'rate-limited': {
          ...refusal(429, 'RateLimitExceeded', 'Rate Limit Exceeded'),
          headers: { 'ratelimit-reset': String(Math.floor(deps.now().getTime() / 1000) + 5) },
        },
        'token-expired': refusal(400, 'ExpiredToken', 'Token has expired'),
        'media-rejected': refusal(
          400,
          'InvalidRequest',
          'Invalid app.bsky.feed.post record: blob too big (maximum 2000000, got 2000001) at $.record.embed.images[0].image',
        ),
        'caption-too-long': refusal(
          400,
          'InvalidRequest',
          'Invalid app.bsky.feed.post record: grapheme too big (maximum 300, got 301) at $.record.text',
        ),
        'account-restricted': refusal(401, 'AccountDeactivated', 'Account is deactivated'),
        'account-suspended': refusal(401, 'AccountTakedown', 'Account has been taken down'),
      },
    })
  }
}
