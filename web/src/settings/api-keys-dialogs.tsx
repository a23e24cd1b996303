import { t } from '@lingui/core/macro'
import { useRef, useState } from 'react'
import type { ApiKey, CreatedApiKey } from '#contract'
import { useSession } from '../api/session.ts'
import { useConfirmAction } from '../design/confirm.tsx'
import { showDone } from '../design/toast.tsx'
import { useViewerZone } from '../time/viewer.ts'
import { OnceDialog } from './address-dialog.tsx'
import { dateOf, defaultLastDay } from './api-keys-expiry.ts'
import { type KeyFields, KeyForm } from './api-keys-form.tsx'
import { createApiKey, updateApiKey } from './api-keys-requests.ts'
import { KeySecret } from './api-keys-secret.tsx'

/** Makes a key, then shows it this once. */
export function CreateKeyDialog({ onClose }: { onClose: () => void }) {
  const zone = useViewerZone()
  const restricted = useSession().socialSetIds !== null
  const confirm = useConfirmAction()
  const [made, setMade] = useState<(CreatedApiKey & { name: string }) | null>(null)
  const sending = useRef(false)
  const create = async (fields: KeyFields, password: string) => {
    sending.current = true
    try {
      setMade({ ...(await createApiKey({ ...fields, password })), name: fields.name })
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
  return (
    <OnceDialog title={made ? t`Save the key “${made.name}”` : t`Create an API key`} onClose={() => void leave()}>
      {made ? (
        <KeySecret secret={made.key} onStored={onClose} />
      ) : (
        <KeyForm
          isNew
          initial={{
            name: '',
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
