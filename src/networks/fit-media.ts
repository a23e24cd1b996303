import {
  type AccountType,
  type Fit,
  fitPictures,
  type MediaCrop,
  type MediaFacts,
  type PictureFit,
  type PictureShape,
} from '#contract'
import type { Manifest } from './manifest.ts'

/** What has to be known of an item to fit it. `facts` are those of what the post shows. */
interface ItemToFit {
  facts: Pick<MediaFacts, 'type' | 'animated' | 'width' | 'height'>
  crop?: MediaCrop | null
}

interface PostToFit {
  accountType: AccountType
  fields: Readonly<Record<string, unknown>>
}

/** The shapes of pictures that the kind of a post takes; null: every one. */
function shapeOf(manifest: Manifest, { accountType, fields }: PostToFit): PictureShape | null {
  const forms = manifest.forms[accountType] ?? []
  const form = forms.find(({ type }) => type === (fields.type ?? null)) ?? (forms.length === 1 ? forms[0] : undefined)
  return form?.shape ?? null
}

/** What is done to the items of a post and of its further parts, by their ids; what is not in it, nothing is done to. */
export function fitsById(
  manifest: Manifest,
  post: PostToFit & { media: readonly StoredItem[]; thread: readonly { media: readonly StoredItem[] }[] },
): ReadonlyMap<string, PictureFit> {
  const parts = [post.media, ...post.thread.map(({ media }) => media)]
  const fits = parts.flatMap((media) =>
    fitsOf(manifest, post, media).map((fit, nth) => [media[nth]?.id ?? '', fit] as const),
  )
  return new Map(fits.flatMap(([id, fit]) => (fit ? [[id, fit] as const] : [])))
}

type StoredItem = ItemToFit & { id: string }

/** What is done to each item of a part of a post; null: nothing. */
export function fitsOf(manifest: Manifest, post: PostToFit, media: readonly ItemToFit[]): (PictureFit | null)[] {
  const fit = (post.fields.fit ?? null) as Fit | null
  if (fit === null) return media.map(() => null)
  const items = media.map(({ facts: { type, animated, width, height }, crop }) => ({
    ...{ width, height },
    fits: type === 'IMAGE' && !animated && !crop,
    isVideo: type === 'VIDEO',
  }))
  return fitPictures(items, shapeOf(manifest, post), fit)
}
