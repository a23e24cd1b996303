import type { PictureShape } from '#contract'
import type { Limit, PostForm } from '../network.ts'

/** Makes the limits of a manifest whose pages were all read on one day, `2026-11-21`. */
export function limitsReadOn(read: string) {
  return (value: number, unit: string, source: string, unsure?: string): Limit => ({
    value,
    unit,
    source,
    read,
    ...(unsure === undefined ? {} : { unsure }),
  })
}

/** The same kind of post, in which these fields of the API alone do something, some of which may not be empty. */
export function taking(fields: readonly string[], form: PostForm, demands: readonly string[] = []): PostForm {
  return { ...form, fields, demands }
}

/** Pictures of shapes up to both edges. */
export const between = (min: Limit, max: Limit): PictureShape => ({
  minRatio: min.value,
  maxRatio: max.value,
  tallRatio: null,
  alike: null,
})

/** Pictures of one shape. */
export const only = (ratio: Limit): PictureShape => between(ratio, ratio)

/** The same kind of post, which takes pictures of these shapes alone. */
export function shaped(shape: PictureShape, form: PostForm): PostForm {
  return { ...form, shape }
}

/** A kind of post. Numbers of its media are limits; those that are left out are none, and `max` is the larger kind. */
export function formOf(
  type: string | null,
  caption: Limit | null,
  media: Partial<Record<'min' | 'max' | 'images' | 'videos' | 'documents', Limit>> & { mixed?: true },
): PostForm {
  const { min, images, videos, documents, mixed = false } = media
  const most = { images: images?.value ?? 0, videos: videos?.value ?? 0, documents: documents?.value ?? 0 }
  const max = media.max?.value ?? Math.max(most.images, most.videos)
  return {
    type,
    caption: caption && { max: caption.value, unit: caption.unit },
    media: { min: min?.value ?? 0, max, ...most, mixed },
  }
}
