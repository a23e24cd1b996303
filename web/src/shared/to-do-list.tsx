import { useLingui } from '@lingui/react/macro'
import type { GuestCard, GuestVisit } from '#contract'
import classes from './calendar.module.css'
import { PostRow } from './post-row.tsx'

/** What waits for the guest in a month, one below the other. */
export function ToDoList({ visit, cards }: { visit: GuestVisit; cards: readonly GuestCard[] }) {
  const { t } = useLingui()
  if (cards.length === 0) return null
  return (
    <ul className={classes.rows} aria-label={t`Posts that need you`}>
      {cards.map((card) => (
        <PostRow key={card.id} card={card} visit={visit} large />
      ))}
    </ul>
  )
}
