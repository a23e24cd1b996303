import { createHash } from 'node:crypto'
import type { World } from '../conformance/delivery.ts'
import { openStage as openAnyStage, type Sample } from '../conformance/index.ts'
import type { ConnectContext, Network, SignInOutcome } from '../network.ts'
import type { HttpRequest, HttpResult } from '../toolkit/http.ts'
import { connect } from './connect.ts'

export { prepared } from '../conformance/index.ts'

/** A request and what came back. */
export interface Exchanged {
  request: HttpRequest
  result: HttpResult
  /** `POST 2/tweets`, without the query. */
  call: string
  query: URLSearchParams
}

/** The pretend network with one account, and everything that is sent to it. For tests alone. */
export interface Stage {
  world: World
  exchanged: Exchanged[]
  /** Requests of one kind so far: `POST 2/tweets`. Numbers in the path are `{id}`. */
  calls(call: string): Exchanged[]
  /** A request past the connector, with the account's token. */
  send(request: Omit<HttpRequest, 'signal' | 'url'> & { path: string }): Promise<HttpResult>
  context(settings?: Readonly<Record<string, string>>): ConnectContext
  close(): Promise<void>
}

export async function openStage(network: Network): Promise<Stage> {
  const stage = await openAnyStage(network, 'TWITTER')
  const { backend } = stage.world
  const exchanged: Exchanged[] = []
  const http: World['http'] = async (request) => {
    const { pathname, searchParams } = new URL(request.url)
    const path = pathname.replace(/^\/sandbox\/x\/(api|web)\//, '').replaceAll(/\d{6,}/g, '{id}')
    const result = await stage.http(request)
    exchanged.push({ request, result, call: `${request.method} ${path}`, query: searchParams })
    return result
  }
  return {
    world: { ...stage.world, http },
    exchanged,
    calls: (call) => exchanged.filter((each) => each.call === call),
    send: ({ path, headers, ...request }) =>
      stage.http({
        ...request,
        url: `${backend.endpoints.api}/${path}`,
        headers: { authorization: `Bearer ${backend.credentials.accessToken}`, ...headers },
        signal: AbortSignal.timeout(10_000),
      }),
    context(settings = {}) {
      const context = stage.context()
      return { ...context, http, setting: (name) => settings[name] ?? context.setting(name) }
    },
    close: stage.close,
  }
}

export const VERIFIER = 'a-verifier-that-nobody-else-knows-0123456789'
export const REDIRECT = 'https://almanac.example/connect/x/callback'

/** What a person does on the consent page: the address to which the browser comes back. */
export async function consent(authorizeUrl: string, decision: 'allow' | 'deny'): Promise<URL> {
  const page = await fetch(authorizeUrl)
  if (page.status !== 200) throw new Error(await page.text())
  const link = new RegExp(`id="${decision}" href="([^"]+)"`).exec(await page.text())?.[1] ?? ''
  const href = link.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
  const answer = await fetch(new URL(href, authorizeUrl), { redirect: 'manual' })
  return new URL(answer.headers.get('location') ?? '')
}

/** The whole sign-in. `change` alters what is asked for or handed in. */
export async function signIn(
  context: ConnectContext,
  change: { authorizeUrl?: (url: string) => string; verifier?: string; beforeCode?: () => void } = {},
): Promise<SignInOutcome> {
  const { oauth } = connect
  if (!oauth) throw new Error('There is no sign-in.')
  const asked = oauth.authorizeUrl(context, {
    accountType: 'TWITTER',
    state: 'state-1',
    redirectUri: REDIRECT,
    codeChallenge: createHash('sha256').update(VERIFIER).digest('base64url'),
  })
  const back = await consent(change.authorizeUrl?.(asked) ?? asked, 'allow')
  change.beforeCode?.()
  return oauth.complete(context, {
    accountType: 'TWITTER',
    code: back.searchParams.get('code') ?? '',
    redirectUri: REDIRECT,
    codeVerifier: change.verifier ?? VERIFIER,
  })
}

export const textPost = (caption: string): Sample => ({ title: 'text', accountType: 'TWITTER', caption })

export const mediaPost = (caption: string, ...files: (string | { file: string; altText: string })[]): Sample => ({
  ...textPost(caption),
  media: files.map((file) => (typeof file === 'string' ? { file } : file)),
})
