/** What happens to a picture whose shape a network does not accept. */
export const FITS = ['CROP', 'PAD', 'REFUSE'] as const
export type Fit = (typeof FITS)[number]

/** The picture shapes that a kind of post accepts, as width by height; null: no limit. */
export interface PictureShape {
  minRatio: number | null
  maxRatio: number | null
  /** The shape that a picture gets which is too tall: some take taller ones than all of their screens show. Null: `minRatio`. */
  tallRatio: number | null
  /** All pictures of a post have the shape of the first item, or its pixels too. */
  alike: 'shape' | 'pixels' | null
}

/** A picture in another shape: its middle, or all of it on a blurred and darkened copy of itself. */
export interface PictureFit {
  kind: 'CROP' | 'PAD'
  /** Of the picture that comes of it, in pixels. */
  width: number
  height: number
}

/** An item of a post, upright and as the post shows it. */
export interface FittedItem {
  width: number
  height: number
  /** A still picture that no person has cropped: all else stays as it is. */
  fits: boolean
  isVideo: boolean
}

/** Longest side of what comes of a picture: more than any network shows. */
const LONGEST_SIDE = 4096
/** Ratios are rounded by every program that makes pictures: so far from an edge is on it. */
const NEAR = 0.005

/**
 * What to do with each item of a post so that the network accepts its shape; null: nothing. A pure function, so
 * preview, rules and publishing agree.
 *
 * @param shape null: the network takes every shape
 * @param fit null: `REFUSE`
 */
export function fitPictures(
  items: readonly FittedItem[],
  shape: PictureShape | null,
  fit: Fit | null,
): (PictureFit | null)[] {
  if (!shape || fit === null || fit === 'REFUSE') return items.map(() => null)
  const [first] = items
  // A picture beside a video is no page of a carousel that has the pixels of all.
  const alike =
    items.length > 1 && (shape.alike === 'shape' || (shape.alike === 'pixels' && !items.some(({ isVideo }) => isVideo)))
  const shared = alike && first ? { of: ratioFor(first, shape), leads: first } : null
  const wanted = items.map((item) => boxOf(item, shared?.of ?? ratioFor(item, shape), fit))
  const pixels = shape.alike === 'pixels' && shared ? smallest(items, wanted, shared) : null
  return items.map((item, index): PictureFit | null => {
    if (!item.fits) return null
    const box = pixels ?? wanted[index]
    if (!box || (box.width === item.width && box.height === item.height)) return null
    const ratio = shared?.of ?? ratioFor(item, shape)
    if (!pixels && near(item.width / item.height, ratio)) return null
    return { kind: fit, ...box }
  })
}

interface Box {
  width: number
  height: number
}

const near = (one: number, other: number) => Math.abs(one - other) <= Math.min(NEAR, other / 100)

/** The shape that an item is to have: its own where that is taken. */
function ratioFor({ width, height, fits }: FittedItem, { minRatio, maxRatio, tallRatio }: PictureShape): number {
  const own = width / height
  if (!fits) return own
  if (minRatio !== null && own < minRatio && !near(own, minRatio)) return tallRatio ?? minRatio
  return maxRatio !== null && own > maxRatio && !near(own, maxRatio) ? maxRatio : own
}

/** The largest part of a picture that has the shape, or the smallest ground that holds all of it. Rounded to inside of the edge. */
function boxOf({ width, height }: Box, ratio: number, fit: 'CROP' | 'PAD'): Box {
  if (near(width / height, ratio)) return { width, height }
  const isWide = width / height > ratio
  const exact =
    isWide === (fit === 'CROP')
      ? { width: isWide ? Math.floor(height * ratio) : Math.ceil(height * ratio), height }
      : { width, height: isWide ? Math.ceil(width / ratio) : Math.floor(width / ratio) }
  const scale = Math.min(1, LONGEST_SIDE / Math.max(exact.width, exact.height))
  return { width: Math.max(1, Math.round(exact.width * scale)), height: Math.max(1, Math.round(exact.height * scale)) }
}

/** The pixels of all: those of an item that stays as it is, or else as many as the smallest has. Never enlarged. */
function smallest(
  items: readonly FittedItem[],
  boxes: readonly Box[],
  { of, leads }: { of: number; leads: FittedItem },
): Box | null {
  const fixed = items.find(({ fits }) => !fits)
  if (fixed) return leads === fixed ? { width: fixed.width, height: fixed.height } : null
  const widths = boxes.map(({ width }) => width)
  const heights = boxes.map(({ height }) => height)
  const width = Math.min(...widths, Math.floor(Math.min(...heights) * of))
  return { width: Math.max(1, width), height: Math.max(1, Math.round(width / of)) }
}
