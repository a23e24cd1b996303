import { fittedImage } from '../kit/images.ts'
import type { Attempt, MediaToSend, Words } from '../network.ts'
import { limits } from './manifest.ts'

/**
 * Parameters of a `POST /me/threads`: https://developers.facebook.com/docs/threads/posts (read 2026-11-21).
 * `auto_publish_text` is never among them: it would publish before there is an id to ask about.
 */
type ContainerParams = Readonly<Record<string, string>>

type Post = Attempt['post']

/** What the containers are made with that must be there before the post's own: the items of a carousel. */
export function childParams(post: Post): (() => Promise<ContainerParams>)[] {
  if (post.media.length < limits.carouselMin.value) return []
  return post.media.map((media) => async () => ({ ...(await mediaParams(media)), is_carousel_item: 'true' }))
}

/** What the container is made with that is published in the end. `children`: ids of the items of a carousel. */
export async function postParams(
  post: Post,
  children: readonly string[],
  { text: caption = '' }: Words,
): Promise<ContainerParams> {
  const text = caption.trim() === '' ? {} : { text: caption }
  const [media] = post.media
  if (!media) return { media_type: 'TEXT', text: caption }
  if (post.media.length < limits.carouselMin.value) return { ...(await mediaParams(media)), ...text }
  return { media_type: 'CAROUSEL', children: children.join(','), ...text }
}

async function mediaParams({ facts, source, altText }: MediaToSend): Promise<ContainerParams> {
  const described: ContainerParams = altText?.trim() ? { alt_text: altText } : {}
  if (facts.type === 'VIDEO') return { media_type: 'VIDEO', video_url: await source.url(), ...described }
  const image = await fittedImage(source, {
    mimeTypes: ['image/jpeg', 'image/png'],
    maxBytes: limits.imageBytes.value,
    maxWidth: limits.imageMaxWidth.value,
  })
  return { media_type: 'IMAGE', image_url: await image.url(), ...described }
}
