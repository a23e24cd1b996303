import { t } from '@lingui/core/macro'
import type { BulkAction, Right } from '#contract'
import { queryClient } from '../api/query-client.ts'
import { socialSetsQuery } from '../frame/social-sets.ts'
import { type PostSetSubject, whyNotDeletable } from '../planning/posts/subject.ts'
import type { PendingChange } from './pending.ts'
import type { Ask } from './prompt.ts'

interface Deps {
  rights: readonly Right[]
  ask: Ask
  focus: (id: string) => void
  leave: (ids: readonly string[]) => void
  about: (subjects: readonly PostSetSubject[], number: number) => string
  inBulk: (
    subjects: readonly PostSetSubject[],
    action: BulkAction,
    shown: (subject: PostSetSubject) => PendingChange,
    sentenceOf: (number: number) => string,
  ) => Promise<unknown>
}

/** Asks for a brand, then makes drafts of posts there, which one undo takes away again; what is moved is deleted here. */
export async function toBrand(
  subjects: readonly PostSetSubject[],
  wanted: boolean | null,
  { rights, ask, focus, leave, about, inBulk }: Deps,
): Promise<void> {
  const [first] = subjects
  if (!first) return
  const sets = await queryClient.fetchQuery(socialSetsQuery)
  // What is in the chosen one already says so.
  const brands = sets.filter(({ id }) => subjects.some(({ socialSetId }) => socialSetId !== id))
  // What cannot be deleted here can only be copied.
  const movable = subjects.filter((subject) => whyNotDeletable(subject, rights) === null)
  const choice = movable.length === 0 ? false : wanted
  const chosen = await ask<'brand'>((answer) => ({ kind: 'brand', subjects, move: choice, brands, answer }))
  if (!chosen) return focus(first.id)
  const { brand, move } = chosen
  const all = move ? movable : subjects
  if (move) leave(all.map(({ id }) => id))
  await inBulk(
    all,
    { copyTo: { socialSetId: brand.id, move } },
    () => (move ? { deleted: true } : {}),
    (number) => {
      const what = about(all, number)
      return move ? t`${what} moved to ${brand.name}.` : t`${what} copied to ${brand.name}.`
    },
  )
  if (!move) focus(first.id)
}
