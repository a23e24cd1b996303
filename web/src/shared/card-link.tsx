import { IconPhoto } from '@tabler/icons-react'
import type { MouseEvent, ReactNode } from 'react'
import type { GuestCard } from '#contract'
import { mediaAddress } from '../api/media-address.ts'
import { VideoSign } from '../planning/files/video-sign.tsx'
import { go, queryOf, usePlace } from './address.ts'
import classes from './calendar.module.css'

interface CardLinkProps {
  card: GuestCard
  className?: string | undefined
  children: ReactNode
}

/** Opens a post. A link, so that it can be opened beside the calendar too. */
export function CardLink({ card, className, children }: CardLinkProps) {
  const place = usePlace()
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    go({ post: card.id })
  }
  return (
    <a href={queryOf({ ...place, post: card.id })} className={className} data-card={card.id} onClick={open}>
      {children}
    </a>
  )
}

/** The first picture of a post; a sign where it has none. */
export function CardPicture({ card }: { card: GuestCard }) {
  const address = card.thumbnailUrl && mediaAddress(card.thumbnailUrl)
  const video = card.mediaType === 'VIDEO'
  if (!address && card.mediaCount === 0) return null
  return (
    <span className={classes.picture} aria-hidden>
      {address ? <img src={address} alt="" loading="lazy" /> : !video && <IconPhoto size={20} />}
      {video && <VideoSign size={16} />}
      {card.mediaCount > 1 && <span className={classes.more}>{card.mediaCount}</span>}
    </span>
  )
}
