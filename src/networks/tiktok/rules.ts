import { checkCaption, checkForm, checkItem, type ItemRules, refuse, warn } from '../kit/rules.ts'
import type { Defaults, Finding, PostToCheck, TextCount } from '../network.ts'
import { form, limits, videoTypes } from './manifest.ts'
import { isForInbox } from './post-body.ts'

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
    ...checkOwnOptions(post),
    ...(isForInbox(defaults) ? checkInbox(post) : [...checkPrivacy(defaults), ...checkLabels(post, defaults)]),
  ]
}

/** Counted in UTF-16 code units. */
export function countCaption(post: PostToCheck): TextCount {
  return { actual: post.caption.length, limit: captionLimit(post).value }
}

/** The caption of a video is its title, that of photos their description. */
const captionLimit = ({ media }: PostToCheck) =>
  media.some(({ facts }) => facts.type === 'IMAGE') ? limits.photoDescription : limits.videoCaption

/** A value that the post itself has; what its connection has besides is no word of who wrote it. */
const given = ({ fields }: PostToCheck, name: string): unknown =>
  (fields.options as Readonly<Record<string, unknown>> | null | undefined)?.[name] ?? undefined

const hasVideo = ({ media }: PostToCheck) => media.some(({ facts }) => facts.type === 'VIDEO')

/** What the form of a post cannot hold it to: of another kind, and beyond what there is. */
function checkOwnOptions(post: PostToCheck): Finding[] {
  const { media } = post
  const at = (name: string) => ['options', name] as const
  const odd = (hasVideo(post) ? PHOTO_OPTIONS : VIDEO_OPTIONS).filter(
    (name) => media.length > 0 && isSet(given(post, name)),
  )
  const findings = odd.map((name) => {
    const [has, of] = hasVideo(post) ? ['a video', 'photos'] : ['photos', 'a video']
    return warn('post:field_invalid', at(name), `The post has ${has}, and "${name}" is of ${of}: it is not sent.`)
  })
  const [title, index, moment] = [given(post, 'title'), given(post, 'coverIndex'), given(post, 'coverMilliseconds')]
  const { value: limit } = limits.photoTitle
  if (typeof title === 'string' && title.length > limit) {
    const message = `TikTok takes titles of photos of at most ${limit} UTF-16 code units; this one has ${title.length}. Shorten it.`
    findings.push(refuse('post:field_invalid', at('title'), message, { limit, actual: title.length }))
  }
  if (typeof index === 'number' && !hasVideo(post) && index >= media.length && media.length > 0) {
    const message = `The cover is photo ${index + 1}, and the post has ${media.length}. Choose one of them.`
    findings.push(refuse('post:field_invalid', at('coverIndex'), message, { limit: media.length - 1, actual: index }))
  }
  const lasts = media.find(({ facts }) => facts.type === 'VIDEO')?.facts.durationMs ?? null
  if (typeof moment === 'number' && lasts !== null && moment > lasts) {
    const message = `The cover is at ${moment} ms, and the video has ${lasts} ms. Choose a moment of it.`
    findings.push(refuse('post:field_invalid', at('coverMilliseconds'), message, { limit: lasts, actual: moment }))
  }
  return findings
}

const VIDEO_OPTIONS = ['coverMilliseconds']
const PHOTO_OPTIONS = ['title', 'coverIndex', 'autoMusic']
/** What only the creator chooses in the app, of a post that goes to the inbox. */
const CHOSEN_IN_APP = [
  ...['privacy', 'allowComments', 'allowDuet', 'allowStitch', 'brandContent', 'brandOrganic', 'aiGenerated'],
  ...['autoMusic', 'coverMilliseconds'],
]

/** It says nothing that a switch is off, or a text empty. */
const isSet = (value: unknown) => value !== undefined && value !== null && value !== false && value !== ''

/** TikTok takes nothing of it for the inbox but photos and their texts. */
function checkInbox(post: PostToCheck): Finding[] {
  const findings = CHOSEN_IN_APP.filter((name) => isSet(given(post, name))).map((name) => {
    const message = `The post goes into the inbox of the TikTok app, where the creator chooses this: "${name}" is not sent.`
    return warn('post:field_invalid', ['options', name], message)
  })
  if (hasVideo(post) && post.caption.trim() !== '') {
    const message =
      'TikTok takes no caption of a video for the inbox. The result of the post shows it, so that the creator can paste it.'
    findings.push(warn('post:field_invalid', ['caption'], message))
  }
  return findings
}

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
