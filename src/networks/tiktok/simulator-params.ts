import { randomInt } from 'node:crypto'
import Type, { type Static, type TProperties, type TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { type SimulatedAnswer, SimulatedRefusal } from '../kit/faults.ts'
import { limits, PRIVACY_LEVELS } from './manifest.ts'

export const digits = (count: number): string =>
  Array.from({ length: count }, (_, index) => randomInt(index === 0 ? 1 : 0, 10)).join('')

/** The shape of https://developers.tiktok.com/doc/tiktok-api-v2-error-handling (read 2026-11-21). */
const answer = (status: number, code: string, message: string, data: object): SimulatedAnswer => ({
  status,
  body: { data, error: { code, message, log_id: digits(30) } },
})
export const refusal = (status: number, code: string, message = '') => answer(status, code, message, {})
export const ok = (data: object) => answer(200, 'ok', '', data)

export function refuse(...words: Parameters<typeof refusal>): never {
  throw new SimulatedRefusal(refusal(...words))
}
export const invalid = (message: string): never => refuse(400, 'invalid_params', message)

/** What fault words say in this network's tongue when a post is begun. Each of them means that nothing was made. */
export const refusalsAtInit = {
  'rate-limited': refusal(429, 'rate_limit_exceeded', 'The API rate limit was exceeded.'),
  'token-expired': refusal(401, 'access_token_invalid', 'The access token is invalid or not found in the request.'),
  'caption-too-long': refusal(400, 'invalid_params', 'The title is too long.'),
  'account-suspended': refusal(403, 'spam_risk_user_banned_from_posting', 'The user is banned from making new posts.'),
}

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
export const OFFERED: readonly string[] = PRIVACY_LEVELS.filter((level) => level !== 'FOLLOWER_OF_CREATOR')

/** Unknown members are refused. */
const members = <T extends TProperties>(properties: T) => Type.Object(properties, { additionalProperties: false })
const text = Type.Optional(Type.String())
const toggle = Type.Optional(Type.Boolean())
const choices = {
  privacy_level: Type.String(),
  disable_comment: toggle,
  brand_content_toggle: toggle,
  brand_organic_toggle: toggle,
}
const VideoInit = members({
  post_info: members({ ...choices, title: text, disable_duet: toggle, disable_stitch: toggle, is_aigc: toggle }),
  source_info: members({
    source: Type.Literal('FILE_UPLOAD'),
    video_size: Type.Integer({ minimum: 1, maximum: limits.videoBytes.value }),
    chunk_size: Type.Integer({ minimum: 1 }),
    total_chunk_count: Type.Integer({ minimum: 1, maximum: limits.chunks.value }),
  }),
})
const PhotoInit = members({
  media_type: Type.Literal('PHOTO'),
  post_mode: Type.Literal('DIRECT_POST'),
  post_info: members({ ...choices, description: text, auto_add_music: toggle }),
  source_info: members({
    source: Type.Literal('PULL_FROM_URL'),
    photo_cover_index: Type.Literal(0),
    photo_images: Type.Array(Type.String({ pattern: '^https?://[\\x21-\\x7e]+$' }), {
      minItems: 1,
      maxItems: limits.photos.value,
    }),
  }),
})

function read<T extends TSchema>(schema: T, body: unknown): Static<T> {
  return Value.Check(schema, body) ? body : invalid('A field is unknown or missing, or has a value of another kind.')
}

/** `POST /v2/post/publish/video/init/`, with an upload of the bytes. */
export function readVideoInit(body: unknown, app: AppPolicy): Static<typeof VideoInit> {
  const init = read(VideoInit, body)
  checkText(init.post_info.title, 'title', limits.videoCaption.value)
  checkChoices(init.post_info, app)
  const { video_size: size, chunk_size: chunkSize, total_chunk_count: chunks } = init.source_info
  checkChunks(size, chunkSize, chunks, app)
  return init
}

/** `POST /v2/post/publish/content/init/`. */
export function readPhotoInit(body: unknown, app: AppPolicy): Static<typeof PhotoInit> {
  const init = read(PhotoInit, body)
  checkText(init.post_info.description, 'description', limits.photoDescription.value)
  checkChoices(init.post_info, app)
  if (!init.source_info.photo_images.every((url) => URL.canParse(url) && app.isVerified(url))) {
    refuse(403, 'url_ownership_unverified', 'Please review our URL ownership verification rules.')
  }
  return init
}

function checkText(text = '', name: string, most: number): void {
  if (text.length > most) invalid(`The ${name} is too long.`)
}

type Choices = Static<typeof VideoInit | typeof PhotoInit>['post_info']

function checkChoices({ privacy_level: level, brand_content_toggle: branded }: Choices, app: AppPolicy): void {
  if (!OFFERED.includes(level)) {
    refuse(403, 'privacy_level_option_mismatch', 'privacy_level is not among the options of creator_info.')
  }
  if (!app.isAudited && level !== 'SELF_ONLY') {
    refuse(403, 'unaudited_client_can_only_post_to_private_accounts', 'Please review our integration guidelines.')
  }
  if (branded && level === 'SELF_ONLY') invalid('Branded content cannot be private.')
}

function checkChunks(size: number, chunkSize: number, chunks: number, app: AppPolicy): void {
  const { chunkMinBytes: min, chunkMaxBytes: max, lastChunkMaxBytes: lastMax } = limits
  if (chunks !== Math.floor(size / chunkSize)) invalid('The total chunk count is invalid')
  // Each reading of MB is refused that may be refused.
  const isSmall = chunkSize < Math.min(size, min.value)
  const isLarge = chunkSize > max.value || size - (chunks - 1) * chunkSize > lastMax.value
  const most = { documented: chunks, fewest: Math.ceil(size / max.value), one: 1 }[app.chunks]
  // A file in one chunk is a chunk of its size.
  if (isSmall || isLarge || (chunks === 1 && chunkSize !== size) || chunks > most) invalid('The chunk size is invalid')
}
