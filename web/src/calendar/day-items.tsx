import { ActionIcon } from '@mantine/core'
import { IconDots, IconLock, IconRepeat } from '@tabler/icons-react'
import type { CalendarCard } from '#contract'
import { NetworkIcon } from '../design/network-icon.tsx'
import { PostSetMenu } from '../post-set-actions/post-set-menu.tsx'
import { nameOf } from '../post-set-actions/subject.ts'
import { formatTime } from '../time/zones.ts'
import { ApprovalWarning } from './approval-warning.tsx'
import { NoteBar } from './card.tsx'
import { networksOf, STATE_WORDS } from './card-words.ts'
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
        <li key={card.id} className={classes.item}>
          <CardLine card={card} onOpen={onOpen} />
        </li>
      ))}
    </ul>
  )
}

function CardLine({ card, onOpen }: { card: CalendarCard; onOpen: (id: string) => void }) {
  const { zone, preferences, labels } = useScene()
  const name = nameOf(card)
  const [label] = card.labelsId.flatMap((id) => labels.get(id) ?? [])
  return (
    <>
      <span className={classes.itemBar} style={{ background: label?.color ?? undefined }} />
      <button type="button" className={classes.itemOpen} data-item={cardItem(card.id)} onClick={() => onOpen(card.id)}>
        <span>{name}</span>
        <span className={classes.itemHead}>
          <span>{formatTime(card.scheduledAt, zone, preferences)}</span>
          <span className={classes.signs}>
            <StateIcon state={card.state} size={16} />
            {STATE_WORDS[card.state]}
          </span>
          <ApprovalWarning subject={card} />
          <span className={classes.signs}>
            {networksOf(card).map((network) => (
              <NetworkIcon key={network} accountType={network} size={16} />
            ))}
            {card.isLocked && <IconLock size={14} role="img" aria-label="Locked" />}
            {card.seriesId && <IconRepeat size={14} role="img" aria-label="Repeats" />}
          </span>
          <LabelNames ids={card.labelsId} />
        </span>
      </button>
      <div className={classes.itemMenu}>
        <PostSetMenu
          subject={card}
          onOpen={() => onOpen(card.id)}
          target={
            <ActionIcon aria-label={`Actions for ${name}`}>
              <IconDots size={18} aria-hidden />
            </ActionIcon>
          }
        />
      </div>
    </>
  )
}
