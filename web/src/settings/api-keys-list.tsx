import { i18n } from '@lingui/core'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Card, Code, Group, Menu, Stack, Table, Text, Tooltip, VisuallyHidden } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { ApiKey, SocialSet } from '#contract'
import { choiceOf } from '#contract/agent-keys'
import { DAY_MS } from '#contract/durations'
import { usePreferences } from '../api/session.ts'
import { RelativeTime } from '../design/relative-time.tsx'
import { useIsWide } from '../frame/use-is-wide.ts'
import { relativeTime } from '../time/relative.ts'
import { useViewerZone } from '../time/viewer.ts'
import { formatDate, formatDateTime } from '../time/zones.ts'
import { ActionsMenu } from './actions-menu.tsx'
import { mayWords } from './api-keys-agent.tsx'
import { scopesText, stateLooks } from './api-keys-words.ts'

export type KeyAction = 'calls' | 'edit' | 'replace' | 'disable' | 'enable' | 'revoke'

/** The page breaks words where it must; these stay whole. */
const nowrap = { whiteSpace: 'nowrap' } as const

interface KeyListProps {
  keys: readonly ApiKey[]
  sets: readonly SocialSet[]
  onAction: (action: KeyAction, apiKey: ApiKey) => void
}

/** Keys with all that is known of them: a table, on narrow screens cards. */
export function KeyList(props: KeyListProps) {
  return useIsWide() ? <KeyTable {...props} /> : <KeyCards {...props} />
}

function KeyTable({ keys, sets, onAction }: KeyListProps) {
  return (
    <Table.ScrollContainer minWidth={760} type="native">
      <Table verticalSpacing="sm" aria-label={t`API keys`} style={{ overflowWrap: 'break-word' }}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>
              <Trans>Key</Trans>
            </Table.Th>
            <Table.Th>
              <Trans>Rights</Trans>
            </Table.Th>
            <Table.Th style={nowrap}>
              <Trans>Created by</Trans>
            </Table.Th>
            <Table.Th style={nowrap}>
              <Trans>Last used</Trans>
            </Table.Th>
            <Table.Th>
              <Trans>Expires</Trans>
            </Table.Th>
            <Table.Th>
              <Trans>State</Trans>
            </Table.Th>
            <Table.Th>
              <VisuallyHidden>
                <Trans>Actions</Trans>
              </VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {keys.map((apiKey) => (
            <Table.Tr key={apiKey.id}>
              <Table.Th scope="row" fw={400}>
                <Name apiKey={apiKey} />
              </Table.Th>
              <Table.Td>
                <Rights apiKey={apiKey} sets={sets} />
              </Table.Td>
              <Table.Td>
                <Maker apiKey={apiKey} />
              </Table.Td>
              <Table.Td>
                <LastUse apiKey={apiKey} />
              </Table.Td>
              <Table.Td>
                <Expiry apiKey={apiKey} />
              </Table.Td>
              <Table.Td>
                <State apiKey={apiKey} />
              </Table.Td>
              <Table.Td>
                <KeyMenu apiKey={apiKey} onAction={onAction} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function KeyCards({ keys, sets, onAction }: KeyListProps) {
  return (
    <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }} aria-label={t`API keys`}>
      {keys.map((apiKey) => (
        <Card key={apiKey.id} component="li" withBorder padding="sm">
          <Group justify="space-between" wrap="nowrap" align="flex-start">
            <Name apiKey={apiKey} />
            <KeyMenu apiKey={apiKey} onAction={onAction} />
          </Group>
          <Stack component="dl" gap={6} mt="xs" mb={0}>
            <Fact name={t`State`}>
              <State apiKey={apiKey} />
            </Fact>
            <Fact name={t`Rights`}>
              <Rights apiKey={apiKey} sets={sets} />
            </Fact>
            <Fact name={t`Created by`}>
              <Maker apiKey={apiKey} />
            </Fact>
            <Fact name={t`Last used`}>
              <LastUse apiKey={apiKey} />
            </Fact>
            <Fact name={t`Expires`}>
              <Expiry apiKey={apiKey} />
            </Fact>
          </Stack>
        </Card>
      ))}
    </Stack>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <Text component="dt" size="sm" c="dimmed" w={80} flex="none">
        {name}
      </Text>
      <Text component="dd" size="sm" m={0} flex={1} miw={0}>
        {children}
      </Text>
    </Group>
  )
}

function Name({ apiKey: { name, prefix } }: { apiKey: ApiKey }) {
  return (
    <Stack gap={2} align="flex-start">
      <Text size="sm" fw={600}>
        {name}
      </Text>
      <Code fz="xs">{prefix}…</Code>
    </Stack>
  )
}

function Rights({ apiKey, sets }: { apiKey: ApiKey; sets: readonly SocialSet[] }) {
  const { scopes, socialSetIds, agent } = apiKey
  return (
    <>
      {agent && <Text size="sm">{i18n._(mayWords[choiceOf(apiKey)].line)}</Text>}
      <Text size="sm">{scopesText(scopes)}</Text>
      <Text size="sm" c="dimmed">
        {setsText(socialSetIds, sets)}
      </Text>
    </>
  )
}

function setsText(ids: ApiKey['socialSetIds'], sets: readonly SocialSet[]): string {
  if (ids === null) return t`All brands`
  const names = sets.filter(({ id }) => ids.includes(id)).map(({ name }) => name)
  const rest = ids.length - names.length
  return [...names, ...(rest > 0 ? [plural(rest, { one: '# more', other: '# more' })] : [])].join(', ')
}

function Maker({ apiKey: { createdBy, creatorLeft, createdAt } }: { apiKey: ApiKey }) {
  return (
    <>
      <Text size="sm">{createdBy === 'operator' ? t`The operator` : createdBy}</Text>
      {creatorLeft && (
        <Text size="sm" c="dimmed">
          <Trans>no longer a member</Trans>
        </Text>
      )}
      <Text size="sm" c="dimmed" style={nowrap}>
        <RelativeTime instant={createdAt} />
      </Text>
    </>
  )
}

function LastUse({ apiKey: { lastUsedAt, lastUsedAddress } }: { apiKey: ApiKey }) {
  if (lastUsedAt === null)
    return (
      <Text size="sm">
        <Trans>Never</Trans>
      </Text>
    )
  return (
    <>
      <Text size="sm" style={nowrap}>
        <RelativeTime instant={lastUsedAt} />
      </Text>
      {lastUsedAddress && (
        <Text size="sm" c="dimmed">
          <Trans>from {lastUsedAddress}</Trans>
        </Text>
      )}
    </>
  )
}

const SOON_MS = 14 * DAY_MS

function Expiry({ apiKey: { expiresAt, state } }: { apiKey: ApiKey }) {
  const zone = useViewerZone()
  const preferences = usePreferences()
  if (expiresAt === null)
    return (
      <Text size="sm">
        <Trans>Never</Trans>
      </Text>
    )
  const left = Date.parse(expiresAt) - Date.now()
  const soon = state === 'ACTIVE' && left < SOON_MS
  return (
    <>
      <Tooltip label={`${formatDateTime(expiresAt, zone, preferences)} (${zone})`}>
        <Text component="time" dateTime={expiresAt} size="sm" style={nowrap}>
          {formatDate(expiresAt, zone, preferences)}
        </Text>
      </Tooltip>
      {soon && (
        <Group gap={4} wrap="nowrap" c="var(--mantine-color-orange-text)">
          <IconAlertTriangle size={14} aria-hidden />
          <Text size="sm" style={nowrap}>
            {relativeTime(expiresAt, Date.now())}
          </Text>
        </Group>
      )}
    </>
  )
}

function State({ apiKey: { state, revokedAt, revokedBy } }: { apiKey: ApiKey }) {
  const { word, Icon, color } = stateLooks[state]
  return (
    <>
      <Group gap={6} wrap="nowrap" component="span">
        <Icon size={18} color={`var(--mantine-color-${color}-text)`} aria-hidden style={{ flex: 'none' }} />
        <Text span size="sm" style={nowrap}>
          {i18n._(word)}
        </Text>
      </Group>
      {revokedBy !== null && (
        <Text size="sm" c="dimmed">
          {revokedBy === 'operator' ? t`by the operator` : t`by ${revokedBy}`}
        </Text>
      )}
      {revokedAt !== null && (
        <Text size="sm" c="dimmed" style={nowrap}>
          <RelativeTime instant={revokedAt} />
        </Text>
      )}
    </>
  )
}

function KeyMenu({ apiKey, onAction }: { apiKey: ApiKey; onAction: KeyListProps['onAction'] }) {
  const { name, state } = apiKey
  if (state === 'REVOKED') return null
  return (
    <ActionsMenu name={name}>
      <Menu.Item onClick={() => onAction('calls', apiKey)}>
        <Trans>Last calls</Trans>
      </Menu.Item>
      <Menu.Item onClick={() => onAction('edit', apiKey)}>
        <Trans>Edit</Trans>
      </Menu.Item>
      {state === 'ACTIVE' && (
        <Menu.Item onClick={() => onAction('replace', apiKey)}>
          <Trans>Replace</Trans>
        </Menu.Item>
      )}
      {state === 'DISABLED' ? (
        <Menu.Item onClick={() => onAction('enable', apiKey)}>
          <Trans>Enable</Trans>
        </Menu.Item>
      ) : (
        <Menu.Item onClick={() => onAction('disable', apiKey)}>
          <Trans>Disable</Trans>
        </Menu.Item>
      )}
      <Menu.Item color="var(--mantine-color-red-text)" onClick={() => onAction('revoke', apiKey)}>
        <Trans>Revoke</Trans>
      </Menu.Item>
    </ActionsMenu>
  )
}
