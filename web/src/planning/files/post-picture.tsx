import { IconNote } from '@tabler/icons-react'
import type { MediaType } from '#contract'
import { mediaAddress } from '../../api/media-address.ts'
import rows from '../../design/rows.module.css'
import { VideoSign } from './video-sign.tsx'

interface PostPictureProps {
  post: { thumbnailUrl: string | null; mediaType: MediaType | null }
}

/** The first picture of a post, in a row of a list; a sign where it has none. */
export function PostPicture({ post: { thumbnailUrl, mediaType } }: PostPictureProps) {
  const address = thumbnailUrl && mediaAddress(thumbnailUrl)
  const video = mediaType === 'VIDEO'
  return (
    <span className={rows.picture} aria-hidden>
      {address ? <img src={address} alt="" loading="lazy" /> : !video && <IconNote size={16} />}
      {video && <VideoSign size={12} />}
    </span>
  )
}
