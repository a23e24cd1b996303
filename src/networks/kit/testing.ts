import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Agent } from 'undici'
import type { AccountType, MediaFacts } from '#contract'
import { type Delivered, deliver } from '../conformance/deliver.ts'
import {
  createClock,
  type Delivery,
  type Exchange,
  openDelivery,
  type Step,
  type Trouble,
  type World,
} from '../conformance/delivery.ts'
import type { Sample } from '../conformance/harness.ts'
import { listen } from '../conformance/listen.ts'
import { openSampleMedia } from '../conformance/media.ts'
import { simulatorBackend } from '../conformance/simulator-backend.ts'
import type {
  CheckedMedia,
  ConnectContext,
  Credentials,
  Finding,
  Network,
  NetworkIdentity,
  RefreshOutcome,
  SignInOutcome,
} from '../network.ts'
import { createHttp, type HttpAnswer, type HttpRequest, type HttpResult } from './http.ts'

/** For tests of one network: its simulator with one account, and everything that is sent to it. */

export interface Exchanged {
  request: HttpRequest
  result: HttpResult
  /** `POST pins`: method and path below the stage's base; below another endpoint from its slash on: `GET /www/oauth`. */
  call: string
  query: URLSearchParams
  /** What was sent as JSON; empty when nothing was. */
  json: Json
}

type Reply = HttpResult | null | undefined
export type Instead = HttpResult | ((exchange: Exchange) => Reply | Promise<Reply>)

export interface Stage {
  world: World
  /** Requests that reached the network, in order. */
  sent: HttpRequest[]
  exchanged: Exchanged[]
  http: World['http']
  /**
   * Those of one kind. Ids of six digits and more are `{id}`, that of the account is `{me}`: `POST {me}/feed`. A call that
   * ends so is meant too.
   */
  calls(call: string): Exchanged[]
  /** Answers calls of one kind, as `answering` does. */
  on(call: string, instead: Instead, options?: { reached?: boolean; times?: number; step?: Step }): Trouble
  /** For `connect`: endpoints and settings of the sandbox. */
  context(trouble?: Trouble, settings?: Readonly<Record<string, string>>): ConnectContext
  /** A request past the connector, with the account's token. */
  api<Body = Json>(call: string, json?: unknown, more?: ApiMore): Promise<HttpAnswer & { json: Body }>
  deliver(sample: Sample, trouble?: Trouble): Promise<Delivered>
  open(sample: Sample, trouble?: Trouble): Promise<Delivery>
  /** A delivery that is prepared and whose fence is set. */
  fenced(sample: Sample, trouble?: Trouble): Promise<Delivery>
  posts(): ReturnType<World['backend']['posts']>
  /** Lets time pass. */
  pass(ms: number): void
  signIn: SignIn
  close(): Promise<void>
}

export type Json = Readonly<Record<string, unknown>>
type ApiMore = Partial<Pick<HttpRequest, 'headers' | 'form' | 'body'>> & {
  /** Another token than the account's; empty for none. */
  token?: string
  /** Sent as a form with files. */
  files?: FormData
}

export interface StageOptions {
  /** Where calls are named from: endpoint and path, `api/v5`. */
  base: string
  /** Headers of every call of `api`. */
  headers?: ((context: ConnectContext) => Readonly<Record<string, string>>) | undefined
}

export async function openStage(network: Network, accountType: AccountType, options: StageOptions): Promise<Stage> {
  const agent = new Agent()
  const clock = createClock()
  const [backend, media] = await Promise.all([simulatorBackend(network, accountType, clock), openSampleMedia()])
  const plain = createHttp({ trustedOrigins: new Set(), plain: agent, guarded: agent })
  const root = (Object.values(backend.endpoints)[0] ?? '').split('/').slice(0, -1).join('/')
  const exchanged: Exchanged[] = []
  const sent: HttpRequest[] = []
  const { externalId } = backend.account
  const nameOf = ({ method, url }: HttpRequest) => {
    const path = decodeURIComponent(url.slice(root.length).replace(/\?.*$/, ''))
    const below = path.startsWith(`/${options.base}/`) ? path.slice(options.base.length + 2) : path
    return `${method} ${below.replaceAll(externalId, '{me}').replaceAll(/\d{6,}/g, '{id}')}`
  }
  const http: World['http'] = async (request) => {
    sent.push(request)
    const result = await plain(request)
    const json = (request.json ?? {}) as Json
    exchanged.push({ request, result, call: nameOf(request), query: new URL(request.url).searchParams, json })
    return result
  }
  const isMeant = (call: string, wanted: string) => {
    const [method = '', end = ''] = wanted.split(' ')
    return call === wanted || (call.startsWith(`${method} `) && end.startsWith('/') && call.endsWith(end))
  }
  const world: World = { network, backend, media, http, clock }
  const stage: Stage = {
    world,
    sent,
    exchanged,
    http,
    calls: (call) => exchanged.filter((each) => isMeant(each.call, call)),
    on: (call, instead, { step, ...more } = {}) =>
      answering((each) => isMeant(nameOf(each.request), call) && (!step || each.step === step), instead, more),
    context: (trouble = {}, settings = {}) => ({
      endpoint: (name) => backend.endpoints[name] ?? '',
      setting: (name) => settings[name] ?? backend.settings?.[name] ?? '',
      http: (request) => {
        const send = () => http(request)
        return trouble.intercept?.({ step: 'prepare', nthInCall: 1, request, send }) ?? send()
      },
      signal: AbortSignal.timeout(20_000),
      now: clock.now,
    }),
    async api<Body>(call: string, json?: unknown, { token, headers, files, ...more }: ApiMore = {}) {
      const [method = 'GET', path = ''] = call.replaceAll('{me}', externalId).split(' ')
      const encoded = files && new Response(files)
      const bearer = token ?? backend.credentials.accessToken ?? ''
      const answer = await http({
        method: method as HttpRequest['method'],
        url: root + (path.startsWith('/') ? path : `/${options.base}/${path}`),
        headers: {
          ...(bearer === '' ? {} : { authorization: `Bearer ${bearer}` }),
          ...options.headers?.(stage.context()),
          ...(encoded ? { 'content-type': encoded.headers.get('content-type') ?? '' } : {}),
          ...headers,
        },
        ...(json === undefined ? {} : { json }),
        ...(encoded ? { body: new Uint8Array(await encoded.arrayBuffer()) } : {}),
        ...more,
        signal: AbortSignal.timeout(30_000),
      })
      if (answer.kind === 'failed') throw new Error(answer.message)
      return answer as HttpAnswer & { json: Body }
    },
    deliver: (sample, trouble) => deliver(stage.world, sample, trouble),
    open: (sample, trouble) => openDelivery(stage.world, sample, trouble),
    async fenced(sample, trouble) {
      const delivery = await stage.open(sample, trouble)
      await prepared(stage.world, delivery)
      delivery.fence()
      return delivery
    },
    posts: () => backend.posts(),
    pass: (ms) => clock.jumpTo(new Date(clock.now().getTime() + ms)),
    signIn: signInOf(network, { accountType, externalId }, () => stage.context()),
    async close() {
      await backend.stop()
      await media.close()
      await agent.destroy()
    },
  }
  return stage
}

/** The steps of a sign-in, as a person takes them. */
interface SignIn {
  /** The address of the sign-in; `change` is what a person, or another app, does to it. */
  address(change?: (url: URL) => void): URL
  /** What the browser brings back from the consent page. */
  decide(decision: 'allow' | 'deny', change?: (url: URL) => void): Promise<URLSearchParams>
  code(change?: (url: URL) => void): Promise<string>
  complete(
    code: string,
    more?: { context?: ConnectContext; redirectUri?: string; verifier?: string },
  ): Promise<SignInOutcome>
  /** All of it. */
  run(context?: ConnectContext, change?: (url: URL) => void): Promise<SignInOutcome>
  /** The accounts of one that succeeds. */
  accounts(): Promise<readonly [NetworkIdentity, ...NetworkIdentity[]]>
  /** Of the account of the stage. */
  refresh(credentials: Credentials, context?: ConnectContext): Promise<RefreshOutcome>
  /** The same for another kind of account. */
  as(accountType: AccountType): SignIn
}

const VERIFIER = 'a-verifier-that-no-one-else-knows-0123456789'
export const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url')
export const redirectUriOf = ({ manifest }: Network) => `https://almanac.example/connect/${manifest.name}/callback`

function signInOf(
  network: Network,
  { accountType, externalId }: { accountType: AccountType; externalId: string },
  contextNow: () => ConnectContext,
): SignIn {
  const { oauth, refresh } = network.connect
  const there = () => {
    if (!oauth) throw new Error('The network has no sign-in.')
    return oauth
  }
  const redirectUri = redirectUriOf(network)
  const self: SignIn = {
    address(change) {
      const codeChallenge = there().pkce ? CHALLENGE : null
      const url = new URL(
        there().authorizeUrl(contextNow(), { accountType, state: 'st&te', redirectUri, codeChallenge }),
      )
      change?.(url)
      return url
    },
    async decide(decision, change) {
      const address = self.address(change)
      const page = await (await fetch(address)).text()
      const link = new RegExp(`id="${decision}" href="([^"]+)"`).exec(page)?.[1]
      if (link === undefined) throw new Error(page)
      const href = link.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
      const answer = await fetch(new URL(href, address), { redirect: 'manual' })
      return new URL(answer.headers.get('location') ?? '').searchParams
    },
    code: async (change) => (await self.decide('allow', change)).get('code') ?? '',
    complete: (code, more = {}) =>
      there().complete(more.context ?? contextNow(), {
        accountType,
        code,
        redirectUri: more.redirectUri ?? redirectUri,
        codeVerifier: there().pkce ? (more.verifier ?? VERIFIER) : null,
      }),
    run: async (context, change) => self.complete(await self.code(change), context ? { context } : {}),
    async accounts() {
      const outcome = await self.run()
      if (outcome.kind === 'failed') throw new Error(outcome.message)
      return outcome.accounts
    },
    async refresh(credentials, context = contextNow()) {
      if (!refresh) throw new Error('The network has no refresh.')
      return refresh(context, { externalId, credentials })
    },
    as: (other) => signInOf(network, { accountType: other, externalId }, contextNow),
  }
  return self
}

/** The same network with an account of a sign-in in place of the one that it began with. */
export function worldOf({ world }: Stage, { externalId, username, credentials }: NetworkIdentity): World {
  const account = { ...world.backend.account, externalId, username }
  return { ...world, backend: { ...world.backend, account, credentials } }
}

/** Calls prepare until the post is ready, jumping over pauses. */
export async function prepared(world: World, delivery: Delivery): Promise<void> {
  for (let turn = 0; turn < 100; turn++) {
    const outcome = await delivery.call('prepare')
    if (outcome.kind === 'ready') return
    if (outcome.kind === 'waiting') world.clock.jumpTo(outcome.askAgainAt)
    else if (outcome.kind !== 'retry') throw new Error(`prepare: ${JSON.stringify(outcome)}`)
  }
  throw new Error('The post does not become ready.')
}

/** What steps come to, one after the other: `ready accepted` of `prepare publish`. */
export async function kindsOf(delivery: Delivery, steps: string): Promise<string> {
  const kinds: string[] = []
  for (const step of steps.split(' ')) kinds.push((await delivery.call(step as Step)).kind)
  return kinds.join(' ')
}

/** An answer of a network; undefined for one without a body. */
export function answer(status: number, json?: unknown, headers: Readonly<Record<string, string>> = {}): HttpAnswer {
  return { kind: 'answer', status, headers, text: json === undefined ? '' : JSON.stringify(json), json }
}
/** What is no answer of the network: a page of something on the way. */
export const page = (status: number): HttpAnswer => ({ ...answer(status), text: '<html>' })
/** The network may have acted on it. */
export const lost: HttpResult = { kind: 'failed', sent: true, message: 'The connection broke.' }

/**
 * Answers requests that are meant with `instead`, the first one if nothing else is said; null: the real answer. `reached`: the
 * network did what was asked all the same.
 */
export function answering(
  isMeant: (exchange: Exchange) => boolean,
  instead: Instead,
  { reached = false, times = 1 }: { reached?: boolean; times?: number } = {},
): Trouble {
  let left = times
  return {
    async intercept(exchange) {
      if (!isMeant(exchange) || left-- <= 0) return exchange.send()
      if (reached) await exchange.send()
      return (typeof instead === 'function' ? await instead(exchange) : instead) ?? exchange.send()
    },
  }
}

/** One trouble around another. */
export const both = (one: Trouble, other: Trouble): Trouble => ({
  async intercept(exchange) {
    const send = () => other.intercept?.(exchange) ?? exchange.send()
    return one.intercept?.({ ...exchange, send }) ?? send()
  },
})

/** A caller without a network: its requests are kept, and answered here. */
export function callerOf(
  answers: (request: HttpRequest) => HttpResult,
  { credentials = {}, settings = {} }: { credentials?: Credentials; settings?: Readonly<Record<string, string>> } = {},
) {
  const sent: HttpRequest[] = []
  const caller = {
    endpoint: (name: string) => `https://${name}.example`,
    setting: (name: string) => settings[name] ?? '',
    async http(request: HttpRequest) {
      sent.push(request)
      return answers(request)
    },
    signal: new AbortController().signal,
    now: () => new Date('2026-11-21T10:00:00Z'),
    credentials,
  }
  return { caller, sent }
}

/** A file of `test/_fixtures`. */
export const fixture = (name: string): Promise<Buffer> =>
  readFile(join(import.meta.dirname, '../../../test/_fixtures', name))

/** Serves files at addresses of this machine: `/name`; all others are not found. */
export async function serveFiles(files: Readonly<Record<string, Uint8Array | string>>) {
  const { origin, close } = await listen((request, response) => {
    const file = files[request.url?.slice(1) ?? '']
    if (file === undefined) response.writeHead(404).end()
    else response.end(file)
  })
  return { address: (name: string) => `${origin}/${name}`, close }
}

const photoFacts: MediaFacts = {
  type: 'IMAGE',
  mimeType: 'image/jpeg',
  bytes: 500_000,
  width: 1200,
  height: 1200,
  durationMs: null,
  videoCodec: null,
  audioCodec: null,
  frameRate: null,
  animated: false,
}
const videoFacts: MediaFacts = {
  ...photoFacts,
  type: 'VIDEO',
  mimeType: 'video/mp4',
  bytes: 5_000_000,
  width: 1080,
  height: 1920,
  durationMs: 30_000,
  videoCodec: 'avc',
  audioCodec: 'aac',
  frameRate: 30,
}

/** Media as rules see them: without words, and but for what is given, a usual photo or video. */
export function checked(facts: Partial<MediaFacts>, more: Partial<CheckedMedia> = {}): CheckedMedia {
  const usual = facts.type === 'VIDEO' ? videoFacts : photoFacts
  return { facts: { ...usual, ...facts }, altText: null, title: null, description: null, link: null, tags: [], ...more }
}

/** Findings as `steps code`, with a `?` behind a warning: `media.0 media_size`. */
export const reported = (findings: readonly Finding[]): string[] =>
  findings.map(({ code, steps, warning }) => `${steps.join('.')} ${code.replace('post:', '')}${warning ? '?' : ''}`)
