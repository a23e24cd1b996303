import { comparable } from '../kit/lookup.ts'
import { containerConnector } from '../meta/connector.ts'
import type { ContainerNetwork } from '../meta/containers.ts'
import type { Attempt, Connector } from '../network.ts'
import { followUp } from './comment.ts'
import { childBodies, postBody } from './containers.ts'
import { fieldsOf, type PostType } from './fields.ts'
import { classifyFailure, errors } from './outcomes.ts'
import { atItsHost } from './own-sign-in.ts'
import { MEDIA_FIELDS, type Media, parseContainer, parseMedia } from './wire.ts'

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
  parts: childBodies,
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

const isStory = (post: Attempt['post']) => fieldsOf(post.fields).type === 'STORY'

const { prepare, publish, confirm, find } = containerConnector(instagram)

/** Every step asks the host of the account's way to sign in. */
export const connector: Connector = {
  prepare: (attempt) => prepare(atItsHost(attempt)),
  publish: (attempt) => publish(atItsHost(attempt)),
  confirm: (attempt) => confirm(atItsHost(attempt)),
  find: (attempt) => find(atItsHost(attempt)),
  followUp: {
    ...followUp,
    send: (attempt) => followUp.send(atItsHost(attempt)),
    find: (attempt) => followUp.find(atItsHost(attempt)),
  },
}
