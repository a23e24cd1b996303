import { count, flag, handlesOf, moment, text } from '../kit/handles.ts'
import type { Handles } from '../network.ts'

export const readState = handlesOf({
  /** Chosen once: the default of the connection may change between the visible call and a look for its pin. */
  boardId: text,
  /** The video, by the network's id. */
  mediaId: text,
  /** All of its bytes were taken in. */
  uploaded: flag,
  /** When the upload was registered. */
  since: moment,
  /** Tries that were spent on media that a few more tries may help. */
  tries: count,
  /** The pin's id, once the visible call has answered. */
  pinId: text,
})

/** Forgets an upload: the video is sent again. */
export const dropped = { mediaId: null, uploaded: false, since: null } satisfies Handles
