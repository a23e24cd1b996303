import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { ActionIcon } from '@mantine/core'
import { IconAlertTriangle, IconX } from '@tabler/icons-react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { ResultItem } from '#contract'
import { call } from '../api/client.ts'
import { queryKeys } from '../api/query-keys.ts'
import { showError } from '../design/toast.tsx'
import { RouterButton } from '../frame/links.tsx'
import { failureTitle } from './failure-words.ts'
import { markSeen } from './queries.ts'
import classes from './strip.module.css'

/** As many failures are named; the rest is a number. */
const MOST_NAMED = 2
/** The newest failure may be of an older post. */
const LOOKED_AT = 10

const newestQuery = (socialSetId: string) =>
  queryOptions({
    queryKey: queryKeys.results.list({ strip: socialSetId }),
    queryFn: ({ signal }) =>
      call('GET /results', { query: { socialSetId, group: 'needs-you', size: LOOKED_AT }, signal }),
  })

/** "2 posts failed. Instagram refused the post." with the way to them. */
export function StripLine({ socialSetId, number }: { socialSetId: string; number: number }) {
  const { t } = useLingui()
  const { data } = useQuery(newestQuery(socialSetId))
  const items = data?.groups[0]?.data ?? []
  const named = sentencesOf(items)
  const until = data?.newestFailureAt
  const posts = plural(number, { one: '# post failed.', other: '# posts failed.' })
  return (
    <section className={classes.strip} aria-label={t`Failed posts`}>
      <IconAlertTriangle size={16} className={classes.icon} aria-hidden />
      <p className={classes.words}>
        <strong>{posts}</strong> {named.join(' ')}
      </p>
      <RouterButton to="/results" size="compact-sm" variant="default" className={classes.action}>
        {plural(number, { one: 'See it', other: 'See them' })}
      </RouterButton>
      {until && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size={28}
          aria-label={t`I have seen it`}
          title={t`I have seen it`}
          onClick={() => void markSeen(until, socialSetId).catch(showError)}
        >
          <IconX size={16} aria-hidden />
        </ActionIcon>
      )}
    </section>
  )
}

function sentencesOf(items: readonly ResultItem[]): string[] {
  const failed = items.filter(({ unseen }) => unseen).flatMap(({ posts }) => posts.filter(({ failure }) => failure))
  return [...new Set(failed.map(failureTitle))].slice(0, MOST_NAMED).map((title) => `${title}.`)
}
