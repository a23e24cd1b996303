import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { List, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ApiKey } from '#contract'
import { useMay } from '../api/session.ts'
import { Failure } from '../design/confirm-action.tsx'
import { Modal } from '../design/dialogs.tsx'
import { explainPassword, Form, FormButtons, useForm } from '../design/form.tsx'
import { showDone } from '../design/toast.tsx'
import { actOnApiKey } from './api-keys-requests.ts'
import { webhooksQuery } from './webhooks-requests.ts'

/** Revokes a key for good, once its name is typed and the password given. */
export function RevokeKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const form = useForm({
    initial: { name: '', password: '' },
    check: {
      name: (value) => (value.trim() === apiKey.name ? null : t`Type ${apiKey.name} exactly as shown above.`),
      password: (value) => (value === '' ? t`Enter your password.` : null),
    },
    async send({ password }) {
      await actOnApiKey(apiKey, 'revoke', password)
      showDone(t`Revoked: ${apiKey.name}`)
      onClose()
    },
    explain: explainPassword,
  })

  return (
    <Modal
      opened
      onClose={() => !form.busy && onClose()}
      title={t`Revoke “${apiKey.name}”?`}
      centered
      returnFocus={false}
      transitionProps={{ duration: 0 }}
    >
      <Form form={form}>
        <Text>
          <Trans>
            Programs that use this key are refused from now on. This cannot be undone. What the key created stays, and
            history still shows its name.
          </Trans>
        </Text>
        <ClosedWebhooks keyId={apiKey.id} />
        <TextInput
          label={
            <Trans>
              Type the name of the key: <strong>{apiKey.name}</strong>
            </Trans>
          }
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          {...form.text('name')}
        />
        <PasswordInput label={t`Your password`} autoComplete="current-password" {...form.text('password')} />
        <Failure error={form.rest} />
        <FormButtons form={form} submit={t`Revoke the key`} danger onCancel={onClose} />
      </Form>
    </Modal>
  )
}

/** The webhooks that end with the key; nothing where there is none. */
function ClosedWebhooks({ keyId }: { keyId: string }) {
  const may = useMay('webhooks:write')
  const { data } = useQuery({ ...webhooksQuery, enabled: may })
  const ended = data?.data.filter(({ key, closed }) => key?.id === keyId && closed === null) ?? []
  if (ended.length === 0) return null
  return (
    <Stack gap={4}>
      <Text size="sm">
        <Trans>
          Its webhooks are closed with it. What happens is kept for 30 days, in which another key can adopt them:
        </Trans>
      </Text>
      <List size="sm">
        {ended.map(({ id, url }) => (
          <List.Item key={id} style={{ overflowWrap: 'anywhere' }}>
            {url}
          </List.Item>
        ))}
      </List>
    </Stack>
  )
}
