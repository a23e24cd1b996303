import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ActionIcon } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconRefresh, IconX } from '@tabler/icons-react'
import { useQueries } from '@tanstack/react-query'
import type { PostDelivery } from '#contract'
import { call } from '../api/client.ts'
import { queryKeys } from '../api/query-keys.ts'
import { outcomeWords } from '../post-set-actions/outcome-words.ts'
import { networksOf, type RetryAnswer } from '../post-set-actions/use-retry.tsx'
import classes from './results.module.css'

interface RetryAnswersProps {
  /** When it was asked for, in ms: what was read before says nothing. */
  at: number
  answers: readonly RetryAnswer[]
  onClose: () => void
}

/** What a retry of several posts came to: a line for each, which follows what becomes of it. */
export function RetryAnswers({ at, answers, onClose }: RetryAnswersProps) {
  const followed = useFollowed(answers, at)
  const having = (state: State) => followed.filter((post) => post.state === state).length
  return (
    <section className={classes.answers} aria-label={t`Retry results`}>
      <div className={classes.answersHead}>
        <strong role="status">{headline(having('under-way'), having('live'), having('failed'))}</strong>
        <ActionIcon variant="subtle" color="gray" size={28} aria-label={t`Close`} onClick={onClose}>
          <IconX size={16} aria-hidden />
        </ActionIcon>
      </div>
      <ul>
        {followed.map(({ id, name, state, words, left }) => {
          const Icon = ICONS[state]
          const sentences = [...words, ...left].join(' ')
          return (
            <li key={id}>
              <Icon size={14} aria-hidden />
              <span>
                <Trans>
                  <span dir="auto">“{name}”</span>: {sentences}
                </Trans>
              </span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

type State = 'under-way' | 'live' | 'failed' | 'left'

const ICONS = { 'under-way': IconRefresh, live: IconCircleCheck, failed: IconAlertTriangle, left: IconAlertTriangle }

interface Followed extends RetryAnswer {
  state: State
  words: readonly string[]
}

/** Events say when there is news. Should they not come, each is asked for this often, and many at a slower pace. */
const ASK_MS = 5_000
const ASK_EACH_MS = 500

function useFollowed(answers: readonly RetryAnswer[], at: number): readonly Followed[] {
  const pace = Math.max(ASK_MS, ASK_EACH_MS * answers.length)
  const deliveries = useQueries({
    queries: answers.map(({ id, retried }) => ({
      queryKey: [...queryKeys.postSets.one(id), 'outcome', at],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        call('GET /post-sets/:id/deliveries', { params: { id }, signal }),
      enabled: retried.length > 0,
      refetchInterval: ({ state: { data } }: { state: { data?: { data: readonly PostDelivery[] } | undefined } }) =>
        ended(data?.data, retried) ? false : pace,
    })),
  })
  return answers.map((answer, index) => {
    const { retried } = answer
    if (retried.length === 0) return { ...answer, state: 'left', words: [] }
    const known = ended(deliveries[index]?.data?.data, retried)
    if (known) {
      const failed = known.some(({ result }) => result?.status === 'FAILED')
      return { ...answer, state: failed ? 'failed' : 'live', words: [outcomeWords(known)] }
    }
    const networks = networksOf(retried)
    return { ...answer, state: 'under-way', words: [t`Being published again on ${networks}.`] }
  })
}

/** The outcome of those that were sent again; null while it is not known of all of them. */
function ended(
  deliveries: readonly PostDelivery[] | undefined,
  retried: RetryAnswer['retried'],
): readonly PostDelivery[] | null {
  const sent = deliveries?.filter(({ postId }) => retried.some((post) => post.postId === postId)) ?? []
  return sent.length > 0 && sent.every(({ result }) => result) ? sent : null
}

function headline(underWay: number, live: number, failed: number): string {
  const parts = [
    underWay > 0 &&
      plural(underWay, { one: '# post is being published again.', other: '# posts are being published again.' }),
    live > 0 && plural(live, { one: '# post is live now.', other: '# posts are live now.' }),
    failed > 0 && plural(failed, { one: '# post failed again.', other: '# posts failed again.' }),
  ].filter((part) => part !== false)
  return parts.length > 0 ? parts.join(' ') : t`No post is being published again.`
}
