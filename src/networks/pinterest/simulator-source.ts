import { measureImage } from '../kit/measure-image.ts'
import type { SimulatorDeps } from '../kit/simulation.ts'
import { limits } from './manifest.ts'
import type { SimulatedAccount } from './simulator-accounts.ts'
import { invalid, refuse } from './simulator-answers.ts'
import { usableVideo } from './simulator-media.ts'

export type Params = Readonly<Record<string, unknown>>

export interface StoredFile {
  blobId: string
  mimeType: string
}

/** What a pin shows. */
export interface Shown {
  kind: 'image' | 'video' | 'multiple_images'
  files: StoredFile[]
  /** Of a carousel, the words of each item. */
  items: { title: string | null; description: string | null; link: string | null }[]
}

const IMAGE_TYPES: readonly unknown[] = ['image/jpeg', 'image/png']
const TOO_LARGE = 'The image is too large.'
const ITEM_WORDS = ['title', 'description', 'link'] as const

/** Parameters by kind of source; `is_standard` is for few apps and refused here. */
const SOURCES: Record<string, readonly string[]> = {
  image_url: ['url'],
  image_base64: ['content_type', 'data'],
  multiple_image_urls: ['items', 'index'],
  multiple_image_base64: ['items', 'index'],
  video_id: [
    'media_id',
    'cover_image_url',
    'cover_image_content_type',
    'cover_image_data',
    'cover_image_key_frame_time',
  ],
}

/** Takes in the `media_source` of a pin; addresses are fetched for real. @throws SimulatedRefusal */
export async function takeSource(deps: SimulatorDeps, account: SimulatedAccount, given: unknown): Promise<Shown> {
  if (typeof given !== 'object' || given === null) invalid('media_source is required')
  const { source_type: type, ...source } = given as Params
  const known = SOURCES[String(type)]
  if (!known) invalid('media_source.source_type')
  refuseOthers(source, known, 'media_source')
  switch (type) {
    case 'video_id':
      return takeVideo(deps, account, source)
    case 'image_url':
    case 'image_base64':
      return { kind: 'image', files: [(await takeImage(deps, source)).file], items: [] }
    default:
      return takeCarousel(deps, source, type === 'multiple_image_urls' ? ['url'] : ['content_type', 'data'])
  }
}

export function refuseOthers(params: Params, known: readonly string[], where: string): void {
  const foreign = Object.keys(params).find((name) => !known.includes(name))
  if (foreign !== undefined) invalid(`${where}.${foreign} is not known`)
}

async function takeVideo(deps: SimulatorDeps, account: SimulatedAccount, source: Params): Promise<Shown> {
  if (!/^\d+$/.test(String(source.media_id))) invalid("'media_id' must match the pattern: ^\\d+$")
  const video = usableVideo(deps, account, String(source.media_id))
  const {
    cover_image_url: url,
    cover_image_content_type,
    cover_image_data,
    cover_image_key_frame_time: second,
  } = source
  if (second !== undefined) {
    if (!Number.isInteger(second) || Number(second) < 0) invalid('cover_image_key_frame_time')
    return { kind: 'video', files: [video], items: [] }
  }
  const byAddress = url !== undefined
  if (!byAddress && (cover_image_content_type === undefined || cover_image_data === undefined)) {
    invalid('one of cover_image_url or cover_image_content_type is required')
  }
  const image = byAddress ? { url } : { content_type: cover_image_content_type, data: cover_image_data }
  return { kind: 'video', files: [video, (await takeImage(deps, image)).file], items: [] }
}

async function takeCarousel(deps: SimulatorDeps, source: Params, names: readonly string[]): Promise<Shown> {
  const items = source.items
  if (!Array.isArray(items) || items.length < 2) invalid('media_source.items, constraint: minItems=2')
  if (items.length > 5) invalid('media_source.items, constraint: maxItems=5')
  if (source.index !== undefined && !Number.isInteger(source.index)) invalid('media_source.index')
  const shown: Shown = { kind: 'multiple_images', files: [], items: [] }
  const sizes = new Set<string>()
  for (const item of items as Params[]) {
    refuseOthers(item, [...names, ...ITEM_WORDS], 'media_source.items')
    const { file, size } = await takeImage(deps, item)
    sizes.add(size)
    shown.files.push(file)
    const [title, description, link] = ITEM_WORDS.map((name) => (typeof item[name] === 'string' ? item[name] : null))
    shown.items.push({ title: title ?? null, description: description ?? null, link: link ?? null })
  }
  if (sizes.size > 1) invalid('the images of a carousel must have the same dimensions')
  return shown
}

/** By address or in base64. `size`: upright, `600x900`. */
async function takeImage(deps: SimulatorDeps, image: Params): Promise<{ file: StoredFile; size: string }> {
  const bytes = image.url === undefined ? decoded(image) : await fetched(deps, image.url)
  if (bytes.length > limits.imageBytes.value) return refuse(400, 1, TOO_LARGE)
  const measured = await measureImage(bytes)
  if (!measured) return refuse(400, 1, 'The image could not be processed.')
  const mimeType = `image/${measured.format}`
  if (image.url === undefined && mimeType !== image.content_type) return refuse(400, 1, 'The image is of another type.')
  const { width, height } = measured
  return { file: { blobId: await deps.store.putBlob(bytes), mimeType }, size: `${width}x${height}` }
}

function decoded({ content_type: type, data }: Params): Buffer {
  if (!IMAGE_TYPES.includes(type)) invalid('content_type must be image/jpeg or image/png')
  if (typeof data !== 'string' || !/^[a-zA-Z0-9+/=]+$/.test(data)) invalid("'data' must match ^[a-zA-Z0-9+/=]+$")
  return Buffer.from(data, 'base64')
}

async function fetched(deps: SimulatorDeps, url: unknown): Promise<Buffer> {
  const usable = typeof url === 'string' && /^https?:\/\/[\x21-\x7e]+$/.test(url)
  const file = usable ? await deps.fetchFile(url, { maxBytes: limits.imageBytes.value }) : null
  if (file === 'too large') return refuse(400, 1, TOO_LARGE)
  const bytes = file && (await deps.store.getBlob(file.blobId))
  return bytes || refuse(400, 1, 'Unable to reach the URL. Please check the URL is correct and try again.')
}
