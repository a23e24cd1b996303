import { i18n } from '@lingui/core'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Menu, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Webhook } from '#contract'
import { RelativeTime } from '../design/relative-time.tsx'
import { listOf } from '../design/words.ts'
import { socialSetsQuery } from '../frame/social-sets.ts'
import { ActionsMenu } from './actions-menu.tsx'
import { closedWords, stateLooks, stateOf } from './webhooks-words.ts'

export type WebhookAction = 'edit' | 'replace' | 'log' | 'test' | 'off' | 'on' | 'open' | 'delete'

interface WebhookLineProps {
  webhook: Webhook
  onAction: (action: WebhookAction, webhook: Webhook) => void
}

/** An endpoint: where it is, how it is, what goes there, and what can be done with it. */
export function WebhookLine({ webhook, onAction }: WebhookLineProps) {
  const { data: sets = [] } = useQuery(socialSetsQuery)
  const { url, description, types, socialSetIds, key, createdBy, createdAt, closed, failing, oldSecretUntil } = webhook
  const state = stateOf(webhook)
  const { word, Icon, color } = stateLooks[state]
  const brands = listOf(sets.filter(({ id }) => socialSetIds.includes(id)).map(({ name }) => name))
  const act = (action: WebhookAction) => () => onAction(action, webhook)
  return (
    <Group justify="space-between" align="flex-start" wrap="nowrap" gap="sm">
      <Stack gap={4} miw={0} style={{ overflowWrap: 'anywhere' }}>
        <Title order={2} size="h5" dir="auto">
          {description || url}
        </Title>
        {description && (
          <Text size="sm" c="dimmed">
            {url}
          </Text>
        )}
        <Group gap={6} wrap="nowrap" align="flex-start">
          <Icon size={18} color={`var(--mantine-color-${color}-text)`} aria-hidden style={{ flex: 'none' }} />
          <Text size="sm">
            {i18n._(word)}
            {closed && (
              <>
                {': '}
                {i18n._(closedWords[closed.why])} <RelativeTime instant={closed.at} />
              </>
            )}
            {!closed && failing && (
              <>
                {': '}
                {plural(failing.failures, { one: '# request failed', other: '# requests failed' })},{' '}
                <Trans>
                  the first <RelativeTime instant={failing.since} />
                </Trans>
              </>
            )}
          </Text>
        </Group>
        <Text size="sm">
          {types.length === 0 ? t`All events` : listOf([...types])}
          {' · '}
          {brands === '' ? t`all brands` : brands}
        </Text>
        <Text size="sm" c="dimmed">
          {key ? (
            <Trans>
              Of the API key {key.name}, made <RelativeTime instant={createdAt} />
            </Trans>
          ) : (
            <Trans>
              Made by {createdBy} <RelativeTime instant={createdAt} />
            </Trans>
          )}
        </Text>
        {oldSecretUntil && (
          <Text size="sm" c="dimmed">
            <Trans>
              The secret before this one signs too; that ends <RelativeTime instant={oldSecretUntil} />
            </Trans>
          </Text>
        )}
        <Group gap="xs" mt={4}>
          <Button size="compact-sm" variant="default" aria-label={t`What was sent to ${url}`} onClick={act('log')}>
            <Trans>What was sent</Trans>
          </Button>
          {state !== 'CLOSED' && state !== 'OFF' && (
            <Button size="compact-sm" variant="default" aria-label={t`Send a test to ${url}`} onClick={act('test')}>
              <Trans>Send a test</Trans>
            </Button>
          )}
          {state === 'CLOSED' && (
            <Button size="compact-sm" variant="default" aria-label={t`Open again: ${url}`} onClick={act('open')}>
              <Trans>Open again</Trans>
            </Button>
          )}
        </Group>
      </Stack>
      <ActionsMenu name={description || url}>
        {!closed && (
          <>
            <Menu.Item onClick={act('edit')}>
              <Trans>Edit</Trans>
            </Menu.Item>
            <Menu.Item onClick={act(webhook.enabled ? 'off' : 'on')}>
              {webhook.enabled ? t`Switch off` : t`Switch on`}
            </Menu.Item>
            {!oldSecretUntil && (
              <Menu.Item onClick={act('replace')}>
                <Trans>Replace the secret</Trans>
              </Menu.Item>
            )}
          </>
        )}
        <Menu.Item color="var(--mantine-color-red-text)" onClick={act('delete')}>
          <Trans>Delete</Trans>
        </Menu.Item>
      </ActionsMenu>
    </Group>
  )
}
