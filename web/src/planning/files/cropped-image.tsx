import type { CSSProperties } from 'react'
import type { MediaCrop, MediaType, PictureFit } from '#contract'
import { mediaAddress } from '../../api/media-address.ts'
import { VideoSign } from './video-sign.tsx'

/** A picture or video of a post, as far as it is drawn. */
interface Pictured {
  type: MediaType
  url: string | null
  thumbnailUrl: string | null
  /** Pixels of the original. */
  width: number
  height: number
  crop: MediaCrop | null
  /** What is done to it on the way to the network. Absent: nothing. */
  fit?: PictureFit | null
}

interface CroppedImageProps {
  item: Pictured
  alt: string
  className?: string | undefined
  /** The thumbnail will do. */
  small?: boolean
  /** In the shape of what is shown; else it fills the place that it has. */
  shaped?: boolean
}

/** Ground of a picture in another shape, as the server makes it: so soft, as a share of the longer side, and so dark. */
const GROUND = { softness: 4 / 96, light: 0.7 }

/** A picture as the post shows it: its crop alone, or in the shape that its network gets. Of a video, a picture of it where there is one, with the play sign. */
export function CroppedImage({ item, alt, className, small = false, shaped = false }: CroppedImageProps) {
  const { type, url, thumbnailUrl, crop, fit } = item
  const address = type !== 'IMAGE' || small ? thumbnailUrl : (url ?? thumbnailUrl)
  const source = address?.startsWith('blob:') ? address : address && mediaAddress(address)
  const frame: CSSProperties = {
    position: 'relative',
    overflow: 'hidden',
    display: 'block',
    background: 'var(--hover)',
    ...(shaped && { aspectRatio: ratioOf(item) }),
    ...((crop || fit) && { containerType: 'size' }),
  }
  // The crop in its own shape, over all of the place: what sticks out of that is cut off on both sides.
  const cover: CSSProperties = {
    position: 'absolute',
    overflow: 'hidden',
    width: `max(100cqw, 100cqh * ${ratioOf(item)})`,
    aspectRatio: ratioOf(item),
    left: '50%',
    top: '50%',
    transform: 'translate(-50%, -50%)',
  }
  const inner: CSSProperties = crop
    ? {
        position: 'absolute',
        maxWidth: 'none',
        width: `${100 / crop.width}%`,
        height: `${100 / crop.height}%`,
        left: `${(-100 * crop.x) / crop.width}%`,
        top: `${(-100 * crop.y) / crop.height}%`,
      }
    : { width: '100%', height: '100%', objectFit: 'cover', display: 'block' }
  const draw = (style: CSSProperties, text: string) =>
    source && <img src={source} alt={text} style={style} loading="lazy" draggable={false} />
  const image = draw(fit ? { ...whole, objectFit: fit.kind === 'PAD' ? 'contain' : 'cover' } : inner, alt)
  return (
    <span className={className} style={frame}>
      {crop || fit ? (
        <span style={cover} {...(fit ? { 'data-fit': fit.kind } : {})}>
          {fit?.kind === 'PAD' && draw({ ...whole, objectFit: 'cover', filter: DARK }, '')}
          {fit?.kind === 'PAD' && draw({ ...whole, objectFit: 'cover', filter: `${soft(fit)} ${DARK}` }, '')}
          {image}
        </span>
      ) : (
        image
      )}
      {type === 'VIDEO' && <VideoSign size={18} />}
    </span>
  )
}

const whole: CSSProperties = { position: 'absolute', inset: 0, width: '100%', height: '100%', display: 'block' }

/** The softness goes by the longer side of the picture, of which the place that it fills is a part. */
const soft = ({ width, height }: PictureFit) =>
  `blur(calc(max(100cqw, 100cqh * ${width / height}) * ${(GROUND.softness * Math.max(width, height)) / width}))`
/** Below the soft ground too, which would fade at its edges. */
const DARK = `brightness(${GROUND.light})`

/** Width by height of what the post shows. */
export function ratioOf({ width, height, crop, fit }: Pick<Pictured, 'width' | 'height' | 'crop' | 'fit'>): number {
  if (fit) return fit.width / fit.height
  if (width === 0 || height === 0) return 1
  return (width * (crop?.width ?? 1)) / (height * (crop?.height ?? 1))
}
