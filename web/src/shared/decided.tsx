import { Trans, useLingui } from '@lingui/react/macro'
import type { GuestCard, GuestVisit } from '#contract'
import { kindsText } from '../planning/posts/kind-words.ts'
import { CardLink, CardPicture } from './card-link.tsx'
import controls from './controls.module.css'
import { zoneOf } from './data.ts'
import { whenText } from './dates.ts'
import css from './side.module.css'
import { POST_STATES, stateOf } from './words.ts'

/** The last ones; all are in the list of the month. */
const MOST = 6

/** What guests decided of the month that is shown. */
export function Decided({ visit, cards }: { visit: GuestVisit; cards: readonly GuestCard[] }) {
  const { t } = useLingui()
  const decided = cards.filter(({ waiting, decision }) => !waiting && decision !== null).slice(-MOST)
  if (decided.length === 0) return null
  const mine = decided.every(({ decision }) => decision?.mine)
  return (
    <section className={css.part}>
      <h2>{mine ? t`You decided` : t`Decided`}</h2>
      <ul className={css.decided}>
        {decided.map((card) => {
          const state = stateOf(card)
          return (
            <li key={card.id}>
              <CardLink card={card}>
                <CardPicture card={card} />
                <span className={css.words}>
                  <span dir="auto">{card.excerpt || kindsText(card.kinds) || <Trans>Without a text</Trans>}</span>
                  <small>{whenText(card.scheduledAt, zoneOf(card, visit.brands))}</small>
                </span>
                <span className={controls.badge} data-state={state}>
                  {POST_STATES[state]}
                </span>
              </CardLink>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
