import type { Attempt, Defaults, PostToCheck } from '../network.ts'
import type { Chosen } from './manifest.ts'

/** The fields of the interface that belong to this network. */
export interface Fields {
  title: string
  /** As the interface writes it: `PUBLIC`, `PRIVATE`, `UNLISTED`. */
  privacy: string
}

export function fieldsOf(fields: PostToCheck['fields']): Fields {
  const { title, privacy } = fields
  return { title: typeof title === 'string' ? title : '', privacy: typeof privacy === 'string' ? privacy : '' }
}

/** What was chosen for the connection. Without the required ones nothing comes as far as here. */
export function chosenOf({ category, madeForKids, notifySubscribers }: Defaults): Chosen {
  return {
    category: String(category),
    madeForKids: madeForKids === true,
    notifySubscribers: typeof notifySubscribers === 'boolean' ? notifySubscribers : null,
  }
}

/** The privacy that the post asks for, in the network's words. */
export const privacyOf = (post: Pick<PostToCheck, 'fields'>) => fieldsOf(post.fields).privacy.toLowerCase()

/**
 * A video as it is made. `video` resource of https://developers.google.com/youtube/v3/docs/videos (read 2026-11-21)
 */
export function videoResource({ caption, fields }: Attempt['post'], defaults: Defaults) {
  const { category, madeForKids } = chosenOf(defaults)
  return {
    snippet: { title: fieldsOf(fields).title, description: caption, categoryId: category },
    status: { privacyStatus: privacyOf({ fields }), selfDeclaredMadeForKids: madeForKids },
  }
}

/** The item that is the video; rules let no post pass without one. */
export function videoIn(post: Attempt['post']) {
  const video = post.media.find(({ facts }) => facts.type === 'VIDEO')
  if (!video) throw new TypeError('A post on YouTube has a video.')
  return video
}

/** The item that becomes the thumbnail. */
export const thumbnailIn = (post: Attempt['post']) => post.media.find(({ facts }) => facts.type === 'IMAGE')
