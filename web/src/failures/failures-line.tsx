import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { IconAlertTriangle } from '@tabler/icons-react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { ResultItem } from '#contract'
import { call } from '../api/client.ts'
import { queryKeys } from '../api/query-keys.ts'
import { usePreferences } from '../api/session.ts'
import { NoticeLine } from '../design/notice-line.tsx'
import { showError } from '../design/toast.tsx'
import { RouterButton } from '../frame/links.tsx'
import { useIsWide } from '../frame/use-is-wide.ts'
import { dayOf } from '../planning/dates/dates.ts'
import { shortDay } from '../planning/dates/titles.ts'
import { nameOf } from '../planning/posts/subject.ts'
import { failureSentence } from './failure-words.ts'
import { markSeen } from './queries.ts'

/** As many failures are named; the rest is a number. On a phone there is room for one. */
const MOST_NAMED = 2
/** The newest failure may be of an older post. */
const LOOKED_AT = 10

const newestQuery = (socialSetId: string) =>
  queryOptions({
    queryKey: queryKeys.results.list({ notice: socialSetId }),
    queryFn: ({ signal }) =>
      call('GET /results', { query: { socialSetId, group: 'needs-you', size: LOOKED_AT }, signal }),
  })

/** "2 posts failed. “Fresh bread” on Tue 8 Dec: Instagram refused the post." with the way to them. */
export function FailuresLine({ socialSetId, number }: { socialSetId: string; number: number }) {
  const { t } = useLingui()
  const { data } = useQuery(newestQuery(socialSetId))
  const items = data?.groups[0]?.data ?? []
  const { locale } = usePreferences()
  const most = useIsWide() ? MOST_NAMED : 1
  const named = items.flatMap((item) => (item.unseen ? sentencesOf(item, locale) : [])).slice(0, most)
  const until = data?.newestFailureAt
  const posts = plural(number, { one: '# post failed.', other: '# posts failed.' })
  return (
    <NoticeLine
      tone="danger"
      label={t`Failed posts`}
      Icon={IconAlertTriangle}
      action={
        <RouterButton to="/results" size="compact-sm" variant="default">
          {plural(number, { one: 'See it', other: 'See them' })}
        </RouterButton>
      }
      hide={
        until === undefined || until === null
          ? undefined
          : { label: t`I have seen it`, run: () => void markSeen(until, socialSetId).catch(showError) }
      }
    >
      <strong>{posts}</strong> {named.join(' ')}
    </NoticeLine>
  )
}

/** That the account must be reconnected is a notice of its own. */
const waitsForReconnecting = ({ fix, retry }: NonNullable<ResultItem['posts'][number]['failure']>) =>
  fix === 'reconnect' && !retry.possible

function sentencesOf(item: ResultItem, locale: string | null): string[] {
  const name = nameOf(item)
  const day = shortDay(Temporal.PlainDate.from(dayOf(item.scheduledAt, item.timezone)), locale)
  const failed = item.posts.filter(({ failure }) => failure && !waitsForReconnecting(failure))
  return [...new Set(failed.map((post) => failureSentence({ name, day, post })))]
}
