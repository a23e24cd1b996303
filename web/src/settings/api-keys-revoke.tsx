import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { PasswordInput, Text, TextInput } from '@mantine/core'
import type { ApiKey } from '#contract'
import { Failure } from '../design/confirm-action.tsx'
import { Modal } from '../design/dialogs.tsx'
import { explainPassword, Form, FormButtons, useForm } from '../design/form.tsx'
import { showDone } from '../design/toast.tsx'
import { actOnApiKey } from './api-keys-requests.ts'

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
