import { string } from '../kit/read-json.ts'
import type { Attempt, Defaults, PostToCheck } from '../network.ts'

/** The fields of the interface that belong to this network; the privacy in the network's words. */
export function fieldsOf({ title, privacy }: PostToCheck['fields']) {
  return { title: string(title) ?? '', privacy: string(privacy)?.toLowerCase() ?? '' }
}

/**
 * A video as it is made. `video` resource of https://developers.google.com/youtube/v3/docs/videos (read 2026-11-21)
 */
export function videoResource({ caption, fields }: Attempt['post'], { category, madeForKids }: Defaults) {
  const { title, privacy } = fieldsOf(fields)
  return {
    snippet: { title, description: caption, categoryId: String(category) },
    status: { privacyStatus: privacy, selfDeclaredMadeForKids: madeForKids === true },
  }
}

/** The item that is the video; rules let no post pass without one. */
export function videoIn(post: Attempt['post']) {
  const video = post.media.find(({ facts }) => facts.type === 'VIDEO')
  if (!video) throw new TypeError('A post on YouTube has a video.')
  return video
}
