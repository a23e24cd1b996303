import { Trans } from '@lingui/react/macro'
import { Alert, Text } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ApprovalItem } from '#contract'
import { ChangesShown } from './changes-shown.tsx'
import { changesQuery } from './review-queries.ts'
import { countWords, givenWords, ruleWords } from './review-words.ts'

/** Who has to approve a post, and who has: nothing where no rule binds and no one is asked. */
export function ApprovalCount({ item }: { item: ApprovalItem }) {
  const count = countWords(item)
  const given = item.approval === 'APPROVED' ? null : givenWords(item)
  if (item.rule === 'OPTIONAL' || item.status === 'PUBLISHED' || item.status === 'PUBLISHING') return null
  return (
    <Text size="sm" role="status">
      {count !== null && <strong>{count}. </strong>}
      {given ?? ruleWords({ rule: item.rule, reviewers: item.approvals.needed })}
    </Text>
  )
}

/** What has changed since the reader decided about the post; nothing when it is as it was. */
export function ChangedSinceYours({ item }: { item: ApprovalItem }) {
  const { yourDecision: yours, timezone } = item
  if (!yours?.changedSince) return null
  return (
    <Alert
      color="yellow"
      p="sm"
      icon={<IconInfoCircle aria-hidden />}
      title={
        yours.decision === 'APPROVED' ? (
          <Trans>Changed since you approved</Trans>
        ) : (
          <Trans>Changed since you asked for changes</Trans>
        )
      }
    >
      <ChangesBetween postSetId={item.id} since={yours.version} version={item.version} zone={timezone} />
    </Alert>
  )
}

interface ChangesBetweenProps {
  postSetId: string
  since: number
  version: number
  zone: string
}

/** What is different between two versions of a post, once it has come. */
export function ChangesBetween({ postSetId, since, version, zone }: ChangesBetweenProps) {
  const { data } = useQuery(changesQuery(postSetId, since, version))
  if (!data) return null
  return <ChangesShown postSetId={postSetId} changed={data} zone={zone} />
}
