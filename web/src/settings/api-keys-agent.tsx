import { i18n } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Radio, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { AgentOfKey, ApiKey, Scope } from '#contract'
import { AGENT_BUDGET, AGENT_CHOICES, type AgentChoice, choiceOf, keyForAgent } from '#contract/agent-keys'
import * as LIMITS from '#contract/limits'
import { usageQuery } from '../planning/brands/plan-query.ts'

const MEGABYTE = 1_000_000
const MOST_MEGABYTES = LIMITS.agentBudget.uploadBytes / MEGABYTE

/** The part of a key's form that is about its agent. Numbers are as they are typed. */
export interface AgentValues {
  may: AgentChoice
  dailyPostSets: string
  dailyMegabytes: string
}

export const mayWords = {
  publishes: {
    title: msg`Publishes`,
    description: msg`Writes drafts, and schedules and publishes posts by itself.`,
    line: msg`Agent that publishes`,
  },
  asks: {
    title: msg`Asks a person`,
    description: msg`Writes drafts, and asks the reviewers of the brand to approve and schedule them.`,
    line: msg`Agent that asks a person`,
  },
  drafts: {
    title: msg`Drafts`,
    description: msg`Writes drafts. People find them on the calendar.`,
    line: msg`Agent that drafts`,
  },
} as const

/** As the form begins, for a key that is there or a new one. */
export function agentValues(apiKey: Pick<ApiKey, 'scopes' | 'agent'> | null): AgentValues {
  const agent = apiKey?.agent ?? AGENT_BUDGET
  return {
    may: apiKey ? choiceOf(apiKey) : 'drafts',
    dailyPostSets: String(agent.dailyPostSets),
    dailyMegabytes: String(Math.floor(agent.dailyUploadBytes / MEGABYTE)),
  }
}

/** What the choice is for the server. */
export function agentOf({ may, dailyPostSets, dailyMegabytes }: AgentValues): { scopes: Scope[]; agent: AgentOfKey } {
  return keyForAgent(may, {
    dailyPostSets: Number(dailyPostSets),
    dailyUploadBytes: Number(dailyMegabytes) * MEGABYTE,
  })
}

/** What is wrong with a number of the budget. */
const numberProblem = (most: number) => (text: string) =>
  /^\d+$/.test(text.trim()) && Number(text) <= most ? null : t`Enter a whole number up to ${most}.`

export const agentChecks = {
  dailyPostSets: numberProblem(LIMITS.agentBudget.postSets),
  dailyMegabytes: numberProblem(MOST_MEGABYTES),
}

interface AgentFieldsProps {
  may: AgentChoice
  onMay: (may: AgentChoice) => void
  /** What the inputs of the two numbers are given. */
  dailyPostSets: object
  dailyMegabytes: object
}

/** What the agent of a key may do, and how much a day. */
export function AgentFields({ may, onMay, dailyPostSets, dailyMegabytes }: AgentFieldsProps): ReactNode {
  const { data: usage } = useQuery(usageQuery)
  // Where the plan has no approvals there is no one to ask.
  const offered = AGENT_CHOICES.filter(
    (each) => each !== 'asks' || may === 'asks' || usage?.features.includes('approvals'),
  )
  return (
    <>
      <Radio.Group label={t`What the agent may do`} value={may} onChange={(value) => onMay(value as AgentChoice)}>
        <Stack gap="sm" mt="xs">
          {offered.map((each) => (
            <Radio
              key={each}
              value={each}
              label={i18n._(mayWords[each].title)}
              description={i18n._(mayWords[each].description)}
            />
          ))}
        </Stack>
      </Radio.Group>
      <Stack gap="xs">
        <TextInput
          inputMode="numeric"
          maw={240}
          label={t`Posts a day`}
          description={t`The most that it may create.`}
          {...dailyPostSets}
        />
        <TextInput
          inputMode="numeric"
          maw={240}
          label={t`Megabytes of media a day`}
          description={<Trans>Days begin at midnight, UTC.</Trans>}
          {...dailyMegabytes}
        />
      </Stack>
    </>
  )
}
