import { Plural, Trans } from '@lingui/react/macro'
import { IconCircleCheck } from '@tabler/icons-react'
import type { GuestCard, GuestVisit } from '#contract'
import { monthAndYear } from '../planning/dates/titles.ts'
import { go, toDo, usePlace } from './address.ts'
import { approvable } from './cards.ts'
import controls from './controls.module.css'
import { firstToDo, offersOf, shownZone, toDoOf } from './data.ts'
import { byDay } from './dates.ts'
import { useDecide } from './decide.tsx'
import { OfOtherBrands } from './other-to-do.tsx'
import { Progress } from './progress.tsx'
import css from './screen.module.css'
import { isolated, needWords } from './words.ts'

interface BannerProps {
  visit: GuestVisit
  /** All of the month or week that is shown. */
  cards: readonly GuestCard[]
  /** A day of the month that is shown. */
  date: Temporal.PlainDate
}

/** How much of what is shown needs the guest, and the ways to it. */
export function Banner({ visit, cards, date }: BannerProps) {
  const { waiting, brand } = usePlace()
  const { count, nextAt, ofOtherBrands } = toDoOf(visit, brand)
  const zone = shownZone(visit.brands, brand)
  if (count === 0 && ofOtherBrands > 0) {
    const name = isolated(visit.brands.find(({ id }) => id === brand)?.name ?? '')
    return (
      <section className={css.banner}>
        <h2>
          <Trans>Nothing of {name} needs you</Trans>
        </h2>
        <p className={controls.buttons}>
          <OfOtherBrands count={ofOtherBrands} />
        </p>
      </section>
    )
  }
  if (count === 0) {
    return (
      <section className={css.banner} data-done>
        <h2>
          <IconCircleCheck size={22} aria-hidden /> <Trans>All done</Trans>
        </h2>
        <p>
          <Trans>The next posts appear here.</Trans>
        </p>
      </section>
    )
  }
  return (
    <section className={css.banner}>
      {offersOf(visit).decide && <Progress cards={cards} />}
      <h2>{needWords(count, nextAt === null ? null : byDay(nextAt, zone, Temporal.Now.instant().toString()))}</h2>
      {offersOf(visit).decide ? (
        <p>
          <Trans>Approve, or say what should change. The team sees it at once.</Trans>
        </p>
      ) : (
        <p>
          <Trans>You can look at them here. This link does not let you decide.</Trans>
        </p>
      )}
      {!waiting && <WaysToDo visit={visit} cards={cards} date={date} />}
    </section>
  )
}

/** The ways to what waits, and to approve all of it that is shown. In the toolbar where that is what is listed. */
export function WaysToDo({ visit, cards, date }: BannerProps) {
  const { waiting, brand } = usePlace()
  const { approveAll } = useDecide()
  const { count, ofOtherBrands } = toDoOf(visit, brand)
  const here = cards.filter((card) => card.waiting)
  const first = firstToDo(visit, brand)
  const number = approvable(here).length
  const place = monthAndYear(date, null)
  if (count === 0) return null
  return (
    <p className={controls.buttons}>
      {here.length === 0 && first === null && (
        // What waits was to go out before today.
        <button
          type="button"
          className={controls.button}
          onClick={() => go({ date: date.with({ day: 1 }).subtract({ months: 1 }).toString(), view: 'list' })}
        >
          <Trans>Look in the month before</Trans>
        </button>
      )}
      {!(waiting && here.length > 0) && first !== null && (
        <button type="button" className={controls.primary} onClick={() => go(toDo(first))}>
          <Trans>Show them</Trans>
        </button>
      )}
      {visit.allows.decide && number > 1 && (
        <button type="button" className={controls.button} onClick={() => approveAll(here)}>
          <Plural value={number} one={`Approve # post in ${place}…`} other={`Approve all # in ${place}…`} />
        </button>
      )}
      {/* Of what waits there is a list with the same button. */}
      {ofOtherBrands > 0 && !waiting && <OfOtherBrands count={ofOtherBrands} />}
    </p>
  )
}
