import { measureImage } from '../kit/measure-image.ts'
import { measureVideo } from '../kit/measure-video.ts'
import type { FetchedFile, SimulatorDeps } from '../kit/simulation.ts'
import { checkParams as checkNames, fetched as fetchedBy, invalid, type Params, refuse } from '../meta/simulator.ts'
import type { StoredFile } from '../meta/simulator-containers.ts'

/**
 * Parameters of `POST /{ig-user}/media` by what is made with them:
 * https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-user/media (read 2026-11-21).
 * The real network lets unknown ones pass; this one refuses them, so that a misspelled name shows.
 */
export const PARAMS = {
  IMAGE: 'image_url caption alt_text user_tags collaborators',
  REELS:
    'media_type video_url caption thumb_offset audio_name audio_configuration share_to_feed collaborators user_tags',
  STORIES: 'media_type image_url video_url user_tags',
  CAROUSEL: 'media_type children caption collaborators',
  'ITEM IMAGE': 'image_url is_carousel_item alt_text user_tags',
  'ITEM VIDEO': 'media_type video_url is_carousel_item user_tags thumb_offset',
}
export type Kind = keyof typeof PARAMS

/** What is made with these. @throws SimulatedRefusal */
export function kindOf(params: Params): Kind {
  const type = params.media_type
  if (params.is_carousel_item === true) {
    if (type === 'REELS') refuse(100, null, 'Reels cannot appear in carousels.')
    return type === 'VIDEO' ? 'ITEM VIDEO' : 'ITEM IMAGE'
  }
  if (type === undefined) return 'IMAGE'
  if (type === 'REELS' || type === 'STORIES' || type === 'CAROUSEL') return type
  return refuse(100, 2207023, 'The media type is unknown, or no longer supported.')
}

/** @throws SimulatedRefusal */
export function checkParams(kind: Kind, params: Params): void {
  checkNames(params, PARAMS[kind].split(' '))
  const { image_url: image, video_url: video, children, user_tags: tags, collaborators, alt_text: alt } = params
  const files = [image, video].filter((url) => url !== undefined).length
  if (files !== (kind === 'CAROUSEL' ? 0 : 1)) invalid('one of image_url and video_url is required')
  if (kind === 'CAROUSEL' && (!Array.isArray(children) || children.length < 2 || children.length > 10)) {
    refuse(100, 2207028, 'Carousels need at least 2 children and no more than 10 children.')
  }
  checkTags(tags, kind, video !== undefined)
  if (collaborators !== undefined) {
    if (!Array.isArray(collaborators) || collaborators.length > 3) invalid('at most 3 collaborators')
    collaborators.forEach(checkUser)
  }
  if ([...String(alt ?? '')].length > 1000) invalid('alt_text is too long')
  if (!/^\d+$/.test(String(params.thumb_offset ?? 0))) invalid('thumb_offset')
  const audio = params.audio_configuration as { audio_id?: unknown } | undefined
  if (audio !== undefined && !/^\d+$/.test(String(audio.audio_id))) invalid('audio_configuration')
}

function checkTags(tags: unknown, kind: Kind, video: boolean): void {
  if (tags === undefined) return
  if (!Array.isArray(tags)) invalid('user_tags must be a list')
  if (tags.length > 20) refuse(100, 2207040, 'Cannot use more than 20 tags per created media.')
  for (const tag of tags as Params[]) {
    checkUser(tag.username)
    const placed = [tag.x, tag.y].every((at) => typeof at === 'number' && at >= 0 && at <= 1)
    const unplaced = tag.x === undefined && tag.y === undefined
    if (kind === 'STORIES' ? !placed && !unplaced : video ? !unplaced : !placed) invalid('user_tags: x and y')
  }
}

function checkUser(name: unknown): void {
  if (typeof name === 'string' && /^[A-Za-z0-9._]{1,30}$/.test(name)) return
  refuse(110, 2207018, 'Cannot access user.', { user: 'The user cannot be tagged or does not exist.' })
}

/** As the error text has it. */
const IMAGE_BYTES = 8 * 1024 * 1024
/** What the help names, and a little more, as programs round. */
const RATIOS = { min: 3 / 4 - 0.01, max: 1.91 + 0.01 }
const VIDEO_CODECS: readonly (string | null)[] = ['avc', 'hevc']
/** null: no sound. */
const AUDIO_CODECS: readonly (string | null)[] = ['aac', null]

/** Fetches an image as the network does while a container is made, and refuses what it refuses. */
export async function takeImage(deps: SimulatorDeps, url: unknown, { feed }: { feed: boolean }): Promise<StoredFile> {
  const file = await fetched(deps, url, IMAGE_BYTES)
  if (file === 'too large') return refuse(36000, 2207004, 'Image is too large.')
  const image = await measureImage(await deps.store.getBlob(file.blobId))
  if (image?.format !== 'jpeg') return refuse(36001, 2207005, 'Image format is not supported.')
  const ratio = image.width / image.height
  if (feed && (ratio < RATIOS.min || ratio > RATIOS.max)) {
    const user = `The submitted image with aspect ratio ${ratio.toFixed(3)} cannot be published.`
    refuse(36003, 2207009, 'The aspect ratio is not supported.', { user })
  }
  return { blobId: file.blobId, mimeType: 'image/jpeg' }
}

/**
 * Fetches a video. What is wrong with it shows while it is worked on, in the status of its container: `failure` is the subcode
 * with which that will end. Carousels have no figures of their own.
 */
export async function takeVideo(
  deps: SimulatorDeps,
  url: unknown,
  { story }: { story: boolean },
): Promise<{ files: StoredFile[]; seconds: number; failure: number | null }> {
  const file = await fetched(deps, url, story ? 100e6 : 300e6)
  if (file === 'too large') return { files: [], seconds: Number.POSITIVE_INFINITY, failure: 2207026 }
  const measured = await measureVideo(await deps.store.openBlob(file.blobId))
  const { seconds = 0, width = 0, videoCodec = null, audioCodec = null } = measured ?? {}
  const fits = seconds >= 3 && seconds <= (story ? 60 : 15 * 60) && width <= 1920
  const plays = VIDEO_CODECS.includes(videoCodec) && AUDIO_CODECS.includes(audioCodec)
  const mimeType = measured?.mimeType ?? 'application/octet-stream'
  return { files: [{ blobId: file.blobId, mimeType }], seconds, failure: fits && plays ? null : 2207026 }
}

async function fetched(deps: SimulatorDeps, url: unknown, maxBytes: number): Promise<FetchedFile | 'too large'> {
  const user = 'The media could not be fetched from this URI.'
  const file = await fetchedBy(deps, url, maxBytes)
  return file ?? refuse(9004, 2207052, 'Only photo or video can be accepted as media type.', { user })
}
