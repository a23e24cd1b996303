import { usePreferences } from '../api/session.ts'
import { viewerZone } from './zones.ts'

/** The zone of the viewer: the one chosen in the profile, or else that of the browser. */
export function useViewerZone(): string {
  return usePreferences().timezone ?? viewerZone()
}
