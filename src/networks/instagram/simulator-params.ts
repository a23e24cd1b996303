import { checkParams as checkNames, invalid, type Params, refuse } from '../meta/simulator.ts'

export type Kind = 'IMAGE' | 'REELS' | 'STORIES' | 'CAROUSEL' | 'ITEM IMAGE' | 'ITEM VIDEO'

/**
 * Parameters of `POST /{ig-user}/media` by what is made with them:
 * https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-user/media (read 2026-11-21).
 * The real network lets unknown ones pass; this one refuses them, so that a misspelt name shows.
 */
export const CONTAINER_PARAMS: Record<Kind, readonly string[]> = {
  IMAGE: ['image_url', 'caption', 'alt_text', 'user_tags', 'collaborators', 'location_id'],
  REELS: [
    'media_type',
    'video_url',
    'caption',
    'thumb_offset',
    'audio_name',
    'audio_configuration',
    'share_to_feed',
    'collaborators',
    'user_tags',
    'location_id',
  ],
  STORIES: ['media_type', 'image_url', 'video_url', 'user_tags'],
  CAROUSEL: ['media_type', 'children', 'caption', 'collaborators', 'location_id', 'share_to_feed'],
  'ITEM IMAGE': ['image_url', 'is_carousel_item', 'alt_text', 'user_tags'],
  'ITEM VIDEO': ['media_type', 'video_url', 'is_carousel_item', 'user_tags', 'thumb_offset'],
}

/** Newer than the published contracts: documented on 1 June 2026, for accounts of Facebook login. */
export const PARAMS_NEWER_THAN_CONTRACT: readonly string[] = ['audio_configuration']

export function kindOf(params: Params): Kind {
  const item = params.is_carousel_item === true || params.is_carousel_item === 'true'
  switch (params.media_type) {
    case undefined:
      return item ? 'ITEM IMAGE' : 'IMAGE'
    case 'VIDEO':
      if (item) return 'ITEM VIDEO'
      return refuse(100, 2207023, 'The media type VIDEO is no longer supported. Use REELS.')
    case 'REELS':
      if (item) return refuse(100, null, 'Reels cannot appear in carousels.')
      return 'REELS'
    case 'STORIES':
    case 'CAROUSEL':
      return params.media_type
    default:
      return refuse(100, 2207023, 'The media type is unknown.', { user: 'The media type is unknown.' })
  }
}

export function checkParams(kind: Kind, params: Params): void {
  checkNames(params, CONTAINER_PARAMS[kind])
  const files = [params.image_url, params.video_url].filter((url) => url !== undefined).length
  if (files !== (kind === 'CAROUSEL' ? 0 : 1)) invalid('one of image_url and video_url is required')
  if ((kind === 'REELS' || kind === 'ITEM VIDEO') && params.video_url === undefined) invalid('video_url is required')
  if (kind === 'CAROUSEL') checkChildren(params.children)
  checkTags(params.user_tags, kind, params.video_url !== undefined)
  checkCollaborators(params.collaborators)
  if (params.alt_text !== undefined && [...String(params.alt_text)].length > 1000) invalid('alt_text is too long')
  if (params.thumb_offset !== undefined && !/^\d+$/.test(String(params.thumb_offset))) invalid('thumb_offset')
  const audio = params.audio_configuration as { audio_id?: unknown } | undefined
  if (audio !== undefined && !/^\d+$/.test(String(audio.audio_id))) invalid('audio_configuration')
}

function checkChildren(children: unknown): void {
  if (!Array.isArray(children) || children.length < 2 || children.length > 10) {
    refuse(100, 2207028, 'The carousel is not valid.', {
      user: 'Carousels need at least 2 children and no more than 10 children.',
    })
  }
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

function checkCollaborators(collaborators: unknown): void {
  if (collaborators === undefined) return
  if (!Array.isArray(collaborators)) invalid('collaborators must be a list')
  if (collaborators.length > 3) invalid('at most 3 collaborators')
  collaborators.forEach(checkUser)
}

function checkUser(name: unknown): void {
  if (typeof name === 'string' && /^[A-Za-z0-9._]{1,30}$/.test(name)) return
  refuse(110, 2207018, 'Cannot access user.', { user: 'The user cannot be tagged or does not exist.' })
}
