import { api } from './client.ts'

interface Page<T> {
  data: T[]
  pagination: { page: number; totalPages: number }
}

const MAX_SIZE = 100

/** All that a list of the interface has, page after page. For lists that are short by nature. */
export async function readEveryPage<T>(path: string, signal: AbortSignal): Promise<T[]> {
  const all: T[] = []
  for (let page = 1; ; page++) {
    const { data, pagination } = await api.get<Page<T>>(path, { query: { page, size: MAX_SIZE }, signal })
    all.push(...data)
    if (page >= pagination.totalPages) return all
  }
}
