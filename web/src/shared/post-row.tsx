import { Trans, useLingui } from '@lingui/react/macro'
import { IconCheck, IconMessageCircle } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import type { GuestCard, GuestVisit } from '#contract'
import { NetworkIcon } from '../design/network-icon.tsx'
import { DECIDES } from '../design/presses.ts'
import { useStays } from '../design/still.ts'
import { kindsBeside, kindsText } from '../planning/posts/kind-words.ts'
import { Answer } from './answer.tsx'
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
  const kinds = kindsBeside(card)
  const when = whenText(card.scheduledAt, zone)
  const now = Temporal.Now.instant().toString()
  const brand = visit.brands.length > 1 ? visit.brands.find(({ id }) => id === card.socialSetId)?.name : undefined
  const decided = decisionWords(card)
  const waits = card.waiting && visit.allows.decide
  const stays = useStays(waits)
  return (
    <li className={classes.row} data-state={state} data-large={large || undefined}>
      <CardLink card={card} className={classes.opener}>
        <CardPicture card={card} />
        <span className={classes.text}>
          <span className={classes.when}>
            <b>{large ? whenText(card.scheduledAt, zone, { long: true, year: false }) : when}</b>
            {stays && !waits ? (
              // Its answer says it. The badge keeps the room that it had.
              <span className={controls.badge} data-gone>
                {soonText(card.scheduledAt, zone, now) ?? POST_STATES.waiting}
              </span>
            ) : (
              <span className={controls.badge} data-state={state}>
                {(state === 'waiting' && soonText(card.scheduledAt, zone, now)) || POST_STATES[state]}
              </span>
            )}
          </span>
          <span dir="auto" className={classes.excerpt}>
            {card.excerpt || kindsText(card.kinds) || <Trans>Without a text</Trans>}
          </span>
          <span className={classes.networks}>
            {[...new Set(card.accountTypes)].map((type) => (
              <NetworkIcon key={type} accountType={type} size={16} decorative />
            ))}
            <span>{networksText(card)}</span>
            {kinds !== null && <span>{kinds}</span>}
            {brand && <bdi>{brand}</bdi>}
          </span>
          {decided && !stays && <span className={controls.dim}>{decided}</span>}
        </span>
      </CardLink>
      {isAsked && <ChangesInRow {...inRow.form} />}
      {stays && !card.changed && <SelectBox card={card} brands={visit.brands} gone={!waits} />}
      {stays && !isAsked && (
        <div className={classes.answer} data-answer>
          {/* What was decided takes the room of the buttons, so that nothing moves. */}
          <div className={classes.actions} data-gone={!waits || undefined} inert={!waits}>
            {card.changed ? (
              <CardLink card={card} className={controls.button}>
                <Trans>See what has changed</Trans>
              </CardLink>
            ) : (
              <button
                type="button"
                {...DECIDES}
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
              {...DECIDES}
              className={controls.button}
              aria-label={t`Request changes, ${when}`}
              disabled={busy.has(card.id)}
              onClick={() => requestChanges(card, 'row')}
            >
              <IconMessageCircle size={18} aria-hidden /> <Trans>Request changes</Trans>
            </button>
          </div>
          {!waits && <Answer card={card} />}
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
