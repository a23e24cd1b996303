import type { Page } from '#contract'
import * as LIMITS from '#contract/limits'

/** All that a list of the API has, page after page. For lists that are short by nature. */
export async function readEveryPage<T>(
  readPage: (query: { page: number; size: number }) => Promise<Page<T>>,
): Promise<T[]> {
  const all: T[] = []
  for (let page = 1; ; page++) {
    const { data, pagination } = await readPage({ page, size: LIMITS.page.maxSize })
    all.push(...data)
    if (page >= pagination.totalPages) return all
  }
}
