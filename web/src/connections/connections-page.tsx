import '../design/more-styles.ts'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { IconFlask } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ConnectionOverview, SocialSet } from '#contract'
import { change } from '../api/change.ts'
import { useMay } from '../api/session.ts'
import { PageTitle } from '../design/page-title.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../design/states.tsx'
import { showDone, showError } from '../design/toast.tsx'
import { RouterButton } from '../frame/links.tsx'
import { socialSetsQuery, useSocialSet } from '../frame/social-sets.ts'
import { ConnectionCard } from './connection-card.tsx'
import { FlowDialog } from './flow-dialog.tsx'
import { connectionsQuery } from './queries.ts'

export function Page(): ReactNode {
  const { socialSet, missing, sets } = useSocialSet()
  const { error, refetch } = useQuery(socialSetsQuery)
  return (
    <Stack gap="lg" maw={960}>
      <PageTitle title={t`Connections`} />
      {socialSet && <Connections key={socialSet.id} socialSet={socialSet} />}
      {missing && (
        <EmptyState>
          <Trans>This brand was not found. Choose another one.</Trans>
        </EmptyState>
      )}
      {sets?.length === 0 && (
        <EmptyState>
          <Trans>There is no brand yet to connect accounts to.</Trans>
        </EmptyState>
      )}
      {!sets && !error && <LoadingRows rows={6} height={120} />}
      {!sets && error && (
        <ErrorState title={t`The brands could not be loaded`} error={error} onRetry={() => void refetch()} />
      )}
    </Stack>
  )
}

function Connections({ socialSet }: { socialSet: SocialSet }) {
  const { data, error, refetch } = useQuery(connectionsQuery(socialSet.id))
  const may = useMay('connections:manage')
  if (error && !data) {
    return <ErrorState title={t`The connections could not be loaded`} error={error} onRetry={() => void refetch()} />
  }
  if (!data) return <LoadingRows rows={6} height={120} />
  const accountOf = new Map(data.connections.map((connection) => [connection.accountType, connection]))
  return (
    <>
      <Group justify="space-between" gap="sm">
        <Text c="dimmed" maw={640}>
          <Trans>The accounts that {socialSet.name} publishes to, one of each type.</Trans>
        </Text>
        {may && <DemoAccountButton socialSet={socialSet} overview={data} />}
      </Group>
      {may && <SimulatedAccounts overview={data} />}
      {!may && (
        <Alert color="gray" variant="light">
          <Trans>Only owners and admins can connect accounts. You can see their status.</Trans>
        </Alert>
      )}
      <SimpleGrid
        component="ul"
        cols={{ base: 1, md: 2, lg: 3 }}
        spacing="md"
        p={0}
        m={0}
        style={{ listStyle: 'none' }}
      >
        {data.accountTypes.map((type) => (
          <ConnectionCard
            key={type.accountType}
            socialSet={socialSet}
            type={type}
            connection={accountOf.get(type.accountType) ?? null}
          />
        ))}
      </SimpleGrid>
      {may && <FlowDialog socialSet={socialSet} overview={data} />}
    </>
  )
}

/** Says of demo accounts what they are, and how one gets to real ones. */
function SimulatedAccounts({ overview: { connections } }: { overview: ConnectionOverview }) {
  const mayMake = useMay('social-sets:manage')
  const demo = connections.filter(({ sandbox }) => sandbox)
  if (demo.length === 0) return null
  return (
    <Group gap="xs">
      <Text size="sm" c="dimmed" maw={760}>
        {demo.length === connections.length ? (
          <Trans>
            These accounts are simulated: no one else sees what they publish. Make a brand for your own accounts, or
            disconnect one here to connect a real one in its place.
          </Trans>
        ) : (
          <Trans>
            Accounts with “Demo” are simulated: no one else sees what they publish. Disconnect one to connect a real one
            in its place.
          </Trans>
        )}
      </Text>
      {mayMake && demo.length === connections.length && (
        <RouterButton to="/settings/social-sets" variant="subtle" size="compact-sm">
          <Trans>Go to your brands</Trans>
        </RouterButton>
      )}
    </Group>
  )
}

/** Connects a demo account wherever nothing is connected: to try Almanac without an account anywhere. */
function DemoAccountButton({ socialSet, overview }: { socialSet: SocialSet; overview: ConnectionOverview }) {
  const taken = new Set(overview.connections.map(({ accountType }) => accountType))
  const free = overview.accountTypes.filter(({ accountType, sandbox }) => sandbox && !taken.has(accountType))
  const connecting = useMutation({
    mutationFn: () => change('POST /connections/sandbox', { body: { socialSetId: socialSet.id } }),
    onSuccess: ({ connected }) => {
      showDone(plural(connected.length, { one: '# demo account connected.', other: '# demo accounts connected.' }))
    },
    onError: showError,
  })
  if (free.length === 0) return null
  return (
    <Button
      variant="default"
      leftSection={<IconFlask size={18} aria-hidden />}
      loading={connecting.isPending}
      onClick={() => connecting.mutate()}
    >
      <Trans>Connect demo accounts</Trans>
    </Button>
  )
}
