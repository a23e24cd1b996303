import { checkCaption, checkForm, checkItem, type ItemRules, refuse, warn } from '../kit/rules.ts'
import { tooLong } from '../kit/text-rules.ts'
import type { CheckedMedia, Defaults, Finding, Limit, PostToCheck, TextCount } from '../network.ts'
import { boardOf, fieldsOf, isBoardId } from './fields.ts'
import { form, limits } from './manifest.ts'

type Steps = Finding['steps']

const network = 'Pinterest'
const unsent = { tags: 'Pinterest has no tags of people on media.' }
const video: ItemRules = {
  what: 'A video',
  unsent,
  mimeTypes: ['video/mp4', 'video/quicktime'],
  videoCodecs: ['avc', 'hevc'],
  formats: 'MP4 or MOV with H.264 or H.265',
  maxBytes: limits.videoBytes,
  minSeconds: limits.videoMinSeconds,
  maxSeconds: limits.videoMaxSeconds,
  minRatio: limits.videoMinRatio,
  maxRatio: limits.videoMaxRatio,
}
/** Format and size of images are not looked at: they are fitted. */
const image = (items: number): ItemRules => ({
  what: 'An image',
  unsent,
  motion: {
    isKept: (item) => movesOnPinterest(item, items),
    message:
      'Pinterest is sent the first picture of this animated image. Only a GIF of at most 20 MB that is alone in its post keeps moving.',
  },
})

/** Only by address does the network take animations. */
export function movesOnPinterest({ facts }: Pick<CheckedMedia, 'facts'>, items: number): boolean {
  return facts.animated && facts.mimeType === 'image/gif' && facts.bytes <= limits.imageBytes.value && items === 1
}

/** Everything that Pinterest is known to refuse, and what it would do other than people expect, as warnings. */
export function checkPost(post: PostToCheck, defaults: Defaults): Finding[] {
  const { title, website } = fieldsOf(post.fields)
  const titleless = `A post for Pinterest has to have a title. Give it one of at most ${limits.titleLength.value} characters.`
  return [
    ...checkText(title, 'titles', ['title'], limits.titleLength),
    ...(title === '' ? [refuse('post:field_required', ['title'], titleless)] : []),
    ...checkDescription(post),
    ...checkLink(website, ['website']),
    ...checkBoard(boardOf(post.fields, defaults)),
    ...checkMedia(post.media),
  ]
}

/** Counted in UTF-16 code units. */
export function countCaption({ caption }: PostToCheck): TextCount {
  return { actual: caption.length, limit: limits.descriptionLength.value }
}

/** Half a character is refused: it could not be found again in what the network made of it. */
function checkText(text: string, what: string, steps: Steps, limit: Limit): Finding[] {
  const findings = tooLong({ network, what, code: 'post:field_too_long', steps, limit, actual: text.length })
  if (text.isWellFormed()) return findings
  const message = `Pinterest takes ${what} of whole characters; this one holds half of one. Write it again.`
  return [...findings, refuse('post:field_invalid', steps, message)]
}

function checkDescription(post: PostToCheck): Finding[] {
  const actual = post.caption.length
  const { descriptionLength: most, descriptionAdvised: advised } = limits
  const findings = checkCaption(post, { network, what: 'descriptions', limit: most, actual })
  if (findings.length > 0 || actual <= advised.value) return findings
  const message = `The caption has ${actual} characters. Pinterest promises programs ${most.value} and people ${advised.value}, and may refuse or cut more than ${advised.value}.`
  return [warn('post:caption_too_long', ['caption'], message, { limit: advised.value, actual })]
}

/** An address to which a pin, or an item of a carousel, leads. Empty: to nowhere. */
function checkLink(link: string, steps: Steps): Finding[] {
  if (link === '') return []
  if (/^https?:\/\/[^/\s]+\.[^/\s]/i.test(link) && !/\s/.test(link) && URL.canParse(link)) {
    return checkText(link, 'links', steps, limits.linkLength)
  }
  const message = `Pinterest links to web addresses that begin with https://; "${link.slice(0, 60)}" is none. Correct it, or leave it empty.`
  return [refuse('post:field_invalid', steps, message)]
}

function checkBoard(board: string | null): Finding[] {
  if (board === null) {
    const message =
      'Pinterest puts every pin on a board, and this post names none. Give it a board, or choose one among the publishing defaults of the account.'
    return [refuse('post:field_required', ['board'], message)]
  }
  if (isBoardId(board)) return []
  const message = `Pinterest knows boards by a number; "${board.slice(0, 40)}" is none. Choose a board of the account.`
  return [refuse('post:field_invalid', ['board', 'id'], message)]
}

/** How many items, of which kind, and each by itself. */
function checkMedia(media: readonly CheckedMedia[]): Finding[] {
  const videos = media.filter(({ facts }) => facts.type === 'VIDEO').length
  const still = image(media.length)
  // Items of a carousel have words of their own; everything else shows those of the pin.
  const isCarousel = videos === 0 && media.length > 1
  return [
    ...checkCounts(media, videos),
    ...media.flatMap((item, index) => {
      const steps = ['media', index]
      return [
        ...checkItem(network, item, steps, item.facts.type === 'VIDEO' ? video : still),
        ...(isCarousel ? [...checkSize(item, media[0], steps), ...checkWords(item, steps)] : []),
      ]
    }),
    ...checkAltTexts(media),
  ]
}

/** An image beside a video is its cover. */
function checkCounts(media: readonly CheckedMedia[], videos: number): Finding[] {
  const findings = checkForm(network, form, media)
  const [limit, actual] = [limits.covers.value, media.length - videos]
  if (findings.length > 0 || videos === 0 || actual <= limit) return findings
  const message = `Beside a video Pinterest takes one image, which becomes its cover; this post has ${actual}. Remove ${actual - limit}, or make a pin of the images alone.`
  return [refuse('post:media_mix', ['media'], message, { limit, actual })]
}

function checkSize({ facts }: CheckedMedia, first: CheckedMedia | undefined, steps: Steps): Finding[] {
  if (!first || (facts.width === first.facts.width && facts.height === first.facts.height)) return []
  const message = `Pinterest takes images of one size in a pin; the first has ${first.facts.width}x${first.facts.height} pixels, this one ${facts.width}x${facts.height}. Crop them alike.`
  return [refuse('post:media_dimensions', steps, message)]
}

function checkWords({ title, description, link }: CheckedMedia, steps: Steps): Finding[] {
  return [
    ...checkText(title?.trim() ?? '', 'titles', [...steps, 'title'], limits.titleLength),
    ...checkText(description?.trim() ?? '', 'descriptions', [...steps, 'description'], limits.descriptionLength),
    ...checkLink(link?.trim() ?? '', [...steps, 'link']),
  ]
}

/** A pin has one alternative text: that of the first item that has any. */
function checkAltTexts(media: readonly CheckedMedia[]): Finding[] {
  const described = media.flatMap(({ altText }, index) => (altText?.trim() ? [{ text: altText.trim(), index }] : []))
  const [first] = described
  if (!first) return []
  const findings = checkText(first.text, 'alternative texts', ['media', first.index, 'altText'], limits.altTextLength)
  const different = described.find(({ text }) => text !== first.text)
  if (!different) return findings
  const message =
    'Pinterest has one alternative text for a pin. That of the first item is sent, the others are kept here.'
  return [...findings, warn('post:field_invalid', ['media', different.index, 'altText'], message)]
}
