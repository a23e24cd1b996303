import './more-styles.ts'
import { t } from '@lingui/core/macro'
import { PasswordInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { type ConfirmModalProps, Failure } from './confirm-action.tsx'
import { Modal } from './dialogs.tsx'
import { explainPassword, Form, FormButtons, useForm } from './form.tsx'

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
  const [held, setHeld] = useState(false)
  const form = useForm({
    initial: { password: '' },
    check: { password: (value) => (value === '' ? t`Enter your password.` : null) },
    async send({ password }) {
      await run(password)
      onClose(true)
    },
    explain: explainPassword,
  })
  return (
    <Modal
      opened={opened}
      onClose={() => !form.busy && onClose(false)}
      onExitTransitionEnd={onClosed}
      returnFocus={false}
      title={title}
      centered
    >
      <Form form={form}>
        <div>{typeof children === 'function' ? children(setHeld) : children}</div>
        <PasswordInput
          label={t`Your password`}
          autoComplete="current-password"
          data-autofocus
          {...form.text('password')}
        />
        <Failure error={form.rest} />
        <FormButtons
          form={form}
          submit={confirmLabel}
          danger={danger}
          disabled={held}
          onCancel={() => onClose(false)}
        />
      </Form>
    </Modal>
  )
}
