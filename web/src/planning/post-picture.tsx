import { IconNote } from '@tabler/icons-react'
import { mediaAddress } from '../api/media-address.ts'
import rows from '../design/rows.module.css'

/** The first picture of a post, in a row of a list; a sign where it has none. */
export function PostPicture({ thumbnailUrl }: { thumbnailUrl: string | null }) {
  const address = thumbnailUrl && mediaAddress(thumbnailUrl)
  return (
    <span className={rows.picture} aria-hidden>
      {address ? <img src={address} alt="" loading="lazy" /> : <IconNote size={16} />}
    </span>
  )
}
