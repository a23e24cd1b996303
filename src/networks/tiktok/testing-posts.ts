import { Readable } from 'node:stream'
import type { MediaFacts } from '#contract'
import type { Exchange, World } from '../conformance/delivery.ts'
import type { BrokenPost, Sample } from '../conformance/index.ts'
import type { HttpRequest, HttpResult } from '../kit/http.ts'
import { answer, checked, fixture, openStage as openAnyStage, type Stage } from '../kit/testing.ts'
import type { CheckedMedia, MediaToSend, PostToCheck } from '../network.ts'
import { network } from './index.ts'
import { simulate } from './simulator.ts'

/** The pretend network with one account. For tests alone. */
export const openStage = (options: Parameters<typeof simulate>[1] = {}): Promise<Stage> =>
  openAnyStage({ ...network, simulate: (deps) => simulate(deps, options) }, 'TIKTOK', { base: 'api/v2' })

export const videoSample: Sample = {
  title: 'video',
  accountType: 'TIKTOK',
  caption: 'How we bake',
  media: [{ file: 'video-h264-aac.mp4' }],
}
export const photoSample: Sample = {
  title: 'photo',
  accountType: 'TIKTOK',
  caption: 'Fresh bread',
  media: [{ file: 'transparent.png' }],
}

/** The world with other media, or other publishing defaults. For tests alone. */
export function worldWith(
  { world }: Stage,
  more: { media?: readonly MediaToSend[]; defaults?: Readonly<Record<string, unknown>>; scope?: string },
): World {
  const { media, defaults, scope } = more
  const { account, credentials } = world.backend
  return {
    ...world,
    ...(media ? { media: { of: async () => [...media], close: async () => {} } } : {}),
    backend: {
      ...world.backend,
      account: { ...account, defaults: { ...account.defaults, ...defaults } },
      credentials: { ...credentials, ...(scope === undefined ? {} : { scope }) },
    },
  }
}

/** A video of this size: a real one with nothing behind it. */
export async function videoOfSize({ world }: Stage, size: number): Promise<MediaToSend> {
  const [item] = await world.media.of([{ file: 'video-h264-aac.mp4' }])
  if (!item) throw new Error('The fixture is gone.')
  const file = await fixture('video-h264-aac.mp4')
  const bytes = Buffer.concat([file, Buffer.alloc(size - file.length)])
  // A box of the type `free`, up to the end of the file.
  bytes.writeUInt32BE(size - file.length, file.length)
  bytes.write('free', file.length + 4, 'latin1')
  const facts = { ...item.facts, bytes: size }
  const open = async (range?: { start: number; end: number }) =>
    Readable.from([bytes.subarray(range?.start ?? 0, range?.end ?? size)])
  return { ...item, facts, source: { ...item.source, facts, open } }
}

/** Requests so far whose path ends so: `/creator_info/query/`; `/upload/video/` for chunks. */
export const callsOf = ({ sent }: Stage, ending: string): HttpRequest[] =>
  sent.filter(({ url }) => new URL(url).pathname.endsWith(ending))

export const refusal = (status: number, code: string | number, message = '') =>
  answer(status, { data: {}, error: { code, message, log_id: '1' } })
export const success = (data: object) => answer(200, { data, error: { code: 'ok', message: '', log_id: '1' } })

/** Stands in for the network at calls whose path ends so. What gives nothing lets the real answer through. */
export function instead(
  answers: Readonly<Record<string, (exchange: Exchange) => HttpResult | Promise<HttpResult> | null>>,
): (exchange: Exchange) => Promise<HttpResult> {
  return async (exchange) => {
    const { pathname } = new URL(exchange.request.url)
    const [, given] = Object.entries(answers).find(([ending]) => pathname.endsWith(ending)) ?? []
    return (await given?.(exchange)) ?? exchange.send()
  }
}

/** Gives the answer once. */
export function once<T>(given: (exchange: Exchange) => T): (exchange: Exchange) => T | null {
  let struck = false
  return (exchange) => {
    if (struck) return null
    struck = true
    return given(exchange)
  }
}

/** Media that the network takes, but for what a test changes. */
export const photo = (facts: Partial<MediaFacts> = {}, more: Partial<CheckedMedia> = {}) => checked(facts, more)
export const video = (facts: Partial<MediaFacts> = {}) => checked({ type: 'VIDEO', ...facts })

export const post = (caption: string, ...media: CheckedMedia[]): PostToCheck => ({
  accountType: 'TIKTOK',
  caption,
  fields: {},
  media,
})

/** Posts that break rules, as the conformance suite wants them. */
export const broken: readonly BrokenPost[] = [
  { title: 'a text alone', post: post('Bread'), codes: ['post:media_required'] },
  { title: 'a long caption of a video', post: post('x'.repeat(2201), video()), codes: ['post:caption_too_long'] },
  { title: 'a long caption of photos', post: post('x'.repeat(4001), photo()), codes: ['post:caption_too_long'] },
  { title: 'two videos', post: post('', video(), video()), codes: ['post:media_count'] },
  { title: 'a video among photos', post: post('', photo(), video()), codes: ['post:media_mix'] },
  { title: 'AV1', post: post('', video({ videoCodec: 'av1' })), codes: ['post:media_codec'] },
  {
    title: 'photos that were made with AI',
    post: post('', photo()),
    defaults: { privacy: 'SELF_ONLY', aiGenerated: true },
    codes: ['post:field_invalid?'],
  },
  { title: 'an alternative text', post: post('', photo({}, { altText: 'A loaf' })), codes: ['post:field_invalid?'] },
  {
    title: 'a paid partnership for nobody',
    post: post('', video()),
    defaults: { privacy: 'SELF_ONLY', brandContent: true },
    codes: ['post:field_invalid'],
  },
]
