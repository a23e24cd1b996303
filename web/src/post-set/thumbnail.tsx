import { Trans, useLingui } from '@lingui/react/macro'
import { Badge } from '@mantine/core'
import { IconVideo } from '@tabler/icons-react'
import { mediaAddress } from '../api/media-address.ts'
import type { DraftMedia } from './draft.ts'

/** A small picture of a file; what it is stands beside or in its label. */
export function Thumbnail({
  item,
  size,
}: {
  item: Pick<DraftMedia, 'type' | 'thumbnailUrl' | 'altText'>
  size: number
}) {
  const { t } = useLingui()
  const source = item.thumbnailUrl && mediaAddress(item.thumbnailUrl)
  if (source) {
    return (
      <img
        src={source}
        alt={item.altText}
        width={size}
        height={size}
        loading="lazy"
        style={{ objectFit: 'cover', borderRadius: 'var(--mantine-radius-sm)', flex: 'none' }}
      />
    )
  }
  return (
    <Badge variant="light" color="gray" radius="sm" h={size} w={size} px={4} flex="none">
      {item.type === 'VIDEO' ? <IconVideo aria-label={t`Video`} size={20} role="img" /> : <Trans>Picture</Trans>}
    </Badge>
  )
}
