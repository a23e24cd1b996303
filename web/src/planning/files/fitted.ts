import type { MediaCrop, MediaType, NetworkDescription, PictureFit, SocialSet } from '#contract'
import { type Fit, fitPictures, type PictureShape } from '#contract/picture-fit'

interface Item {
  type: MediaType
  width: number
  height: number
  /** Of a video, or of a picture that moves. */
  durationMs: number | null
  crop: MediaCrop | null
}

/** The shapes of pictures that a kind of post takes. Null: every one, or the network is not known yet. */
export function shapeOf(network: NetworkDescription | undefined, type: unknown): PictureShape | null {
  const forms = network?.forms ?? []
  return (
    (forms.find((form) => form.type === (type ?? null)) ?? (forms.length === 1 ? forms[0] : undefined))?.shape ?? null
  )
}

/** What becomes of pictures of a post: as it says, or as its brand has it. */
export const fitOf = (fields: Readonly<Record<string, unknown>>, { fit }: Pick<SocialSet, 'fit'>): Fit =>
  (fields.fit as Fit | null | undefined) ?? fit

/** The files of a post, or of a part of it, as its network gets them. What is not known yet stays as it is. */
export function fitted<T extends Item>(
  media: readonly T[],
  shape: PictureShape | null,
  fit: Fit,
): (T & { fit: PictureFit | null })[] {
  const items = media.map(({ type, width, height, durationMs, crop }) => ({
    ...{ width, height, isVideo: type === 'VIDEO' },
    fits: type === 'IMAGE' && durationMs === null && crop === null && width > 0 && height > 0,
  }))
  const fits = fitPictures(items, shape, fit)
  return media.map((item, index) => ({ ...item, fit: fits[index] ?? null }))
}
