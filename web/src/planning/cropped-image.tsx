import type { CSSProperties } from 'react'
import type { MediaCrop, MediaType } from '#contract'
import { mediaAddress } from '../api/media-address.ts'
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

/** A picture as the post shows it: its crop alone. Of a video, a picture of it where there is one, with the play sign. */
export function CroppedImage({ item, alt, className, small = false, shaped = false }: CroppedImageProps) {
  const { type, url, thumbnailUrl, crop } = item
  const address = type !== 'IMAGE' || small ? thumbnailUrl : (url ?? thumbnailUrl)
  const source = address?.startsWith('blob:') ? address : address && mediaAddress(address)
  const frame: CSSProperties = {
    position: 'relative',
    overflow: 'hidden',
    display: 'block',
    background: 'var(--hover)',
    ...(shaped && { aspectRatio: ratioOf(item) }),
    ...(crop && { containerType: 'size' }),
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
  const image = source && <img src={source} alt={alt} style={inner} loading="lazy" draggable={false} />
  return (
    <span className={className} style={frame}>
      {crop ? <span style={cover}>{image}</span> : image}
      {type === 'VIDEO' && <VideoSign size={18} />}
    </span>
  )
}

/** Width by height of what the post shows. */
export function ratioOf({ width, height, crop }: Pick<Pictured, 'width' | 'height' | 'crop'>): number {
  if (width === 0 || height === 0) return 1
  return (width * (crop?.width ?? 1)) / (height * (crop?.height ?? 1))
}
