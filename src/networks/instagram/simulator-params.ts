import { checkParams as checkNames, invalid, type Params, refuse } from '../meta/simulator.ts'

/**
 * Parameters of `POST /{ig-user}/media` by what is made with them:
 * https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-user/media (read 2026-11-21).
 * The real network lets unknown ones pass; this one refuses them, so that a misspelt name shows.
 */
const PARAMS = {
  IMAGE: 'image_url caption alt_text user_tags collaborators',
  REELS:
    'media_type video_url caption thumb_offset audio_name audio_configuration share_to_feed collaborators user_tags',
  STORIES: 'media_type image_url video_url user_tags',
  CAROUSEL: 'media_type children caption collaborators',
  'ITEM IMAGE': 'image_url is_carousel_item alt_text user_tags',
  'ITEM VIDEO': 'media_type video_url is_carousel_item user_tags thumb_offset',
}
export type Kind = keyof typeof PARAMS

export const paramsOf = (kind: Kind): string[] => PARAMS[kind].split(' ')
export const KINDS = Object.keys(PARAMS) as Kind[]

/** Newer than the published contracts: documented on 1 June 2026, for accounts of Facebook login. */
export const PARAMS_NEWER_THAN_CONTRACT: readonly string[] = ['audio_configuration']

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
  checkNames(params, paramsOf(kind))
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
