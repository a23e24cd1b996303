import { useLingui } from '@lingui/react/macro'
import type { GuestCard, GuestVisit } from '#contract'
import { useStillList } from '../design/still.ts'
import classes from './calendar.module.css'
import { PostRow } from './post-row.tsx'

interface ToDoListProps {
  visit: GuestVisit
  /** All of the month, decided or not. */
  cards: readonly GuestCard[]
  /** Which month of which brands. */
  scope: string
  /** Where nothing is left to do. */
  children: React.ReactNode
}

/** What waits for the guest in a month, one below the other. What was decided stays where it is for a while. */
export function ToDoList({ visit, cards, scope, children }: ToDoListProps) {
  const { t } = useLingui()
  const waiting = useStillList(
    cards.filter((card) => card.waiting),
    scope,
  )
  const shown = waiting.map((card) => cards.find(({ id }) => id === card.id) ?? { ...card, waiting: false })
  if (shown.length === 0) return children
  return (
    <ul className={classes.rows} aria-label={t`Posts that need you`}>
      {shown.map((card) => (
        <PostRow key={card.id} card={card} visit={visit} large />
      ))}
    </ul>
  )
}
