import { Trans } from '@lingui/react/macro'
import { useSyncExternalStore } from 'react'
import classes from './controls.module.css'

interface NoticeAction {
  label: string
  run: () => void
}

interface Notice {
  text: string
  bad: boolean
  /** A way to what it is about. */
  action: NoticeAction | null
  turn: number
}

const SHOWN_MS = 8_000
let shown: Notice | null = null
let turn = 0
let timer: number | undefined
const listeners = new Set<() => void>()

/** Says what has happened: it is seen, and read aloud. What went wrong stays until it is closed. */
export function notify(
  text: string,
  { bad = false, action = null }: Partial<Omit<Notice, 'text' | 'turn'>> = {},
): void {
  window.clearTimeout(timer)
  turn += 1
  change({ text, bad, action, turn })
  if (!bad) timer = window.setTimeout(() => change(null), SHOWN_MS)
}

let spoken = ''

/** Says aloud what is seen where it happened. */
export function announce(text: string): void {
  // The same words again are said again.
  spoken = spoken === text ? `${text}\u00a0` : text
  for (const listener of listeners) listener()
}

/** Closes what has gone well: it is about what the guest has left. What went wrong stays. */
export function closeNotice(): void {
  if (!shown?.bad) change(null)
}

function change(next: Notice | null): void {
  shown = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The place of what is said. Stands on the page once. */
export function Notices() {
  const notice = useSyncExternalStore(subscribe, () => shown)
  const aloud = useSyncExternalStore(subscribe, () => spoken)
  const message = notice && (
    <p key={notice.turn} className={classes.notice} data-bad={notice.bad || undefined}>
      <span dir="auto">{notice.text}</span>
      {notice.action && (
        <button
          type="button"
          className={classes.quiet}
          onClick={() => {
            change(null)
            notice.action?.run()
          }}
        >
          {notice.action.label}
        </button>
      )}
      <button type="button" className={classes.quiet} onClick={() => change(null)}>
        <Trans>Close</Trans>
      </button>
    </p>
  )
  return (
    <div className={classes.notices}>
      <div role="status">{notice?.bad ? null : message}</div>
      <div role="alert">{notice?.bad ? message : null}</div>
      <div role="status" className={classes.hidden}>
        {aloud}
      </div>
    </div>
  )
}
