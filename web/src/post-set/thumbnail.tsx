import { Trans, useLingui } from '@lingui/react/macro'
import { Badge } from '@mantine/core'
import { mediaAddress } from '../api/media-address.ts'
import { VideoSign } from '../planning/files/video-sign.tsx'
import type { DraftMedia } from './draft-shape.ts'

interface ThumbnailProps {
  item: Pick<DraftMedia, 'type' | 'thumbnailUrl' | 'altText'> & { durationMs?: number | null }
  size: number
}

/** A small picture of a file; what it is stands beside or in its label. */
export function Thumbnail({ item, size }: ThumbnailProps) {
  if (item.type !== 'VIDEO') return <Picture item={item} size={size} />
  return (
    <span style={{ position: 'relative', display: 'grid', flex: 'none', width: size, height: size }}>
      <Picture item={item} size={size} />
      <VideoSign size={size < 80 ? 14 : 18} durationMs={item.durationMs ?? null} />
    </span>
  )
}

function Picture({ item: { type, thumbnailUrl, altText }, size }: ThumbnailProps) {
  const { t } = useLingui()
  const source = thumbnailUrl && mediaAddress(thumbnailUrl)
  if (source) {
    return (
      <img
        src={source}
        alt={altText}
        width={size}
        height={size}
        loading="lazy"
        style={{ objectFit: 'cover', borderRadius: 'var(--mantine-radius-sm)', flex: 'none' }}
      />
    )
  }
  return (
    <Badge variant="light" color="gray" radius="sm" h={size} w={size} px={4} flex="none">
      {type === 'VIDEO' ? <span role="img" aria-label={t`Video`} /> : <Trans>Picture</Trans>}
    </Badge>
  )
}
