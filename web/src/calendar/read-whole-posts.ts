import type { CalendarCard, PostSet } from '#contract'
import * as LIMITS from '#contract/limits'
import { call } from '../api/client.ts'
import { wholePosts } from './whole-posts.ts'

const PAGE = LIMITS.page.maxSize

/** What the sets of cards say as a whole, by their ids: cards have the beginning alone. One that is gone by now is left out. */
export async function readWholePosts(
  cards: readonly Pick<CalendarCard, 'scheduledAt' | 'socialSetId'>[],
): Promise<ReadonlyMap<string, string>> {
  const ofBrands = [...Map.groupBy(cards, (card) => card.socialSetId)]
  const read = await Promise.all(ofBrands.map(([socialSetId, own]) => readOfBrand(socialSetId, own)))
  return new Map(read.flat())
}

async function readOfBrand(
  socialSetId: string,
  cards: readonly Pick<CalendarCard, 'scheduledAt'>[],
): Promise<[string, string][]> {
  const [first, last] = [cards.at(0), cards.at(-1)].map((card) => card?.scheduledAt ?? '').toSorted()
  if (!first || !last) return []
  const range = { 'filters[startDate]': first, 'filters[endDate]': justAfter(last) }
  const sets: PostSet[] = []
  for (let page = 1; ; page++) {
    const { data, pagination } = await call('GET /post-sets', { query: { socialSetId, ...range, page, size: PAGE } })
    sets.push(...data)
    if (page >= pagination.totalPages) return sets.map(({ id, posts }) => [id, wholePosts(posts)])
  }
}

const justAfter = (time: string) => new Date(Date.parse(time) + 1_000).toISOString()
