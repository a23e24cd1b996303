import { useUploads } from '../uploads/upload-list.ts'
import type { DraftMedia } from './draft-shape.ts'

/** Tells the files that cannot be used: each says so in its place in the strip, and goes out nowhere. */
export function useRefused(): (item: Pick<DraftMedia, 'upload'>) => boolean {
  const uploads = useUploads()
  return ({ upload }) => upload !== null && uploads.some(({ key, state }) => key === upload && state === 'refused')
}

/** Says of a file in a draft whether another browser has its upload. */
export function useElsewhere(): (item: Pick<DraftMedia, 'upload'>) => boolean {
  const uploads = useUploads()
  return ({ upload }) => upload !== null && !uploads.some(({ key }) => key === upload)
}
