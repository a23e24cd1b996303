import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { SocialSet } from '#contract'
import { Modal } from '../design/dialogs.tsx'
import { ErrorState, LoadingRows } from '../design/states.tsx'
import { ApprovalRuleForm } from '../planning/approvals/approval-rule-form.tsx'
import { approvalRuleQuery } from '../planning/approvals/review-queries.ts'

interface RuleDialogProps {
  socialSet: SocialSet
  onClose: () => void
}

/** Sets whose approval the posts of a brand need, where that is missed: what is being written stays. */
export function RuleDialog({ socialSet, onClose }: RuleDialogProps) {
  const { t } = useLingui()
  const { name } = socialSet
  const { data: rule, error, refetch } = useQuery(approvalRuleQuery(socialSet.id))
  return (
    <Modal opened onClose={onClose} title={t`Approval for ${name}`}>
      {error && !rule ? (
        <ErrorState title={t`The rule of approval could not be loaded`} error={error} onRetry={() => void refetch()} />
      ) : rule ? (
        <ApprovalRuleForm socialSet={socialSet} rule={rule} onSaved={onClose} />
      ) : (
        <LoadingRows rows={4} />
      )}
    </Modal>
  )
}
