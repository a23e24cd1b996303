import { actingAs } from './acting-as.ts'
import { basePath } from './base.ts'

/** Where files go, by the tus protocol. */
export const uploadAddress = `${basePath}/internal/media-upload/files`

/** The headers of every request that a library sends for this page. */
export function pageHeaders(): Record<string, string> {
  const drawnFor = actingAs()
  return drawnFor === null ? {} : { 'almanac-acting-as': drawnFor }
}
