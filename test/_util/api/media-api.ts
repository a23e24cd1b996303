import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import pino from 'pino'
import { vi } from 'vitest'
import type { MediaLibraryItem, MediaUpload } from '#contract'
import { newId } from '#domain'
import type { ServerDeps } from '#http'
import { createUrlSigner, type MediaStore, type UrlSigner } from '#media'
import { loadNetworks } from '#networks'
import { createKey } from '#operations'
import { insertAccount, insertSocialSet } from '#persistence'
import { composeServer } from '../../../src/app/compose-server.ts'
import { logSerializers } from '../../../src/app/log.ts'
import { type ImportStage, openImportStage } from '../engine/import-stage.ts'
import { ANY_RATE, plansWith, WELL } from './api.ts'
import { SECRET_BOX, waysOf } from './connections.ts'
import { type KeyOptions, keyOf } from './key-options.ts'
import { identityOf } from './members.ts'
import { describedBy } from './openapi.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are checked by the description of the API and by what a test expects
type Body = any

export interface MediaAnswer {
  status: number
  headers: Headers
  body: Body
}

export interface MediaApiOptions {
  /** Of another one, whose database and files this one shares as another process would. */
  stage?: ImportStage
  plans?: Parameters<typeof plansWith>[0]
  receiving?: ServerDeps['receiving']
  limits?: ServerDeps['limits']
  /** The store that requests see, made of that of the stage. */
  store?(store: MediaStore): MediaStore
}

/** The API with a store and files to import, which `api.ts` does without. */
export interface MediaApi {
  /** Of the server, without a slash at the end. */
  url: string
  stage: ImportStage
  urls: UrlSigner
  /** Of the whole account, all scopes. */
  key: string
  socialSetId: string
  request(method: string, path: string, options?: { key?: string | null; body?: unknown }): Promise<MediaAnswer>
  /** `POST /v1/media-upload`, which must succeed. */
  upload(url: string, more?: object): Promise<MediaUpload>
  /** Polls an upload until it has ended. */
  ended(id: string): Promise<MediaUpload>
  /** Imports a fixture and reads its item. */
  item(fixture: string, more?: object): Promise<MediaLibraryItem>
  /** Fetches a signed address as the world does, without a key. */
  file(url: string, init?: RequestInit): Promise<Response>
  newKey(options?: KeyOptions): Promise<string>
  newSocialSet(accountId?: string): Promise<string>
  newAccount(): Promise<string>
  logged(): string
  /** That the server has open. */
  connections(): Promise<number>
  close(): Promise<void>
}

export async function startMediaApi(options: MediaApiOptions = {}): Promise<MediaApi> {
  const stage = options.stage ?? (await openImportStage())
  const { db, store, accountId } = stage
  const lines: string[] = []
  const log = pino({ level: 'debug', serializers: logSerializers }, { write: (line: string) => void lines.push(line) })
  const publicUrl = 'https://almanac.test'
  const urls = createUrlSigner({ publicUrl, secrets: [Buffer.alloc(32, 7)] })
  const identity = identityOf({ db })
  const plans = plansWith(options.plans)
  const networks = await loadNetworks()
  const server = await composeServer({
    ...{ db, networks, plans, identity, publicUrl, log, urls, box: SECRET_BOX, directUrl: null },
    ...(await waysOf({ db, networks })),
    addressLimit: ANY_RATE,
    dashboardDir: null,
    mailer: null,
    store: options.store?.(store) ?? store,
    trustedWebhookHosts: [],
    health: WELL,
    sandbox: null,
    trustProxy: false,
    hsts: false,
    trustedOrigins: [],
    ...(options.receiving ? { receiving: options.receiving } : {}),
    ...(options.limits ? { limits: options.limits } : {}),
    strict: true,
  })
  await server.listen({ host: '127.0.0.1', port: 0 })
  const origin = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
  const { check } = await describedBy(origin)
  const newKey: MediaApi['newKey'] = async (options = {}) => {
    const input = { ...keyOf(options), accountId: options.accountId ?? accountId, name: 'Key' }
    return (await createKey({ db }, input)).key
  }
  const key = await newKey()

  const api: MediaApi = {
    url: origin,
    stage,
    urls,
    key,
    socialSetId: stage.socialSetId,
    async request(method, path, options = {}) {
      const credential = options.key === undefined ? key : options.key
      const response = await fetch(`${origin}${path}`, {
        method,
        headers: {
          ...(credential === null ? {} : { authorization: `Bearer ${credential}` }),
          ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
      })
      const body = JSON.parse(await response.text())
      check({ method, path, status: response.status, headers: response.headers, body })
      return { status: response.status, headers: response.headers, body }
    },
    async upload(url, more = {}) {
      const body = { socialSetId: stage.socialSetId, url, ...more }
      const answer = await api.request('POST', '/v1/media-upload', { body })
      if (answer.status !== 201) throw new Error(`The upload was refused: ${JSON.stringify(answer.body)}`)
      return answer.body
    },
    ended: (id) =>
      vi.waitFor(
        async () => {
          const { body } = await api.request('GET', `/v1/media-upload/${id}`)
          if (body.status !== 'READY' && body.status !== 'FAILED') throw new Error(`It is still ${body.status}.`)
          return body
        },
        { timeout: 20_000, interval: 20 },
      ),
    async item(fixture, more = {}) {
      const { id } = await api.upload(await stage.server.fixture(fixture), more)
      const { mediaLibraryId, error } = await api.ended(id)
      if (mediaLibraryId === null) throw new Error(`The import failed: ${error?.message}`)
      return (await api.request('GET', `/v1/media-library/${mediaLibraryId}`)).body
    },
    file: (url, init) => fetch(url.replace(publicUrl, origin), init),
    newKey,
    async newSocialSet(owner = accountId) {
      const id = newId()
      await insertSocialSet(db, { id, accountId: owner, name: 'Another brand', timezone: 'UTC' })
      return id
    },
    async newAccount() {
      const id = newId()
      await insertAccount(db, { id, name: 'Another', slug: id, plan: 'SCALE' })
      return id
    },
    logged: () => `${lines.join('')}${JSON.stringify(stage.logged)}`,
    connections: promisify(server.server.getConnections.bind(server.server)),
    async close() {
      await server.close()
      if (!options.stage) await stage.close()
    },
  }
  return api
}
