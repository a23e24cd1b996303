import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Button, Group, PasswordInput, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useState } from 'react'
import type { Webhook } from '#contract'
import { Failure } from '../design/confirm-action.tsx'
import { CopyField } from '../design/copy-field.tsx'
import { explainPassword, Form, FormButtons, filled, useForm } from '../design/form.tsx'
import { showDone } from '../design/toast.tsx'
import { OnceDialog } from './address-dialog.tsx'
import { WebhookForm } from './webhooks-form.tsx'
import { createWebhook, replaceSecret, updateWebhook } from './webhooks-requests.ts'

/** Makes a webhook, then shows its secret this once. */
export function CreateWebhookDialog({ onClose }: { onClose: () => void }) {
  const [secret, setSecret] = useState<string | null>(null)
  return (
    <OnceDialog title={secret ? t`Save the secret` : t`Add a webhook`} stays={secret !== null} onClose={onClose}>
      {secret === null ? (
        <WebhookForm
          webhook={null}
          submitLabel={t`Add the webhook`}
          onSubmit={async (fields) => setSecret((await createWebhook(fields)).secret)}
          onCancel={onClose}
        />
      ) : (
        <Secret secret={secret} onDone={onClose} />
      )}
    </OnceDialog>
  )
}

export function EditWebhookDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  return (
    <OnceDialog title={t`Edit the webhook`} onClose={onClose}>
      <WebhookForm
        webhook={webhook}
        submitLabel={t`Save changes`}
        onSubmit={async ({ url: _, ...fields }) => {
          await updateWebhook(webhook.id, fields)
          showDone(t`The webhook is saved`)
          onClose()
        }}
        onCancel={onClose}
      />
    </OnceDialog>
  )
}

/** Replaces the secret, and shows the new one this once. */
export function ReplaceSecretDialog({ webhook: { id, url }, onClose }: { webhook: Webhook; onClose: () => void }) {
  const [secret, setSecret] = useState<string | null>(null)
  const form = useForm({
    initial: { password: '' },
    check: { password: filled(t`Enter your password.`) },
    send: async ({ password }) => setSecret((await replaceSecret(id, password)).secret),
    explain: explainPassword,
  })
  return (
    <OnceDialog title={secret ? t`Save the secret` : t`Replace the secret?`} stays={secret !== null} onClose={onClose}>
      {secret === null ? (
        <Form form={form}>
          <Text>
            <Trans>
              Requests to {url} are signed by both secrets for 24 hours. Put the new one in its place until then.
            </Trans>
          </Text>
          <PasswordInput
            label={t`Your password`}
            autoComplete="current-password"
            data-autofocus
            {...form.text('password')}
          />
          <Failure error={form.rest} />
          <FormButtons form={form} submit={t`Replace the secret`} onCancel={onClose} />
        </Form>
      ) : (
        <Secret secret={secret} onDone={onClose} />
      )}
    </OnceDialog>
  )
}

function Secret({ secret, onDone }: { secret: string; onDone: () => void }) {
  return (
    <Stack>
      <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} title={t`The secret is shown only once`}>
        <Trans>The receiver checks with it that a request is from Almanac. If it gets lost, replace it.</Trans>
      </Alert>
      <CopyField label={t`Secret`} value={secret} copyLabel={t`Copy the secret`} focused />
      <Group justify="flex-end">
        <Button onClick={onDone}>
          <Trans>I saved it</Trans>
        </Button>
      </Group>
    </Stack>
  )
}
