import { type Delivery, openDelivery, type World } from '../conformance/delivery.ts'
import { openStage as openAnyStage, prepared, type Sample } from '../conformance/index.ts'
import type { PublishOutcome } from '../network.ts'
import type { HttpRequest, HttpResult } from '../toolkit/http.ts'
import { network } from './index.ts'

/** The pretend network with one Page, and everything that is sent to it. For tests alone. */
export interface Stage {
  world: World
  /** Requests in order; the Page's id is `me`. */
  sent: { method: string; path: string; json: Record<string, unknown>; request: HttpRequest }[]
  calls(path: string, method?: 'GET' | 'POST'): Stage['sent']
  /** A request past the connector, below the version. */
  graph(method: 'GET' | 'POST', path: string, json?: object): Promise<HttpResult>
  /** A delivery that is prepared, and whose fence is set. */
  fenced(sample: Sample): Promise<Delivery>
  close(): Promise<void>
}

/** What the samples of the suite cannot say of their media. */
export interface Card {
  link?: string | null
  title?: string | null
  description?: string | null
}

/** @param cards for the media of every post, in order */
export async function openStage(cards: readonly Card[] = []): Promise<Stage> {
  const stage = await openAnyStage(network, 'FACEBOOK')
  const { backend, media } = stage.world
  const { externalId } = backend.account
  const sent: Stage['sent'] = []
  const http: World['http'] = (request) => {
    const path = new URL(request.url).pathname.replace(/^.*\/v25\.0\//, '').replace(externalId, 'me')
    sent.push({ method: request.method, path, json: (request.json ?? {}) as Record<string, unknown>, request })
    return stage.http(request)
  }
  const world: World = {
    ...stage.world,
    http,
    media: {
      ...media,
      of: async (items) => (await media.of(items)).map((item, index) => ({ ...item, ...cards[index] })),
    },
  }
  return {
    world,
    sent,
    calls: (path, method = 'POST') => sent.filter((each) => each.method === method && each.path === path),
    graph: (method, path, json) =>
      stage.http({
        method,
        url: `${backend.endpoints.graph}/v25.0/${path.replace(/^me\b/, externalId)}`,
        headers: { authorization: `Bearer ${backend.credentials.accessToken}` },
        ...(json ? { json } : {}),
        signal: AbortSignal.timeout(10_000),
      }),
    async fenced(sample) {
      const delivery = await openDelivery(world, sample)
      await prepared(world, delivery)
      delivery.fence()
      return delivery
    },
    close: stage.close,
  }
}

const FILES: Record<string, string[]> = {
  TEXT: [],
  IMAGE: ['transparent.png'],
  MULTI_IMAGE: ['photo.jpg', 'transparent.png'],
  CAROUSEL: ['photo.jpg', 'transparent.png'],
  VIDEO: ['video-short.mp4'],
  REEL: ['video-h264-aac.mp4'],
  STORY: ['photo.jpg'],
}

/** A post of a type that the network takes. */
export function sample(type: string, more: Partial<Sample> = {}): Sample {
  return {
    title: type,
    accountType: 'FACEBOOK',
    caption: type === 'STORY' ? '' : 'Bread',
    media: (FILES[type] ?? []).map((file) => ({ file })),
    ...more,
    fields: { type, richCaption: [], ...more.fields },
  }
}

/** Asks until the network says what became of a post. */
export async function settled(world: World, delivery: Delivery): Promise<PublishOutcome> {
  let outcome = (await delivery.call('publish')) as PublishOutcome
  for (let turn = 0; outcome.kind === 'accepted' && turn < 20; turn++) {
    world.clock.jumpTo(outcome.askAgainAt)
    outcome = (await delivery.call('confirm')) as PublishOutcome
  }
  return outcome
}

export function graphError(code: number, subcode: number | null, headers: Record<string, string> = {}): HttpResult {
  const json = { error: { message: 'No.', code, ...(subcode === null ? {} : { error_subcode: subcode }) } }
  return { kind: 'answer', status: 400, headers, text: JSON.stringify(json), json }
}
