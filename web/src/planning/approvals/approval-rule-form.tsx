import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Button, Group, NumberInput, Radio, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ApprovalRule, ApprovalRuleName, SocialSet } from '#contract'
import * as LIMITS from '#contract/limits'
import { change } from '../../api/change.ts'
import { announce } from '../../design/announce.tsx'
import { Failure } from '../../design/confirm-action.tsx'
import { Form, useForm } from '../../design/form.tsx'
import { showDone } from '../../design/toast.tsx'
import { usePlanLacksApprovals } from '../brands/plan-query.ts'
import { ruleWords } from './review-words.ts'

const MOST_REVIEWERS = LIMITS.reviewers

interface ApprovalRuleFormProps {
  socialSet: SocialSet
  rule: ApprovalRule
  onSaved?: () => void
}

/** Sets whom the posts of a brand need an approval of; for those who may. */
export function ApprovalRuleForm({ socialSet, rule, onSaved }: ApprovalRuleFormProps) {
  const without = usePlanLacksApprovals()
  const form = useForm({
    initial: {
      rule: rule.rule,
      reviewers: rule.reviewers as number | string,
    },
    check: {
      reviewers: (reviewers, values) => {
        const number = Number(reviewers)
        if (values.rule === 'OPTIONAL') return null
        return Number.isInteger(number) && number >= 1 && number <= MOST_REVIEWERS
          ? null
          : t`Enter a number from 1 to ${MOST_REVIEWERS}.`
      },
    },
    async send(values) {
      const reviewers = values.rule === 'OPTIONAL' ? rule.reviewers : Number(values.reviewers)
      await change('PUT /social-sets/:id/approval-rule', {
        params: { id: socialSet.id },
        body: { ...values, reviewers },
      })
      showDone(t`Saved. ${ruleWords({ rule: values.rule, reviewers })}`)
      announce(t`Saved.`)
      onSaved?.()
    },
  })
  const { values } = form
  const binds = values.rule !== 'OPTIONAL'
  // A rule of an earlier plan stays until another is chosen, and binds no one.
  const changeable = binds && !without
  const choices: [ApprovalRuleName, string, string][] = [
    ['OPTIONAL', t`Optional`, t`Members ask for an approval when they want one, and can schedule without it.`],
    ['REQUIRED', t`Required`, t`Editors schedule a post once the team has approved it.`],
    [
      'TEAM_THEN_CLIENT',
      t`The team, then the client`,
      t`After the team, the client approves by a shared calendar, or a member in the client’s place.`,
    ],
  ]
  const few = changeable && Number(values.reviewers) > rule.eligible
  return (
    <Form form={form} gap="sm">
      <Text size="sm" c="dimmed">
        <Trans>
          Applies to people, not to API keys. No one can approve what they changed last. Owners and admins can schedule
          without an approval. Scheduled posts go out on time even if no one has approved them.
        </Trans>
      </Text>
      <Radio.Group
        label={t`Whose approval a post needs`}
        description={without ? t`The plan does not include approvals.` : null}
        value={values.rule}
        onChange={(value) => form.set('rule', choices.find(([name]) => name === value)?.[0] ?? 'OPTIONAL')}
      >
        <Stack gap="xs" mt="xs">
          {choices.map(([name, label, description]) => (
            <Radio
              key={name}
              value={name}
              label={label}
              description={description}
              disabled={without && name !== 'OPTIONAL'}
            />
          ))}
        </Stack>
      </Radio.Group>
      {changeable && (
        <>
          <NumberInput
            id={form.idOf('reviewers')}
            label={t`Reviewers who have to approve`}
            description={plural(rule.eligible, {
              one: '# member who sees this brand may approve.',
              other: '# members who see this brand may approve.',
            })}
            maw={280}
            min={1}
            max={MOST_REVIEWERS}
            allowDecimal={false}
            {...form.choice('reviewers')}
          />
          {few && (
            <Alert color="orange" p="sm" icon={<IconAlertTriangle aria-hidden />}>
              <Trans>
                That is more than there are members who may approve: an owner or admin would have to approve each post
                with a reason. Invite reviewers, or ask for fewer.
              </Trans>
            </Alert>
          )}
        </>
      )}
      {rule.rule !== 'OPTIONAL' && !rule.binding && (
        <Alert color="yellow" p="sm" icon={<IconAlertTriangle aria-hidden />}>
          <Trans>The plan of this account has no approvals: the rule does not bind anyone.</Trans>
        </Alert>
      )}
      <Failure error={form.rest} />
      <Group>
        <Button type="submit" loading={form.busy} disabled={without && binds}>
          <Trans>Save rule</Trans>
        </Button>
      </Group>
    </Form>
  )
}
