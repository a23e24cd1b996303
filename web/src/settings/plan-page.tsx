import '../design/more-styles.ts'
import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Code, Group, List, Paper, Progress, SimpleGrid, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { AccountUsage } from '#contract'
import { usePreferences, useSession } from '../api/session.ts'
import { CopyButton } from '../design/copy-button.tsx'
import { PageTitle } from '../design/page-title.tsx'
import { ErrorState, LoadingRows } from '../design/states.tsx'
import { words } from '../design/words.ts'
import { usageQuery } from '../planning/brands/plan-query.ts'
import { useViewerZone } from '../time/viewer.ts'
import { formatDateTime } from '../time/zones.ts'
import {
  amountText,
  BOUNDED,
  type Bounded,
  boundedWords,
  FEATURES,
  featureWords,
  fullnessOf,
  percentOf,
  rateText,
} from './plan-words.ts'

export function Page(): ReactNode {
  const { data, error, isPending, refetch } = useQuery(usageQuery)
  return (
    <Stack gap="lg">
      <PageTitle title={t`Plan and usage`} />
      {isPending ? (
        <LoadingRows rows={5} height={72} />
      ) : data ? (
        <Plan usage={data} />
      ) : (
        <ErrorState title={t`The usage could not be loaded`} error={error} onRetry={() => void refetch()} />
      )}
    </Stack>
  )
}

function Plan({ usage }: { usage: AccountUsage }) {
  const plan = words(usage.plan)
  return (
    <>
      <Text>
        <Trans>
          The account is on the plan <strong>{plan}</strong>.
        </Trans>
      </Text>
      <UsageSection usage={usage} />
      <FeatureSection usage={usage} />
      <ChangeSection usage={usage} />
    </>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Paper component="section" aria-label={title} withBorder p="md">
      <Stack gap="md">
        <Title order={2} size="h4">
          {title}
        </Title>
        {children}
      </Stack>
    </Paper>
  )
}

function UsageSection({ usage }: { usage: AccountUsage }) {
  const zone = useViewerZone()
  const preferences = usePreferences()
  const resets = formatDateTime(usage.resetsAt, zone, preferences)
  const { resetsAt, connections, members } = usage
  return (
    <Section title={t`Usage`}>
      <Text size="sm" c="dimmed">
        <Trans>
          Monthly numbers reset on{' '}
          <time dateTime={resetsAt}>
            {resets} ({zone})
          </time>
          .
        </Trans>
      </Text>
      {BOUNDED.map((name) => (
        <Amount key={name} name={name} usage={usage} />
      ))}
      <SimpleGrid cols={{ base: 1, sm: 3 }} component="dl" m={0} spacing="md">
        <Fact name={t`Connected accounts`} value={`${connections.used}`} />
        <Fact name={t`Members`} value={`${members.used}`} />
        <Fact name={t`API requests`} value={rateText(usage)} />
      </SimpleGrid>
    </Section>
  )
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <Text component="dt" size="sm" c="dimmed">
        {name}
      </Text>
      <Text component="dd" m={0} fw={600}>
        {value}
      </Text>
    </div>
  )
}

const COLORS = { free: 'indigo', nearly: 'yellow', full: 'red' } as const

function Amount({ name, usage }: { name: Bounded; usage: AccountUsage }) {
  const title = i18n._(boundedWords[name].title)
  const fullness = fullnessOf(usage[name])
  const amount = amountText(name, usage)
  return (
    <Stack gap={6}>
      <Group justify="space-between" gap="xs" style={{ rowGap: 0 }}>
        <Text fw={600}>{title}</Text>
        <Text>{amount}</Text>
      </Group>
      {usage[name].limit !== null && (
        <Progress.Root size="lg">
          <Progress.Section value={percentOf(usage[name])} color={COLORS[fullness]} aria-label={title} />
        </Progress.Root>
      )}
      {fullness !== 'free' && (
        <Group gap={6} wrap="nowrap" align="flex-start" c={`var(--mantine-color-${COLORS[fullness]}-text)`}>
          <IconAlertTriangle size={18} aria-hidden style={{ flex: 'none', marginTop: 2 }} />
          <Text size="sm">{fullness === 'full' ? i18n._(boundedWords[name].full) : t`80% or more is used.`}</Text>
        </Group>
      )}
    </Stack>
  )
}

function FeatureSection({ usage }: { usage: AccountUsage }) {
  return (
    <Section title={t`What the plan includes`}>
      <List spacing="sm" center={false} listStyleType="none">
        {FEATURES.map((feature) => {
          const included = usage.features.includes(feature)
          const { title, description } = featureWords[feature]
          return (
            <List.Item
              key={feature}
              icon={
                <ThemeIcon size={22} radius="xl" variant="light" color={included ? 'green' : 'gray'} aria-hidden>
                  {included ? <IconCheck size={14} /> : <IconX size={14} />}
                </ThemeIcon>
              }
            >
              <Text>
                <Text span fw={600}>
                  {i18n._(title)}
                </Text>
                : {included ? t`included` : t`not included`}
              </Text>
              <Text size="sm" c="dimmed">
                {i18n._(description)}
              </Text>
            </List.Item>
          )
        })}
      </List>
    </Section>
  )
}

/** The command is for operators: it runs on the server. */
function ChangeSection({ usage }: { usage: AccountUsage }) {
  const { operator } = useSession()
  if (!operator)
    return (
      <Section title={t`Change plan`}>
        <Text>
          <Trans>Ask the person who runs this server to change the plan. Scheduled posts stay scheduled.</Trans>
        </Text>
      </Section>
    )
  const command = `almanac accounts plan ${usage.accountId} PLAN`
  return (
    <Section title={t`Change plan`}>
      <Text>
        <Trans>
          The operator of this installation changes the plan with this command. Scheduled posts stay scheduled. The
          operator can also set the numbers of each plan.
        </Trans>
      </Text>
      <Stack gap="xs" align="flex-start">
        <Code block w="100%" tabIndex={0} role="region" aria-label={t`Operator’s command`}>
          {command}
        </Code>
        <CopyButton text={command} label={t`Copy the command`} />
      </Stack>
    </Section>
  )
}
