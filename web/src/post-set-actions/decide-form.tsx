import '../design/more-styles.ts'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Button, Group, Stack, Text, Tooltip } from '@mantine/core'
import { useState } from 'react'
import type { SocialSet } from '#contract'
import { networkName } from '../design/network-icon.tsx'
import { type Decided, lacksDecision } from '../planning/agreements/agreement.ts'
import { AgreementForm } from '../planning/agreements/agreement-form.tsx'
import { agreementProblems } from '../planning/agreements/agreement-problems.ts'
import { Declaration } from '../planning/agreements/declaration.tsx'
import { PostingAs } from '../planning/agreements/posting-as.tsx'
import { useAskedAccounts } from '../planning/agreements/use-asked-accounts.ts'
import { problemWords } from '../planning/posts/problem-words.ts'
import type { Prompt } from './prompt.ts'

interface DecideFormProps {
  asked: Extract<Prompt, { kind: 'decide' }>
  socialSet: SocialSet
}

/** Decides about the posts of drafts on one network before they are scheduled, or leaves it out. */
export function DecideForm({ asked: { network, subjects, media, answer }, socialSet }: DecideFormProps) {
  const { t } = useLingui()
  const { accountType } = network
  const name = networkName(accountType)
  const [decided, setDecided] = useState<Decided>({ options: {} })
  const account = useAskedAccounts(socialSet, [accountType]).get(accountType)
  const [problem] = agreementProblems(0, { network, asked: account, decided, media })
  const why = problem
    ? problemWords(problem)
    : account?.isAsked
      ? t`${name} is asked what this account may do…`
      : lacksDecision(network, decided.options)
        ? t`Choose who can see it first.`
        : null
  return (
    <Stack>
      {account && <PostingAs accountType={accountType} asked={account} />}
      <Text size="sm">
        <Plural
          value={subjects.length}
          one={`It is not decided yet who sees # post on ${name}.`}
          other={`It is not decided yet who sees # posts on ${name}.`}
        />
      </Text>
      <AgreementForm
        network={network}
        asked={account}
        decided={decided}
        media={media}
        posts={subjects.length}
        errorAt={() => null}
        onChange={setDecided}
      />
      <Declaration network={network} options={decided.options} />
      <Group justify="flex-end" gap="xs">
        <Button variant="subtle" onClick={() => answer(null)}>
          <Trans>Cancel</Trans>
        </Button>
        <Button variant="default" onClick={() => answer('leave-out')}>
          <Trans>Leave out {name}</Trans>
        </Button>
        <Tooltip
          label={why}
          disabled={why === null}
          multiline
          maw={280}
          events={{ hover: true, focus: true, touch: true }}
        >
          <Button
            {...(why === null ? {} : { 'data-disabled': true, 'aria-disabled': true })}
            onClick={() => why === null && answer({ options: decided.options })}
          >
            <Trans>Schedule</Trans>
          </Button>
        </Tooltip>
      </Group>
    </Stack>
  )
}
