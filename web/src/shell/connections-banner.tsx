import { Alert, Badge, Group, Text, VisuallyHidden } from '@mantine/core'
import { IconAlertTriangleFilled } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMay } from '../api/session.ts'
import { attentionQuery } from '../connections/queries.ts'
import { networkName } from '../design/network-icon.tsx'
import { listOf } from '../design/words.ts'
import { RouterButton } from './links.tsx'

/** More than these are not named one by one. */
const MOST_NAMED = 3

/** Says which connections must be renewed. Stands above every screen. */
export function ConnectionsBanner() {
  const connections = useAttention()
  const may = useMay('connections:manage')
  const [first] = connections
  if (!first) return null
  const named = connections
    .slice(0, MOST_NAMED)
    .map(({ name, accountType }) => `${name} on ${networkName(accountType)}`)
  const more = connections.length - named.length
  const names = listOf(more > 0 ? [...named, `${more} more`] : named)
  const must = connections.some(({ state }) => state === 'RECONNECT_REQUIRED')
  const what =
    connections.length === 1 ? 'An account must be renewed' : `${connections.length} accounts must be renewed`
  return (
    <Alert
      component="section"
      role="region"
      aria-label="Accounts to renew"
      color={must ? 'red' : 'yellow'}
      icon={<IconAlertTriangleFilled aria-hidden />}
      mb="md"
      py="xs"
    >
      <Group justify="space-between" gap="sm">
        <Text size="sm" flex="1 1 240px">
          {what}
          {must ? '' : ' within a week'}: {names}.{!may && ' Owners and admins can do it.'}
        </Text>
        <RouterButton to="/connections" search={{ set: first.socialSetId }} size="compact-md" variant="default">
          {may ? 'Renew' : 'See'}
        </RouterButton>
      </Group>
    </Alert>
  )
}

/** How many connections must be renewed, beside the entry of the navigation; nothing when none must. */
export function ConnectionsBadge() {
  const { length } = useAttention()
  if (length === 0) return null
  return (
    <Badge color="red" size="sm" circle={length < 10}>
      {length}
      <VisuallyHidden> to renew</VisuallyHidden>
    </Badge>
  )
}

function useAttention() {
  return useQuery(attentionQuery).data?.connections ?? []
}
