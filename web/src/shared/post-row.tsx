import { Trans, useLingui } from '@lingui/react/macro'
import { IconCheck, IconMessageCircle } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import type { GuestCard, GuestVisit } from '#contract'
import { NetworkIcon } from '../design/network-icon.tsx'
import classes from './calendar.module.css'
import { CardLink, CardPicture } from './card-link.tsx'
import { ChangesInRow } from './changes-form.tsx'
import controls from './controls.module.css'
import { zoneOf } from './data.ts'
import { soonText, whenText } from './dates.ts'
import { useDecide } from './decide.tsx'
import { SelectBox } from './select-box.tsx'
import { decisionWords, networksText, POST_STATES, stateOf } from './words.ts'

interface PostRowProps {
  card: GuestCard
  visit: GuestVisit
  /** Among what is to be decided: with a large picture, and its day. */
  large?: boolean
}

/** A post in a list, with what a guest may do about it. */
export function PostRow({ card, visit, large = false }: PostRowProps) {
  const { t } = useLingui()
  const { approve, requestChanges, busy, inRow } = useDecide()
  const isAsked = inRow?.id === card.id
  const request = useFocusAfter(isAsked)
  const zone = zoneOf(card, visit.brands)
  const state = stateOf(card)
  const when = whenText(card.scheduledAt, zone)
  const soon = state === 'waiting' ? soonText(card.scheduledAt, zone, Temporal.Now.instant().toString()) : null
  const brand = visit.brands.length > 1 ? visit.brands.find(({ id }) => id === card.socialSetId)?.name : undefined
  const decided = decisionWords(card)
  return (
    <li className={classes.row} data-state={state} data-large={large || undefined}>
      <CardLink card={card} className={classes.opener}>
        <CardPicture card={card} />
        <span className={classes.text}>
          <span className={classes.when}>
            <b>{large ? whenText(card.scheduledAt, zone, { long: true, year: false }) : when}</b>
            <span className={controls.badge} data-state={state}>
              {soon ?? POST_STATES[state]}
            </span>
          </span>
          <span dir="auto" className={classes.excerpt}>
            {card.excerpt || <Trans>Without a text</Trans>}
          </span>
          <span className={classes.networks}>
            {[...new Set(card.accountTypes)].map((type) => (
              <NetworkIcon key={type} accountType={type} size={16} decorative />
            ))}
            <span>{networksText(card)}</span>
            {brand && <bdi>{brand}</bdi>}
          </span>
          {decided && <span className={controls.dim}>{decided}</span>}
        </span>
      </CardLink>
      {isAsked && <ChangesInRow {...inRow.form} />}
      {card.waiting && visit.allows.decide && !card.changed && <SelectBox card={card} brands={visit.brands} />}
      {card.waiting && visit.allows.decide && !isAsked && (
        <div className={classes.actions}>
          {card.changed ? (
            <CardLink card={card} className={controls.button}>
              <Trans>See what has changed</Trans>
            </CardLink>
          ) : (
            <button
              type="button"
              className={controls.primary}
              aria-label={t`Approve, ${when}`}
              disabled={busy.has(card.id)}
              onClick={() => approve(card)}
            >
              <IconCheck size={18} aria-hidden /> <Trans>Approve</Trans>
            </button>
          )}
          <button
            ref={request}
            type="button"
            className={controls.button}
            aria-label={t`Request changes, ${when}`}
            disabled={busy.has(card.id)}
            onClick={() => requestChanges(card, 'row')}
          >
            <IconMessageCircle size={18} aria-hidden /> <Trans>Request changes</Trans>
          </button>
        </div>
      )}
    </li>
  )
}

/** The button that asked has the focus again when what it asked for is closed, and nothing else has it. */
function useFocusAfter(isAsked: boolean) {
  const button = useRef<HTMLButtonElement>(null)
  const was = useRef(isAsked)
  useEffect(() => {
    if (was.current && !isAsked && document.activeElement === document.body) button.current?.focus()
    was.current = isAsked
  }, [isAsked])
  return button
}
