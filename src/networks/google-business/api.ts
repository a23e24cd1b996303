import { apiClient, type Call, type Called, type Caller, type Listing, pages } from '../kit/api.ts'
import { parsePage } from './wire.ts'

/** Google's APIs have a host each: calls name the whole address. */
export const call = apiClient({ base: () => '' })

/** Reads a listing. `list`: its name in the answer. */
export function listAll<T>(
  caller: Caller,
  {
    path,
    query,
    list,
    parse,
    most,
    until,
  }: Pick<Call<T>, 'path' | 'query'> & {
    list: string
    parse(entry: unknown): T | undefined
    most: number
    until?(all: readonly T[]): boolean
  },
): Promise<Called<Listing<T>>> {
  return pages(
    most,
    (pageToken) =>
      call(caller, {
        method: 'GET',
        path,
        query: { ...query, ...(pageToken === null ? {} : { pageToken }) },
        timeoutMs: 15_000,
        parse: (body) => parsePage(body, list, parse),
      }),
    until,
  )
}
