import { expect } from 'vitest'
import type { Ending } from './deliver.ts'
import type { Sample } from './harness.ts'

/** What a network holds of a sample that was made, by its result: as many as there are, in their order, each below the one before. */
export function postsOf(sample: Sample, post: Ending) {
  if (post.kind !== 'made') return []
  const { thread = [] } = sample
  const known = post.thread ?? []
  expect(known).toEqual(
    thread.map(() => ({ providerId: expect.any(String), permalink: expect.stringMatching(/^https?:\/\//) })),
  )
  const ids = [post.providerId, ...known.map(({ providerId = null }) => providerId)]
  return [sample, ...thread].map(({ caption, media = [] }, nth) => {
    const shown = nth === 0 && sample.shows !== undefined ? sample.shows : media.length
    return { id: ids[nth], text: caption, media: shown, replyTo: nth === 0 ? undefined : ids[nth - 1] }
  })
}
