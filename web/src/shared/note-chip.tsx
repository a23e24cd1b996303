import { Trans } from '@lingui/react/macro'
import type { GuestBrand, GuestNote } from '#contract'
import { noteTime } from '../planning/dates/note-time.ts'
import classes from './calendar.module.css'
import { zoneOf } from './data.ts'
import { PREFERENCES } from './dates.ts'

/** A note that a guest of the link has added, after its time where it has one. */
export function NoteChip({ note, brands }: { note: GuestNote; brands: readonly GuestBrand[] }) {
  const { content, hexColor, by } = note
  const time = noteTime(note.scheduledAt, zoneOf(note, brands), PREFERENCES)
  return (
    <p className={classes.note} style={{ background: hexColor }}>
      {time !== null && <b>{time} </b>}
      <span dir="auto">{content}</span>{' '}
      <small>
        <Trans>
          Note by <bdi>{by}</bdi>
        </Trans>
      </small>
    </p>
  )
}
