import type { IncomingMessage, ServerResponse } from 'node:http'
import { answerVisibleCall, type SimulatedAnswer, sendAnswer } from '../toolkit/faults.ts'
import type { Simulator, SimulatorDeps } from '../toolkit/simulation.ts'
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
const NO_BODY = refusal(400, 'InvalidRequest', 'A request body is expected but none was provided')

/**
 * A pretend Bluesky: a server of accounts (`/pds`), the directory of accounts (`/plc`), the video service (`/video`) and
 * the pages of posts (`/web`). It answers the calls that the connector makes as the real ones do, and checks what it is sent.
 */
export function simulate(deps: SimulatorDeps): Simulator {
  const { store } = deps
  const pds = `${deps.url}/pds`
  const accounts = openAccounts(deps, { pds })
  const blobs = openBlobs(store)
  const records = openRecords(deps, blobs)
  const videos = openVideoService(deps, { accounts, blobs })

  interface Call {
    request: IncomingMessage
    response: ServerResponse
    query: URLSearchParams
  }
  /** Answers by itself (nothing is returned) only where a fault may strike. */
  type Method = (call: Call) => SimulatedAnswer | Promise<SimulatedAnswer | null>

  const onServer: Record<string, Method> = {
    'GET com.atproto.server.describeServer': () => ({
      status: 200,
      body: { did: accounts.serverDid, availableUserDomains: ['.test'], inviteCodeRequired: true },
    }),
    'POST com.atproto.server.createSession': async ({ request }) => {
      const body = await readJson(request, MAX_SIGN_IN_BYTES)
      return body ? accounts.signIn(body) : NO_BODY
    },
    'POST com.atproto.server.refreshSession': ({ request }) => accounts.refresh(request.headers.authorization),
    'GET com.atproto.server.getServiceAuth': ({ request, query }) =>
      signedIn(request, (account) => accounts.serviceToken(account, query)),
    'GET com.atproto.identity.resolveHandle': ({ query }) => {
      const account = accounts.find(query.get('handle') ?? '')
      return account
        ? { status: 200, body: { did: account.did } }
        : refusal(400, 'HandleNotFound', 'Unable to resolve handle')
    },
    'POST com.atproto.repo.uploadBlob': ({ request }) =>
      signedIn(request, async (account) => {
        const bytes = await readBytes(request, blobs.maxBytes)
        if (bytes === null) return refusal(413, 'PayloadTooLarge', 'request entity too large')
        return { status: 200, body: { blob: await blobs.add(account.did, bytes, request.headers['content-type']) } }
      }),
    'POST com.atproto.repo.putRecord': ({ request, response }) =>
      signedIn(request, async (account) => {
        const body = await readJson(request, MAX_JSON_BYTES)
        return body ? putRecord(account, body as PutRequest, response) : NO_BODY
      }),
    'GET com.atproto.repo.getRecord': ({ query }) => records.get(accounts.find(query.get('repo') ?? ''), query),
    'GET com.atproto.repo.listRecords': ({ query }) => records.list(accounts.find(query.get('repo') ?? ''), query),
  }
  const onVideoService: Record<string, Method> = {
    'POST app.bsky.video.uploadVideo': ({ request, query }) => videos.upload(request, query),
    'GET app.bsky.video.getJobStatus': ({ query }) => videos.status(query),
  }

  return {
    async handle(request, response, path) {
      const url = new URL(path, deps.url)
      const [, endpoint = '', ...rest] = url.pathname.split('/')
      if (endpoint === 'web') return showPage(response, rest)
      if (endpoint === 'plc') return sendAnswer(response, accounts.inDirectory(rest[0] ?? ''))
      const methods = endpoint === 'pds' ? onServer : endpoint === 'video' ? onVideoService : {}
      const method = rest[0] === 'xrpc' ? methods[`${request.method} ${rest[1]}`] : undefined
      const answer = method
        ? await method({ request, response, query: url.searchParams })
        : refusal(501, 'MethodNotImplemented', 'Method Not Implemented')
      if (answer) sendAnswer(response, answer)
    },
    identityFor(connection) {
      const account = accounts.forConnection(connection)
      const session = accounts.sessionFor(account)
      return {
        externalId: account.did,
        name: account.name,
        username: account.handle,
        profileUrl: `${deps.url}/web/profile/${account.handle}`,
        avatarUrl: null,
        credentials: { accessJwt: session.accessJwt, refreshJwt: session.refreshJwt, video: 'service' },
        expiresAt: session.expiresAt,
        endpoints: {},
      }
    },
  }

  async function signedIn(
    request: IncomingMessage,
    then: (account: Account) => SimulatedAnswer | Promise<SimulatedAnswer | null>,
  ): Promise<SimulatedAnswer | null> {
    const account = accounts.authorize(request.headers.authorization)
    return isAnswer(account) ? account : then(account)
  }

  /** The visible call: faults that the text asks for strike here. */
  async function putRecord(account: Account, body: PutRequest, response: ServerResponse): Promise<null> {
    const schemas = await import('@atproto/api')
    await answerVisibleCall({
      store,
      response,
      key: `${account.did}/${body.rkey}`,
      text: String(body.record?.text ?? ''),
      accept: () => records.put(account, body, schemas),
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
    return null
  }

  /** `profile/{did}/post/{rkey}`: the page stands where the sandbox shows all posts. */
  function showPage(response: ServerResponse, [, who = '', , rkey = '']: string[]): void {
    const account = accounts.find(who.replaceAll(/%3a/gi, ':'))
    const { pathname } = new URL(deps.url)
    const post = account && rkey ? `/p/${encodeURIComponent(records.uri(account, rkey))}` : ''
    response.writeHead(302, { location: `${pathname}${post}` }).end()
  }
}
