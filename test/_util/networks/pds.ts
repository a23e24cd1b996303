import { createHash, createHmac, randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { Secp256k1Keypair } from '@atproto/crypto'
import { envToCfg, envToSecrets, PDS } from '@atproto/pds'
import { Database, PlcServer } from '@did-plc/server'
import { Agent } from 'undici'
import { createHttp, loadNetworks, type NetworkIdentity, OPERATOR_SERVICE } from '#networks'
import { freePort } from '../processes/ports.ts'
import { readFixture } from './file-server.ts'

/** A real Bluesky server (PDS) with a directory of its own, on free ports of this machine and in a temporary folder. */
export interface Pds {
  /** `http://localhost:port` */
  url: string
  /** The directory in which its accounts stand. */
  plcUrl: string
  /** A small video service that hands files on to this server, as Bluesky's own does. */
  videoUrl: string
  /** A new account. The handle is the name and some letters, below `.test`. */
  createAccount(name: string): Promise<PdsAccount>
  /** All posts of an account, oldest first. */
  posts(did: string): Promise<PdsPost[]>
  /** The bytes of a file as everybody gets them. */
  blob(did: string, cid: string): Promise<Buffer>
  /** The moderators take an account down. */
  takeDown(did: string): Promise<void>
  /** The same token of an account, but its time is over. */
  expired(token: string): string
  /** Calls a method of the server; throws unless it succeeds. */
  call<T>(method: string, options?: { token?: string; body?: unknown; query?: Record<string, string> }): Promise<T>
  /** A new account that is connected as `almanac connections add` would. */
  connect(): Promise<ConnectedAccount>
  stop(): Promise<void>
}

export interface PdsAccount {
  did: string
  handle: string
  /** The main password; only the app password is for programs. */
  password: string
  appPassword: string
}

export interface ConnectedAccount {
  account: PdsAccount
  identity: NetworkIdentity
  /** Hosts that guarded requests have to be allowed. */
  trustedHosts: string[]
  /** Texts of all posts of the account. */
  texts(): Promise<string[]>
}

export interface PdsPost {
  uri: string
  cid: string
  value: {
    text: string
    createdAt: string
    langs?: string[]
    reply?: Record<'root' | 'parent', { uri: string; cid: string }>
    facets?: { index: { byteStart: number; byteEnd: number }; features: Record<string, unknown>[] }[]
    embed?: {
      $type: string
      images?: { alt: string; image: PdsBlob; aspectRatio?: { width: number; height: number } }[]
      items?: { alt: string; image: PdsBlob; aspectRatio: { width: number; height: number } }[]
      external?: { uri: string; title: string; description: string; thumb?: PdsBlob }
      video?: PdsBlob
      alt?: string
      presentation?: string
      aspectRatio?: { width: number; height: number }
    }
  }
}

export interface PdsBlob {
  ref: { $link: string }
  mimeType: string
  size: number
}

const ADMIN_PASSWORD = 'admin'

export async function startPds(options: { blobUploadLimit?: number } = {}): Promise<Pds> {
  const dir = await mkdtemp(join(tmpdir(), 'almanac-pds-'))
  await mkdir(join(dir, 'blobs'))
  const plc = PlcServer.create({ db: Database.mock(), port: 0 })
  const plcServer = await plc.start()
  const plcUrl = `http://localhost:${(plcServer.address() as AddressInfo).port}`
  const port = Number(await freePort())
  const url = `http://localhost:${port}`
  const rotationKey = await Secp256k1Keypair.create({ exportable: true })
  const jwtSecret = randomUUID()
  const env = {
    devMode: true,
    port,
    hostname: 'localhost',
    dataDirectory: dir,
    blobstoreDiskLocation: join(dir, 'blobs'),
    blobUploadLimit: options.blobUploadLimit ?? 300_000_000,
    didPlcUrl: plcUrl,
    jwtSecret,
    adminPassword: ADMIN_PASSWORD,
    plcRotationKeyK256PrivateKeyHex: Buffer.from(await rotationKey.export()).toString('hex'),
    recoveryDidKey: (await Secp256k1Keypair.create()).did(),
    serviceHandleDomains: ['.test'],
    inviteRequired: false,
    // As Bluesky's own servers do: a session names the server of the account.
    enableDidDocWithSession: true,
    disableSsrfProtection: true,
    // There is no app view: what the server cannot answer by itself stays unanswered.
    bskyAppViewUrl: 'https://appview.invalid',
    bskyAppViewDid: 'did:example:invalid',
    modServiceUrl: 'https://mod.invalid',
    modServiceDid: 'did:example:invalid',
  }
  const server = await PDS.create(envToCfg(env), envToSecrets(env))
  await server.start()
  const video = await startVideoService(url)
  const agent = new Agent()

  const call: Pds['call'] = async (method, { token, body, query } = {}) => {
    const address = `${url}/xrpc/${method}${query ? `?${new URLSearchParams(query)}` : ''}`
    const answer = await fetch(address, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: token }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method}: ${answer.status} ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }

  const pds: Pds = {
    url,
    plcUrl,
    videoUrl: video.url,
    call,
    async createAccount(name) {
      const handle = `${name}-${randomUUID().slice(0, 6)}.test`
      const password = randomUUID()
      const created = await call<{ did: string; accessJwt: string }>('com.atproto.server.createAccount', {
        body: { email: `${handle}@example.com`, handle, password },
      })
      const { password: appPassword } = await call<{ password: string }>('com.atproto.server.createAppPassword', {
        token: `Bearer ${created.accessJwt}`,
        body: { name: 'almanac' },
      })
      return { did: created.did, handle, password, appPassword }
    },
    async posts(did) {
      const posts: PdsPost[] = []
      for (let cursor: string | undefined = ''; cursor !== undefined; ) {
        const query = { repo: did, collection: 'app.bsky.feed.post', limit: '100', reverse: 'true', cursor }
        const page: { records: PdsPost[]; cursor?: string } = await call('com.atproto.repo.listRecords', { query })
        posts.push(...page.records)
        cursor = page.cursor
      }
      return posts
    },
    async blob(did, cid) {
      const answer = await fetch(`${url}/xrpc/com.atproto.sync.getBlob?${new URLSearchParams({ did, cid })}`)
      if (!answer.ok) throw new Error(`com.atproto.sync.getBlob: ${answer.status} ${await answer.text()}`)
      return Buffer.from(await answer.arrayBuffer())
    },
    expired(token) {
      const [header = '', payload = ''] = token.split('.')
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
      const ended = Buffer.from(JSON.stringify({ ...claims, iat: claims.iat - 86_400, exp: claims.iat - 80_000 }))
      const text = `${header}.${ended.toString('base64url')}`
      return `${text}.${createHmac('sha256', jwtSecret).update(text).digest('base64url')}`
    },
    async takeDown(did) {
      await call('com.atproto.admin.updateSubjectStatus', {
        token: `Basic ${Buffer.from(`admin:${ADMIN_PASSWORD}`).toString('base64')}`,
        body: {
          subject: { $type: 'com.atproto.admin.defs#repoRef', did },
          takedown: { applied: true, ref: 'test' },
        },
      })
    },
    async connect() {
      const account = await pds.createAccount('baker')
      const network = (await loadNetworks()).named('bluesky')
      if (!network?.connect.withPassword) throw new Error('Accounts cannot be connected with a password.')
      const { endpoints } = network.manifest
      const ours: Record<string, string> = { plc: plcUrl }
      const outcome = await network.connect.withPassword(
        {
          endpoint: (name) => ours[name] ?? endpoints[name]?.default ?? '',
          setting: () => '',
          http: createHttp({ trustedOrigins: new Set(), plain: agent, guarded: agent }),
          signal: AbortSignal.timeout(10_000),
          now: () => new Date(),
        },
        { service: url, identifier: account.handle, password: account.appPassword },
      )
      if (outcome.kind === 'failed') throw new Error(outcome.message)
      // As the command keeps it: requests to the server that the operator named are not guarded.
      const identity = { ...outcome.identity, endpoints: { ...outcome.identity.endpoints, [OPERATOR_SERVICE]: url } }
      return {
        account,
        identity,
        trustedHosts: [new URL(url).host],
        texts: async () => (await pds.posts(account.did)).map(({ value }) => value.text),
      }
    },
    async stop() {
      await video.close()
      await server.destroy()
      await plc.destroy()
      await agent.destroy()
      await rm(dir, { recursive: true, force: true })
    },
  }
  return pds
}

/**
 * Takes videos, puts them on the server with the token that it was given, and is done at the second question. What is no MP4
 * becomes one, always the same.
 */
async function startVideoService(pdsUrl: string): Promise<{ url: string; close(): Promise<void> }> {
  const jobs = new Map<string, { jobId: string; did: string; blob: unknown; asked: number }>()
  const statusOf = ({ jobId, did, blob, asked }: { jobId: string; did: string; blob: unknown; asked: number }) =>
    asked >= 2 ? { jobId, did, state: 'JOB_STATE_COMPLETED', blob } : { jobId, did, state: 'JOB_STATE_ENCODING' }
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://video')
    const answer = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    const bytes = await buffer(request)
    if (url.pathname === '/xrpc/app.bsky.video.getUploadLimits') {
      const known = (request.headers.authorization ?? '').split('.').length === 3
      if (!known) return answer(401, { error: 'AuthMissing', message: 'Authentication Required' })
      return answer(200, { canUpload: true, remainingDailyVideos: 25, remainingDailyBytes: 10_000_000_000 })
    }
    const isMp4 = bytes.toString('latin1', 4, 8) === 'ftyp'
    const jobId = url.searchParams.get('jobId') ?? createHash('sha256').update(bytes).digest('hex')
    const job = jobs.get(jobId)
    if (url.pathname === '/xrpc/app.bsky.video.getJobStatus') {
      if (!job) return answer(404, { error: 'JobNotFound', message: 'Job not found' })
      job.asked++
      return answer(200, { jobStatus: statusOf(job) })
    }
    if (job) return answer(409, { ...statusOf(job), error: 'already_exists', message: 'Video already processed' })
    const uploaded = await fetch(`${pdsUrl}/xrpc/com.atproto.repo.uploadBlob`, {
      method: 'POST',
      headers: { authorization: request.headers.authorization ?? '', 'content-type': 'video/mp4' },
      body: new Uint8Array(isMp4 ? bytes : await readFixture('video-short.mp4')),
    })
    const body = (await uploaded.json()) as { blob: unknown }
    if (!uploaded.ok) return answer(uploaded.status, body)
    const made = { jobId, did: url.searchParams.get('did') ?? '', blob: body.blob, asked: 0 }
    jobs.set(jobId, made)
    answer(200, { jobStatus: statusOf(made) })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
