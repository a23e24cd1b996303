import '../design/more-styles.ts'
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
import { count } from '../design/words.ts'
import { socialSetsQuery } from '../shell/social-sets.ts'
import { CreateKeyDialog, EditKeyDialog } from './api-keys-dialogs.tsx'
import { type KeyAction, KeyList } from './api-keys-list.tsx'
import { actOnApiKey, apiKeysQuery } from './api-keys-requests.ts'
import { RevokeKeyDialog } from './api-keys-revoke.tsx'
import { usageQuery } from './plan-query.ts'

export function Page(): ReactNode {
  const may = useMay('api-keys:manage')
  return (
    <Stack gap="lg">
      <PageTitle title="API keys" />
      {may ? <Keys /> : <Text>Owners and admins of the account manage its API keys. Your role does not.</Text>}
    </Stack>
  )
}

type Asked = { kind: 'create' } | { kind: 'edit' | 'revoke'; apiKey: ApiKey }

function Keys() {
  const { data, error, isPending, refetch } = useQuery(apiKeysQuery)
  const dialog = useDialogState<Asked>()
  const toggle = useToggle()
  const act = (action: KeyAction, apiKey: ApiKey) => {
    if (action === 'edit' || action === 'revoke') dialog.open({ kind: action, apiKey })
    else void toggle(action, apiKey)
  }
  if (isPending) return <LoadingRows />
  if (!data) return <ErrorState title="The keys could not be loaded" error={error} onRetry={() => void refetch()} />
  return (
    <>
      <Text>
        Programs use keys to work with the calendar of this account. Each has its own rights; history names the key.
      </Text>
      <NoApiAccess />
      <Head list={data} onCreate={() => dialog.open({ kind: 'create' })} />
      <Rows list={data} onAction={act} />
      {dialog.asked?.kind === 'create' && <CreateKeyDialog onClose={dialog.close} />}
      {dialog.asked?.kind === 'edit' && <EditKeyDialog apiKey={dialog.asked.apiKey} onClose={dialog.close} />}
      {dialog.asked?.kind === 'revoke' && <RevokeKeyDialog apiKey={dialog.asked.apiKey} onClose={dialog.close} />}
    </>
  )
}

/** Where the plan leaves the interface out. */
function NoApiAccess() {
  const { data } = useQuery(usageQuery)
  if (!data || data.features.includes('apiAccess')) return null
  return (
    <Alert color="yellow" icon={<IconInfoCircle aria-hidden />} title="The plan does not include the API">
      Keys can be made and managed here, but every request with one is refused until the account has a plan that
      includes it.
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
          {activeCount} of {limit} active
        </Text>
        {unseen > 0 && (
          <Text size="sm" c="dimmed">
            {count(unseen, 'key')} of social sets that you do not see {unseen === 1 ? 'is' : 'are'} not listed.
          </Text>
        )}
        {full && (
          <Text size="sm" c="dimmed" id="keys-full">
            There is no room for another one. Disable or revoke a key first.
          </Text>
        )}
      </div>
      <Button
        leftSection={<IconPlus size={16} aria-hidden />}
        disabled={full}
        {...(full ? { 'aria-describedby': 'keys-full' } : {})}
        onClick={onCreate}
      >
        Create API key
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
          There is no key yet. Create one for the first program that works with this calendar.
        </EmptyState>
      )}
      {revoked.length > 0 && (
        <Checkbox
          label={`Show ${count(revoked.length, 'revoked key')}`}
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
        title: `Disable “${name}”?`,
        children: 'Programs that use it are refused from their next request on, until the key is enabled again.',
        confirmLabel: 'Disable the key',
      },
      enable: {
        title: `Enable “${name}”?`,
        children: 'Programs that have it can use it again from their next request on.',
        confirmLabel: 'Enable the key',
      },
    }[action]
    const done = await confirm({ ...words, run: (password) => actOnApiKey(apiKey, action, password) })
    if (done) showDone(`${action === 'disable' ? 'Disabled' : 'Enabled'}: ${name}`)
  }
}
