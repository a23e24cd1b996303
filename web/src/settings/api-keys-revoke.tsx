import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useId, useState } from 'react'
import type { ApiKey } from '#contract'
import { Failure } from '../design/confirm-action.tsx'
import { Modal } from '../design/dialogs.tsx'
import { passwordProblem } from '../design/error-text.ts'
import { showDone } from '../design/toast.tsx'
import { actOnApiKey } from './api-keys-requests.ts'

/** Revokes a key for good, once its name is typed and the password given. */
export function RevokeKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [problems, setProblems] = useState<{ name?: string; password?: string }>({})
  const [failure, setFailure] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const form = useId()

  const refuse = (field: 'name' | 'password', why: string) => {
    setProblems({ [field]: why })
    document.getElementById(`${form}-${field}`)?.focus()
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setProblems({})
    setFailure(null)
    if (name.trim() !== apiKey.name) return refuse('name', `Type ${apiKey.name}, as it stands above.`)
    if (password === '') return refuse('password', 'Enter your password.')
    setBusy(true)
    try {
      await actOnApiKey(apiKey, 'revoke', password)
      showDone(`Revoked: ${apiKey.name}`)
      onClose()
    } catch (error) {
      setBusy(false)
      const why = passwordProblem(error)
      if (why) refuse('password', why)
      else setFailure(error)
    }
  }

  return (
    <Modal
      opened
      onClose={() => !busy && onClose()}
      title={`Revoke “${apiKey.name}”?`}
      centered
      returnFocus={false}
      transitionProps={{ duration: 0 }}
    >
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack>
          <Text>
            Programs that use this key are refused from their next request on. This cannot be undone. What the key made
            stays, and history goes on naming it.
          </Text>
          <TextInput
            id={`${form}-name`}
            label={
              <>
                Type the name of the key: <strong>{apiKey.name}</strong>
              </>
            }
            autoComplete="off"
            spellCheck={false}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={problems.name}
            data-autofocus
          />
          <PasswordInput
            id={`${form}-password`}
            label="Your password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            error={problems.password}
          />
          <Failure error={failure} />
          <Group justify="flex-end">
            <Button variant="default" disabled={busy} onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" color="red" loading={busy}>
              Revoke the key
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
