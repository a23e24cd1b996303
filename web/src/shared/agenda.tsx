import { Trans, useLingui } from '@lingui/react/macro'
import { IconPlus } from '@tabler/icons-react'
import type { GuestCard, GuestNote, GuestVisit } from '#contract'
import { longDay } from '../planning/dates/titles.ts'
import classes from './calendar.module.css'
import controls from './controls.module.css'
import { byDay } from './data.ts'
import { NoteChip } from './note-chip.tsx'
import { PostRow } from './post-row.tsx'

interface AgendaProps {
  visit: GuestVisit
  cards: readonly GuestCard[]
  notes: readonly GuestNote[]
  /** A day that is shown also when nothing is on it. */
  chosen: string | null
  onNote: (day: string) => void
}

export const dayId = (day: string) => `day-${day}`

/** The days that have something on them, below each other. */
export function Agenda({ visit, cards, notes, chosen, onNote }: AgendaProps) {
  const { t } = useLingui()
  const { brands, allows } = visit
  const [cardsOf, notesOf] = [byDay(cards, brands), byDay(notes, brands)]
  const days = [...new Set([...cardsOf.keys(), ...notesOf.keys(), ...(chosen === null ? [] : [chosen])])].toSorted()
  return (
    <div className={classes.agenda}>
      {days.map((day) => {
        const name = longDay(Temporal.PlainDate.from(day), null)
        const [own, ownNotes] = [cardsOf.get(day) ?? [], notesOf.get(day) ?? []]
        return (
          <section key={day} aria-labelledby={dayId(day)}>
            <div className={classes.dayHead}>
              <h3 id={dayId(day)} tabIndex={-1}>
                {name}
              </h3>
              {allows.notes && (
                <button
                  type="button"
                  className={controls.icon}
                  aria-label={t`Add a note, ${name}`}
                  onClick={() => onNote(day)}
                >
                  <IconPlus size={18} aria-hidden />
                </button>
              )}
            </div>
            {ownNotes.map((note) => (
              <NoteChip key={note.id} note={note} brands={brands} />
            ))}
            {own.length > 0 && (
              <ul className={classes.rows}>
                {own.map((card) => (
                  <PostRow key={card.id} card={card} visit={visit} />
                ))}
              </ul>
            )}
            {own.length === 0 && ownNotes.length === 0 && (
              <p className={controls.dim}>
                <Trans>Nothing is planned on this day.</Trans>
              </p>
            )}
          </section>
        )
      })}
    </div>
  )
}
