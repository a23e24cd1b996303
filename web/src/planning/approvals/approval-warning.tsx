import { IconAlertTriangle } from '@tabler/icons-react'
import { useSyncExternalStore } from 'react'
import { approvalWarning } from '../posts/card-words.ts'
import classes from './approval-warning.module.css'

type Subject = Parameters<typeof approvalWarning>[0]

/** What there is to warn of about a post set now. As time passes, only what says something new is drawn again. */
export function useApprovalWarning(subject: Subject): string | null {
  return useSyncExternalStore(onTick, () => approvalWarning(subject, Date.now()))
}

/** The warning in full, with its sign; nothing without one. */
export function ApprovalWarning({ subject }: { subject: Subject }) {
  const warning = useApprovalWarning(subject)
  return (
    warning && (
      <span className={classes.warning}>
        <IconAlertTriangle size={16} aria-hidden />
        {warning}
      </span>
    )
  )
}

const TICK_MS = 20_000
const listeners = new Set<() => void>()
let timer: number | undefined

/** One clock for all cards, which runs while there are any. */
function onTick(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= window.setInterval(() => {
    for (const each of listeners) each()
  }, TICK_MS)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    window.clearInterval(timer)
    timer = undefined
  }
}
