import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Text } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ApprovalItem } from '#contract'
import { actorWords } from '../posts/actor-words.ts'
import { ChangesShown } from '../posts/changes-shown.tsx'
import { awaitsReview } from '../posts/subject.ts'
import { changesQuery } from './review-queries.ts'
import { countWords, givenWords, noneLeftWords, ruleWords } from './review-words.ts'

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

/** Says to those who do not review that no one is left who can; others read it beside their buttons. */
export function NoReviewerLeft({ item }: { item: ApprovalItem }) {
  if (item.cannotApprove !== 'role' || !awaitsReview(item) || item.step === 'CLIENT' || item.reviewersLeft > 0)
    return null
  return (
    <Text size="sm" c="dimmed">
      {noneLeftWords()}
    </Text>
  )
}

/** What has changed since the reader wrote it or decided about it, whichever was later; nothing when it is as it was. */
export function ChangedSinceYours({ item }: { item: ApprovalItem }) {
  const { yourDecision: yours, yourChange, timezone } = item
  if (yourChange && awaitsReview(item) && yourChange.version > (yours?.version ?? 0)) {
    const who = actorWords({ actor: yourChange.changedBy })
    return (
      <Alert color="yellow" p="sm" icon={<IconInfoCircle aria-hidden />} title={t`${who} changed what you wrote`}>
        <ChangesBetween postSetId={item.id} since={yourChange.version} version={item.version} zone={timezone} />
      </Alert>
    )
  }
  if (!yours?.changedSince) return null
  return (
    <Alert
      color="yellow"
      p="sm"
      icon={<IconInfoCircle aria-hidden />}
      title={
        yours.decision === 'approve' ? (
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
function ChangesBetween({ postSetId, since, version, zone }: ChangesBetweenProps) {
  const { data } = useQuery(changesQuery(postSetId, since, version))
  if (!data) return null
  return <ChangesShown postSetId={postSetId} changed={data} zone={zone} />
}
