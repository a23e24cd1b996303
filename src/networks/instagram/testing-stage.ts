import type { World } from '../conformance/delivery.ts'
import { openStage as openAnyStage, type Sample } from '../conformance/index.ts'
import type { Network } from '../network.ts'
import type { HttpRequest, HttpResult } from '../toolkit/http.ts'

export { prepared } from '../conformance/index.ts'

/** The pretend network with one account, and everything that is sent to it. For tests alone. */
export interface Stage {
  world: World
  /** Requests in order; the account's id is `me`. */
  sent: { method: string; path: string; json: Record<string, unknown> }[]
  calls(path: string, method?: 'GET' | 'POST'): Stage['sent']
  /** Counts a request that is not made. */
  note(request: HttpRequest): void
  /** A request past the connector: `POST /{ig-user}/{edge}`. */
  post(edge: string, json: object): Promise<HttpResult>
  close(): Promise<void>
}

export async function openStage(network: Network): Promise<Stage> {
  const stage = await openAnyStage(network, 'INSTAGRAM')
  const { backend } = stage.world
  const sent: Stage['sent'] = []
  const note = (request: HttpRequest) => {
    const path = new URL(request.url).pathname.replace(/^.*\/v25\.0\//, '').replace(backend.account.externalId, 'me')
    sent.push({ method: request.method, path, json: (request.json ?? {}) as Record<string, unknown> })
  }
  const http: World['http'] = (request) => {
    note(request)
    return stage.http(request)
  }
  return {
    world: { ...stage.world, http },
    sent,
    calls: (path, method = 'POST') => sent.filter((each) => each.method === method && each.path === path),
    note,
    post: (edge, json) =>
      http({
        method: 'POST',
        url: `${backend.endpoints.graph}/v25.0/${backend.account.externalId}/${edge}`,
        headers: { authorization: `Bearer ${backend.credentials.accessToken}` },
        json,
        signal: AbortSignal.timeout(10_000),
      }),
    close: stage.close,
  }
}

const FILES: Record<string, string[]> = {
  IMAGE: ['transparent.png'],
  CAROUSEL: ['transparent.png', 'video-h264-aac.mp4'],
  REEL: ['video-h264-aac.mp4'],
  STORY: ['photo.jpg'],
}

/** A post of a type that the network takes. */
export function sample(type: string, more: Partial<Sample> = {}): Sample {
  return {
    title: type,
    accountType: 'INSTAGRAM',
    caption: type === 'STORY' ? '' : 'Bread',
    media: (FILES[type] ?? []).map((file) => ({ file })),
    ...more,
    fields: { type, collaborators: [], ...more.fields },
  }
}

export function graphError(code: number, subcode: number | null, headers: Record<string, string> = {}): HttpResult {
  const json = { error: { message: 'No.', code, ...(subcode === null ? {} : { error_subcode: subcode }) } }
  return { kind: 'answer', status: 400, headers, text: JSON.stringify(json), json }
}
