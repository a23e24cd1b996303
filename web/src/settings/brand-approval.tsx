import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Button, Group, NumberInput, Radio, Stack, Text, Title } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ApprovalRule, ApprovalRuleName, SocialSet } from '#contract'
import * as LIMITS from '#contract/limits'
import { useMay } from '../api/session.ts'
import { announce } from '../design/announce.tsx'
import { Failure } from '../design/confirm-action.tsx'
import { Form, useForm } from '../design/form.tsx'
import { ErrorState, LoadingRows } from '../design/states.tsx'
import { showDone } from '../design/toast.tsx'
import { approvalRuleQuery } from '../planning/review-queries.ts'
import { ruleWords } from '../planning/review-words.ts'
import { changeApprovalRule } from './brand-requests.ts'
import { usePlanLacksApprovals } from './plan-query.ts'

/** Whom the posts of a brand need an approval of. */
export function ApprovalRuleSection({ socialSet }: { socialSet: SocialSet }) {
  const may = useMay('social-sets:manage')
  const { data: rule, error, refetch } = useQuery(approvalRuleQuery(socialSet.id))
  return (
    <Stack component="section" gap="sm" aria-labelledby="approval-rule">
      <Title order={2} size="h4" id="approval-rule">
        <Trans>Approval</Trans>
      </Title>
      {error && !rule ? (
        <ErrorState title={t`The rule of approval could not be loaded`} error={error} onRetry={() => void refetch()} />
      ) : !rule ? (
        <LoadingRows rows={2} />
      ) : may ? (
        <RuleForm socialSet={socialSet} rule={rule} />
      ) : (
        <RuleText rule={rule} />
      )}
    </Stack>
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

const MOST_REVIEWERS = LIMITS.reviewers

function RuleForm({ socialSet, rule }: { socialSet: SocialSet; rule: ApprovalRule }) {
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
      await changeApprovalRule(socialSet.id, { ...values, reviewers })
      showDone(t`Saved. ${ruleWords({ rule: values.rule, reviewers })}`)
      announce(t`Saved.`)
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
          It binds members, never API keys. No one approves what they changed last. Owners and admins can schedule
          without an approval. A scheduled post that still waits at its time is published.
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
