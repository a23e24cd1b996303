import type { Attempt, MediaToSend } from '../network.ts'
import { fieldsOf, tagsOf } from './fields.ts'
import { limits } from './manifest.ts'

/**
 * Body of a `POST /{ig-user}/media`. Parameters:
 * https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-user/media (read 2026-11-21)
 */
export type ContainerBody = Readonly<Record<string, unknown>>

type Post = Attempt['post']

/** The bodies of the containers that must be there before the post's own: the items of a carousel, none otherwise. */
export function childBodies(post: Post): (() => Promise<ContainerBody>)[] {
  const { type, cover } = fieldsOf(post.fields)
  if (type !== 'CAROUSEL') return []
  const firstVideo = post.media.findIndex(({ facts }) => facts.type === 'VIDEO')
  return post.media.map((media, index) => async () => ({
    ...(media.facts.type === 'VIDEO'
      ? { media_type: 'VIDEO', ...(await video(media)), ...thumbOffset(index === firstVideo ? cover : null) }
      : { ...(await image(media)), ...altText(media) }),
    ...userTags(media, media.facts.type === 'IMAGE'),
    is_carousel_item: true,
  }))
}

/** The body of the container that is published in the end. `children`: ids of the items of a carousel. */
export async function postBody(post: Post, children: readonly string[]): Promise<ContainerBody> {
  const { type, collaborators, audio, audioName, cover } = fieldsOf(post.fields)
  const caption = post.caption === '' ? {} : { caption: post.caption }
  const together = { ...caption, ...(collaborators.length === 0 ? {} : { collaborators }) }
  if (type === 'CAROUSEL') return { media_type: 'CAROUSEL', children, ...together }
  const media = post.media[0]
  if (!media) throw new TypeError('A post without media came past the rules.')
  switch (type) {
    case 'IMAGE':
      return { ...(await image(media)), ...together, ...altText(media), ...userTags(media, true) }
    case 'REEL':
      return {
        media_type: 'REELS',
        ...(await video(media)),
        ...together,
        ...userTags(media, false),
        ...thumbOffset(cover),
        ...(audioName === null ? {} : { audio_name: audioName }),
        ...(audio === null ? {} : { audio_configuration: { audio_id: audio } }),
        share_to_feed: true,
      }
    case 'STORY':
      return {
        media_type: 'STORIES',
        ...(media.facts.type === 'VIDEO' ? await video(media) : await image(media)),
        ...userTags(media, true),
      }
  }
}

/** The network takes JPEG alone. A copy that fits is made of whatever it is, also to leave out where it was taken. */
async function image({ source }: MediaToSend): Promise<ContainerBody> {
  const jpeg = await source.rendition({
    format: 'jpeg',
    maxBytes: limits.imageBytes.value,
    maxWidth: limits.imageMaxWidth.value,
  })
  return { image_url: await jpeg.url() }
}

async function video({ source }: MediaToSend): Promise<ContainerBody> {
  return { video_url: await source.url() }
}

function altText({ altText }: MediaToSend): ContainerBody {
  return altText?.trim() ? { alt_text: altText } : {}
}

function userTags({ tags }: MediaToSend, positions: boolean): ContainerBody {
  if (tags.length === 0) return {}
  return { user_tags: tagsOf(tags).map((tag) => (positions ? tag : { username: tag.username })) }
}

/** In whole milliseconds. */
function thumbOffset(seconds: number | null): ContainerBody {
  return seconds === null ? {} : { thumb_offset: Math.floor(seconds * 1000) }
}
