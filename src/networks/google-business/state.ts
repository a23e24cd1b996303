import Type from 'typebox'
import { flag, handlesOf, maybe, moment, text } from '../kit/handles.ts'

export const readState = handlesOf({
  /** Names of posts that looked like this one before the visible call; null when they were not noted down yet. */
  known: maybe(Type.Array(Type.String())),
  /** The listing was refused then, so that a post of it may be an older one. */
  unlisted: flag,
  /** The post's name, once the visible call has answered or the post was found. It is never sent again then. */
  name: text,
  /** When the post was first seen live, as yet without its page. */
  liveAt: moment,
  /** A listing without the post was seen since the last visible call. */
  looked: flag,
})
