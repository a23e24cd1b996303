import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { lazyCode } from '../api/code.ts'
import { attentionQuery } from '../connections/queries.ts'
import { NoticePlace } from '../design/notice-place.tsx'
import { OfflineNotice } from '../design/offline-notice.tsx'
import { Part } from '../design/part.tsx'
import { FailuresNotice } from '../failures/failures-notice.tsx'
import { SimulatedLine } from '../first-run/simulated-line.tsx'
import { useAllBrands, useSocialSet } from '../frame/social-sets.ts'
import { HoldNotices } from '../holds/hold-notices.tsx'

// On most days every account works, and everything is saved.
const ReconnectLine = lazyCode(() =>
  import('./reconnect-line.tsx').then(({ ReconnectLine }) => ({ default: ReconnectLine })),
)
const UnsavedLine = lazyCode(() =>
  import('../post-set/unsaved-line.tsx').then(({ UnsavedLine }) => ({ default: UnsavedLine })),
)

/** What there is to know, the worst first: of everything on every screen, of a brand over its calendar. */
export function Notices({ small = false }: { small?: boolean }) {
  const { socialSet, sets } = useSocialSet()
  const { pathname, search } = useLocation()
  const { connections = [] } = useQuery(attentionQuery).data ?? {}
  const all = useAllBrands()
  const planning = pathname.startsWith('/scheduling/')
  const brand = planning && !all ? socialSet : undefined
  const written = planning && all ? sets : brand
  const isWriting = 'post' in search && search.post === 'new'
  const unsaved = <Part>{written && !isWriting && <UnsavedLine key={brand?.id} brands={written} />}</Part>
  return (
    <NoticePlace small={small}>
      <OfflineNotice />
      <HoldNotices />
      <Part>{connections.length > 0 && <ReconnectLine connections={connections} />}</Part>
      {brand && (
        <>
          <FailuresNotice socialSetId={brand.id} />
          {unsaved}
          <SimulatedLine key={brand.id} socialSet={brand} />
        </>
      )}
      {!brand && unsaved}
    </NoticePlace>
  )
}
