import type { MediaFacts, MediaUploadErrorCode } from '#contract'

export type Probed =
  | { kind: 'ok'; facts: MediaFacts }
  /** `message` says what is wrong and what to do. */
  | { kind: 'failed'; code: MediaUploadErrorCode; message: string }
