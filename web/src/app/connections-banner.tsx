import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Badge, Group, Text, VisuallyHidden } from '@mantine/core'
import { IconAlertTriangleFilled } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMay } from '../api/session.ts'
import { attentionQuery } from '../connections/queries.ts'
import { networkName } from '../design/network-icon.tsx'
import { listOf } from '../design/words.ts'
import { RouterButton } from '../frame/links.tsx'

/** More than these are not named one by one. */
const MOST_NAMED = 3

/** Says which accounts must be reconnected, above every screen. */
export function ConnectionsBanner() {
  const connections = useAttention()
  const may = useMay('connections:manage')
  const [first] = connections
  if (!first) return null
  const named = connections.slice(0, MOST_NAMED).map(({ name, accountType }) => nameOn(name, networkName(accountType)))
  const more = connections.length - named.length
  const names = listOf(more > 0 ? [...named, plural(more, { one: '# more', other: '# more' })] : named)
  const must = connections.some(({ state }) => state === 'RECONNECT_REQUIRED')
  const { length } = connections
  const what = must
    ? plural(length, {
        one: `# account must be reconnected: ${names}.`,
        other: `# accounts must be reconnected: ${names}.`,
      })
    : plural(length, {
        one: `# account must be reconnected within a week: ${names}.`,
        other: `# accounts must be reconnected within a week: ${names}.`,
      })
  return (
    <Alert
      component="section"
      role="region"
      aria-label={t`Accounts to reconnect`}
      color={must ? 'red' : 'yellow'}
      icon={<IconAlertTriangleFilled aria-hidden />}
      mb="md"
      py="xs"
    >
      <Group justify="space-between" gap="sm">
        <Text size="sm" flex="1 1 240px">
          {what}
          {!may && ' '}
          {!may && <Trans>Owners and admins can do it.</Trans>}
        </Text>
        <RouterButton to="/connections" search={{ set: first.socialSetId }} size="compact-md" variant="default">
          {may ? t`Reconnect` : t`View`}
        </RouterButton>
      </Group>
    </Alert>
  )
}

const nameOn = (name: string, network: string) => t`${name} on ${network}`

/** How many accounts must be reconnected, beside the entry of the navigation; nothing when none must. */
export function ConnectionsBadge() {
  const { length } = useAttention()
  if (length === 0) return null
  return (
    <Badge color="red" size="sm" circle={length < 10}>
      {length}
      <VisuallyHidden>
        {' '}
        <Trans>to reconnect</Trans>
      </VisuallyHidden>
    </Badge>
  )
}

function useAttention() {
  return useQuery(attentionQuery).data?.connections ?? []
}
