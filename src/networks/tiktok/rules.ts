import { checkCaption, checkForm, checkItem, type ItemRules, refuse, warn } from '../kit/rules.ts'
import type { Defaults, Finding, PostToCheck, TextCount } from '../network.ts'
import { form, limits, videoTypes } from './manifest.ts'

const network = 'TikTok'
const photo: ItemRules = { what: 'A photo', unsent: 'everything' }
const video: ItemRules = {
  what: 'A video',
  unsent: 'everything',
  mimeTypes: videoTypes,
  videoCodecs: ['avc', 'hevc', 'vp8', 'vp9'],
  formats: 'MP4, MOV or WebM with H.264, H.265, VP8 or VP9',
  maxBytes: limits.videoBytes,
  minWidth: limits.videoMinSide,
  maxWidth: limits.videoMaxSide,
  minHeight: limits.videoMinSide,
  maxHeight: limits.videoMaxSide,
  maxSeconds: limits.videoMaxSeconds,
  minFrameRate: limits.videoMinFrameRate,
  maxFrameRate: limits.videoMaxFrameRate,
}

/** Everything that TikTok is known to refuse, and what it would do other than people expect, as warnings. */
export function checkPost(post: PostToCheck, defaults: Defaults): Finding[] {
  const limit = captionLimit(post)
  const what = limit === limits.photoDescription ? 'captions of photos' : 'captions of videos'
  return [
    ...checkCaption(post, { network, what, limit, actual: post.caption.length }),
    ...checkForm(network, form, post.media),
    ...post.media.flatMap((item, index) =>
      checkItem(network, item, ['media', index], item.facts.type === 'VIDEO' ? video : photo),
    ),
    ...checkPrivacy(defaults),
    ...checkLabels(post, defaults),
  ]
}

/** Counted in UTF-16 code units. */
export function countCaption(post: PostToCheck): TextCount {
  return { actual: post.caption.length, limit: captionLimit(post).value }
}

/** The caption of a video is its title, that of photos their description. */
const captionLimit = ({ media }: PostToCheck) =>
  media.some(({ facts }) => facts.type === 'IMAGE') ? limits.photoDescription : limits.videoCaption

function checkPrivacy({ brandContent, privacy }: Defaults): Finding[] {
  if (brandContent !== true || privacy !== 'SELF_ONLY') return []
  const message =
    'TikTok takes no paid partnerships that only the account itself can see. Change "Who can see the posts" or "Paid partnership" in the options of the post, or among the publishing defaults of the account.'
  return [refuse('post:field_invalid', ['accountType'], message)]
}

function checkLabels({ media }: PostToCheck, { aiGenerated }: Defaults): Finding[] {
  if (aiGenerated !== true || !media.some(({ facts }) => facts.type === 'IMAGE')) return []
  const message =
    'TikTok has no label for photos that were made with AI, so "Made with AI" is not sent. Say it in the caption.'
  return [warn('post:field_invalid', ['options', 'aiGenerated'], message)]
}
