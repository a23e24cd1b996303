import { measureImage } from '../kit/measure-image.ts'
import { record } from '../kit/read-json.ts'
import type { SimulatorDeps } from '../kit/simulation.ts'
import { limits } from './manifest.ts'
import type { SimulatedAccount } from './simulator-accounts.ts'
import { invalid, refuse, refuseOthers } from './simulator-answers.ts'
import { usableVideo } from './simulator-media.ts'

type Params = Readonly<Record<string, unknown>>

interface StoredFile {
  blobId: string
  mimeType: string
}

/** What a pin shows. */
export interface Shown {
  kind: 'image' | 'video' | 'multiple_images'
  files: StoredFile[]
  /** Of a carousel, the words of each item. */
  items?: Params[]
}

const IMAGE = ['content_type', 'data']
const ITEM_WORDS = ['title', 'description', 'link']
const TOO_LARGE = 'The image is too large.'

/** Parameters by kind of source. Others of the contract are refused here: the connector has no use for them. */
const SOURCES = new Map([
  ['image_url', ['url']],
  ['image_base64', IMAGE],
  ['multiple_image_base64', ['items', 'index']],
  ['video_id', ['media_id', 'cover_image_content_type', 'cover_image_data', 'cover_image_key_frame_time']],
])

/** Takes in the `media_source` of a pin; addresses are fetched for real. @throws SimulatedRefusal */
export async function takeSource(deps: SimulatorDeps, account: SimulatedAccount, given: unknown): Promise<Shown> {
  const { source_type: type, ...source } = record(given) ?? invalid('media_source is required')
  refuseOthers(source, SOURCES.get(String(type)) ?? invalid('media_source.source_type'), 'media_source')
  if (type === 'multiple_image_base64') return takeCarousel(deps, source)
  if (type === 'video_id') return takeVideo(deps, account, source)
  const taken = type === 'image_url' ? takeImage(deps, await fetched(deps, source.url)) : takeData(deps, source)
  return { kind: 'image', files: [(await taken).file] }
}

async function takeVideo(deps: SimulatorDeps, account: SimulatedAccount, source: Params): Promise<Shown> {
  if (!/^\d+$/.test(String(source.media_id))) invalid("'media_id' must match the pattern: ^\\d+$")
  const video = usableVideo(deps, account, String(source.media_id))
  const { cover_image_content_type: content_type, cover_image_data: data, cover_image_key_frame_time: second } = source
  if (second === undefined) {
    if (!content_type || !data) invalid('one of cover_image_url or cover_image_content_type is required')
    return { kind: 'video', files: [video, (await takeData(deps, { content_type, data })).file] }
  }
  if (!Number.isInteger(second) || Number(second) < 0) invalid('cover_image_key_frame_time')
  return { kind: 'video', files: [video] }
}

async function takeCarousel(deps: SimulatorDeps, { items, index = 0 }: Params): Promise<Shown> {
  if (!Array.isArray(items) || items.length < 2) invalid('media_source.items, constraint: minItems=2')
  if (items.length > limits.carouselMax.value) invalid('media_source.items, constraint: maxItems=5')
  if (!Number.isInteger(index)) invalid('media_source.index')
  const files: StoredFile[] = []
  const sizes = new Set<string>()
  const given = items.map((item) => record(item) ?? invalid('media_source.items'))
  for (const item of given) {
    refuseOthers(item, [...IMAGE, ...ITEM_WORDS], 'media_source.items')
    const { file, size } = await takeData(deps, item)
    sizes.add(size)
    files.push(file)
  }
  if (sizes.size > 1) invalid('the images of a carousel must have the same dimensions')
  const words = given.map((item) => Object.fromEntries(ITEM_WORDS.map((name) => [name, item[name] ?? null])))
  return { kind: 'multiple_images', files, items: words }
}

/** An image in base64. */
function takeData(deps: SimulatorDeps, { content_type: type, data }: Params) {
  if (type !== 'image/jpeg' && type !== 'image/png') invalid('content_type must be image/jpeg or image/png')
  if (typeof data !== 'string' || !/^[a-zA-Z0-9+/=]+$/.test(data)) invalid("'data' must match ^[a-zA-Z0-9+/=]+$")
  return takeImage(deps, Buffer.from(data, 'base64'), type)
}

/** `size`: upright, `600x900`. */
async function takeImage(
  deps: SimulatorDeps,
  bytes: Buffer,
  type?: unknown,
): Promise<{ file: StoredFile; size: string }> {
  if (bytes.length > limits.imageBytes.value) return refuse(400, 1, TOO_LARGE)
  const measured = await measureImage(bytes)
  if (!measured) return refuse(400, 1, 'The image could not be processed.')
  const mimeType = `image/${measured.format}`
  if (type !== undefined && mimeType !== type) return refuse(400, 1, 'The image is of another type.')
  return { file: { blobId: await deps.store.putBlob(bytes), mimeType }, size: `${measured.width}x${measured.height}` }
}

async function fetched(deps: SimulatorDeps, url: unknown): Promise<Buffer> {
  const usable = typeof url === 'string' && /^https?:\/\/[\x21-\x7e]+$/.test(url)
  const file = usable ? await deps.fetchFile(url, { maxBytes: limits.imageBytes.value }) : null
  if (file === 'too large') return refuse(400, 1, TOO_LARGE)
  const bytes = file && (await deps.store.getBlob(file.blobId))
  return bytes || refuse(400, 1, 'Unable to reach the URL. Please check the URL is correct and try again.')
}
