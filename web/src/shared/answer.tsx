import { Trans, useLingui } from '@lingui/react/macro'
import { IconArrowBackUp, IconCheck, IconMessageCircle } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import type { GuestCard } from '#contract'
import { DECIDES } from '../design/presses.ts'
import controls from './controls.module.css'
import { useDecide } from './decide.tsx'
import { DECIDED, decisionWords, POST_STATES, stateOf } from './words.ts'

/** What was decided a moment ago, in the place of the buttons that decided it, with the way back. */
export function Answer({ card }: { card: Pick<GuestCard, 'id' | 'version' | 'status' | 'outcome' | 'decision'> }) {
  const { t } = useLingui()
  const { undo, busy } = useDecide()
  const said = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    // The buttons have gone, with the focus that was on one of them.
    if (document.activeElement === document.body || document.activeElement?.closest('[inert]'))
      said.current?.focus({ preventScroll: true })
  }, [])
  const { decision } = card
  const mine = decision?.mine === true
  const approved = decision?.decision === 'approve'
  const words = mine && decision ? POST_STATES[DECIDED[decision.decision]] : decisionWords(card)
  const state = stateOf({ ...card, waiting: false, changed: false })
  return (
    <p ref={said} tabIndex={-1} className={controls.answer} data-state={state}>
      <span>
        {approved ? <IconCheck size={18} aria-hidden /> : <IconMessageCircle size={18} aria-hidden />}
        <b>{words ?? <Trans>No longer waits for you</Trans>}</b>
      </span>
      {decision?.undoable && (
        <button
          type="button"
          {...DECIDES}
          className={controls.button}
          aria-label={t`Undo your approval`}
          disabled={busy.has(card.id)}
          onClick={() => undo(card)}
        >
          <IconArrowBackUp size={18} aria-hidden /> <Trans>Undo</Trans>
        </button>
      )}
    </p>
  )
}
