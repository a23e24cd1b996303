import { t } from '@lingui/core/macro'
import { IconCloudOff } from '@tabler/icons-react'
import { useSyncExternalStore } from 'react'
import { isReachable, onReachable } from '../api/reachable.ts'
import { NoticeLine } from './notice-line.tsx'
import { OfflineWords, useOnline } from './offline.tsx'
import { useAskWhenOnline } from './states.tsx'

/** Says that this computer has no network, or that the server does not answer, while it is so. */
export function OfflineNotice() {
  useAskWhenOnline()
  const online = useOnline()
  const reachable = useSyncExternalStore(onReachable, isReachable)
  if (online && reachable) return null
  return (
    <NoticeLine tone="warn" label={t`No connection`} Icon={IconCloudOff}>
      <OfflineWords online={online} />
    </NoticeLine>
  )
}
