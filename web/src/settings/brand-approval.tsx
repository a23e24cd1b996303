import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ApprovalRule, SocialSet } from '#contract'
import { useMay } from '../api/session.ts'
import { ErrorState, LoadingRows } from '../design/states.tsx'
import { ApprovalRuleForm } from '../planning/approvals/approval-rule-form.tsx'
import { approvalRuleQuery } from '../planning/approvals/review-queries.ts'
import { ruleWords } from '../planning/approvals/review-words.ts'
import { Section } from './profile-section.tsx'

/** Whom the posts of a brand need an approval of. */
export function ApprovalRuleSection({ socialSet }: { socialSet: SocialSet }) {
  const may = useMay('social-sets:manage')
  const { data: rule, error, refetch } = useQuery(approvalRuleQuery(socialSet.id))
  return (
    <Section title={t`Approval`}>
      {error && !rule ? (
        <ErrorState title={t`The rule of approval could not be loaded`} error={error} onRetry={() => void refetch()} />
      ) : !rule ? (
        <LoadingRows rows={2} />
      ) : may ? (
        <ApprovalRuleForm socialSet={socialSet} rule={rule} />
      ) : (
        <RuleText rule={rule} />
      )}
    </Section>
  )
}

/** The rule in words, for those who do not set it. */
function RuleText({ rule }: { rule: ApprovalRule }) {
  return (
    <Text size="sm">
      {ruleWords(rule)}{' '}
      {rule.rule !== 'OPTIONAL' && (
        <>
          <Trans>No one approves what they changed last.</Trans>{' '}
        </>
      )}
      <Trans>Owners and admins set this.</Trans>
    </Text>
  )
}
