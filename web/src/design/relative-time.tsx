import { Tooltip, VisuallyHidden } from '@mantine/core'
import { usePreferences } from '../api/session.ts'
import { relativeTime } from '../time/relative.ts'
import { useViewerZone } from '../time/viewer.ts'
import { formatDateTime } from '../time/zones.ts'

/** "3 minutes ago", with the exact time for the pointer and for screen readers. */
export function RelativeTime({ instant }: { instant: string }) {
  const preferences = usePreferences()
  const zone = useViewerZone()
  const exact = `${formatDateTime(instant, zone, preferences)} (${zone})`
  return (
    <Tooltip label={exact}>
      <time dateTime={instant}>
        {relativeTime(instant, Date.now())}
        <VisuallyHidden>, {exact}</VisuallyHidden>
      </time>
    </Tooltip>
  )
}
