/**
 * `npm run test:long` and `npm run test:matrix` run everything (`ALMANAC_WHOLE`), the suites of CI a bounded part of what has many
 * cases: spread over all of them, and short enough to be run before each push. The long suite finds by itself who uses this.
 */
export const WHOLE = process.env.ALMANAC_WHOLE !== undefined

/** At most so many, spread evenly, with the first and the last of them. */
export function part<T>(all: readonly T[], most: number): T[] {
  if (WHOLE || all.length <= most) return [...all]
  const step = most > 1 ? (all.length - 1) / (most - 1) : all.length
  return Array.from({ length: most }, (_, index) => all[Math.floor(index * step)] as T)
}

/** Every pair, or as many as it takes for each of both to be in one. */
export function crossed<A, B>(first: readonly A[], second: readonly B[]): (readonly [A, B])[] {
  if (first.length === 0 || second.length === 0) return []
  if (WHOLE) return first.flatMap((a) => second.map((b) => [a, b] as const))
  const all = <T>(values: readonly T[], index: number) => values[index % values.length] as T
  return Array.from(
    { length: Math.max(first.length, second.length) },
    (_, index) => [all(first, index), all(second, index)] as const,
  )
}
