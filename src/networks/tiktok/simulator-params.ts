import { record } from '../kit/read-json.ts'
import { limits, PRIVACY_LEVELS } from './manifest.ts'
import { invalid, refuse } from './simulator-answers.ts'

type Fields = Readonly<Record<string, unknown>>

/** How the network treats the app. */
export interface AppPolicy {
  /** False: of its posts it takes those alone that only the account sees. */
  isAudited: boolean
  /**
   * How videos may be divided: as the documents say, in no more chunks than the limits make necessary, or not at all. The
   * last two are no rule of a page; apps have met them since August 2026.
   */
  chunks: 'documented' | 'fewest' | 'one'
  /** Whether the app has verified that it owns the address of a photo. */
  isVerified(address: string): boolean
}

/** What the account of the pretend network may choose: it is public. */
export const OFFERED = PRIVACY_LEVELS.filter((level) => level !== 'FOLLOWER_OF_CREATOR')

/** An object with these members and no others, each of its type; a `?` behind the type makes it optional. */
function members(value: unknown, name: string, types: Readonly<Record<string, string>>): Fields {
  const fields = record(value) ?? invalid(`${name} is not an object.`)
  for (const key of Object.keys(fields)) if (!(key in types)) invalid(`${name} has an unknown field ${key}.`)
  for (const [key, type] of Object.entries(types)) {
    const given = fields[key]
    if (given === undefined && type.endsWith('?')) continue
    const wanted = type.replace('?', '')
    const fits =
      wanted === 'integer'
        ? Number.isSafeInteger(given)
        : wanted === 'list'
          ? Array.isArray(given)
          : typeof given === wanted
    if (!fits) invalid(`${key} of ${name} must be of type ${wanted}.`)
  }
  return fields
}

const SHARED = {
  title: 'string?',
  privacy_level: 'string',
  disable_comment: 'boolean?',
  brand_content_toggle: 'boolean?',
  brand_organic_toggle: 'boolean?',
}

function checkText(value: unknown, name: string, most: number): void {
  if (typeof value === 'string' && value.length > most) invalid(`The ${name} is too long.`)
}

function checkPrivacy({ privacy_level: level, brand_content_toggle: branded }: Fields, app: AppPolicy): void {
  if (!OFFERED.some((offered) => offered === level)) {
    refuse(403, 'privacy_level_option_mismatch', 'privacy_level is not among the options of creator_info.')
  }
  if (!app.isAudited && level !== 'SELF_ONLY') {
    refuse(403, 'unaudited_client_can_only_post_to_private_accounts', 'Please review our integration guidelines.')
  }
  if (branded === true && level === 'SELF_ONLY') invalid('Branded content cannot be private.')
}

export interface VideoInit {
  info: Fields
  size: number
  chunkSize: number
  count: number
}

/** `POST /v2/post/publish/video/init/`, with an upload of the bytes. */
export function readVideoInit(body: unknown, app: AppPolicy): VideoInit {
  const { post_info, source_info } = members(body, 'The body', { post_info: 'object', source_info: 'object' })
  const info = members(post_info, 'post_info', {
    ...SHARED,
    disable_duet: 'boolean?',
    disable_stitch: 'boolean?',
    video_cover_timestamp_ms: 'integer?',
    is_aigc: 'boolean?',
  })
  checkText(info.title, 'title', limits.videoCaption.value)
  checkPrivacy(info, app)
  if (record(source_info)?.source === 'PULL_FROM_URL') {
    refuse(403, 'url_ownership_unverified', 'The pretend network takes videos as uploads alone.')
  }
  const source = members(source_info, 'source_info', {
    source: 'string',
    video_size: 'integer',
    chunk_size: 'integer',
    total_chunk_count: 'integer',
  })
  const [size, chunkSize, count] = [source.video_size, source.chunk_size, source.total_chunk_count].map(Number)
  if (source.source !== 'FILE_UPLOAD' || !size || !chunkSize || !count) return invalid('source_info is not valid.')
  checkChunks({ size, chunkSize, count }, app)
  return { info, size, chunkSize, count }
}

function checkChunks({ size, chunkSize, count }: Omit<VideoInit, 'info'>, app: AppPolicy): void {
  const { chunkMinBytes: min, chunkMaxBytes: max, lastChunkMaxBytes: lastMax, chunks, videoBytes } = limits
  if (size > videoBytes.value) invalid('video_size is too large.')
  if (count !== Math.floor(size / chunkSize) || count > chunks.value) invalid('The total chunk count is invalid')
  // Each reading of MB is refused that may be refused.
  const isSmall = chunkSize < Math.min(size, min.value)
  const isLarge = chunkSize > max.value || size - (count - 1) * chunkSize > lastMax.value
  // A file in one chunk is a chunk of its size.
  if (isSmall || isLarge || (count === 1 && chunkSize !== size)) invalid('The chunk size is invalid')
  const most = { documented: count, fewest: Math.ceil(size / max.value), one: 1 }[app.chunks]
  if (count > most) invalid('The chunk size is invalid')
}

export interface PhotoInit {
  info: Fields
  urls: readonly string[]
}

/** `POST /v2/post/publish/content/init/`. */
export function readPhotoInit(body: unknown, app: AppPolicy): PhotoInit {
  const fields = members(body, 'The body', {
    media_type: 'string',
    post_mode: 'string',
    post_info: 'object',
    source_info: 'object',
  })
  if (fields.media_type !== 'PHOTO' || fields.post_mode !== 'DIRECT_POST')
    invalid('media_type or post_mode is unknown.')
  const info = members(fields.post_info, 'post_info', {
    ...SHARED,
    description: 'string?',
    auto_add_music: 'boolean?',
  })
  checkText(info.title, 'title', limits.photoTitle.value)
  checkText(info.description, 'description', limits.photoDescription.value)
  checkPrivacy(info, app)
  const source = members(fields.source_info, 'source_info', {
    source: 'string',
    photo_cover_index: 'integer',
    photo_images: 'list',
  })
  const urls = source.photo_images as unknown[]
  const isAddress = (url: unknown) =>
    typeof url === 'string' && /^https?:\/\/[\x21-\x7e]+$/.test(url) && URL.canParse(url)
  if (source.source !== 'PULL_FROM_URL' || !urls.every(isAddress)) invalid('photo_images are not addresses.')
  if (urls.length < 1 || urls.length > limits.photos.value) invalid('photo_images has too few or too many entries.')
  const cover = Number(source.photo_cover_index)
  if (cover < 0 || cover >= urls.length) invalid('photo_cover_index is not among photo_images.')
  if (!urls.every((url) => app.isVerified(String(url)))) {
    refuse(403, 'url_ownership_unverified', 'Please review our URL ownership verification rules.')
  }
  return { info, urls: urls as string[] }
}
