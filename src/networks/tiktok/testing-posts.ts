import { Readable } from 'node:stream'
import type { Trouble } from '../conformance/delivery.ts'
import type { Sample } from '../conformance/index.ts'
import type { Simulator } from '../kit/simulation.ts'
import { answer, fixture, openStage as openAnyStage, type Stage } from '../kit/testing.ts'
import type { CheckedMedia, Defaults, MediaToSend, PostToCheck } from '../network.ts'
import { network } from './index.ts'
import { simulate } from './simulator.ts'

/** Calls as `Stage.on` and `Stage.calls` name them. */
export const calls = {
  creator: 'POST post/publish/creator_info/query/',
  init: 'POST post/publish/video/init/',
  photos: 'POST post/publish/content/init/',
  status: 'POST post/publish/status/fetch/',
  list: 'POST video/list/',
  chunk: 'PUT /upload/video/',
}

/** The simulator with one account, which may have another name. */
export const openStage = (options: Parameters<typeof simulate>[1] = {}, name: string | null = null): Promise<Stage> =>
  openAnyStage({ ...network, simulate: (deps) => named(simulate(deps, options), name) }, 'TIKTOK', { base: 'api/v2' })

const named = ({ identityFor, ...simulator }: Simulator, name: string | null): Simulator => ({
  ...simulator,
  identityFor: (connection) => identityFor(name === null ? connection : { ...connection, name }),
})

export const sample = (title: string, caption: string, ...files: string[]): Sample => ({
  title,
  accountType: 'TIKTOK',
  caption,
  media: files.map((file) => ({ file })),
})
export const videoSample = sample('video', 'How we bake', 'video-h264-aac.mp4')
export const photoSample = sample('photo', 'Fresh bread', 'transparent.png')
/** A post as rules see it. */
export const post = (caption: string, ...media: CheckedMedia[]): PostToCheck => ({
  accountType: 'TIKTOK',
  caption,
  fields: {},
  media,
})

/** Delivers, and expects that there is one post. Gives what was done for it. */
export async function deliverOne(stage: Stage, sample: Sample, trouble?: Trouble) {
  const { post, log } = await stage.deliver(sample, trouble)
  const held = await stage.posts()
  if (post.kind !== 'made' || held.length !== 1) throw new Error(JSON.stringify({ post, held }))
  return log
}

type Changes = { media?: MediaToSend; defaults?: Defaults; scope?: string }
/** Posts of the stage have this media from now on, and the account these defaults and scopes. */
export function change({ world: { media: sources, backend } }: Stage, { media, defaults, scope }: Changes): void {
  if (media) sources.of = async () => [media]
  backend.account = { ...backend.account, defaults: { ...backend.account.defaults, ...defaults } }
  if (scope !== undefined) backend.credentials = { ...backend.credentials, scope }
}

/** The medium of a sample. */
export async function mediumOf({ world }: Stage, { media = [] }: Sample): Promise<MediaToSend> {
  const [item] = await world.media.of(media)
  if (!item) throw new Error('The fixture is gone.')
  return item
}

/** A video of this size: a real one with nothing behind it. */
export async function videoOfSize(stage: Stage, size: number): Promise<MediaToSend> {
  const item = await mediumOf(stage, videoSample)
  const file = await fixture('video-h264-aac.mp4')
  const bytes = Buffer.concat([file, Buffer.alloc(size - file.length)])
  // A box of the type `free`, up to the end of the file.
  bytes.writeUInt32BE(size - file.length, file.length)
  bytes.write('free', file.length + 4, 'latin1')
  const facts = { ...item.facts, bytes: size }
  const open = async ({ start, end } = { start: 0, end: size }) => Readable.from([bytes.subarray(start, end)])
  return { ...item, facts, source: { ...item.source, facts, open } }
}

export const refusal = (status: number, code: string | number, message = '') =>
  answer(status, { data: {}, error: { code, message, log_id: '1' } })
export const success = (data: object) => answer(200, { data, error: { code: 'ok', message: '', log_id: '1' } })
