import { Trans, useLingui } from '@lingui/react/macro'
import { IconAlertTriangle, IconCloudOff } from '@tabler/icons-react'
import { useEffect } from 'react'
import { isOutage } from '../api/api-error.ts'
import { messageOf, requestIdOf } from '../design/error-text.ts'
import { OfflineWords, useOnline } from '../design/offline.tsx'
import { useSlow } from '../design/use-slow.ts'
import classes from './controls.module.css'

/** In the place of what is being read. Nothing for the first moment: most is there by then. */
export function Loading() {
  const slow = useSlow()
  return (
    <div role="status">
      {slow && (
        <div className={classes.loading}>
          <p>
            <Trans>Loading…</Trans>
          </p>
          <i />
          <i />
          <i />
        </div>
      )}
    </div>
  )
}

/** What could not be read, why, and another try. */
export function Failed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const requestId = requestIdOf(error)
  return (
    <div className={classes.failed} role="alert">
      <p>
        <IconAlertTriangle size={18} aria-hidden /> {messageOf(error)}
      </p>
      {requestId && (
        <p className={classes.dim}>
          <Trans>
            Request <code>{requestId}</code>
          </Trans>
        </p>
      )}
      <button type="button" className={classes.button} onClick={onRetry}>
        <Trans>Retry</Trans>
      </button>
    </div>
  )
}

/** Says that what is on the page may be old, while nothing can be read. */
export function Offline({ error }: { error: unknown }) {
  const online = useOnline()
  return (
    <div role="status">
      {(!online || isOutage(error)) && (
        <p className={classes.offline}>
          <IconCloudOff size={18} aria-hidden />
          <span>
            <OfflineWords online={online} />
          </span>
        </p>
      )}
    </div>
  )
}

/** A member has looked for as long as a preview lasts, or the link is closed. */
export function PreviewOver() {
  return (
    <main className={classes.over}>
      <h1>
        <Trans>This preview has ended</Trans>
      </h1>
      <p>
        <Trans>Open it again from Shared calendars in Settings.</Trans>
      </p>
    </main>
  )
}

/** The visit has ended. Nothing of the calendar is left on the page. */
export function NotShared() {
  const { t } = useLingui()
  const title = t`Shared calendar`
  useEffect(() => {
    document.title = `${title} · Almanac`
  }, [title])
  return (
    <main className={classes.over}>
      <h1>
        <Trans>This calendar is not shared any more</Trans>
      </h1>
      <p>
        <Trans>Ask the people who sent you the link for a new one.</Trans>
      </p>
    </main>
  )
}
