import type { Readable } from 'node:stream'
import type { MediaCrop, MediaFacts, MediaTag, RenditionSpec } from '#contract'

/** A media item as rules see it. */
export interface CheckedMedia {
  /** Of the picture as the post shows it: cropped. */
  facts: MediaFacts
  crop?: MediaCrop | null
  /** The network gets it in another shape, which is not made yet: the bytes are a guess. */
  isFitted?: true
  altText: string | null
  title: string | null
  description: string | null
  link: string | null
  tags: readonly MediaTag[]
}

/** Bytes of one media item, as a connector may use them. */
export interface MediaSource {
  facts: MediaFacts
  /** How people call the file. */
  name?: string
  /** The bytes, or a part: `start` inclusive, `end` exclusive. */
  open(range?: { start: number; end: number }): Promise<Readable>
  /** A public signed address that the network can fetch for at least 72 hours. */
  url(): Promise<string>
  /**
   * A copy in another form: of an image a JPEG, of a video an MP4. The same spec gives the same bytes; of what is cropped
   * it is the cropped part. Rejects with an
   * error whose `code` is a `MediaUploadErrorCode` and whose message is for people when the file cannot have the form;
   * `fittedVideo` makes a value of it. Of an image this happens when it takes too much memory or time to decode; thrown
   * from `prepare`, it ends the post.
   */
  rendition(spec: RenditionSpec): Promise<MediaSource>
  /**
   * Of an image the same file with nothing in it but what it shows: no place, no camera, no comment, nothing behind its end. Not
   * decoded, so an animation stays one; the image itself where there is nothing to cut. Null when the file cannot be cut, or is
   * larger than `maxBytes` even then, or is shown turned by what it says and is to be `upright`: `fittedImage` takes a rendition instead.
   */
  stripped(asked?: AskedOfCut): Promise<MediaSource | null>
}

interface AskedOfCut {
  maxBytes?: number
  upright?: boolean
}

export interface MediaToSend extends CheckedMedia {
  source: MediaSource
}

/** What a web page says of itself to those who link to it (https://ogp.me). */
export interface LinkPreview {
  title: string
  /** Empty where there is none. */
  description: string
  /** A JPEG; null where there is none that can be used. */
  image: Buffer | null
}
