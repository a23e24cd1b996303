import { plural, t } from '@lingui/core/macro'
import type { PostSet } from '#contract'
import { nameOf, type PostSetSubject } from '../planning/posts/subject.ts'
import type { TimePreferences } from '../time/zones.ts'
import { weekLater } from './duplicate-times.ts'
import type { makeNotify } from './notify.ts'
import type { MoveTarget } from './plan-move.ts'
import type { Ask, DuplicateWhen } from './prompt.ts'
import { duplicateOne, readPostSetsAgain } from './requests.ts'
import { saidTime } from './words.ts'

interface Deps extends ReturnType<typeof makeNotify> {
  zone: string
  /** By whose clock times are said. */
  saidIn: string
  preferences: TimePreferences
  ask: Ask
  focus: (id: string) => void
  instantOf: (subject: PostSetSubject, target: MoveTarget) => Promise<string | null>
}

/** Asks when, then makes drafts of posts, which one undo takes away again. */
export async function duplicate(subjects: readonly PostSetSubject[], deps: Deps): Promise<void> {
  const { saidIn, preferences, ask, focus, offerUndo, attempt } = deps
  const [first] = subjects
  if (!first) return
  const when = await ask<'duplicate'>((answer) => ({ kind: 'duplicate', subjects, answer }))
  const times = when && (await timesOf(subjects, when, deps))
  if (!times) return focus(first.id)
  const made: PostSet[] = []
  const offer = () => {
    const [copy] = made
    if (!copy) return
    void readPostSetsAgain()
    const sentence =
      subjects.length === 1
        ? t`${nameOf(first)} duplicated as a draft for ${saidTime(copy.scheduledAt, saidIn, preferences)}.`
        : plural(made.length, { one: '# post duplicated as a draft.', other: '# posts duplicated as drafts.' })
    // The copies are gone then: the focus goes to what they are of.
    offerUndo(sentence, made, { delete: true }, first.id)
  }
  await attempt(subjects, async () => {
    try {
      for (const [index, { id }] of subjects.entries()) {
        made.push(await duplicateOne(id, { scheduledAt: times[index] ?? null }))
      }
    } finally {
      offer()
    }
  })
  focus(made[0]?.id ?? first.id)
}

/** When each copy is due; null when the person turned back. */
async function timesOf(
  subjects: readonly PostSetSubject[],
  when: DuplicateWhen,
  { zone, instantOf }: Deps,
): Promise<string[] | null> {
  switch (when.when) {
    case 'week':
      return subjects.map(({ scheduledAt }) => weekLater(scheduledAt, zone))
    case 'free':
      return [...when.at]
    case 'same':
      return subjects.map(({ scheduledAt }) => scheduledAt)
    case 'time': {
      const [only] = subjects
      const instant = only ? await instantOf(only, when.target) : null
      return instant === null ? null : [instant]
    }
  }
}
