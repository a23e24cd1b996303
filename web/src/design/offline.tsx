import { Trans } from '@lingui/react/macro'
import { useSyncExternalStore } from 'react'

/** Whether this computer has a network, as far as the browser knows. */
export const useOnline = () => useSyncExternalStore(onConnection, () => navigator.onLine)

/** Why nothing can be read now. */
export function OfflineWords({ online }: { online: boolean }) {
  return online ? (
    <Trans>The server does not answer. What you see may be out of date, and nothing can be saved.</Trans>
  ) : (
    <Trans>You are offline. What you see may be out of date, and nothing can be saved.</Trans>
  )
}

function onConnection(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}
