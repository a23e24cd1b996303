import { Trans, useLingui } from '@lingui/react/macro'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { CardState, MediaUse, SocialSet } from '#contract'
import { usePreferences } from '../api/session.ts'
import { networkName } from '../design/network-icon.tsx'
import { ErrorState, LoadingRows } from '../design/states.tsx'
import { RouterAnchor } from '../frame/links.tsx'
import { STATE_WORDS } from '../planning/posts/card-words.ts'
import { kindsBeside } from '../planning/posts/kind-words.ts'
import { nameOf } from '../planning/posts/subject.ts'
import { formatDateTime } from '../time/zones.ts'
import classes from './library.module.css'
import { usesQuery } from './library-queries.ts'

interface FileUsesProps {
  fileId: string
  socialSet: SocialSet
  /** Those alone that keep the file from being deleted. */
  blocking?: boolean
}

/** The posts that have a file, each a link to its panel. */
export function FileUses({ fileId, socialSet, blocking = false }: FileUsesProps) {
  const { t } = useLingui()
  const { data, error, refetch } = useQuery(usesQuery(fileId))
  if (error && !data) {
    return <ErrorState title={t`The posts could not be loaded`} error={error} onRetry={() => void refetch()} />
  }
  if (!data) return <LoadingRows rows={2} height={36} />
  const uses = blocking ? data.data.filter(({ blocks }) => blocks) : data.data
  if (uses.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        <Trans>No post has this file.</Trans>
      </Text>
    )
  }
  const more = data.total - data.data.length
  return (
    <>
      <ul className={classes.uses}>
        {uses.map((use) => (
          <Use key={use.id} use={use} socialSet={socialSet} />
        ))}
      </ul>
      {more > 0 && (
        <Text size="sm" c="dimmed">
          <Trans>and {more} more</Trans>
        </Text>
      )}
    </>
  )
}

function Use({ use, socialSet }: { use: MediaUse; socialSet: SocialSet }) {
  const preferences = usePreferences()
  const networks = use.accountTypes.map(networkName).join(', ')
  const status = STATE_WORDS[use.status.toLowerCase() as CardState]
  const time = formatDateTime(use.scheduledAt, socialSet.timezone, preferences)
  const about = [status, time, kindsBeside(use), networks].filter((part) => part !== null)
  return (
    <li>
      <RouterAnchor
        size="sm"
        to="/scheduling/calendar/$view"
        params={{ view: 'month' }}
        search={{ set: socialSet.id, post: use.id }}
        dir="auto"
      >
        {use.excerpt || nameOf(use)}
      </RouterAnchor>
      <small>{about.join(' · ')}</small>
    </li>
  )
}
