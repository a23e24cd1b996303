import type { Attempt } from '../network.ts'
import { type Card, type Place, readState } from './handles.ts'
import { LIMITS } from './manifest.ts'
import type { Blob } from './wire.ts'

export const POSTS = 'app.bsky.feed.post'

/** The record of a post. The same handles give the same record, so that sending it twice changes nothing. */
export function postRecord(attempt: Attempt, place: Place) {
  const { facets, blobs, card } = readState(attempt.handles)
  const embed = embedOf(attempt.post.media, blobs) ?? externalOf(card)
  const { languageCode } = attempt.account.defaults
  return {
    $type: POSTS,
    text: attempt.post.caption,
    createdAt: place.createdAt,
    ...(typeof languageCode === 'string' ? { langs: [languageCode] } : {}),
    ...(facets === null || facets.length === 0 ? {} : { facets }),
    ...(embed === null ? {} : { embed }),
  }
}

export function uriOf(attempt: Attempt, place: Place): string {
  return `at://${attempt.account.externalId}/${POSTS}/${place.rkey}`
}

export function permalinkOf(attempt: Attempt, place: Place): string {
  return `${attempt.endpoint('web')}/profile/${attempt.account.externalId}/post/${place.rkey}`
}

function embedOf(media: Attempt['post']['media'], blobs: readonly Blob[]) {
  const [first] = media
  if (!first) return null
  const items = media.map(({ facts, altText }, index) => {
    const blob = blobs[index]
    if (!blob) throw new Error('A post is to be sent before its media are uploaded.')
    return { blob, alt: altText ?? '', aspectRatio: { width: facts.width, height: facts.height } }
  })
  const [one] = items
  if (one && (first.facts.type === 'VIDEO' || one.blob.mimeType.startsWith('video/'))) {
    const presentation = first.facts.type === 'IMAGE' ? { presentation: 'gif' } : {}
    return {
      $type: 'app.bsky.embed.video',
      video: one.blob,
      alt: one.alt,
      aspectRatio: one.aspectRatio,
      ...presentation,
    }
  }
  const images = items.map(({ blob, alt, aspectRatio }) => ({ alt, image: blob, aspectRatio }))
  if (images.length <= LIMITS.imagesWithoutGallery.value) return { $type: 'app.bsky.embed.images', images }
  const $type = 'app.bsky.embed.gallery'
  return { $type, items: images.map((image) => ({ $type: `${$type}#image`, ...image })) }
}

function externalOf(card: Card | 'none' | null) {
  return card === null || card === 'none' ? null : { $type: 'app.bsky.embed.external', external: card }
}
