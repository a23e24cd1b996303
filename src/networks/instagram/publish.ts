import { HOUR_MS } from '#contract/durations'
import { comparable } from '../kit/lookup.ts'
import { followUps } from '../kit/parts.ts'
import { withStories } from '../kit/stories.ts'
import { containerConnector } from '../meta/connector.ts'
import type { ContainerNetwork, Params } from '../meta/containers.ts'
import type { Attempt, Connector, MediaToSend, Part, Words } from '../network.ts'
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
  // Stories have no caption on the network.
  wordsOf: (post) => ({ text: isStory(post) ? '' : post.caption }),
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
    stuckMs: HOUR_MS,
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
    normalized: comparable,
  },
  quotaIsAsked: 'after',
  containersUsedUp: `The account has used up what Instagram prepares in 24 hours: ${limits.containersPerDay.value} containers, of which a carousel takes one for each item and one more, at every try.`,
  classify: errors.classify,
}

const isStory = (post: Pick<Post, 'fields'>) => fieldsOf(post.fields).type === 'STORY'

const steps = withStories({ ...containerConnector(instagram), parts: followUps(followUp) }, isStory)
const atHost =
  <Outcome>(step: (attempt: Attempt) => Outcome) =>
  (attempt: Attempt) =>
    step(atItsHost(attempt))

/** Every step asks the host of the account's way to sign in. */
export const connector: Connector = {
  ...steps,
  prepare: atHost(steps.prepare),
  publish: atHost(steps.publish),
  confirm: atHost(steps.confirm),
  find: atHost(steps.find),
  permalink: async (attempt, providerId) => (await steps.permalink?.(atItsHost(attempt), providerId)) ?? null,
  parts: (post) => (steps.parts?.(post) ?? []).map(partAtHost),
}

const partAtHost = ({ prepare, send, confirm, find, ...rules }: Part): Part => ({
  ...rules,
  ...(prepare ? { prepare: atHost(prepare) } : {}),
  ...(confirm ? { confirm: atHost(confirm) } : {}),
  send: atHost(send),
  find: atHost(find),
})

/**
 * Bodies of the containers that must be there before the post's own: the items of a carousel. Parameters of
 * `POST /{ig-user}/media`:
 * https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-user/media (read 2026-11-21)
 */
function itemBodies({ fields, media }: Post): (() => Promise<Params>)[] {
  const { type, cover } = fieldsOf(fields)
  if (type !== 'CAROUSEL') return []
  const firstVideo = media.findIndex(({ facts }) => facts.type === 'VIDEO')
  return media.map((item, index) => async () => {
    const file = await fileParams(item, type, index === firstVideo ? cover : null)
    return { ...(item.facts.type === 'VIDEO' ? { media_type: 'VIDEO' } : {}), ...file, is_carousel_item: true }
  })
}

/** Body of the container that is published in the end. `children`: ids of the items of a carousel. */
async function postBody(post: Post, children: readonly string[], { text: caption }: Words): Promise<Params> {
  const { type, collaborators, audio, audioName, cover } = fieldsOf(post.fields)
  const together = { caption, collaborators: collaborators.length === 0 ? null : collaborators }
  if (type === 'CAROUSEL') return given({ media_type: 'CAROUSEL', children, ...together })
  const [item] = post.media
  if (!item) throw new TypeError('A post without media came past the rules.')
  const file = await fileParams(item, type, cover)
  if (type === 'STORY') return { media_type: 'STORIES', ...file }
  if (type === 'IMAGE') return given({ ...file, ...together })
  const sound = { audio_name: audioName, audio_configuration: audio && { audio_id: audio } }
  return given({ media_type: 'REELS', ...file, ...together, ...sound, share_to_feed: true })
}

/** What is said of the one file of a container. */
async function fileParams({ facts, source, altText, tags }: MediaToSend, type: PostType, cover: number | null) {
  const isVideo = facts.type === 'VIDEO'
  const inStory = type === 'STORY'
  const byName = tagsOf(tags).map((tag) => (isVideo && !inStory ? { username: tag.username } : tag))
  return given({
    ...(isVideo ? { video_url: await source.url() } : { image_url: await jpegOf(source) }),
    alt_text: isVideo || inStory || !altText?.trim() ? null : altText,
    // In whole milliseconds.
    thumb_offset: isVideo && !inStory && cover !== null ? Math.floor(cover * 1000) : null,
    user_tags: byName.length === 0 ? null : byName,
  })
}

/** The network takes JPEG alone. A copy that fits is made of every image, also to leave out where it was taken. */
async function jpegOf(source: MediaToSend['source']): Promise<string> {
  const { imageBytes, imageMaxWidth } = limits
  const jpeg = await source.rendition({ format: 'jpeg', maxBytes: imageBytes.value, maxWidth: imageMaxWidth.value })
  return jpeg.url()
}

/** Parameters without those that have no value. */
const given = (params: Params): Params =>
  Object.fromEntries(Object.entries(params).filter(([, value]) => value !== null && value !== ''))
