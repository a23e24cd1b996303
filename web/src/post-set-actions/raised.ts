import type { Version } from './requests.ts'

/**
 * Sends a change of one set and answers the version that it has led to. None when the set was so already: by the version
 * that it has, an older change would be taken back.
 */
export async function raised(before: Version, send: (before: Version) => Promise<Version>): Promise<Version[]> {
  const { id, version } = await send(before)
  return version > before.version ? [{ id, version }] : []
}
