import type { IncomingMessage } from 'node:http'
import type { SimulatedAnswer } from '../kit/faults.ts'
import { record } from '../kit/read-json.ts'
import { readBytes, readJson } from '../kit/request-body.ts'
import type { Simulator, SimulatorDeps } from '../kit/simulation.ts'
import { type Call, showPost, simulatedApi, visibly } from '../kit/simulator.ts'
import { type Account, openAccounts } from './simulator/accounts.ts'
import { ok, refusal, refuse } from './simulator/answers.ts'
import { openRecords } from './simulator/records.ts'
import { openVideoService } from './simulator/video.ts'

/** Largest file: about what Bluesky's own servers take. */
const MAX_FILE_BYTES = 50_000_000
/** Largest body that is not a file, and that of a sign-in, which anyone may send. */
const [MAX_JSON_BYTES, MAX_SIGN_IN_BYTES] = [1_000_000, 16_384]

async function bodyOf(request: IncomingMessage, maxBytes = MAX_JSON_BYTES) {
  const body = record(await readJson(request, maxBytes))
  return body ?? refuse(400, 'InvalidRequest', 'A request body is expected but none was provided')
}

const invalid = (what: string) => refusal(400, 'InvalidRequest', `Invalid app.bsky.feed.post record: ${what}`)

/** What the fault words say in this network's words. Each of them means that nothing was made. */
const faultAnswers = {
  '500-before': refusal(500, 'InternalServerError', 'Internal Server Error'),
  'token-expired': refusal(400, 'ExpiredToken', 'Token has expired'),
  'media-rejected': invalid('blob too big (maximum 2000000, got 2000001) at $.record.embed.images[0].image'),
  'caption-too-long': invalid('grapheme too big (maximum 300, got 301) at $.record.text'),
  'account-restricted': refusal(401, 'AccountDeactivated', 'Account is deactivated'),
  'account-suspended': refusal(401, 'AccountTakedown', 'Account has been taken down'),
}

/**
 * The simulated Bluesky: a server of accounts (`/pds`), the directory of accounts (`/plc`), the video service (`/video`) and
 * the pages of posts (`/web`). It answers the calls that the connector makes as the real ones do, and checks what it is sent.
 */
export function simulate(deps: SimulatorDeps): Simulator {
  const accounts = openAccounts(deps)
  const records = openRecords(deps)
  const videos = openVideoService(deps, records)
  const server = '/pds/xrpc/com.atproto'
  const video = '/video/xrpc/app.bsky.video'
  const repoIn = (query: URLSearchParams) =>
    accounts.find(query.get('repo') ?? '') ?? refuse(400, 'InvalidRequest', 'Could not find repo')

  return simulatedApi<Account, string | null>(deps, {
    identityFor: accounts.identityFor,
    authorize: accounts.authorize,
    notFound: refusal(501, 'MethodNotImplemented', 'Method Not Implemented'),
    tooLarge: refusal(413, 'PayloadTooLarge', 'request entity too large'),
    open: {
      'GET /plc/:did': ({ at }) => accounts.inDirectory(at.did ?? ''),
      'GET /web/profile/:who': (call) => showPost(call),
      'GET /web/profile/:who/post/:rkey'(call) {
        const account = accounts.find(call.at.who ?? '')
        return showPost(call, account ? records.uri(account, call.at.rkey ?? '') : undefined)
      },
      [`GET ${server}.server.describeServer`]: () =>
        ok({ did: accounts.serverDid, availableUserDomains: ['.test'], inviteCodeRequired: true }),
      [`POST ${server}.server.createSession`]: async ({ request }) =>
        accounts.signIn(await bodyOf(request, MAX_SIGN_IN_BYTES)),
      [`POST ${server}.server.refreshSession`]: ({ request }) => accounts.refresh(request),
      [`GET ${server}.identity.resolveHandle`]({ query }) {
        const account = accounts.find(query.get('handle') ?? '')
        return account ? ok({ did: account.did }) : refusal(400, 'HandleNotFound', 'Unable to resolve handle')
      },
      [`GET ${server}.repo.getRecord`]: ({ query }) => records.get(repoIn(query), query),
      [`GET ${server}.repo.listRecords`]: ({ query }) => records.list(repoIn(query), query),
      [`GET ${video}.getJobStatus`]: videos.status,
    },
    /** Null: a session. Else the method that another service may call with the token. */
    routes: {
      [`GET ${server}.server.getSession`]: [null, ({ by }) => accounts.present(by)],
      [`GET ${server}.server.getServiceAuth`]: [null, ({ by, query }) => accounts.serviceToken(by, query)],
      [`POST ${server}.repo.uploadBlob`]: [null, uploadBlob],
      [`POST ${server}.repo.putRecord`]: [null, putRecord],
      [`POST ${server}.repo.applyWrites`]: [null, applyWrites],
      [`POST ${server}.repo.deleteRecord`]: [
        null,
        async ({ by, request }) => records.remove(by, await bodyOf(request)),
      ],
      [`POST ${video}.uploadVideo`]: ['com.atproto.repo.uploadBlob', videos.upload],
      [`GET ${video}.getUploadLimits`]: ['app.bsky.video.getUploadLimits', videos.limits],
    },
  })

  async function uploadBlob({ by, request }: Call<Account>) {
    const bytes = await readBytes(request, MAX_FILE_BYTES)
    return ok({ blob: await records.addFile(by, bytes, request.headers['content-type']) })
  }

  async function putRecord(call: Call<Account>): Promise<null> {
    const body = await bodyOf(call.request)
    return made(call, [body], async () => records.put(call.by, body, await import('@atproto/api')))
  }

  async function applyWrites(call: Call<Account>): Promise<null> {
    const body = await bodyOf(call.request)
    const writes = (Array.isArray(body.writes) ? body.writes : []).map((each) => record(each) ?? {})
    const posts = writes.map(({ rkey, value }) => ({ rkey, record: value }))
    return made(call, posts, async () => records.apply(call.by, body, await import('@atproto/api')))
  }

  /** The visible calls: faults that the texts ask for strike here. */
  async function made(
    call: Call<Account>,
    posts: readonly { rkey?: unknown; record?: unknown }[],
    accept: () => Promise<SimulatedAnswer>,
  ): Promise<null> {
    const limited = refusal(429, 'RateLimitExceeded', 'Rate Limit Exceeded')
    const headers = { 'ratelimit-reset': String(Math.floor(deps.now().getTime() / 1000) + 5) }
    return visibly(call, {
      key: [call.by.did, posts[0]?.rkey],
      text: posts.map((each) => String(record(each.record)?.text ?? '')).join(' '),
      accept,
      answers: { ...faultAnswers, 'rate-limited': { ...limited, headers } },
    })
  }
}
