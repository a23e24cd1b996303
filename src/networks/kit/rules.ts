import type { CheckedMedia, Finding, Limit, PostForm, PostToCheck } from '../network.ts'
import { checkFile, type FileRules } from './media-rules.ts'
import { isFarTooLong, tooLong } from './text-rules.ts'

type Numbers = Pick<Finding, 'limit' | 'actual'>

/** What stops a post. */
export const refuse = (
  code: Finding['code'],
  steps: Finding['steps'],
  message: string,
  numbers: Numbers = {},
): Finding => ({ code, steps, ...numbers, message })

/** What people are reported, and what stops nothing. */
export const warn = (...finding: Parameters<typeof refuse>): Finding => ({ ...refuse(...finding), warning: true })

/** What is refused of a caption. `length` as the network counts it; of a text that is far too long nothing else is reported. */
export function checkCaption(
  { caption, media }: Pick<PostToCheck, 'caption' | 'media'>,
  length: { network: string; actual: number; limit: Limit; what?: string; unit?: string },
  required?: 'always' | 'without media',
): Finding[] {
  const steps = ['caption']
  const { network, actual, limit, what = 'captions' } = length
  const long = tooLong({ ...length, what, steps })
  if (isFarTooLong(actual, limit)) return long
  const findings: Finding[] = []
  if (caption.trim() === '' && required === 'always') {
    findings.push(refuse('post:caption_required', steps, `${network} shows no post without a text. Write a caption.`))
  } else if (caption.trim() === '' && required && media.length === 0) {
    const message = `A post on ${network} needs a text or media. Write a caption, or add an image or a video.`
    findings.push(refuse('post:caption_required', steps, message))
  }
  if (!caption.isWellFormed()) {
    const message = `The caption holds half of a character, which ${network} cannot take. Remove the broken character.`
    findings.push(refuse('post:field_invalid', steps, message))
  }
  return [...findings, ...long]
}

/** Whether a post has as many items of each kind as its form says. */
export function checkForm(network: string, { type, media: may }: PostForm, media: readonly CheckedMedia[]): Finding[] {
  const [images, videos, documents] = countsOf(media)
  const takes = `A post ${type === null ? '' : `of type ${type} `}on ${network} takes ${wordsOf(may)}`
  const instead = type === null ? '' : ', or choose another type'
  if (media.length < may.min) {
    const code = media.length === 0 ? 'post:media_required' : 'post:media_count'
    const message = `${takes}; this one has ${media.length}. Add what is missing${instead}.`
    return [refuse(code, ['media'], message, { limit: may.min, actual: media.length })]
  }
  if (!may.mixed && may.max > 1 && Math.min(images, videos, may.images, may.videos) > 0) {
    return [refuse('post:media_mix', ['media'], `${takes}, never both. Keep one kind, or make two posts.`)]
  }
  if (may.documents > 0 && documents > 0 && images + videos > 0) {
    const message = `${takes}, and a document stands alone. Keep one kind, or make two posts.`
    return [refuse('post:media_mix', ['media'], message)]
  }
  const findings: Finding[] = []
  const over = [
    [may.images, images],
    [may.videos, videos],
    [may.documents, documents],
    [may.max, media.length],
  ].find(([most = 0, actual = 0], index) => actual > most && (most > 0 || index === 3))
  if (over) {
    const [limit = 0, actual = 0] = over
    const message = `${takes}; this one has ${actual}. Remove ${actual - limit}${instead}.`
    findings.push(refuse('post:media_count', ['media'], message, { limit, actual }))
  }
  if (may.max === 0) return findings
  const wrong = media.flatMap(({ facts }, index) => {
    const [taken, what] = {
      IMAGE: [may.images, 'an image'] as const,
      VIDEO: [may.videos, 'a video'] as const,
      DOCUMENT: [may.documents, 'a document'] as const,
    }[facts.type]
    if (taken > 0) return []
    const message = `${takes}; this is ${what}. Use another file${instead}.`
    return [refuse('post:media_type', ['media', index], message)]
  })
  return [...findings, ...wrong]
}

const countsOf = (media: readonly CheckedMedia[]) =>
  (['IMAGE', 'VIDEO', 'DOCUMENT'] as const).map((type) => media.filter(({ facts }) => facts.type === type).length) as [
    images: number,
    videos: number,
    documents: number,
  ]

/** `2 to 10 images`, `up to 4 images or exactly 1 video`, `up to 5 images and videos, with at most 1 video`. */
function wordsOf({ min, max, images, videos, documents, mixed }: PostForm['media']): string {
  if (max === 0) return 'no media'
  const named = (most: number, one: string, more = `${one}s`) => `${most} ${most === 1 ? one : more}`
  const some = (...most: Parameters<typeof named>) =>
    `${min === most[0] ? 'exactly' : min > 1 ? `${min} to` : 'up to'} ${named(...most)}`
  if (!mixed && images !== videos) {
    const kinds = [
      images > 0 && some(images, 'image'),
      videos > 0 && some(videos, 'video'),
      documents > 0 && some(documents, 'document'),
    ]
    return kinds.filter(Boolean).join(' or ')
  }
  // The fewest are of both kinds together, and so may the most be.
  const fewer = [images < max && named(images, 'image'), videos < max && named(videos, 'video')].filter(Boolean)
  const all = some(max, 'image or video', 'images and videos')
  return fewer.length === 0 ? all : `${all}, with at most ${fewer.join(' and ')}`
}

/** What can be written with an item. */
const PARTS = {
  altText: 'alternative text',
  title: 'title',
  description: 'description',
  link: 'link',
  tags: 'tags',
} as const
type Part = keyof typeof PARTS

export interface ItemRules extends Omit<FileRules, 'network'> {
  /** Of an animated image the first picture is sent, unless it keeps moving. */
  motion?: { isKept?(item: CheckedMedia): boolean; message: string }
  /** Longest alternative text, and how it is counted. Default: UTF-16 code units. */
  altText?: { limit: Limit; count?(text: string): number }
  /** Parts that are kept and not sent, each with why; or `everything`. */
  unsent?: Partial<Record<Part, string>> | 'everything'
}

/** What is refused of an item by itself, and what becomes of it otherwise than people expect. */
export function checkItem(network: string, item: CheckedMedia, steps: Finding['steps'], rules: ItemRules): Finding[] {
  const { facts } = item
  const { motion, altText, unsent = {} } = rules
  const findings = checkFile(facts, steps, { ...rules, network })
  if (facts.type === 'IMAGE' && facts.animated && !motion?.isKept?.(item)) {
    const still = `${network} shows no animated images; the first picture is sent. Use a video to keep the motion.`
    findings.push(warn('post:media_type', steps, motion?.message ?? still))
  }
  if (altText) {
    const actual = (altText.count ?? ((text) => text.length))(item.altText ?? '')
    const at = { code: 'post:field_too_long', steps: [...steps, 'altText'] } as const
    findings.push(...tooLong({ network, what: 'alternative texts', ...at, limit: altText.limit, actual }))
  }
  const isWritten = (part: Part) => (part === 'tags' ? item.tags.length > 0 : Boolean(item[part]?.trim()))
  const written = (Object.keys(PARTS) as Part[]).filter(isWritten)
  if (unsent !== 'everything') {
    const lost = written.flatMap((part) => {
      const why = unsent[part]
      return why ? [warn('post:field_invalid', [...steps, part], `${why} It is kept here and not sent.`)] : []
    })
    return [...findings, ...lost]
  }
  if (written.length === 0) return findings
  const parts = written.map((part) => PARTS[part]).join(', ')
  const message = `${network} has no place for what is written with a media item (${parts}). It is kept here and not sent.`
  return [...findings, warn('post:field_invalid', steps, message)]
}
