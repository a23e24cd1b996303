import { IconAlertTriangle, IconDots, IconLock, IconRepeat } from '@tabler/icons-react'
import { memo } from 'react'
import type { CalendarCard, Note } from '#contract'
import { NetworkIcon } from '../design/network-icon.tsx'
import { nameOf } from '../post-set-actions/subject.ts'
import { formatTime } from '../time/zones.ts'
import { useApprovalWarning } from './approval-warning.tsx'
import classes from './card.module.css'
import { cardName, NETWORKS_ON_CARD, NOT_APPROVED, networksOf } from './card-words.ts'
import { cardItem, noteItem } from './days.ts'
import { useScene } from './scene.ts'
import { useIsSelected } from './selection.ts'
import { StateIcon } from './state-icon.tsx'

/**
 * A post set in a grid, one line high. What is done with it is heard by the grid, which finds it by `data-item` and
 * `data-menu`; the grid also decides which element takes the focus.
 */
export const Card = memo(function Card({ card }: { card: CalendarCard }) {
  const { zone, preferences, labels } = useScene()
  const selected = useIsSelected(card.id)
  const ownLabels = card.labelsId.flatMap((id) => labels.get(id) ?? [])
  const time = formatTime(card.scheduledAt, zone, preferences)
  const networks = networksOf(card)
  const warning = useApprovalWarning(card)
  const name = cardName(card, time, { labels: ownLabels, warning })
  const more = networks.length - NETWORKS_ON_CARD
  return (
    <div
      className={classes.card}
      data-card={card.id}
      data-state={card.state}
      data-selected={selected || undefined}
      data-warned={warning ? true : undefined}
    >
      <span className={classes.bar} style={{ background: ownLabels[0]?.color ?? undefined }} />
      <button
        type="button"
        className={classes.open}
        data-item={cardItem(card.id)}
        tabIndex={-1}
        aria-label={selected ? `${name}, selected` : name}
      >
        {warning ? (
          <IconAlertTriangle size={14} aria-hidden className={classes.warning} />
        ) : (
          <StateIcon state={card.state} />
        )}
        <span className={classes.time}>{time}</span>
        {warning && <span className={classes.warning} data-words={NOT_APPROVED} />}
        {networks.slice(0, NETWORKS_ON_CARD).map((network) => (
          <NetworkIcon key={network} accountType={network} size={14} decorative />
        ))}
        {more > 0 && (
          <span className={classes.number} aria-hidden>
            +{more}
          </span>
        )}
        {/* Between the words of a name stands a space, seen or not. */}{' '}
        <span className={classes.text}>{nameOf(card)}</span>
        {card.isLocked && <IconLock size={13} aria-hidden className={classes.mark} />}
        {card.seriesId && <IconRepeat size={13} aria-hidden className={classes.mark} />}
      </button>
      <button
        type="button"
        className={classes.menu}
        data-menu={card.id}
        tabIndex={-1}
        aria-haspopup="menu"
        aria-label={`Actions for ${name}`}
      >
        <IconDots size={16} aria-hidden />
      </button>
    </div>
  )
})

/** A note: dark text on its colour. What is around it hears the click. */
export const NoteBar = memo(function NoteBar({ note, tabIndex = -1 }: { note: Note; tabIndex?: 0 | -1 }) {
  return (
    <button
      type="button"
      className={classes.note}
      style={{ background: note.hexColor }}
      data-item={noteItem(note.id)}
      tabIndex={tabIndex}
      aria-label={`Note: ${note.content}`}
    >
      {note.content}
    </button>
  )
})

/** Stands for the cards of a day that have no room. */
export function MoreButton({ id, count, date }: { id: string; count: number; date: string }) {
  return (
    <button type="button" className={classes.more} data-item={id} data-more={date} tabIndex={-1} aria-haspopup="dialog">
      +{count} more
    </button>
  )
}
