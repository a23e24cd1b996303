import { Trans, useLingui } from '@lingui/react/macro'
import { useId, useState } from 'react'
import type { GuestBrand, NoteColor } from '#contract'
import * as LIMITS from '#contract/limits'
import { callAsGuest } from '../api/guests.ts'
import { NOTE_COLOR_NAMES, NOTE_COLORS } from '../planning/labels/note-colors.ts'
import { go, readPlace } from './address.ts'
import classes from './controls.module.css'
import { readAgain } from './data.ts'
import { Dialog } from './dialog.tsx'
import { DialogButtons, Form, TextArea, useSending, Wrong } from './form.tsx'
import { notify } from './notices.tsx'

interface NoteDialogProps {
  brands: readonly GuestBrand[]
  /** `2030-06-12` */
  day: string
  onClose: () => void
}

const USUAL_TIME = '10:00'

/** Adds a note to a day of the calendar, at a time where the guest wants one. */
export function NoteDialog({ brands, day: first, onClose }: NoteDialogProps) {
  const { t } = useLingui()
  const [text, setText] = useState('')
  const [day, setDay] = useState(first)
  /** `15:45`; null: the note is of the whole day. */
  const [time, setTime] = useState<string | null>(null)
  const [brand, setBrand] = useState(brands[0]?.id ?? '')
  const [color, setColor] = useState<NoteColor>(NOTE_COLORS[0] ?? '#faf785')
  const { busy, wrong, setWrong, send } = useSending()
  const [date, clock, choice, group] = [useId(), useId(), useId(), useId()]
  const submit = async () => {
    if (text.trim() === '') return setWrong(t`Write a note first.`)
    if (day === '') return setWrong(t`Choose a day.`)
    if (time === '') return setWrong(t`Choose a time, or remove it.`)
    // As the clock of the brand shows it.
    const scheduledAt = time === null ? day : `${day}T${time}`
    const body = { socialSetId: brand, content: text.trim(), hexColor: color, scheduledAt }
    if (!(await send(() => callAsGuest('POST /notes', { body })))) return
    onClose()
    // Among what waits, no note is listed.
    const isHidden = readPlace(window.location.search).waiting
    const show = { label: t`Show note`, run: () => go({ waiting: false, date: day }) }
    if (isHidden) notify(t`Note added to the calendar. The team sees it.`, { action: show })
    else notify(t`Note added. The team sees it.`)
    await readAgain()
  }
  return (
    <Dialog title={t`Add a note`} onClose={onClose}>
      <Form onSubmit={() => void submit()}>
        <TextArea
          label={t`Text`}
          rows={3}
          value={text}
          onChange={setText}
          maxLength={LIMITS.noteCodePoints.max}
          isWrong={wrong !== null}
        />
        <label htmlFor={date}>
          <Trans>Day</Trans>
        </label>
        <input
          id={date}
          type="date"
          className={classes.field}
          value={day}
          min="2000-01-01"
          max="2100-12-31"
          onChange={(event) => setDay(event.currentTarget.value)}
        />
        {time !== null && (
          <>
            <label htmlFor={clock}>
              <Trans>Time</Trans>
            </label>
            <input
              id={clock}
              type="time"
              className={classes.field}
              value={time}
              autoFocus
              onChange={(event) => setTime(event.currentTarget.value)}
            />
          </>
        )}
        <button type="button" className={classes.quiet} onClick={() => setTime(time === null ? USUAL_TIME : null)}>
          {time === null ? t`Add a time` : t`Remove the time`}
        </button>
        {brands.length > 1 && (
          <>
            <label htmlFor={choice}>
              <Trans>Brand</Trans>
            </label>
            <select
              id={choice}
              className={classes.field}
              value={brand}
              onChange={(event) => setBrand(event.currentTarget.value)}
            >
              {brands.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </>
        )}
        <fieldset className={classes.colors}>
          <legend>
            <Trans>Color</Trans>
          </legend>
          {NOTE_COLORS.map((each) => (
            <label key={each} className={classes.color} style={{ background: each }}>
              <input
                type="radio"
                name={group}
                aria-label={NOTE_COLOR_NAMES[each]}
                checked={each === color}
                onChange={() => setColor(each)}
              />
            </label>
          ))}
        </fieldset>
        <Wrong>{wrong}</Wrong>
        <DialogButtons disabled={busy} onCancel={onClose}>
          <Trans>Add note</Trans>
        </DialogButtons>
      </Form>
    </Dialog>
  )
}
