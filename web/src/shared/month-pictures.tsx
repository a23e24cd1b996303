import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import type { GuestCard, GuestVisit } from '#contract'
import { mediaAddress } from '../api/media-address.ts'
import { rangeOf, turn } from '../planning/dates/dates.ts'
import { longDay, monthAndYear } from '../planning/dates/titles.ts'
import { firstDayOfWeek } from '../time/zones.ts'
import { go } from './address.ts'
import controls from './controls.module.css'
import { byDay } from './data.ts'
import { PREFERENCES } from './dates.ts'
import css from './side.module.css'
import { WeeksTable } from './weeks-table.tsx'

interface MonthPicturesProps {
  visit: GuestVisit
  date: Temporal.PlainDate
  /** All of the month, decided or not. */
  cards: readonly GuestCard[]
}

/** A month as pictures, beside what is to be decided: turns to others, and opens what is on a day. */
export function MonthPictures({ visit, date, cards }: MonthPicturesProps) {
  const { t } = useLingui()
  const cardsOf = byDay(cards, visit.brands)
  const to = (pages: 1 | -1) => go({ date: turn('month', date, pages).toString() })
  return (
    <section className={css.part}>
      <div className={css.head}>
        <h2 aria-live="polite">{monthAndYear(date, null)}</h2>
        <button type="button" className={controls.icon} aria-label={t`Previous month`} onClick={() => to(-1)}>
          <IconChevronLeft size={20} aria-hidden />
        </button>
        <button type="button" className={controls.icon} aria-label={t`Next month`} onClick={() => to(1)}>
          <IconChevronRight size={20} aria-hidden />
        </button>
      </div>
      <WeeksTable
        className={css.month}
        range={rangeOf('month', date, firstDayOfWeek(PREFERENCES))}
        cell={(day) => (
          <td key={String(day)}>
            <Day day={day} cards={cardsOf.get(day.toString()) ?? []} outside={day.month !== date.month} />
          </td>
        )}
      />
      <p className={css.legend} aria-hidden>
        <span data-waiting>
          <Trans>Needs you</Trans>
        </span>
        <span>
          <Trans>Planned or published</Trans>
        </span>
      </p>
    </section>
  )
}

function Day({ day, cards, outside }: { day: Temporal.PlainDate; cards: readonly GuestCard[]; outside: boolean }) {
  const { t } = useLingui()
  const [first] = cards
  if (!first) return <span data-outside={outside || undefined}>{day.day}</span>
  const waiting = cards.some((card) => card.waiting)
  // What needs the guest is what the picture is of.
  const pictured = cards.find((card) => card.waiting && card.thumbnailUrl) ?? cards.find((card) => card.thumbnailUrl)
  const picture = pictured?.thumbnailUrl && mediaAddress(pictured.thumbnailUrl)
  const count = plural(cards.length, { one: '# post', other: '# posts' })
  const parts = [longDay(day, null), count, ...(waiting ? [t`needs your answer`] : [])]
  return (
    <button
      type="button"
      data-waiting={waiting || undefined}
      aria-label={parts.join(', ')}
      onClick={() =>
        go(cards.length === 1 ? { post: first.id } : { view: 'week', waiting: false, date: day.toString() })
      }
    >
      {picture && <img src={picture} alt="" loading="lazy" />}
      <b>{day.day}</b>
    </button>
  )
}
