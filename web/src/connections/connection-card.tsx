import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ActionIcon, Avatar, Badge, Button, Card, Group, Menu, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import {
  IconAdjustments,
  IconDots,
  IconExternalLink,
  IconPlayerPause,
  IconPlugConnectedX,
  IconRefresh,
} from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { ConnectableType, Connection, SocialSet } from '#contract'
import { useMay } from '../api/session.ts'
import { NetworkIcon, networkName } from '../design/network-icon.tsx'
import { focusMainIfLost } from '../design/opener.ts'
import { showDone, showError } from '../design/toast.tsx'
import { useStop } from '../holds/use-hold-dialogs.tsx'
import { connectionsChanged } from './queries.ts'
import { NotConnectedLine, StateLine, StoppedLine, useDay } from './state.tsx'
import { useDisconnect } from './use-disconnect.tsx'
import { renew, useFlow } from './use-flow.ts'

interface ConnectionCardProps {
  socialSet: SocialSet
  type: ConnectableType
  connection: Connection | null
}

/** An account type of a social set: the account that is connected and how it stands, or the way to connect one. */
export function ConnectionCard({ socialSet, type, connection }: ConnectionCardProps) {
  const name = networkName(type.accountType)
  return (
    <Card component="li" withBorder padding="md" aria-label={name}>
      <Stack gap="sm" h="100%">
        <Group wrap="nowrap" gap="sm">
          <ThemeIcon variant="light" color={connection ? 'indigo' : 'gray'} size={36}>
            <NetworkIcon accountType={type.accountType} size={22} decorative />
          </ThemeIcon>
          <Title order={2} size="h4" flex={1}>
            {name}
          </Title>
          {connection?.sandbox && (
            <Badge color="gray" variant="light">
              <Trans>Demo</Trans>
            </Badge>
          )}
          {connection && <MoreMenu connection={connection} type={type} socialSet={socialSet} />}
        </Group>
        {connection ? (
          <Connected connection={connection} type={type} timezone={socialSet.timezone} />
        ) : (
          <Free type={type} />
        )}
      </Stack>
    </Card>
  )
}

function Connected({
  connection,
  type,
  timezone,
}: {
  connection: Connection
  type: ConnectableType
  timezone: string
}) {
  const may = useMay('connections:manage')
  const { go } = useFlow()
  const { name, username, state, scheduledSets } = connection
  const published = useDay(connection.lastPublishedAt, timezone)
  return (
    <>
      <Group wrap="nowrap" gap="sm">
        <Avatar name={name} size={36} aria-hidden />
        <div>
          <Text fw={600} lineClamp={2}>
            {name}
          </Text>
          {username && (
            <Text size="sm" c="dimmed">
              {username}
            </Text>
          )}
        </div>
      </Group>
      {(!connection.hold || state !== 'CONNECTED') && <StateLine connection={connection} />}
      {connection.hold && <StoppedLine hold={connection.hold} timezone={timezone} />}
      <Text size="sm" c="dimmed" mt="auto">
        {published ? t`Last published on ${published}` : t`Nothing published yet`}
        {' · '}
        {plural(scheduledSets, { 0: 'nothing scheduled', one: '# scheduled post', other: '# scheduled posts' })}
      </Text>
      {may && (state === 'RECONNECT_REQUIRED' || state === 'EXPIRES_SOON') && (
        <RenewButton connection={connection} type={type} />
      )}
      {may && state === 'DEFAULTS_MISSING' && (
        <Group>
          <Button
            leftSection={<IconAdjustments size={18} aria-hidden />}
            onClick={() => go({ defaults: connection.id })}
            aria-label={t`Choose defaults of ${networkName(type.accountType)}`}
          >
            <Trans>Choose defaults</Trans>
          </Button>
        </Group>
      )}
    </>
  )
}

function RenewButton({ connection, type }: { connection: Connection; type: ConnectableType }) {
  const renewing = useRenew(connection, type)
  return (
    <Group>
      <Button
        leftSection={<IconRefresh size={18} aria-hidden />}
        loading={renewing.isPending}
        onClick={() => renewing.mutate()}
        aria-label={t`Reconnect ${networkName(type.accountType)}`}
      >
        <Trans>Reconnect</Trans>
      </Button>
    </Group>
  )
}

function Free({ type }: { type: ConnectableType }) {
  const may = useMay('connections:manage')
  const { go } = useFlow()
  const name = networkName(type.accountType)
  return (
    <>
      <NotConnectedLine />
      {!type.configured && (
        <Text size="sm" c="dimmed">
          <Trans>{type.title} is not set up on this installation yet.</Trans>
        </Text>
      )}
      {may && (
        <Group mt="auto">
          <Button
            variant={type.configured ? 'light' : 'default'}
            onClick={() => go({ connect: type.accountType })}
            aria-label={type.configured ? t`Connect ${name}` : t`How to connect ${name}`}
          >
            {type.configured ? t`Connect` : t`How to connect`}
          </Button>
        </Group>
      )}
    </>
  )
}

function MoreMenu({ connection, type, socialSet }: ConnectionCardProps & { connection: Connection }) {
  const may = useMay('connections:manage')
  const publishes = useMay('post-sets:publish')
  const { stop, dialog } = useStop()
  const { go } = useFlow()
  const disconnect = useDisconnect(connection, socialSet)
  const renewing = useRenew(connection, type)
  const name = networkName(connection.accountType)
  const fine = connection.state === 'CONNECTED' || connection.state === 'DEFAULTS_MISSING'
  if (!may && !publishes && !connection.profileUrl) return null
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon color="gray" aria-label={t`More for ${name}`}>
            <IconDots size={20} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {connection.profileUrl && (
            <Menu.Item
              component="a"
              href={connection.profileUrl}
              target="_blank"
              rel="noopener noreferrer"
              leftSection={<IconExternalLink size={18} aria-hidden />}
            >
              <Trans>Open the account</Trans>
            </Menu.Item>
          )}
          {may && connection.hasDefaults && (
            <Menu.Item
              leftSection={<IconAdjustments size={18} aria-hidden />}
              onClick={() => go({ defaults: connection.id })}
            >
              <Trans>Publishing defaults</Trans>
            </Menu.Item>
          )}
          {may && fine && (
            <Menu.Item leftSection={<IconRefresh size={18} aria-hidden />} onClick={() => renewing.mutate()}>
              <Trans>Reconnect</Trans>
            </Menu.Item>
          )}
          {publishes && !connection.hold && (
            <Menu.Item
              leftSection={<IconPlayerPause size={18} aria-hidden />}
              onClick={() => stop({ socialSet, connection })}
            >
              <Trans>Stop publishing…</Trans>
            </Menu.Item>
          )}
          {may && (
            <Menu.Item
              // The red that menus have by themselves is too pale to be read.
              color="var(--mantine-color-red-text)"
              leftSection={<IconPlugConnectedX size={18} aria-hidden />}
              onClick={() => void disconnect()}
            >
              <Trans>Disconnect…</Trans>
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {dialog}
    </>
  )
}

/** Renews a connection in the way of its network: on its pages, or in a dialog that asks for a password or for the way. */
function useRenew(connection: Connection, { way, signIns }: ConnectableType) {
  const { go } = useFlow()
  const ways = signIns.filter(({ configured }) => configured)
  const asks = (way === 'PASSWORD' || ways.length > 1) && !connection.sandbox
  return useMutation({
    mutationFn: async () => {
      if (asks) {
        go({ connect: connection.accountType })
        return
      }
      if (await renew(connection.id)) {
        await connectionsChanged()
        showDone(t`${connection.name} on ${networkName(connection.accountType)} is connected again.`)
        // The button goes with what it was for.
        focusMainIfLost()
      }
    },
    onError: showError,
  })
}
