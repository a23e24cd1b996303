import type { Handles } from '../network.ts'

/** What is kept of a delivery from step to step. Ids are stored before the next call is made. */
export interface State {
  /** Chosen once: the default of the connection may change between the visible call and a look for its pin. */
  boardId: string | null
  /** The video, by the network's id. */
  mediaId: string | null
  /** All of its bytes were taken in. */
  uploaded: boolean
  /** When the upload was registered. */
  since: Date | null
  /** Tries that were spent on media that a few more tries may help. */
  tries: number
  /** The pin's id, once the visible call has answered. */
  pinId: string | null
}

export function readState(handles: Handles): State {
  const { boardId, mediaId, uploaded, since, tries, pinId } = handles
  return {
    boardId: typeof boardId === 'string' ? boardId : null,
    mediaId: typeof mediaId === 'string' ? mediaId : null,
    uploaded: uploaded === true,
    since: typeof since === 'string' ? new Date(since) : null,
    tries: typeof tries === 'number' ? tries : 0,
    pinId: typeof pinId === 'string' ? pinId : null,
  }
}

/** Forgets an upload: the video is sent anew. */
export const dropped = { mediaId: null, uploaded: false, since: null } satisfies Handles
