import type { Exchange, Trouble } from '../conformance/delivery.ts'
import { type Stage as AnyStage, openStage as openAnyStage, type Sample } from '../conformance/index.ts'
import type { HttpResult } from '../toolkit/http.ts'
import { network } from './index.ts'

export const MINUTE = 60_000

/** The pretend network with one location, and everything that is sent to it. For tests alone. */
export interface Stage extends AnyStage {
  /** Bodies of all posts that were made, in order. */
  created(): unknown[]
  posts(): ReturnType<AnyStage['world']['backend']['posts']>
  /** `accounts/1/locations/9` */
  parent: string
  pass(ms: number): void
  /** A request past the connector. */
  ask(method: 'GET' | 'POST', path: string, json?: object): Promise<HttpResult>
}

export async function openStage(): Promise<Stage> {
  const stage = await openAnyStage(network, 'GMB')
  const { backend, clock } = stage.world
  return {
    ...stage,
    // What the connector sends is looked at as well.
    world: { ...stage.world, http: stage.http },
    created: () => stage.sent.filter(({ method }) => method === 'POST').map(({ json }) => json),
    posts: () => backend.posts(),
    parent: `${backend.credentials.account}/${backend.account.externalId}`,
    pass: (ms) => clock.jumpTo(new Date(clock.now().getTime() + ms)),
    ask: (method, path, json) =>
      stage.http({
        method,
        url: `${backend.endpoints.posts}/v4/${path}`,
        headers: { authorization: `Bearer ${backend.credentials.accessToken}` },
        ...(json ? { json } : {}),
        signal: AbortSignal.timeout(5_000),
      }),
  }
}

/** A post that the network takes. */
export function sample(caption: string, fields: object = {}, more: Partial<Sample> = {}): Sample {
  return { title: caption, accountType: 'GMB', caption, fields: { ctaType: 'NONE', ...fields }, ...more }
}

export const answer = (status: number, json: unknown): HttpResult => ({
  kind: 'answer',
  status,
  headers: {},
  text: JSON.stringify(json),
  json,
})
export const lost: HttpResult = { kind: 'failed', sent: true, message: 'The connection broke.' }

const pathOf = ({ request }: Exchange) => new URL(request.url).pathname
export const isCreate = ({ request }: Exchange) => request.method === 'POST'
export const isRead = (exchange: Exchange) => /localPosts\/\d+$/.test(pathOf(exchange))
export const isList = (exchange: Exchange) => /localPosts$/.test(pathOf(exchange)) && !isCreate(exchange)

/** Changes what comes back of some requests; null: the real answer. */
export function changing(change: (exchange: Exchange) => Promise<HttpResult | null> | HttpResult | null): Trouble {
  return { intercept: async (exchange) => (await change(exchange)) ?? exchange.send() }
}
