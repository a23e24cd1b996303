import { type ReactNode, useRef, useState } from 'react'
import type { ApiKey, CreatedApiKey } from '#contract'
import { useSession } from '../api/session.ts'
import { useConfirmAction } from '../design/confirm.tsx'
import { Modal } from '../design/dialogs.tsx'
import { showDone } from '../design/toast.tsx'
import { useIsWide } from '../shell/shell.tsx'
import { useViewerZone } from '../time/viewer.ts'
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
    // The key would be made, and nobody would have seen it.
    if (sending.current) return
    if (!made) return onClose()
    const sure = await confirm({
      title: 'Close without storing the key?',
      children: 'It cannot be shown again. A key that is lost can only be revoked.',
      confirmLabel: 'Close',
      danger: true,
      run: async () => {},
    })
    if (sure) onClose()
  }
  return (
    <KeyDialog title={made ? `Store the key “${made.name}”` : 'Create an API key'} onClose={() => void leave()}>
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
          submitLabel="Create the key"
          onSubmit={create}
          onCancel={onClose}
        />
      )}
    </KeyDialog>
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
    showDone(`Saved: ${fields.name}`)
    onClose()
  }
  return (
    <KeyDialog title={`Edit “${name}”`} onClose={onClose}>
      <KeyForm
        initial={{
          name,
          scopes,
          sets: socialSetIds === null ? 'all' : 'chosen',
          socialSetIds: socialSetIds ?? [],
          expiry: expiresAt === null ? 'never' : 'date',
          date,
        }}
        submitLabel="Save changes"
        onSubmit={save}
        onCancel={onClose}
      />
    </KeyDialog>
  )
}

interface KeyDialogProps {
  title: string
  onClose: () => void
  children: ReactNode
}

function KeyDialog({ title, onClose, children }: KeyDialogProps) {
  const wide = useIsWide()
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size="lg"
      fullScreen={!wide}
      returnFocus={false}
      transitionProps={{ duration: 0 }}
      closeOnClickOutside={false}
    >
      {children}
    </Modal>
  )
}
