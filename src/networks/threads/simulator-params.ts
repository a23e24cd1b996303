import { linksIn } from '../kit/text-rules.ts'
import { limits } from './manifest.ts'
import { refuse } from './simulator-answers.ts'
import { textLength } from './text.ts'

export type Params = Readonly<Record<string, string>>
export type Kind = 'TEXT' | 'IMAGE' | 'VIDEO' | 'CAROUSEL' | 'ITEM IMAGE' | 'ITEM VIDEO'

const POST = ['media_type', 'text', 'reply_control', 'topic_tag']

/**
 * Parameters of `POST /me/threads` by what is made with them: https://developers.facebook.com/docs/threads/posts (read
 * 2026-11-21), without what no post of ours has. The real network lets unknown ones pass; this one refuses them, so that
 * a misspelt name shows.
 */
export const CONTAINER_PARAMS: Record<Kind, readonly string[]> = {
  TEXT: [...POST, 'link_attachment'],
  IMAGE: [...POST, 'image_url', 'alt_text'],
  VIDEO: [...POST, 'video_url', 'alt_text'],
  CAROUSEL: [...POST, 'children'],
  'ITEM IMAGE': ['media_type', 'is_carousel_item', 'image_url', 'alt_text'],
  'ITEM VIDEO': ['media_type', 'is_carousel_item', 'video_url', 'alt_text'],
}

const REPLY_CONTROLS: readonly string[] = [
  'everyone',
  'accounts_you_follow',
  'mentioned_only',
  'parent_post_author_only',
  'followers_only',
]

export function kindOf({ media_type: type, is_carousel_item: item }: Params): Kind {
  if (item !== undefined && item !== 'true' && item !== 'false') invalid('is_carousel_item must be true or false')
  switch (type) {
    case 'TEXT':
    case 'CAROUSEL':
      if (item === 'true') invalid(`a ${type} cannot be a carousel item`)
      return type
    case 'IMAGE':
    case 'VIDEO':
      return item === 'true' ? `ITEM ${type}` : type
    default:
      return invalid('media_type must be one of TEXT, IMAGE, VIDEO, CAROUSEL')
  }
}

export function checkParams(kind: Kind, params: Params): void {
  const foreign = Object.keys(params).find((name) => !CONTAINER_PARAMS[kind].includes(name))
  if (foreign !== undefined) invalid(`param ${foreign} is not allowed`)
  checkText(kind, params.text)
  if (kind.endsWith('IMAGE') && !params.image_url) invalid('image_url is required')
  if (kind.endsWith('VIDEO') && !params.video_url) invalid('video_url is required')
  if (kind === 'CAROUSEL') {
    const count = childrenOf(params).length
    if (count < limits.carouselMin.value || count > limits.carouselMax.value) invalid('children must hold 2 to 20 ids')
  }
  if ([...(params.alt_text ?? '')].length > limits.altTextLength.value) invalid('alt_text is too long')
  if (params.reply_control !== undefined && !REPLY_CONTROLS.includes(params.reply_control)) invalid('reply_control')
  if (params.topic_tag !== undefined && !/^[^.&]{1,50}$/u.test(params.topic_tag)) invalid('topic_tag')
}

function checkText(kind: Kind, text: string | undefined): void {
  if (kind === 'TEXT' && !text?.trim()) refuse(100, null, "text can't be blank")
  if (text === undefined) return
  if (textLength(text) > limits.textLength.value) refuse(100, null, 'Param text must be at most 500 characters long.')
  if (linksIn(text).length > limits.links.value) {
    refuse(100, null, 'THREADS_API__LINK_LIMIT_EXCEEDED', { user: 'The post has too many links.' })
  }
}

export const childrenOf = ({ children }: Params) => (children ?? '').split(',').filter((id) => id !== '')

function invalid(what: string): never {
  return refuse(100, null, `Invalid parameter: ${what}`)
}
