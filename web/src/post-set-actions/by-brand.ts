import type { PostSetSubject } from '../planning/posts/subject.ts'

/** Brand after brand: each has its own clock and rule. */
export async function byBrand(
  subjects: readonly PostSetSubject[],
  run: (some: readonly PostSetSubject[], first: PostSetSubject) => Promise<void>,
): Promise<void> {
  for (const some of Map.groupBy(subjects, ({ socialSetId }) => socialSetId).values()) {
    const [first] = some
    if (first) await run(some, first)
  }
}
