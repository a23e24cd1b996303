import { plural, t } from '@lingui/core/macro'
import { useCallback, useMemo, useState } from 'react'
import type { AccountType, PostSet, Why } from '#contract'
import { readAgain } from '../api/change.ts'
import { call, type EndpointName } from '../api/client.ts'
import { announce } from '../design/announce.tsx'
import { networkName } from '../design/network-icon.tsx'
import { showDone, showError } from '../design/toast.tsx'
import { listOf } from '../design/words.ts'
import { wordsOfProblem, wordsOfWhy } from '../language/server-words.ts'
import { nextSensibleTime, today } from '../planning/dates/dates.ts'
import { followOutcome } from './follow.ts'
import { makeNotify } from './notify.ts'
import { duplicateOne } from './requests.ts'

/** A post set that failed, or a part of it. */
interface RetrySubject {
  id: string
  /** What it is called in sentences. */
  name: string
}

/** What a retry of one post of several came to, for the person. */
export interface RetryAnswer extends RetrySubject {
  /** What of it is sent again. */
  retried: readonly OnNetwork[]
  /** Sentences: what is left, and why. */
  left: readonly string[]
}

export interface Retry {
  /** What is under way: ids of post sets. */
  busy: ReadonlySet<string>
  /** Sends again what failed of a post, or those of its posts that are named. A message follows what becomes of it. */
  retry: (subject: RetrySubject, postIds?: readonly string[]) => Promise<void>
  /** The same for several. Answers what came of each, in the order given; null when none could be asked for. */
  retryAll: (subjects: readonly RetrySubject[]) => Promise<RetryAnswer[] | null>
  /** Asks the network at once about what it has not confirmed. */
  look: (subject: RetrySubject, postIds?: readonly string[]) => Promise<void>
  /** Makes a draft of what failed, for the next sensible time in the zone, and offers to undo it; null when that was refused. */
  copyFailed: (subject: RetrySubject, zone: string) => Promise<PostSet | null>
}

interface Options {
  /** Shows a post: in the message about one that failed again. */
  see: (id: string) => void
}

/** What is done about posts that failed, from wherever they are shown. The server decides what is safe. */
export function useRetry({ see }: Options): Retry {
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set())

  const during = useCallback(
    async <T,>(name: EndpointName, ids: readonly string[], run: () => Promise<T>): Promise<T | null> => {
      setBusy((now) => new Set([...now, ...ids]))
      try {
        return await run()
      } catch (error) {
        showError(error)
        return null
      } finally {
        // Until it is shown what has changed, it cannot be pressed again.
        void readAgain(name).finally(() => setBusy((now) => new Set([...now].filter((id) => !ids.includes(id)))))
      }
    },
    [],
  )

  return useMemo<Retry>(
    () => ({
      busy,
      retry: async ({ id, name }, postIds) => {
        await during('POST /post-sets/:id/retry', [id], async () => {
          const { retried } = await call('POST /post-sets/:id/retry', {
            params: { id },
            body: postIds ? { postIds } : {},
          })
          followOutcome({ id, name, postIds: retried.map(({ postId }) => postId), see: () => see(id) })
        })
      },
      retryAll: (subjects) =>
        during(
          'POST /post-sets/retry',
          subjects.map(({ id }) => id),
          async () => {
            const { done, refused } = await call('POST /post-sets/retry', {
              body: { ids: subjects.map(({ id }) => id) },
            })
            const answers = subjects.map((subject): RetryAnswer => {
              const answer = done.find(({ id }) => id === subject.id)
              if (answer) return { ...subject, retried: answer.retried, left: answer.left.map(leftWords) }
              const why = refused.find(({ id }) => id === subject.id)
              return { ...subject, retried: [], left: [why ? wordsOfProblem(why) : t`It was not retried.`] }
            })
            announce(plural(done.length, { one: '# post is being retried.', other: '# posts are being retried.' }))
            return answers
          },
        ),
      look: async ({ id, name }, postIds) => {
        await during('POST /post-sets/:id/look', [id], async () => {
          const { asking } = await call('POST /post-sets/:id/look', {
            params: { id },
            body: postIds ? { postIds } : {},
          })
          const networks = networksOf(asking)
          const words = t`${networks} is being asked about “${name}”. The answer is shown here.`
          announce(words)
          showDone(words)
        })
      },
      copyFailed: ({ id, name }, zone) =>
        during('POST /post-sets/:id/duplicate', [id], async () => {
          const copy = await duplicateOne(id, { scheduledAt: nextSensibleTime(today(zone), zone), only: 'failed' })
          const { offerUndo } = makeNotify({ open: see, focus: see })
          // Taken back, it leads to where it was begun.
          offerUndo(t`Created a draft with the failed posts of ${name}.`, [copy], { delete: true }, id)
          return copy
        }),
    }),
    [busy, during, see],
  )
}

interface OnNetwork {
  postId: string
  accountType: AccountType
}

function leftWords({ accountType, why }: OnNetwork & { why: Why }): string {
  const [network, words] = [networkName(accountType), wordsOfWhy(why)]
  return t`Left as it is on ${network}: ${words}`
}

export function networksOf(posts: readonly Pick<OnNetwork, 'accountType'>[]): string {
  return listOf([...new Set(posts.map(({ accountType }) => networkName(accountType)))])
}
