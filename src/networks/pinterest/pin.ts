import { buffer } from 'node:stream/consumers'
import { fittedImage } from '../kit/images.ts'
import type { Attempt, MediaSource, MediaToSend, PostToCheck } from '../network.ts'
import { fieldsOf } from './fields.ts'
import { movesOnPinterest } from './rules.ts'

/**
 * Images travel within the call as base64, so no address of this installation has to be public for them. So that a call
 * stays a few megabytes large they are made smaller: 2000 pixels in width are twice what the network advises and more
 * than the 1200 that it shows.
 */
const MAX_WIDTH = 2000
const MAX_BYTES = 6_000_000

/** What moves on Pinterest does so in its own form alone. */
const MOVING = { mimeTypes: ['image/gif'] }

/** Second of a video whose picture is the cover when the post has no image for it. The very first is often black. */
const COVER_SECOND = 1

type Post = Attempt['post']
type Body = Readonly<Record<string, unknown>>

/** Body of `POST /v5/pins` (https://developers.pinterest.com/docs/api/v5/pins-create, read 2026-11-21). */
export async function pinBody(
  { post, words: sent }: Pick<Attempt, 'post' | 'words'>,
  ids: { boardId: string; mediaId: string | null },
): Promise<Body> {
  const { title = '', description = '', link = '', altText = '' } = sent
  const words = filled({ description, link, alt_text: altText })
  return { board_id: ids.boardId, title, ...words, media_source: await mediaSource(post, ids.mediaId) }
}

/** The words of a pin as they are sent, and looked for afterwards. */
export function wordsOf({ caption, fields, media }: PostToCheck) {
  const { title, website } = fieldsOf(fields)
  const described = media.find(({ altText }) => altText?.trim())
  return { title, description: caption.trim(), link: website, altText: described?.altText?.trim() ?? '' }
}

/** Words without the empty ones, which are not sent. */
const filled = (words: Readonly<Record<string, string | null>>): Body =>
  Object.fromEntries(Object.entries(words).flatMap(([name, text]) => (text?.trim() ? [[name, text.trim()]] : [])))

/** Converts what has to be converted, so that nothing but reading is left to the visible call. */
export async function fitImages({ media }: Post): Promise<void> {
  for (const item of media) {
    if (isImage(item))
      await (movesOnPinterest(item, media.length) ? fittedImage(item.source, MOVING) : fitted(item, media))
  }
}

const isImage = ({ facts }: MediaToSend) => facts.type === 'IMAGE'
const isCarousel = (media: readonly MediaToSend[]) => media.length > 1 && media.every(isImage)

async function mediaSource({ media }: Post, mediaId: string | null): Promise<Body> {
  const [first] = media
  if (!first) throw new TypeError('A post without media came past the rules.')
  if (!media.every(isImage)) {
    if (mediaId === null) throw new TypeError('A video was not sent before its pin.')
    return { source_type: 'video_id', media_id: mediaId, ...(await cover(media)) }
  }
  if (isCarousel(media)) {
    const items: Body[] = []
    for (const item of media) {
      const { title, description, link } = item
      items.push({ ...(await base64(item, media)), ...filled({ title, description, link }) })
    }
    return { source_type: 'multiple_image_base64', items, index: 0 }
  }
  if (movesOnPinterest(first, media.length))
    return { source_type: 'image_url', url: await (await fittedImage(first.source, MOVING)).url() }
  return { source_type: 'image_base64', ...(await base64(first, media)) }
}

/** The image beside a video, else a picture of the video itself: the network wants one or the other. */
async function cover(media: readonly MediaToSend[]): Promise<Body> {
  const image = media.find(isImage)
  if (!image) return { cover_image_key_frame_time: COVER_SECOND }
  const { content_type, data } = await base64(image, media)
  return { cover_image_content_type: content_type, cover_image_data: data }
}

/** Pictures of one size come out in one size: a bound in bytes would shrink one of them and not the other. */
function fitted({ source }: MediaToSend, media: readonly MediaToSend[]): Promise<MediaSource> {
  if (isCarousel(media)) return source.rendition({ format: 'jpeg', maxWidth: MAX_WIDTH })
  return fittedImage(source, { mimeTypes: ['image/jpeg', 'image/png'], maxBytes: MAX_BYTES, maxWidth: MAX_WIDTH })
}

async function base64(item: MediaToSend, media: readonly MediaToSend[]) {
  const image = await fitted(item, media)
  return { content_type: image.facts.mimeType, data: (await buffer(await image.open())).toString('base64') }
}
