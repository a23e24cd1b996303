import '../design/more-styles.ts'
import { plural, t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { Alert, Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { IconInfoCircle, IconKey, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { ApiKey, ApiKeyList } from '#contract'
import { useMay } from '../api/session.ts'
import { useConfirmPassword } from '../design/confirm.tsx'
import { useDialogState } from '../design/dialog-state.ts'
import { PageTitle } from '../design/page-title.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../design/states.tsx'
import { showDone } from '../design/toast.tsx'
import { socialSetsQuery } from '../frame/social-sets.ts'
import { usageQuery } from '../planning/brands/plan-query.ts'
import { KeyCallsDialog } from './api-keys-calls.tsx'
import { CreateKeyDialog, EditKeyDialog, ReplaceKeyDialog } from './api-keys-dialogs.tsx'
import { type KeyAction, KeyList } from './api-keys-list.tsx'
import { actOnApiKey, apiKeysQuery } from './api-keys-requests.ts'
import { RevokeKeyDialog } from './api-keys-revoke.tsx'

export function Page(): ReactNode {
  const may = useMay('api-keys:manage')
  return (
    <Stack gap="lg">
      <PageTitle title={t`API keys`} />
      {may ? (
        <Keys />
      ) : (
        <Text>
          <Trans>Only owners and admins can manage API keys.</Trans>
        </Text>
      )}
    </Stack>
  )
}

type Prompt = { kind: 'create' } | { kind: 'calls' | 'edit' | 'replace' | 'revoke'; apiKey: ApiKey }

function Keys() {
  const { data, error, isPending, refetch } = useQuery(apiKeysQuery)
  const dialog = useDialogState<Prompt>()
  const toggle = useToggle()
  const act = (action: KeyAction, apiKey: ApiKey) => {
    if (action === 'disable' || action === 'enable') void toggle(action, apiKey)
    else dialog.open({ kind: action, apiKey })
  }
  if (isPending) return <LoadingRows />
  if (!data) return <ErrorState title={t`The keys could not be loaded`} error={error} onRetry={() => void refetch()} />
  return (
    <>
      <Text>
        <Trans>
          Programs use keys to work with the calendar of this account. Each key has its own rights and appears in
          history.
        </Trans>
      </Text>
      <NoApiAccess />
      <Head list={data} onCreate={() => dialog.open({ kind: 'create' })} />
      <Rows list={data} onAction={act} />
      {dialog.asked?.kind === 'create' && <CreateKeyDialog onClose={dialog.close} />}
      {dialog.asked?.kind === 'calls' && <KeyCallsDialog apiKey={dialog.asked.apiKey} onClose={dialog.close} />}
      {dialog.asked?.kind === 'edit' && <EditKeyDialog apiKey={dialog.asked.apiKey} onClose={dialog.close} />}
      {dialog.asked?.kind === 'replace' && <ReplaceKeyDialog apiKey={dialog.asked.apiKey} onClose={dialog.close} />}
      {dialog.asked?.kind === 'revoke' && <RevokeKeyDialog apiKey={dialog.asked.apiKey} onClose={dialog.close} />}
    </>
  )
}

/** Where the plan leaves the API out. */
function NoApiAccess() {
  const { data } = useQuery(usageQuery)
  if (!data || data.features.includes('apiAccess')) return null
  return (
    <Alert color="yellow" icon={<IconInfoCircle aria-hidden />} title={t`The plan does not include the API`}>
      <Trans>
        You can create and manage keys here, but every request is refused until the account has a plan that includes the
        API.
      </Trans>
    </Alert>
  )
}

function Head({ list: { data, activeCount, limit }, onCreate }: { list: ApiKeyList; onCreate: () => void }) {
  const full = activeCount >= limit
  const unseen = activeCount - data.filter(({ state }) => state === 'ACTIVE').length
  return (
    <Group justify="space-between" align="flex-start">
      <div>
        <Text fw={600}>
          <Trans>
            {activeCount} of {limit} active
          </Trans>
        </Text>
        {unseen > 0 && (
          <Text size="sm" c="dimmed">
            <Plural
              value={unseen}
              one="# key of brands that you cannot see is not listed."
              other="# keys of brands that you cannot see are not listed."
            />
          </Text>
        )}
        {full && (
          <Text size="sm" c="dimmed" id="keys-full">
            <Trans>The plan allows no more keys. Disable or revoke one first.</Trans>
          </Text>
        )}
      </div>
      <Button
        leftSection={<IconPlus size={16} aria-hidden />}
        disabled={full}
        {...(full ? { 'aria-describedby': 'keys-full' } : {})}
        onClick={onCreate}
      >
        <Trans>Create API key</Trans>
      </Button>
    </Group>
  )
}

function Rows({ list, onAction }: { list: ApiKeyList; onAction: (action: KeyAction, apiKey: ApiKey) => void }) {
  const { data: sets = [] } = useQuery(socialSetsQuery)
  const [withRevoked, setWithRevoked] = useState(false)
  const revoked = list.data.filter(({ state }) => state === 'REVOKED')
  const others = list.data.filter(({ state }) => state !== 'REVOKED')
  const shown = withRevoked ? [...others, ...revoked] : others
  return (
    <>
      {shown.length > 0 ? (
        <KeyList keys={shown} sets={sets} onAction={onAction} />
      ) : (
        <EmptyState icon={<IconKey size={40} stroke={1.5} aria-hidden />}>
          <Trans>There is no API key yet. Create one for the first program that uses this calendar.</Trans>
        </EmptyState>
      )}
      {revoked.length > 0 && (
        <Checkbox
          label={plural(revoked.length, { one: 'Show # revoked key', other: 'Show # revoked keys' })}
          checked={withRevoked}
          onChange={(event) => setWithRevoked(event.currentTarget.checked)}
        />
      )}
    </>
  )
}

/** Disables and enables, with the password. */
function useToggle() {
  const confirm = useConfirmPassword()
  return async (action: 'disable' | 'enable', apiKey: ApiKey) => {
    const { name } = apiKey
    const words = {
      disable: {
        title: t`Disable “${name}”?`,
        children: t`Programs that use it are refused until the key is enabled again.`,
        confirmLabel: t`Disable the key`,
      },
      enable: {
        title: t`Enable “${name}”?`,
        children: t`Programs that have it can use it again.`,
        confirmLabel: t`Enable the key`,
      },
    }[action]
    const done = await confirm({ ...words, run: (password) => actOnApiKey(apiKey, action, password) })
    if (done) showDone(action === 'disable' ? t`Disabled: ${name}` : t`Enabled: ${name}`)
  }
}
