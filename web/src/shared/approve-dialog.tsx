import { Plural, useLingui } from '@lingui/react/macro'
import type { GuestBrand, GuestCard } from '#contract'
import { kindsText } from '../planning/posts/kind-words.ts'
import { approvable } from './cards.ts'
import classes from './controls.module.css'
import { zoneOf } from './data.ts'
import { whenText } from './dates.ts'
import { Dialog } from './dialog.tsx'
import { DialogButtons, Form, useSending, Wrong } from './form.tsx'

interface ApproveDialogProps {
  /** All that are meant; those that have changed since they were seen are not approved with the others. */
  cards: readonly GuestCard[]
  brands: readonly GuestBrand[]
  onClose: () => void
  onApprove: (cards: readonly GuestCard[]) => Promise<void>
}

/** Asks once before several posts are approved, and names them. */
export function ApproveDialog({ cards, brands, onClose, onApprove }: ApproveDialogProps) {
  const { t } = useLingui()
  const { busy, wrong, send } = useSending()
  const meant = approvable(cards)
  const changed = cards.length - meant.length
  const count = meant.length
  return (
    <Dialog title={t`Approve these posts?`} onClose={onClose}>
      <Form onSubmit={() => void send(() => onApprove(meant))}>
        <ul className={classes.named}>
          {meant.map((card) => (
            <li key={card.id}>
              <b>{whenText(card.scheduledAt, zoneOf(card, brands))}</b>{' '}
              <bdi>{card.excerpt || kindsText(card.kinds)}</bdi>
            </li>
          ))}
        </ul>
        {changed > 0 && (
          <p>
            <Plural
              value={changed}
              one="# post has changed since you saw it: it is left out. Look at it first."
              other="# posts have changed since you saw them: they are left out. Look at them first."
            />
          </p>
        )}
        <Wrong>{wrong}</Wrong>
        <DialogButtons decides disabled={busy || count === 0} onCancel={onClose}>
          <Plural value={count} one="Approve # post" other="Approve # posts" />
        </DialogButtons>
      </Form>
    </Dialog>
  )
}
