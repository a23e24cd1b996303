import Type from 'typebox'
import * as LIMITS from './limits.ts'
import type { PictureFit } from './picture-fit.ts'
import { POST_KINDS } from './post-kinds.ts'
import { closed, Instant, orNull } from './schema.ts'
import { MEDIA_UPLOAD_STATUSES } from './states.ts'

export const MEDIA_TYPES = ['IMAGE', 'VIDEO', 'DOCUMENT'] as const
export type MediaType = (typeof MEDIA_TYPES)[number]

/** Allowed formats for the picture of a video, by bytes and content type. */
export const POSTER_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const

/** Measurements of a file, taken by reading it. Sizes are as shown, after any rotation that the file asks for. */
export interface MediaFacts {
  type: MediaType
  /** By the bytes, never by name or header: `image/jpeg`, `image/png`, `image/gif`, `image/webp`, `video/mp4`, `video/quicktime`, `video/webm`, `application/pdf`. */
  mimeType: string
  bytes: number
  /** In pixels; of a document those of its first page, in points. */
  width: number
  height: number
  /** Of a document alone. */
  pages?: number
  /** Milliseconds; null for still images. */
  durationMs: number | null
  /** `avc`, `hevc`, `vp9`, `av1`, …; null for images. */
  videoCodec: string | null
  /** `aac`, `opus`, …; null without sound. */
  audioCodec: string | null
  /** Frames per second; null for images. */
  frameRate: number | null
  /** More than one frame in an image file. */
  animated: boolean
  /**
   * Of an image that says so: how it came to be, a name of the IPTC's digital source types, such as `trainedAlgorithmicMedia`. Not
   * there in what was measured by older versions.
   */
  digitalSourceType?: string
}

/** Sent with the address of a post's picture. */
export const PicturedType = Type.Enum([...MEDIA_TYPES], {
  description: 'Of the media item whose picture it is; without a picture, of the first one.',
})

/** The names of the kinds of posts in a set. */
export const PostKinds = Type.Array(Type.Enum([...POST_KINDS]), {
  description: 'Of the posts, each once, in their order; empty where they are texts, or pictures beside each other.',
})

const fraction = (description: string) => Type.Number({ minimum: 0, maximum: 1, description })

/** The part of a picture that a post shows, as fractions of the upright original. */
export const MediaCrop = closed({
  x: fraction('Left edge: 0 is that of the picture.'),
  y: fraction('Upper edge: 0 is that of the picture.'),
  width: Type.Number({ exclusiveMinimum: 0, maximum: 1, description: 'Of the width of the picture.' }),
  height: Type.Number({ exclusiveMinimum: 0, maximum: 1, description: 'Of the height of the picture.' }),
})
export type MediaCrop = Type.Static<typeof MediaCrop>

/** A version of a file for a network, created on demand; the original is kept. */
export type RenditionSpec = JpegSpec | Mp4Spec

/** For an image: never enlarged, at most 36 million pixels, without location. */
export interface JpegSpec {
  format: 'jpeg'
  /** Upper bound of the file in bytes; quality, then size go down until it fits. */
  maxBytes?: number
  maxWidth?: number
  maxHeight?: number
  /** The part that is taken, in pixels of the upright image. Absent: all of it. */
  crop?: PixelRegion
  /** All of it, brought into another shape. Without `crop`. */
  fit?: PictureFit
}

export interface PixelRegion {
  left: number
  top: number
  width: number
  height: number
}

/**
 * Of a video in an MP4 or QuickTime file with H.264 or HEVC, and AAC or no sound: the same picture and sound, not
 * encoded again, in a fresh MP4 that begins with its index and holds no place, no camera, no date.
 */
interface Mp4Spec {
  format: 'mp4'
}

const id = Type.String({ description: 'UUIDv7' })

export const MediaLibraryItem = closed({
  id,
  socialSetId: Type.String(),
  type: Type.Enum([...MEDIA_TYPES]),
  name: Type.String(),
  mimeType: Type.String(),
  bytes: Type.Integer(),
  width: Type.Integer({ description: 'In pixels; for a document, that of its first page, in points.' }),
  height: Type.Integer(),
  pages: Type.Optional(Type.Integer({ description: 'Only for documents.' })),
  durationMs: orNull(Type.Integer()),
  url: Type.String({ description: 'Signed, valid at least 48 hours.' }),
  thumbnailUrl: orNull(Type.String()),
  altText: orNull(Type.String()),
  source: closed({ type: Type.Enum(['UPLOAD', 'URL']), url: Type.Optional(Type.String()) }),
  createdAt: Instant,
})
export type MediaLibraryItem = Type.Static<typeof MediaLibraryItem>

export const MediaUpload = closed({
  id,
  socialSetId: Type.String(),
  url: orNull(Type.String({ description: 'Null for a file that the client sent.' })),
  status: Type.Enum([...MEDIA_UPLOAD_STATUSES]),
  bytesReceived: Type.Integer(),
  bytesTotal: orNull(Type.Integer()),
  mediaLibraryId: orNull(Type.String()),
  error: orNull(closed({ code: Type.String(), message: Type.String() })),
  createdAt: Instant,
  updatedAt: Instant,
})
export type MediaUpload = Type.Static<typeof MediaUpload>

/** An upload that is still arriving, or has stalled, as members see it. */
export const UnfinishedUpload = closed({
  id,
  name: orNull(Type.String()),
  bytesReceived: Type.Integer(),
  bytesTotal: orNull(Type.Integer({ description: 'Null: not known yet.' })),
  by: orNull(Type.String({ description: 'Name of the member or the key that began it.' })),
  mine: Type.Boolean(),
  receivedAt: Type.String({ description: 'When its last byte came; without one, when it was begun.' }),
  createdAt: Instant,
})
export type UnfinishedUpload = Type.Static<typeof UnfinishedUpload>

const named = {
  name: Type.Optional(orNull(Type.String({ minLength: 1, maxLength: LIMITS.nameCodePoints }))),
  altText: Type.Optional(orNull(Type.String({ maxLength: LIMITS.metadataCodePoints }))),
}

export const MediaUploadCreate = closed({
  socialSetId: Type.String(),
  url: Type.String({ minLength: 1, maxLength: LIMITS.urlCharacters, description: 'Public http or https address.' }),
  ...named,
})
export type MediaUploadCreate = Type.Static<typeof MediaUploadCreate>

/** Metadata that a client sends with a file: fields of a form, or pairs of Upload-Metadata. */
export const MediaUploadFields = closed({ socialSetId: Type.String(), ...named })
export type MediaUploadFields = Type.Static<typeof MediaUploadFields>
