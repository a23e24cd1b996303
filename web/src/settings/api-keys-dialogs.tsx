import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { PasswordInput, Text } from '@mantine/core'
import { useRef, useState } from 'react'
import type { ApiKey, CreatedApiKey } from '#contract'
import { useSession } from '../api/session.ts'
import { useConfirmAction } from '../design/confirm.tsx'
import { Failure } from '../design/confirm-action.tsx'
import { explainPassword, Form, FormButtons, useForm } from '../design/form.tsx'
import { showDone } from '../design/toast.tsx'
import { useViewerZone } from '../time/viewer.ts'
import { OnceDialog } from './address-dialog.tsx'
import { agentValues } from './api-keys-agent.tsx'
import { dateOf, defaultLastDay } from './api-keys-expiry.ts'
import { type KeyFields, KeyForm } from './api-keys-form.tsx'
import { createApiKey, rotateApiKey, updateApiKey } from './api-keys-requests.ts'
import { KeySecret } from './api-keys-secret.tsx'

/** What is known of a key before it is there. */
interface About {
  name: string
  /** It is for an agent. */
  ofAgent: boolean
}

/** A key that is being made, and is shown this once: leaving before it is stored asks. */
function useMadeKey(onClose: () => void) {
  const confirm = useConfirmAction()
  const [made, setMade] = useState<(CreatedApiKey & About) | null>(null)
  const sending = useRef(false)
  const make = async (about: About, work: () => Promise<CreatedApiKey>) => {
    sending.current = true
    try {
      setMade({ ...(await work()), ...about })
    } finally {
      sending.current = false
    }
  }
  const leave = async () => {
    // The key would be made, and no one would have seen it.
    if (sending.current) return
    if (!made) return onClose()
    const sure = await confirm({
      title: t`Close without saving the key?`,
      children: t`The key cannot be shown again. A lost key can only be revoked.`,
      confirmLabel: t`Close`,
      danger: true,
      run: async () => {},
    })
    if (sure) onClose()
  }
  return { made, make, leave: () => void leave() }
}

/** Makes a key, then shows it this once. */
export function CreateKeyDialog({ onClose }: { onClose: () => void }) {
  const zone = useViewerZone()
  const restricted = useSession().socialSetIds !== null
  const { made, make, leave } = useMadeKey(onClose)
  const create = (fields: KeyFields, password: string) =>
    make({ name: fields.name, ofAgent: fields.agent !== null }, () => createApiKey({ ...fields, password }))
  return (
    <OnceDialog title={made ? t`Save the key “${made.name}”` : t`Create an API key`} onClose={leave}>
      {made ? (
        <KeySecret secret={made.key} ofAgent={made.ofAgent} onStored={onClose} />
      ) : (
        <KeyForm
          isNew
          initial={{
            name: '',
            user: 'program',
            ...agentValues(null),
            scopes: [],
            sets: restricted ? 'chosen' : 'all',
            socialSetIds: [],
            expiry: 'default',
            date: defaultLastDay(zone),
          }}
          submitLabel={t`Create key`}
          onSubmit={create}
          onCancel={onClose}
        />
      )}
    </OnceDialog>
  )
}

/** Makes a key that replaces another one, then shows it this once. */
export function ReplaceKeyDialog({ apiKey: { id, name, agent }, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const { made, make, leave } = useMadeKey(onClose)
  const form = useForm({
    initial: { password: '' },
    check: { password: (value) => (value === '' ? t`Enter your password.` : null) },
    send: ({ password }) => make({ name, ofAgent: agent !== null }, () => rotateApiKey(id, password)),
    explain: explainPassword,
  })
  return (
    <OnceDialog title={made ? t`Save the key “${made.name}”` : t`Replace “${name}”?`} onClose={leave}>
      {made ? (
        <KeySecret secret={made.key} ofAgent={made.ofAgent} onStored={onClose} />
      ) : (
        <Form form={form}>
          <Text>
            <Trans>
              You get a new key with the same name, rights and brands, and its webhooks. The present key works for 24
              hours more: put the new one in its place until then.
            </Trans>
          </Text>
          <PasswordInput
            label={t`Your password`}
            autoComplete="current-password"
            data-autofocus
            {...form.text('password')}
          />
          <Failure error={form.rest} />
          <FormButtons form={form} submit={t`Replace the key`} onCancel={onClose} />
        </Form>
      )}
    </OnceDialog>
  )
}

/** Changes what a key is called, what it may do, where and until when. */
export function EditKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const zone = useViewerZone()
  const { name, scopes, socialSetIds, expiresAt } = apiKey
  const date = expiresAt === null ? defaultLastDay(zone) : dateOf(expiresAt, zone)
  const save = async (fields: KeyFields, password: string) => {
    // A date that was not touched keeps its time of day.
    const kept = expiresAt !== null && fields.expiresAt !== null && dateOf(fields.expiresAt, zone) === date
    await updateApiKey(apiKey.id, { ...fields, expiresAt: kept ? expiresAt : fields.expiresAt, password })
    showDone(t`Saved: ${fields.name}`)
    onClose()
  }
  return (
    <OnceDialog title={t`Edit “${name}”`} onClose={onClose}>
      <KeyForm
        initial={{
          name,
          user: apiKey.agent ? 'agent' : 'program',
          ...agentValues(apiKey.agent && apiKey),
          scopes,
          sets: socialSetIds === null ? 'all' : 'chosen',
          socialSetIds: socialSetIds ?? [],
          expiry: expiresAt === null ? 'never' : 'date',
          date,
        }}
        submitLabel={t`Save changes`}
        onSubmit={save}
        onCancel={onClose}
      />
    </OnceDialog>
  )
}
