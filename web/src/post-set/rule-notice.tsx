import { Trans, useLingui } from '@lingui/react/macro'
import { Alert, Group, Text } from '@mantine/core'
import { IconHourglass, IconInfoCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Approval, PostSet } from '#contract'
import { useMay } from '../api/session.ts'
import { approvalRuleQuery, reviewQuery } from '../planning/approvals/review-queries.ts'
import { ruleWords } from '../planning/approvals/review-words.ts'
import { awaitsReview } from '../planning/posts/subject.ts'
import { waitingWords } from '../planning/posts/waiting-words.ts'

interface RuleOf {
  /** It binds the brand. */
  binding: boolean
  /** It lets the member not schedule what has this approval. */
  refuses: boolean
  /** The member may schedule past it. */
  passed: boolean
}

/** What the rule of a brand means for a member and a post with this approval. */
export function useRuleOf(socialSetId: string, approval: Approval): RuleOf {
  const { data: rule } = useQuery(approvalRuleQuery(socialSetId))
  const exempt = useMay('post-sets:publish-unapproved')
  const binding = rule?.binding === true
  const missing = binding && approval !== 'APPROVED'
  return { binding, refuses: missing && !exempt, passed: missing && exempt }
}

interface RuleNoticeProps {
  socialSetId: string
  /** The post that is edited; null for a new one. */
  before: PostSet | null
}

/** Whose approval a post waits for that is edited. */
export function WaitingLine({ before }: { before: PostSet | null }) {
  if (before === null || !awaitsReview(before)) return null
  return <Waiting postSet={before} />
}

function Waiting({ postSet }: { postSet: PostSet }) {
  const { data: rule = null } = useQuery(approvalRuleQuery(postSet.socialSetId))
  const { data: item } = useQuery(reviewQuery(postSet.id))
  return (
    <Group gap={6} wrap="nowrap" role="note">
      <IconHourglass size={16} aria-hidden />
      <Text size="sm">{waitingWords(postSet, rule, item)}</Text>
    </Group>
  )
}

/** Says what a change does to an approval, until it is closed; of a new post, whose approval it needs. */
export function RuleNotice({ socialSetId, before }: RuleNoticeProps) {
  const { t } = useLingui()
  const [closed, setClosed] = useState(false)
  const { data: rule } = useQuery(approvalRuleQuery(socialSetId))
  const approval = before?.approval ?? 'NONE'
  const { binding, refuses, passed } = useRuleOf(socialSetId, approval)
  const returns = approval === 'APPROVED' || (binding && approval === 'EXTERNAL_PENDING')
  if (closed || !(returns || refuses || passed)) return null
  return (
    <Alert
      p="sm"
      role="note"
      icon={<IconInfoCircle aria-hidden />}
      withCloseButton
      closeButtonLabel={t`Close this note`}
      onClose={() => setClosed(true)}
    >
      {approval === 'EXTERNAL_PENDING' && returns ? (
        <Trans>The team has approved this post. When you change its text or files, it waits for the team again.</Trans>
      ) : returns ? (
        <Trans>This post is approved. When you change its text or files, it waits for approval again.</Trans>
      ) : (
        <>
          {rule && ruleWords(rule)} {passed && <Trans>You may schedule without it.</Trans>}
        </>
      )}
    </Alert>
  )
}
