import { useEffect, useState } from 'react'
import type { NetworkDescription, Picker, PostOptions } from '#contract'
import { mediaAddress } from '../api/media-address.ts'
import type { DraftMedia, DraftPost } from './draft-shape.ts'

/** A slider passes many seconds on its way. */
const SETTLED_MS = 250
/** How a moment of a video is written. */
export const PER_SECOND = { moment: 1, millisecond: 1_000 } as const
export type Moment = keyof typeof PER_SECOND

export const isMoment = (picker: Picker | null): picker is Moment => picker !== null && picker in PER_SECOND

/** The second of its first video that a post has chosen as its cover; null: the network chooses, or a story, which has none. */
export function coverOf({ fields }: Pick<DraftPost, 'fields'>, network: NetworkDescription | undefined): number | null {
  if (fields.type === 'STORY' || !network) return null
  const options = (fields.options ?? {}) as PostOptions
  const given = [
    ...network.fields.map(({ name, picker }) => ({ picker, value: fields[name] })),
    ...network.options.map(({ name, picker }) => ({ picker, value: options[name] })),
  ]
  for (const { picker, value } of given) {
    if (isMoment(picker) && typeof value === 'number') return value / PER_SECOND[picker]
  }
  return null
}

/** The files of a post, its first video with the frame that the post has chosen, as far as this browser can draw it. */
export function useCover(media: readonly DraftMedia[], seconds: number | null): readonly DraftMedia[] {
  const place = media.findIndex(({ type }) => type === 'VIDEO')
  const video = place === -1 ? undefined : media[place]
  const source = seconds === null || !video?.url ? null : mediaAddress(video.url)
  const [drawn, setDrawn] = useState<{ of: string; picture: string } | null>(null)
  const wanted = source === null ? null : `${seconds} ${source.split('?')[0]}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: an address that is signed again is of the same video
  useEffect(() => {
    if (wanted === null || source === null || seconds === null) return
    const ending = new AbortController()
    let picture: string | null = null
    const timer = window.setTimeout(async () => {
      const { drawAt } = await import('../uploads/draw-frame.ts')
      const frame = await drawAt(source, seconds, ending.signal)
      if (!frame || ending.signal.aborted) return
      picture = URL.createObjectURL(frame)
      setDrawn({ of: wanted, picture })
    }, SETTLED_MS)
    return () => {
      window.clearTimeout(timer)
      ending.abort()
      if (picture !== null) URL.revokeObjectURL(picture)
    }
  }, [wanted])
  if (drawn === null || drawn.of !== wanted) return media
  return media.map((item, index) => (index === place ? { ...item, thumbnailUrl: drawn.picture } : item))
}
