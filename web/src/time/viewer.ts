import { usePreferences } from '../api/session.ts'
import { viewerZone } from './zones.ts'

/** The zone of whoever looks: the one chosen in the profile, or else that of the browser. */
export function useViewerZone(): string {
  return usePreferences().timezone ?? viewerZone()
}
