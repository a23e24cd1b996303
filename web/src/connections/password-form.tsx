import { t } from '@lingui/core/macro'
import { PasswordInput, TextInput } from '@mantine/core'
import type { ConnectableType, SocialSet } from '#contract'
import { change } from '../api/change.ts'
import { Failure } from '../design/confirm-action.tsx'
import { Form, FormButtons, filled, useForm } from '../design/form.tsx'
import { showDone } from '../design/toast.tsx'
import { useFlow } from './use-flow.ts'

/** Connects an account with a password that its owner made for this. */
export function PasswordForm({ type, socialSet }: { type: ConnectableType; socialSet: SocialSet }) {
  const { go } = useFlow()
  const form = useForm({
    initial: { identifier: '', password: '', service: '' },
    check: {
      identifier: filled(t`Enter the handle of the account.`),
      password: filled(t`Enter the app password.`),
    },
    async send({ identifier, password, service }) {
      const { accountType } = type
      const place = { socialSetId: socialSet.id, accountType }
      const named = service.trim()
      const body = { ...place, identifier: identifier.trim(), password, service: named === '' ? null : named }
      const connected = await change('POST /connections/password', { body })
      showDone(connected.renewed ? t`${connected.name} is connected again.` : t`${connected.name} is connected.`)
      go(connected.missingDefaults.length > 0 ? { defaults: connected.id } : {})
    },
  })
  return (
    <Form form={form}>
      <TextInput
        label={t`Handle`}
        placeholder="name.bsky.social"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        data-autofocus
        {...form.text('identifier')}
      />
      <PasswordInput
        label={t`App password`}
        description={t`Never the main password of the account.`}
        autoComplete="off"
        {...form.text('password')}
      />
      <TextInput
        label={t`Server (optional)`}
        description={t`Only for accounts on their own server.`}
        placeholder="https://example.com"
        autoComplete="off"
        inputMode="url"
        {...form.text('service')}
      />
      <Failure error={form.rest} />
      <FormButtons form={form} submit={t`Connect`} />
    </Form>
  )
}
