import { useLingui } from '@lingui/react/macro'
import { ActionIcon } from '@mantine/core'
import { IconDots, IconLock, IconRepeat } from '@tabler/icons-react'
import type { CalendarCard } from '#contract'
import { mediaAddress } from '../api/media-address.ts'
import { NetworkIcon } from '../design/network-icon.tsx'
import { ApprovalWarning } from '../planning/approvals/approval-warning.tsx'
import { VideoSign } from '../planning/files/video-sign.tsx'
import { networksOf, stateWords } from '../planning/posts/card-words.ts'
import { kindsBeside } from '../planning/posts/kind-words.ts'
import { nameOf } from '../planning/posts/subject.ts'
import { PostSetMenu } from '../post-set-actions/post-set-menu.tsx'
import { formatTime } from '../time/zones.ts'
import { NoteBar } from './card.tsx'
import { cardItem, type PlannedDay } from './days.ts'
import { LabelNames } from './label-names.tsx'
import classes from './list.module.css'
import { useScene } from './scene.ts'
import { StateIcon } from './state-icon.tsx'

interface DayItemsProps {
  day: PlannedDay
  onOpen: (id: string) => void
  onNote: (id: string) => void
}

/** All that is planned on a day, with room for words. */
export function DayItems({ day, onOpen, onNote }: DayItemsProps) {
  return (
    <ul className={classes.items}>
      {day.notes.map((note) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the button inside hears the keys
        <li key={note.id} onClick={() => onNote(note.id)} className={classes.noteItem}>
          <NoteBar note={note} tabIndex={0} />
        </li>
      ))}
      {day.cards.map((card) => (
        <li
          key={card.id}
          className={classes.item}
          data-state={card.state}
          data-stays={card.status === 'DRAFT' || card.state === 'held' || undefined}
        >
          <CardLine card={card} onOpen={onOpen} />
        </li>
      ))}
    </ul>
  )
}

function CardLine({ card, onOpen }: { card: CalendarCard; onOpen: (id: string) => void }) {
  const { t } = useLingui()
  const { zone, preferences, over } = useScene()
  const name = nameOf(card)
  const picture = card.thumbnailUrl ? mediaAddress(card.thumbnailUrl) : null
  const video = card.mediaType === 'VIDEO'
  const kinds = kindsBeside(card)
  return (
    <>
      <button type="button" className={classes.itemOpen} data-item={cardItem(card.id)} onClick={() => onOpen(card.id)}>
        <span className={classes.itemText} dir="auto">
          {card.excerpt.trim() || name}
        </span>
        {over?.line(card)}
        <span className={classes.itemHead}>
          <span className={classes.itemTime}>{formatTime(card.scheduledAt, zone, preferences)}</span>
          <span className={classes.signs}>
            <StateIcon state={card.state} />
            {stateWords(card)}
          </span>
          <ApprovalWarning subject={card} />
          <span className={classes.signs}>
            {networksOf(card).map((network) => (
              <NetworkIcon key={network} accountType={network} size={14} />
            ))}
            {kinds}
            {card.isLocked && <IconLock size={14} role="img" aria-label={t`Locked`} />}
            {card.seriesId && <IconRepeat size={14} role="img" aria-label={t`Repeats`} />}
          </span>
          <LabelNames ids={card.labelsId} />
        </span>
      </button>
      <div className={classes.itemMenu}>
        <PostSetMenu
          subject={card}
          onOpen={() => onOpen(card.id)}
          target={
            <ActionIcon aria-label={t`Actions for ${name}`}>
              <IconDots size={18} aria-hidden />
            </ActionIcon>
          }
        />
      </div>
      {(picture || video) && (
        <span className={classes.itemPicture}>
          {picture && <img src={picture} alt="" loading="lazy" />}
          {video && <VideoSign size={14} />}
        </span>
      )}
    </>
  )
}
