import { useUploads } from '../uploads/upload-list.ts'
import type { DraftMedia } from './draft.ts'

/** Tells the files that cannot be used: each says so in its place in the strip, and goes out nowhere. */
export function useRefused(): (item: Pick<DraftMedia, 'upload'>) => boolean {
  const uploads = useUploads()
  return ({ upload }) => upload !== null && uploads.some(({ key, state }) => key === upload && state === 'refused')
}
