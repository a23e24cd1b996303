import type { World } from '../conformance/delivery.ts'
import { openStage as openAnyStage, type Sample } from '../conformance/index.ts'
import type { ConnectContext, Network } from '../network.ts'
import type { HttpRequest, HttpResult } from '../toolkit/http.ts'

export { prepared } from '../conformance/index.ts'

export interface Exchange {
  request: HttpRequest
  result: HttpResult
}

/** The pretend network with one account, and everything that went between. For tests alone. */
export interface Stage {
  world: World
  exchanges: Exchange[]
  /** Exchanges of this method whose path below the endpoint is this one. */
  calls(method: string, path: string): Exchange[]
  /** A request past the connector, below `/api/v5/`. */
  api(method: 'GET' | 'POST', path: string, json?: unknown, token?: string): Promise<HttpResult & { kind: 'answer' }>
  context(): ConnectContext
  close(): Promise<void>
}

export async function openStage(network: Network): Promise<Stage> {
  const stage = await openAnyStage(network, 'PINTEREST')
  const { backend } = stage.world
  const exchanges: Exchange[] = []
  const http: World['http'] = async (request) => {
    const result = await stage.http(request)
    exchanges.push({ request, result })
    return result
  }
  return {
    world: { ...stage.world, http },
    exchanges,
    calls: (method, path) =>
      exchanges.filter(({ request }) => request.method === method && pathOf(request.url) === path),
    async api(method, path, json, token = backend.credentials.accessToken ?? '') {
      const answer = await http({
        method,
        url: `${backend.endpoints.api}/v5/${path}`,
        headers: { authorization: `Bearer ${token}` },
        ...(json === undefined ? {} : { json }),
        signal: AbortSignal.timeout(10_000),
      })
      if (answer.kind === 'failed') throw new Error(answer.message)
      return answer
    },
    context: () => ({ ...stage.context(), http }),
    close: stage.close,
  }
}

/** `/api/v5/pins` of an address of the sandbox. */
export const pathOf = (url: string) => new URL(url).pathname.replace(/^\/sandbox\/pinterest/, '')

/** A post that the network takes. */
export function sample(files: readonly string[], more: Partial<Sample> = {}): Sample {
  return {
    title: 'pin',
    accountType: 'PINTEREST',
    caption: 'A loaf of bread',
    media: files.map((file) => ({ file })),
    ...more,
    fields: { title: 'Fresh bread', website: 'https://bakery.example/bread', board: null, ...more.fields },
  }
}

export function pinterestError(status: number, code: number, message: string, headers: Record<string, string> = {}) {
  const json = { code, message }
  return { kind: 'answer', status, headers, text: JSON.stringify(json), json } as const
}

/** Follows the sign-in page of the pretend network; resolves to where the browser is sent in the end. */
export async function decide(authorizeUrl: string, decision: 'allow' | 'deny'): Promise<URL> {
  const page = await (await fetch(authorizeUrl)).text()
  const link = new RegExp(`id="${decision}" href="([^"]+)"`).exec(page)?.[1]
  if (link === undefined) throw new Error(page)
  const href = link.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
  const answer = await fetch(new URL(href, authorizeUrl), { redirect: 'manual' })
  return new URL(answer.headers.get('location') ?? '')
}
