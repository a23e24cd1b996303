import type { Defaults, Finding, PostToCheck } from '../network.ts'
import { checkFile, type FileRules } from '../toolkit/media-rules.ts'
import { tooLong } from '../toolkit/text-rules.ts'
import { limits, videoTypes } from './manifest.ts'

const network = 'TikTok'

const video: FileRules = {
  network,
  what: 'A video',
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
  return [
    ...checkCaption(post),
    ...checkCount(post),
    ...post.media.flatMap((media, index) => [
      ...(media.facts.type === 'VIDEO' ? checkFile(media.facts, ['media', index], video) : []),
      ...checkMotion(media, index),
      ...checkMetadata(media, index),
    ]),
    ...checkPrivacy(defaults),
  ]
}

/** The caption of a video is its title, that of photos their description. */
function checkCaption({ caption, media }: PostToCheck): Finding[] {
  const photos = media.some(({ facts }) => facts.type === 'IMAGE')
  return tooLong({
    network,
    what: photos ? 'captions of photos' : 'captions of videos',
    steps: ['caption'],
    limit: photos ? limits.photoDescription : limits.videoCaption,
    actual: caption.length,
  })
}

function checkCount({ media }: PostToCheck): Finding[] {
  const steps = ['media']
  const videos = media.filter(({ facts }) => facts.type === 'VIDEO').length
  const photos = media.length - videos
  const takes = `one video or 1 to ${limits.photos.value} photos`
  if (media.length === 0) {
    const message = `TikTok has no posts of text alone. Add ${takes}.`
    return [{ code: 'post:media_required', steps, message }]
  }
  if (videos > 0 && photos > 0) {
    const message = `A post on TikTok has ${takes}, never both. Remove the ${photos > videos ? 'video' : 'photos'}, or make two posts.`
    return [{ code: 'post:media_mix', steps, message }]
  }
  const limit = videos > 0 ? limits.videos.value : limits.photos.value
  if (media.length <= limit) return []
  const message = `A post on TikTok has ${takes}; this one has ${media.length} ${videos > 0 ? 'videos' : 'photos'}. Remove ${media.length - limit}.`
  return [{ code: 'post:media_count', steps, limit, actual: media.length, message }]
}

function checkMotion({ facts }: PostToCheck['media'][number], index: number): Finding[] {
  if (facts.type !== 'IMAGE' || !facts.animated) return []
  const message = 'TikTok shows no animated images; the first picture is sent. Use a video to keep the motion.'
  return [{ code: 'post:media_type', steps: ['media', index], message, warning: true }]
}

function checkMetadata(media: PostToCheck['media'][number], index: number): Finding[] {
  const written = [
    [media.altText, 'alternative text'],
    [media.title, 'title'],
    [media.description, 'description'],
    [media.link, 'link'],
    [media.tags.length > 0 ? 'some' : null, 'tags'],
  ].flatMap(([value, name]) => (value ? [name] : []))
  if (written.length === 0) return []
  const message = `TikTok has no place for what is written with a media item (${written.join(', ')}). It is kept here and not sent.`
  return [{ code: 'post:field_invalid', steps: ['media', index], message, warning: true }]
}

function checkPrivacy({ brandContent, privacy }: Defaults): Finding[] {
  if (brandContent !== true || privacy !== 'SELF_ONLY') return []
  const message =
    'TikTok takes no paid partnerships that only the account itself can see. Change "Who can see the posts" or "Paid partnership" among the publishing defaults of the account.'
  return [{ code: 'post:field_invalid', steps: ['accountType'], message }]
}
