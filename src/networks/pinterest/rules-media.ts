import type { CheckedMedia, Finding, Limit, PostToCheck } from '../network.ts'
import { checkFile } from '../toolkit/media-rules.ts'
import { limits } from './manifest.ts'
import { checkLink, checkText } from './rules-text.ts'

/** How many items, of which kind, and each by itself. Format and size of images are not looked at: they are fitted. */
export function checkMedia({ media }: PostToCheck): Finding[] {
  if (media.length === 0) {
    const message =
      'Pinterest has no pins of text alone. Add an image, 2 to 5 images of one size, or a video with a picture for its cover.'
    return [{ code: 'post:media_required', steps: ['media'], limit: limits.items.value, actual: media.length, message }]
  }
  const isVideo = ({ facts }: CheckedMedia) => facts.type === 'VIDEO'
  const videos = media.filter(isVideo).length
  const images = media.length - videos
  return [
    ...(videos > 0 ? checkBesideVideo(videos, images) : checkCarousel(media)),
    ...media.flatMap((item, index) => checkItem(item, index, { images, videos })),
    ...checkAltTexts(media),
  ]
}

const tooMany = (limit: Limit, actual: number, words: string): Finding => ({
  code: 'post:media_count',
  steps: ['media'],
  limit: limit.value,
  actual,
  message: `${words} Remove ${actual - limit.value}.`,
})

/** An image beside a video is its cover. */
function checkBesideVideo(videos: number, images: number): Finding[] {
  const findings: Finding[] = []
  if (videos > limits.videos.value) {
    findings.push(tooMany(limits.videos, videos, `A pin on Pinterest shows one video; this post has ${videos}.`))
  }
  if (images > limits.covers.value) {
    const message = `Beside a video Pinterest takes one image, which becomes its cover; this post has ${images}. Remove ${images - 1}, or make a pin of the images alone.`
    const limit = limits.covers.value
    findings.push({ code: 'post:media_mix', steps: ['media'], limit, actual: images, message })
  }
  return findings
}

function checkCarousel(media: readonly CheckedMedia[]): Finding[] {
  const most = limits.carouselMax
  if (media.length > most.value) {
    return [
      tooMany(
        most,
        media.length,
        `Pinterest takes at most ${most.value} images in a pin; this post has ${media.length}.`,
      ),
    ]
  }
  const [first] = media
  return media.flatMap(({ facts }, index) => {
    if (!first || (facts.width === first.facts.width && facts.height === first.facts.height)) return []
    const message = `Pinterest takes images of one size in a pin; the first has ${first.facts.width}x${first.facts.height} pixels, this one ${facts.width}x${facts.height}. Crop them alike.`
    return [{ code: 'post:media_dimensions', steps: ['media', index], message } as const]
  })
}

function checkItem(item: CheckedMedia, index: number, all: { images: number; videos: number }): Finding[] {
  const { facts, tags } = item
  const steps = ['media', index]
  const findings: Finding[] = []
  if (facts.type === 'VIDEO') {
    findings.push(
      ...checkFile(facts, steps, {
        network: 'Pinterest',
        what: 'A video',
        mimeTypes: ['video/mp4', 'video/quicktime'],
        videoCodecs: ['avc', 'hevc'],
        formats: 'MP4 or MOV with H.264 or H.265',
        maxBytes: limits.videoBytes,
        minSeconds: limits.videoMinSeconds,
        maxSeconds: limits.videoMaxSeconds,
        minRatio: limits.videoMinRatio,
        maxRatio: limits.videoMaxRatio,
      }),
    )
  } else if (facts.animated && !movesOnPinterest(item, all.images + all.videos)) {
    const message =
      'Pinterest is sent the first picture of this animated image. Only a GIF of at most 20 MB that is alone in its post keeps moving.'
    findings.push({ code: 'post:media_type', steps, message, warning: true })
  }
  if (tags.length > 0) {
    const message = 'Pinterest has no tags of people on media. They are kept here and not sent.'
    findings.push({ code: 'post:field_invalid', steps: [...steps, 'tags'], message, warning: true })
  }
  // Items of a carousel have words of their own; everything else shows those of the pin.
  if (all.images > 1 && all.videos === 0) findings.push(...checkWords(item, steps))
  return findings
}

/** Only by address does the network take animations. */
export function movesOnPinterest({ facts }: Pick<CheckedMedia, 'facts'>, items: number): boolean {
  return facts.animated && facts.mimeType === 'image/gif' && facts.bytes <= limits.imageBytes.value && items === 1
}

function checkWords({ title, description, link }: CheckedMedia, steps: Finding['steps']): Finding[] {
  return [
    ...checkText(title?.trim() ?? '', 'titles', [...steps, 'title'], limits.titleLength),
    ...checkText(description?.trim() ?? '', 'descriptions', [...steps, 'description'], limits.descriptionLength),
    ...checkLink(link?.trim() ?? '', [...steps, 'link']),
  ]
}

/** A pin has one alternative text: that of the first item that has any. */
function checkAltTexts(media: readonly CheckedMedia[]): Finding[] {
  const described = media.flatMap(({ altText }, index) => (altText?.trim() ? [{ text: altText.trim(), index }] : []))
  const [first, ...others] = described
  if (!first) return []
  const findings = checkText(first.text, 'alternative texts', ['media', first.index, 'altText'], limits.altTextLength)
  const different = others.find(({ text }) => text !== first.text)
  if (different) {
    const message =
      'Pinterest has one alternative text for a pin. That of the first item is sent, the others are kept here.'
    const steps = ['media', different.index, 'altText']
    findings.push({ code: 'post:field_invalid', steps, message, warning: true })
  }
  return findings
}
