import { string } from '../kit/read-json.ts'
import type { Attempt, PostToCheck } from '../network.ts'

/** The fields of the interface that belong to this network; the privacy in the network's words. */
export function fieldsOf({ title, privacy }: PostToCheck['fields']) {
  return { title: string(title) ?? '', privacy: string(privacy)?.toLowerCase() ?? '' }
}

/** The item that is the video; rules let no post pass without one. */
export function videoIn(post: Attempt['post']) {
  const video = post.media.find(({ facts }) => facts.type === 'VIDEO')
  if (!video) throw new TypeError('A post on YouTube has a video.')
  return video
}
