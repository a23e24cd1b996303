import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Exchange, World } from '../conformance/delivery.ts'
import type { Sample, Stage } from '../conformance/index.ts'
import type { MediaToSend } from '../network.ts'
import type { HttpRequest, HttpResult } from '../toolkit/http.ts'

const FIXTURE = join(import.meta.dirname, '../../../test/_fixtures/video-h264-aac.mp4')

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
  const file = await readFile(FIXTURE)
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

export function answer(status: number, json: unknown, headers: Record<string, string> = {}): HttpResult {
  return { kind: 'answer', status, headers, text: json === null ? '' : JSON.stringify(json), json: json ?? undefined }
}
export const refusal = (status: number, code: string, message = '') =>
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
