import { Agent } from 'undici'
import { createClock, type openDelivery, type World } from '../conformance/delivery.ts'
import { openSampleMedia, type Sample, simulatorBackend } from '../conformance/index.ts'
import type { Network } from '../network.ts'
import { createHttp, type HttpRequest, type HttpResult } from '../toolkit/http.ts'

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
  const agent = new Agent()
  const clock = createClock()
  const [backend, media] = await Promise.all([simulatorBackend(network, 'INSTAGRAM', clock), openSampleMedia()])
  const plain = createHttp({ trustedOrigins: new Set(), plain: agent, guarded: agent })
  const sent: Stage['sent'] = []
  const note = (request: HttpRequest) => {
    const path = new URL(request.url).pathname.replace(/^.*\/v25\.0\//, '').replace(backend.account.externalId, 'me')
    sent.push({ method: request.method, path, json: (request.json ?? {}) as Record<string, unknown> })
  }
  const http: World['http'] = (request) => {
    note(request)
    return plain(request)
  }
  return {
    world: { network, backend, media, http, clock },
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
    async close() {
      await backend.stop()
      await media.close()
      await agent.destroy()
    },
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

/** Calls prepare until the post is ready. */
export async function prepared(world: World, delivery: Awaited<ReturnType<typeof openDelivery>>): Promise<void> {
  for (let turn = 0; turn < 30; turn++) {
    const outcome = await delivery.call('prepare')
    if (outcome.kind === 'ready') return
    if (outcome.kind === 'waiting') world.clock.jumpTo(outcome.askAgainAt)
    else if (outcome.kind !== 'retry') throw new Error(`prepare: ${JSON.stringify(outcome)}`)
  }
  throw new Error('The post does not become ready.')
}
