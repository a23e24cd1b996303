import { AlmanacError } from './errors.ts'
import type { Call, RequestOptions, Transport } from './request.ts'
import type { Page } from './types.ts'

/** A list: awaited it is its first page, and `for await` goes through all that there is. */
export interface Pages<T> extends Call<Page<T>>, AsyncIterable<T> {}

/** Asks for a list, page by page as it is read. */
export function listPages<T>(
  transport: Transport,
  path: string,
  query: { page?: number | undefined } = {},
  options: RequestOptions = {},
): Pages<T> {
  const pageAt = (page: number | undefined) =>
    transport.send<Page<T>>({ method: 'GET', path, query: page === undefined ? query : { ...query, page } }, options)
  const first = pageAt(query.page)
  return Object.assign(first, {
    async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
      let page = await first
      for (;;) {
        yield* page.data
        const { page: number, totalPages, totalIsExact } = page.pagination
        if (number >= totalPages) {
          if (totalIsExact) return
          throw new AlmanacError('The list has more entries than its pages reach. Narrow it by filters.')
        }
        page = await pageAt(number + 1)
      }
    },
  })
}
