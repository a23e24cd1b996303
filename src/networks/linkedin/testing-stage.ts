import { deliver } from '../conformance/deliver.ts'
import { openDelivery, type Trouble, type World } from '../conformance/delivery.ts'
import { openStage as openAnyStage, type Sample } from '../conformance/index.ts'
import type { HttpRequest, HttpResult } from '../toolkit/http.ts'
import { network } from './index.ts'

export { prepared } from '../conformance/index.ts'

export type Type = 'LINKEDIN_PAGE' | 'LINKEDIN_PERSONAL'

/** The pretend network with one account, and everything that is sent to it. For tests alone. */
export interface Stage {
  world: World
  sent: HttpRequest[]
  /** Bodies of the visible calls in order, as they went out. */
  bodies(): string[]
  /** A request past the connector, with the account's token: `rest/posts`. */
  ask(
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    json?: unknown,
    headers?: Record<string, string>,
  ): Promise<HttpResult>
  close(): Promise<void>
}

export async function openStage(accountType: Type): Promise<Stage> {
  const stage = await openAnyStage(network, accountType)
  const { world, sent } = stage
  const context = stage.context()
  return {
    world: { ...world, http: stage.http },
    sent,
    bodies: () => sent.filter(isVisible).map(({ body }) => String(body)),
    ask: (method, path, json, headers) =>
      world.http({
        method,
        url: `${context.endpoint('api')}/${path}`,
        headers: {
          authorization: `Bearer ${world.backend.credentials.accessToken}`,
          'linkedin-version': context.setting('API_VERSION'),
          'x-restli-protocol-version': '2.0.0',
          ...headers,
        },
        ...(json === undefined ? {} : { json }),
        signal: AbortSignal.timeout(10_000),
      }),
    close: stage.close,
  }
}

export const isVisible = ({ method, url }: HttpRequest) => method === 'POST' && url.endsWith('/rest/posts')

export function sample(accountType: Type, more: Partial<Sample> = {}): Sample {
  return { title: 'a post', accountType, caption: 'Bread', ...more }
}

export const send = (stage: Stage, post: Sample, trouble?: Trouble) => deliver(stage.world, post, trouble)
export const open = (stage: Stage, post: Sample, trouble?: Trouble) => openDelivery(stage.world, post, trouble)

/** Answers visible calls with `instead`; `reached`: the network did it all the same. */
export function visibleAnswers(instead: HttpResult, options: { reached: boolean; times?: number }): Trouble {
  let left = options.times ?? Number.POSITIVE_INFINITY
  return {
    async intercept({ request, send: real }) {
      if (!isVisible(request) || left-- <= 0) return real()
      if (options.reached) await real()
      return instead
    },
  }
}

export const lost: HttpResult = { kind: 'failed', sent: true, message: 'The connection broke.' }

export function answer(status: number, json: unknown, headers: Record<string, string> = {}): HttpResult {
  return { kind: 'answer', status, headers, text: JSON.stringify(json) ?? '', json }
}

export const duplicate = (urn: string) =>
  answer(422, {
    message: `Content is a duplicate of ${urn}`,
    errorDetails: { inputErrors: [{ description: 'Duplicate post is detected', input: {}, code: 'DUPLICATE_POST' }] },
    status: 422,
  })

/** An id of the given time, of a post that nobody has. */
export const urnAt = (time: Date) => `urn:li:share:${(BigInt(time.getTime()) << 22n) | 7n}`
