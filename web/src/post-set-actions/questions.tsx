import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Text } from '@mantine/core'
import { queryClient } from '../api/query-client.ts'
import { networkName } from '../design/network-icon.tsx'
import { listOf } from '../design/words.ts'
import { approvalRuleQuery } from '../planning/approvals/review-queries.ts'
import { awaitsReview, nameOf, type PostSetSubject } from '../planning/posts/subject.ts'
import { undecidedWords } from '../planning/posts/undecided-words.ts'

/** A brand that requires approval takes what is not approved from the schedule when it is moved. */
export const asDraftQuestion = () => ({
  title: t`Move it as a draft?`,
  children: t`This brand requires approval, and this post is not approved. Moving it takes it from the schedule: it becomes a draft until it is approved and scheduled again.`,
  confirmLabel: t`Move as a draft`,
})

/** A post whose new time has passed would go out at once. */
export function publishNowQuestion(subject: PostSetSubject, time: string) {
  const to = listOf([...new Set(subject.networks.map(({ accountType }) => networkName(accountType)))])
  const name = nameOf(subject)
  const rule = queryClient.getQueryData(approvalRuleQuery(subject.socialSetId).queryKey) ?? null
  const undecided = awaitsReview(subject) ? undecidedWords(subject, rule, name) : null
  return {
    title: t`Publish now?`,
    children: (
      <Text>
        {undecided}{' '}
        <Trans>
          {time} has passed. “{name}” will be published immediately to {to}. This cannot be undone.
        </Trans>
      </Text>
    ),
    confirmLabel: t`Publish to ${to}`,
  }
}
