import Type from 'typebox'
import * as LIMITS from './limits.ts'
import { closed } from './schema.ts'

/** A page of a list. */
export function pageOf<T extends Type.TSchema>(item: T) {
  return closed({
    data: Type.Array(item),
    pagination: closed({
      page: Type.Integer({ minimum: 1 }),
      size: Type.Integer({ minimum: 1 }),
      total: Type.Integer({ minimum: 0, description: 'Exact up to 10,000.' }),
      totalPages: Type.Integer({ minimum: 0 }),
      totalIsExact: Type.Boolean(),
    }),
  })
}

export interface Page<T> {
  data: T[]
  pagination: { page: number; size: number; total: number; totalPages: number; totalIsExact: boolean }
}

/** The envelope of a page. `counted` is one more than `LIMITS.exactTotal` if there is more than is counted. */
export function pageAnswer<T>(data: T[], { page, size }: { page: number; size: number }, counted: number): Page<T> {
  const total = Math.min(counted, LIMITS.exactTotal)
  const totalIsExact = counted <= LIMITS.exactTotal
  return { data, pagination: { page, size, total, totalPages: Math.ceil(total / size), totalIsExact } }
}

/** The rows of a list that a query string requests. */
export function rowsAsked({ page = 1, size = LIMITS.page.defaultSize }: { page?: number; size?: number }) {
  return { page, size, limit: size, offset: (page - 1) * size }
}
