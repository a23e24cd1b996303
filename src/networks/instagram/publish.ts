import { comparable } from '../kit/lookup.ts'
import { containerConnector } from '../meta/connector.ts'
import type { ContainerNetwork, Params } from '../meta/containers.ts'
import type { Attempt, Connector, MediaToSend } from '../network.ts'
import { followUp } from './comment.ts'
import { fieldsOf, type PostType, tagsOf } from './fields.ts'
import { limits } from './manifest.ts'
import { classifyFailure, errors } from './outcomes.ts'
import { atItsHost } from './own-sign-in.ts'
import { MEDIA_FIELDS, type Media, parseContainer, parseMedia } from './wire.ts'

type Post = Attempt['post']

const KINDS: Record<PostType, { productType: string; mediaType: string | null }> = {
  IMAGE: { productType: 'FEED', mediaType: 'IMAGE' },
  CAROUSEL: { productType: 'FEED', mediaType: 'CAROUSEL_ALBUM' },
  REEL: { productType: 'REELS', mediaType: 'VIDEO' },
  STORY: { productType: 'STORY', mediaType: null },
}

const instagram: ContainerNetwork<number, Media> = {
  title: 'Instagram',
  owner: ({ account }) => account.externalId,
  edges: { make: 'media', publish: 'media_publish', quota: 'content_publishing_limit' },
  sends: 'json',
  parts: itemBodies,
  whole: postBody,
  container: {
    fields: 'id,status_code,status',
    parse: parseContainer,
    failed: classifyFailure,
    // Videos of 15 minutes take some minutes.
    stuckMs: 60 * 60_000,
  },
  post: {
    fields: MEDIA_FIELDS,
    parse: parseMedia,
    // Stories are not in the listing of posts.
    listing: (post) => (isStory(post) ? { edge: 'stories', since: false } : { edge: 'media', since: true }),
    isOf(media, post) {
      const { productType, mediaType } = KINDS[fieldsOf(post.fields).type]
      return (
        (media.productType === null || media.productType === productType) &&
        (media.mediaType === null || mediaType === null || media.mediaType === mediaType)
      )
    },
    // Stories have no caption on the network.
    textOf: (post) => (isStory(post) ? '' : comparable(post.caption)),
    normalized: comparable,
  },
  quotaIsAsked: 'after',
  classify: errors.classify,
}

const isStory = (post: Post) => fieldsOf(post.fields).type === 'STORY'

const steps = containerConnector(instagram)
const atHost =
  <Outcome>(step: (attempt: Attempt) => Outcome) =>
  (attempt: Attempt) =>
    step(atItsHost(attempt))

/** Every step asks the host of the account's way to sign in. */
export const connector: Connector = {
  prepare: atHost(steps.prepare),
  publish: atHost(steps.publish),
  confirm: atHost(steps.confirm),
  find: atHost(steps.find),
  followUp: { ...followUp, send: atHost(followUp.send), find: atHost(followUp.find) },
}

/**
 * Bodies of the containers that must be there before the post's own: the items of a carousel. Parameters of
 * `POST /{ig-user}/media`:
 * https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-user/media (read 2026-11-21)
 */
export function itemBodies({ fields, media }: Post): (() => Promise<Params>)[] {
  const { type, cover } = fieldsOf(fields)
  if (type !== 'CAROUSEL') return []
  const firstVideo = media.findIndex(({ facts }) => facts.type === 'VIDEO')
  return media.map((item, index) => async () => ({
    ...(item.facts.type === 'VIDEO'
      ? { media_type: 'VIDEO', ...(await video(item)), ...thumbOffset(index === firstVideo ? cover : null) }
      : { ...(await image(item)), ...altText(item) }),
    ...userTags(item, item.facts.type === 'IMAGE'),
    is_carousel_item: true,
  }))
}

/** Body of the container that is published in the end. `children`: ids of the items of a carousel. */
export async function postBody(post: Post, children: readonly string[]): Promise<Params> {
  const { type, collaborators, audio, audioName, cover } = fieldsOf(post.fields)
  const together = {
    ...(post.caption === '' ? {} : { caption: post.caption }),
    ...(collaborators.length === 0 ? {} : { collaborators }),
  }
  const [media] = post.media
  if (!media) throw new TypeError('A post without media came past the rules.')
  switch (type) {
    case 'CAROUSEL':
      return { media_type: 'CAROUSEL', children, ...together }
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
async function image({ source }: MediaToSend): Promise<Params> {
  const { imageBytes, imageMaxWidth } = limits
  const jpeg = await source.rendition({ format: 'jpeg', maxBytes: imageBytes.value, maxWidth: imageMaxWidth.value })
  return { image_url: await jpeg.url() }
}

const video = async ({ source }: MediaToSend): Promise<Params> => ({ video_url: await source.url() })

const altText = ({ altText }: MediaToSend): Params => (altText?.trim() ? { alt_text: altText } : {})

function userTags({ tags }: MediaToSend, positions: boolean): Params {
  if (tags.length === 0) return {}
  return { user_tags: tagsOf(tags).map((tag) => (positions ? tag : { username: tag.username })) }
}

/** In whole milliseconds. */
const thumbOffset = (seconds: number | null): Params =>
  seconds === null ? {} : { thumb_offset: Math.floor(seconds * 1000) }
