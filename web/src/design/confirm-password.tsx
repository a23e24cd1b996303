import './more-styles.ts'
import { Button, Group, PasswordInput, Stack } from '@mantine/core'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { type ConfirmModalProps, Failure } from './confirm-action.tsx'
import { Modal } from './dialogs.tsx'
import { passwordProblem } from './error-text.ts'

export interface ConfirmPasswordOptions {
  title: string
  /** What will happen. A function gets `hold`, which disables the button while what will happen is not known yet. */
  children: ReactNode | ((hold: (held: boolean) => void) => ReactNode)
  /** The verb: "Revoke the key". */
  confirmLabel: string
  /** Marks the button as dangerous. */
  danger?: boolean
  /** Sends the request with the password. When it throws, the dialog stays and says why. */
  run: (password: string) => Promise<void>
}

export function ConfirmPasswordModal({
  opened,
  options,
  onClose,
  onClosed,
}: ConfirmModalProps<ConfirmPasswordOptions>) {
  const { title, children, confirmLabel, danger = false, run } = options
  const [password, setPassword] = useState('')
  const [busy, setBusy] = useState(false)
  const [held, setHeld] = useState(false)
  const [wrong, setWrong] = useState<string | null>(null)
  const [error, setError] = useState<unknown>(null)
  const field = useRef<HTMLInputElement>(null)

  const refuse = (why: string) => {
    setWrong(why)
    field.current?.focus()
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setError(null)
    if (password === '') return refuse('Enter your password.')
    setBusy(true)
    try {
      await run(password)
      onClose(true)
    } catch (failure) {
      setBusy(false)
      const why = passwordProblem(failure)
      if (why) refuse(why)
      else setError(failure)
    }
  }
  return (
    <Modal
      opened={opened}
      onClose={() => !busy && onClose(false)}
      onExitTransitionEnd={onClosed}
      returnFocus={false}
      title={title}
      centered
    >
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack>
          <div>{typeof children === 'function' ? children(setHeld) : children}</div>
          <PasswordInput
            ref={field}
            label="Your password"
            autoComplete="current-password"
            required
            withAsterisk={false}
            value={password}
            onChange={(event) => {
              setPassword(event.currentTarget.value)
              setWrong(null)
            }}
            error={wrong}
            data-autofocus
          />
          <Failure error={error} />
          <Group justify="flex-end">
            <Button variant="default" disabled={busy} onClick={() => onClose(false)}>
              Cancel
            </Button>
            <Button type="submit" loading={busy} disabled={held} {...(danger ? { color: 'red' } : {})}>
              {confirmLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
