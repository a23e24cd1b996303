import '../design/more-styles.ts'
import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { Anchor, Button, Group, Paper, Stack, Text } from '@mantine/core'
import { IconPlus, IconWebhook } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Webhook } from '#contract'
import { basePath } from '../api/base.ts'
import { useMay } from '../api/session.ts'
import { useConfirmPassword } from '../design/confirm.tsx'
import { useDialogState } from '../design/dialog-state.ts'
import { PageTitle } from '../design/page-title.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../design/states.tsx'
import { showDone, showError } from '../design/toast.tsx'
import { CreateWebhookDialog, EditWebhookDialog, ReplaceSecretDialog } from './webhooks-dialogs.tsx'
import { type WebhookAction, WebhookLine } from './webhooks-line.tsx'
import { WebhookLog } from './webhooks-log.tsx'
import { deleteWebhook, openWebhook, testWebhook, updateWebhook, webhooksQuery } from './webhooks-requests.ts'

/** Where programs have events sent. */
export function Page(): ReactNode {
  const may = useMay('webhooks:write')
  return (
    <Stack gap="lg">
      <PageTitle title={t`Webhooks`} />
      {may ? (
        <Webhooks />
      ) : (
        <Text>
          <Trans>Only owners and admins can manage webhooks.</Trans>
        </Text>
      )}
    </Stack>
  )
}

/** How they fare changes by itself. */
const LOOK_MS = 10_000

type Prompt = { kind: 'create' } | { kind: 'edit' | 'replace' | 'log'; webhook: Webhook }

function Webhooks() {
  const { data, error, isPending, refetch } = useQuery({ ...webhooksQuery, refetchInterval: LOOK_MS })
  const { asked, open, close } = useDialogState<Prompt>()
  const act = useActions((kind, webhook) => open({ kind, webhook }))
  if (isPending) return <LoadingRows />
  if (!data) {
    return <ErrorState title={t`The webhooks could not be loaded`} error={error} onRetry={() => void refetch()} />
  }
  const { openCount, limit } = data
  const full = openCount >= limit
  const unseen = openCount - data.data.filter(({ closed }) => closed === null).length
  return (
    <>
      <Text>
        <Trans>
          Almanac tells programs what happens, within a second: each event is a signed request to an address of yours.
        </Trans>{' '}
        <Anchor href={`${basePath}/docs/interface/webhooks`} target="_blank" rel="noopener">
          <Trans>How a receiver checks them</Trans>
        </Anchor>
      </Text>
      <Group justify="space-between" align="flex-start">
        <div>
          <Text fw={600}>
            <Trans>
              {openCount} of {limit} active
            </Trans>
          </Text>
          {unseen > 0 && (
            <Text size="sm" c="dimmed">
              <Plural
                value={unseen}
                one="# of brands that you cannot see is not listed."
                other="# of brands that you cannot see are not listed."
              />
            </Text>
          )}
          {full && (
            <Text size="sm" c="dimmed" id="webhooks-full">
              <Trans>An account has no more. Delete one first.</Trans>
            </Text>
          )}
        </div>
        <Button
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={full}
          {...(full ? { 'aria-describedby': 'webhooks-full' } : {})}
          onClick={() => open({ kind: 'create' })}
        >
          <Trans>Add a webhook</Trans>
        </Button>
      </Group>
      {data.data.length === 0 ? (
        <EmptyState icon={<IconWebhook size={40} stroke={1.5} aria-hidden />}>
          <Trans>There is no webhook yet. Add the address of the first program that wants to know what happens.</Trans>
        </EmptyState>
      ) : (
        <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }} aria-label={t`Webhooks`}>
          {data.data.map((webhook) => (
            <Paper key={webhook.id} component="li" withBorder p="md">
              <WebhookLine webhook={webhook} onAction={act} />
            </Paper>
          ))}
        </Stack>
      )}
      {asked?.kind === 'create' && <CreateWebhookDialog onClose={close} />}
      {asked?.kind === 'edit' && <EditWebhookDialog webhook={asked.webhook} onClose={close} />}
      {asked?.kind === 'replace' && <ReplaceSecretDialog webhook={asked.webhook} onClose={close} />}
      {asked?.kind === 'log' && <WebhookLog webhook={asked.webhook} onClose={close} />}
    </>
  )
}

/** What is done at once, or behind the password; the rest has a dialog of its own. */
function useActions(open: (kind: 'edit' | 'replace' | 'log', webhook: Webhook) => void) {
  const confirm = useConfirmPassword()
  return async (action: WebhookAction, webhook: Webhook) => {
    const { id, url } = webhook
    switch (action) {
      case 'edit':
      case 'replace':
      case 'log':
        return open(action, webhook)
      case 'test':
        try {
          await testWebhook(webhook)
          return showDone(t`A test is on its way. The log shows what came of it.`)
        } catch (error) {
          return showError(error)
        }
      case 'off':
      case 'on': {
        const enabled = action === 'on'
        const done = await confirm({
          title: enabled ? t`Switch it on?` : t`Switch it off?`,
          children: enabled
            ? t`What happens from now on is sent to ${url}.`
            : t`Nothing is sent to ${url}. What happens meanwhile is not sent later.`,
          confirmLabel: enabled ? t`Switch on` : t`Switch off`,
          run: (password) => updateWebhook(id, { enabled, password }),
        })
        return done && showDone(enabled ? t`Switched on` : t`Switched off`)
      }
      case 'open': {
        const done = await confirm({
          title: t`Open it again?`,
          children: t`It belongs to the account then. What has happened since it was closed is sent to ${url}.`,
          confirmLabel: t`Open the webhook`,
          run: (password) => openWebhook(webhook, password),
        })
        return done && showDone(t`The webhook is open again`)
      }
      case 'delete': {
        const done = await confirm({
          title: t`Delete the webhook?`,
          children: t`Nothing is sent to ${url} any more. Its log goes with it.`,
          confirmLabel: t`Delete the webhook`,
          danger: true,
          run: (password) => deleteWebhook(webhook, password),
        })
        return done && showDone(t`The webhook is deleted`)
      }
    }
  }
}
