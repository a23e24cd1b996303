import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import type { CalendarCard } from '#contract'
import { mediaAddress } from '../api/media-address.ts'
import { NetworkIcon } from '../design/network-icon.tsx'
import { ApprovalWarning } from '../planning/approvals/approval-warning.tsx'
import { VideoSign } from '../planning/files/video-sign.tsx'
import { networkWords, stateWords } from '../planning/posts/card-words.ts'
import { kindsText } from '../planning/posts/kind-words.ts'
import { saidTime } from '../post-set-actions/words.ts'
import classes from './hover-card.module.css'
import { LabelNames } from './label-names.tsx'
import { useScene } from './scene.ts'
import { StateIcon } from './state-icon.tsx'

const SHOW_AFTER_MS = 450
const HIDE_AFTER_MS = 150
const WIDTH_PX = 320
const ROOM_PX = 240

interface Shown {
  id: string
  left: number
  /** From the top of the window, or from its bottom where there is no room below. */
  top: number | null
  bottom: number | null
}

/**
 * More about the card that pointer or focus is on. One for the whole grid. Everything that it says is in the card's name
 * or its panel, too: it is for the eyes.
 */
export function HoverCard({ root, cards }: { root: RefObject<HTMLElement | null>; cards: readonly CalendarCard[] }) {
  const [shown, setShown] = useState<Shown | null>(null)
  const timer = useRef<number>(undefined)
  useEffect(() => {
    const grid = root.current
    if (!grid) return
    const later = (run: () => void, ms: number) => {
      window.clearTimeout(timer.current)
      timer.current = window.setTimeout(run, ms)
    }
    const hide = () => later(() => setShown(null), HIDE_AFTER_MS)
    const hideNow = () => later(() => setShown(null), 0)
    const show = ({ target }: Event) => {
      const card = target instanceof Element ? target.closest<HTMLElement>('[data-card]') : null
      if (!card) return hide()
      later(() => card.isConnected && !('dragging' in card.dataset) && setShown(placeBeside(card)), SHOW_AFTER_MS)
    }
    const onKeyDown = ({ key }: KeyboardEvent) => key === 'Escape' && hideNow()
    const onTouch = (event: PointerEvent) => event.pointerType !== 'touch' && show(event)
    grid.addEventListener('pointerover', onTouch)
    grid.addEventListener('pointerleave', hide)
    grid.addEventListener('focusin', show)
    grid.addEventListener('focusout', hide)
    grid.addEventListener('pointerdown', hideNow)
    document.addEventListener('keydown', onKeyDown)
    document.addEventListener('scroll', hideNow, true)
    return () => {
      window.clearTimeout(timer.current)
      grid.removeEventListener('pointerover', onTouch)
      grid.removeEventListener('pointerleave', hide)
      grid.removeEventListener('focusin', show)
      grid.removeEventListener('focusout', hide)
      grid.removeEventListener('pointerdown', hideNow)
      document.removeEventListener('keydown', onKeyDown)
      document.removeEventListener('scroll', hideNow, true)
    }
  }, [root])
  const card = shown && cards.find(({ id }) => id === shown.id)
  if (!shown || !card) return null
  const { left, top, bottom } = shown
  return (
    <div
      className={classes.card}
      role="tooltip"
      style={{ left, width: WIDTH_PX, ...(top === null ? { bottom: bottom ?? 0 } : { top }) }}
      onPointerEnter={() => window.clearTimeout(timer.current)}
      onPointerLeave={() => setShown(null)}
    >
      <Details card={card} />
    </div>
  )
}

function placeBeside(card: HTMLElement): Shown {
  const { left, top, bottom } = card.getBoundingClientRect()
  const below = bottom + ROOM_PX < window.innerHeight || top < ROOM_PX
  return {
    id: card.dataset.card ?? '',
    left: Math.max(8, Math.min(left, window.innerWidth - WIDTH_PX - 8)),
    top: below ? bottom + 4 : null,
    bottom: below ? null : window.innerHeight - top + 4,
  }
}

function Details({ card }: { card: CalendarCard }): ReactNode {
  const { t } = useLingui()
  const { zone, preferences, over } = useScene()
  const { lockedBy } = card
  const author = card.author.name
  const kinds = kindsText(card.kinds)
  return (
    <>
      <div className={classes.line}>
        <StateIcon state={card.state} size={16} />
        <strong>{stateWords(card)}</strong>
      </div>
      <ApprovalWarning subject={card} />
      <div>{saidTime(card.scheduledAt, zone, preferences)}</div>
      {over?.line(card)}
      <div className={classes.body}>
        <Thumbnail card={card} />
        <p className={classes.text} dir="auto">
          {card.excerpt || t`Without text`}
        </p>
      </div>
      <div className={classes.line}>
        {card.networks.map((network, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a set may have two posts for one network, in a fixed order
          <span key={index} className={classes.network}>
            <NetworkIcon accountType={network.accountType} size={14} decorative />
            {networkWords(network)}
          </span>
        ))}
      </div>
      {card.labelsId.length > 0 && <LabelNames ids={card.labelsId} />}
      <div className={classes.dimmed}>
        {[
          ...(kinds === null ? [] : [kinds]),
          ...(card.mediaCount > 0 ? [plural(card.mediaCount, { one: '# media item', other: '# media items' })] : []),
          ...(card.isLocked ? [lockedBy ? t`locked by ${lockedBy}` : t`locked`] : []),
          ...(card.seriesId ? [t`repeats`] : []),
          t`by ${author}`,
        ].join(' · ')}
      </div>
    </>
  )
}

/** A picture of what is posted. */
function Thumbnail({ card: { thumbnailUrl, mediaType } }: { card: CalendarCard }) {
  const source = thumbnailUrl && mediaAddress(thumbnailUrl)
  const video = mediaType === 'VIDEO'
  if (!source && !video) return null
  return (
    <span className={classes.thumbnail}>
      {source && <img src={source} alt="" width={64} height={64} loading="lazy" />}
      {video && <VideoSign size={14} />}
    </span>
  )
}
