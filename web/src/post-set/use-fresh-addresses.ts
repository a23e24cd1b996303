import { type Dispatch, type SetStateAction, useEffect } from 'react'
import { HOUR_MS } from '#contract/durations'
import { call } from '../api/client.ts'
import { addressEnds, mapMedia, mediaIn } from './draft.ts'
import type { Draft } from './draft-shape.ts'

/** So long before an address ends it is asked for again: it has to do until the post is written. */
const MARGIN_MS = HOUR_MS

/** Addresses of files are signed for two days: those of a draft that was kept for longer are asked for again. */
export function useFreshAddresses(draft: Draft, setDraft: Dispatch<SetStateAction<Draft>>): void {
  const ended = mediaIn(draft).filter(({ url }) => url !== null && addressEnds(url) < Date.now() + MARGIN_MS)
  const ids = [...new Set(ended.map(({ mediaLibraryId }) => mediaLibraryId))].join(' ')
  useEffect(() => {
    if (ids === '') return
    let left = false
    const asked = ids.split(' ').map((id) => call('GET /media-library/:id', { params: { id } }))
    void Promise.allSettled(asked).then((answers) => {
      if (left) return
      // A file that is gone stays as it is: that it is missing is said by the check.
      const items = new Map(answers.flatMap((one) => (one.status === 'fulfilled' ? [[one.value.id, one.value]] : [])))
      setDraft((now) =>
        mapMedia(now, (media) => {
          const item = items.get(media.mediaLibraryId)
          return item ? { ...media, url: item.url, thumbnailUrl: item.thumbnailUrl } : media
        }),
      )
    })
    return () => {
      left = true
    }
  }, [ids, setDraft])
}
