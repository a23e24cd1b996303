import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Checkbox, MultiSelect, PasswordInput, Radio, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { EventType, Webhook } from '#contract'
import * as LIMITS from '#contract/limits'
import { useMay } from '../api/session.ts'
import { Failure } from '../design/confirm-action.tsx'
import { ErrorSummary } from '../design/error-summary.tsx'
import { explainPassword, Form, FormButtons, filled, useForm } from '../design/form.tsx'
import { socialSetsQuery } from '../frame/social-sets.ts'
import { apiKeysQuery } from './api-keys-requests.ts'
import { EVENT_GROUPS } from './webhooks-words.ts'

interface WebhookValues {
  url: string
  description: string
  which: 'all' | 'chosen'
  types: EventType[]
  socialSetIds: string[]
  ignoreKeyIds: string[]
  password: string
}

/** What a webhook is, as the server takes it. */
type WebhookFields = Pick<Webhook, 'description' | 'types' | 'socialSetIds' | 'ignoreKeyIds'>

interface WebhookFormProps {
  /** Null: a new one. */
  webhook: Webhook | null
  submitLabel: string
  /** Sends it with the password. What it throws is reported in the form. */
  onSubmit: (fields: WebhookFields & { url: string; password: string }) => Promise<void>
  onCancel: () => void
}

/** Asks where events go, which ones, of which brands, and which keys its receiver uses. */
export function WebhookForm({ webhook, submitLabel, onSubmit, onCancel }: WebhookFormProps) {
  const { data: sets = [] } = useQuery(socialSetsQuery)
  const { data: keys } = useQuery({ ...apiKeysQuery, enabled: useMay('api-keys:manage') })
  const form = useForm<WebhookValues>({
    initial: {
      url: webhook?.url ?? '',
      description: webhook?.description ?? '',
      which: (webhook?.types.length ?? 0) > 0 ? 'chosen' : 'all',
      types: [...(webhook?.types ?? [])],
      socialSetIds: [...(webhook?.socialSetIds ?? [])],
      ignoreKeyIds: [...(webhook?.ignoreKeyIds ?? [])],
      password: '',
    },
    summary: true,
    check: {
      url: filled(t`Enter the address.`),
      types: (types, { which }) => (which === 'chosen' && types.length === 0 ? t`Choose at least one event.` : null),
      password: filled(t`Enter your password.`),
    },
    async send({ which, types, url, ...values }) {
      await onSubmit({ ...values, url: url.trim(), types: which === 'all' ? [] : types })
    },
    explain: explainPassword,
  })
  const { values, set } = form
  const used = keys?.data.filter(({ id, state }) => state !== 'REVOKED' || values.ignoreKeyIds.includes(id)) ?? []
  return (
    <Form form={form} gap="lg">
      <ErrorSummary problems={form.problems} />
      <TextInput
        label={t`Address`}
        description={t`Where the receiver takes requests, with https.`}
        type="url"
        autoComplete="off"
        data-autofocus={webhook === null || undefined}
        // Another address is another webhook.
        readOnly={webhook !== null}
        {...form.text('url')}
      />
      <TextInput
        label={t`What it is for`}
        description={t`Only you and your team see it.`}
        autoComplete="off"
        maxLength={LIMITS.webhooks.descriptionCodePoints}
        data-autofocus={webhook !== null || undefined}
        {...form.text('description')}
      />
      {used.length > 0 && (
        <MultiSelect
          label={t`API keys that the receiver uses`}
          description={t`What these keys change is not sent. Otherwise a program that answers events with changes calls itself for ever.`}
          data={used.map(({ id, name }) => ({ value: id, label: name }))}
          value={values.ignoreKeyIds}
          onChange={(ids) => set('ignoreKeyIds', ids)}
          clearable
        />
      )}
      <Radio.Group
        label={t`Events`}
        value={values.which}
        onChange={(which) => set('which', which as WebhookValues['which'])}
      >
        <Stack gap="sm" mt="xs">
          <Radio value="all" label={t`All, also those of later versions`} />
          <Radio value="chosen" label={t`Some`} />
        </Stack>
      </Radio.Group>
      {values.which === 'chosen' && (
        <Checkbox.Group
          label={t`Which events`}
          id={form.idOf('types')}
          error={form.wrong.types}
          value={values.types}
          onChange={(types) => set('types', types as EventType[])}
        >
          <Stack gap="md" mt="xs">
            {EVENT_GROUPS.map(({ label, types }) => (
              <Stack key={types[0]} gap={6} role="group" aria-label={i18n._(label)}>
                <Text size="sm" fw={500}>
                  {i18n._(label)}
                </Text>
                {types.map((type) => (
                  <Checkbox key={type} value={type} label={type} />
                ))}
              </Stack>
            ))}
          </Stack>
        </Checkbox.Group>
      )}
      {sets.length > 1 && (
        <MultiSelect
          label={t`Brands`}
          description={t`Empty: all.`}
          data={sets.map(({ id, name }) => ({ value: id, label: name }))}
          value={values.socialSetIds}
          onChange={(ids) => set('socialSetIds', ids)}
          clearable
        />
      )}
      <PasswordInput
        label={t`Your password`}
        description={t`Confirms that it is you.`}
        autoComplete="current-password"
        {...form.text('password')}
      />
      {webhook === null && (
        <Text size="sm" c="dimmed">
          <Trans>You see the secret that signs its requests once, after it is made.</Trans>
        </Text>
      )}
      <Failure error={form.rest} />
      <FormButtons form={form} submit={submitLabel} onCancel={onCancel} />
    </Form>
  )
}
