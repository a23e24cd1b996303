import { useLingui } from '@lingui/react/macro'
import { IconPlus } from '@tabler/icons-react'
import type { GuestCard, GuestNote, GuestVisit } from '#contract'
import { NetworkIcon } from '../design/network-icon.tsx'
import { type DayRange, today } from '../planning/dates/dates.ts'
import { longDay } from '../planning/dates/titles.ts'
import { KindSign } from '../planning/posts/kind-sign.tsx'
import { kindsBeside, kindsText } from '../planning/posts/kind-words.ts'
import classes from './calendar.module.css'
import { CardLink, CardPicture } from './card-link.tsx'
import controls from './controls.module.css'
import { byDay, zoneOf } from './data.ts'
import { dayText, timeText } from './dates.ts'
import { NoteChip } from './note-chip.tsx'
import { SelectBox } from './select-box.tsx'
import { WeeksTable } from './weeks-table.tsx'
import { networksText, POST_STATES, stateOf } from './words.ts'

interface DayGridProps {
  visit: GuestVisit
  /** Whole weeks. */
  range: DayRange
  /** The month that is shown; null in a week. */
  month: number | null
  cards: readonly GuestCard[]
  notes: readonly GuestNote[]
  onNote: (day: string) => void
}

/** Weeks of seven days side by side, in windows that have the room. */
export function DayGrid({ visit, range, month, cards, notes, onNote }: DayGridProps) {
  const { t } = useLingui()
  const { brands, allows } = visit
  const now = today(brands[0]?.timezone ?? 'UTC')
  const [cardsOf, notesOf] = [byDay(cards, brands), byDay(notes, brands)]
  return (
    <WeeksTable
      className={classes.grid}
      range={range}
      isWeek={month === null}
      cell={(day) => {
        const text = day.toString()
        const name = longDay(day, null)
        return (
          <td
            key={text}
            data-outside={(month !== null && day.month !== month) || undefined}
            data-weekend={day.dayOfWeek > 5 || undefined}
          >
            <div className={classes.day}>
              <time
                dateTime={text}
                aria-current={day.equals(now) ? 'date' : undefined}
                data-today={day.equals(now) || undefined}
              >
                <span className={controls.hidden}>{name}</span>
                <span aria-hidden>{day.day}</span>
              </time>
              {allows.notes && (
                // By keys, the button above the calendar does it: seven stops of Tab less in each week.
                <button
                  type="button"
                  tabIndex={-1}
                  className={classes.add}
                  aria-label={t`Add a note, ${name}`}
                  onClick={() => onNote(text)}
                >
                  <IconPlus size={16} aria-hidden />
                </button>
              )}
            </div>
            {notesOf.get(text)?.map((note) => (
              <NoteChip key={note.id} note={note} brands={brands} />
            ))}
            {cardsOf.get(text)?.map((card) => (
              <GridCard key={card.id} card={card} visit={visit} />
            ))}
          </td>
        )
      }}
    />
  )
}

function GridCard({ card, visit: { brands, allows } }: { card: GuestCard; visit: GuestVisit }) {
  const state = stateOf(card)
  return (
    <div className={classes.card} data-state={state}>
      <CardLink card={card} className={classes.cardLink}>
        <CardPicture card={card} />
        <span className={controls.hidden}>{dayText(card.scheduledAt, zoneOf(card, brands))} </span>
        <span className={classes.cardHead}>
          <b>{timeText(card.scheduledAt, zoneOf(card, brands))}</b>
          {[...new Set(card.accountTypes)].slice(0, 3).map((type) => (
            <NetworkIcon key={type} accountType={type} size={12} decorative />
          ))}
          {card.kinds[0] && <KindSign kind={card.kinds[0]} size={12} />}
        </span>
        <span dir="auto" className={classes.cardText}>
          {card.excerpt || kindsText(card.kinds)}
        </span>
        <span className={controls.hidden}>
          , {[POST_STATES[state], networksText(card), kindsBeside(card)].filter((part) => part !== null).join(', ')}
        </span>
      </CardLink>
      <div className={classes.cardFoot}>
        <span aria-hidden>{POST_STATES[state]}</span>
        {card.waiting && !card.changed && allows.decide && <SelectBox card={card} brands={brands} />}
      </div>
    </div>
  )
}
