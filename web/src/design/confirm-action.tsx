import './more-styles.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Button, Group, Stack } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Modal } from './dialogs.tsx'
import { messageOf, requestIdOf } from './error-text.ts'

export interface ConfirmActionOptions {
  /** A question: "Publish now?" */
  title: string
  /** What will happen. */
  children: ReactNode
  /** The verb: "Publish to 3 networks". */
  confirmLabel: string
  /** What it is to turn back, where "Cancel" would leave a doubt. */
  cancelLabel?: string
  /** Marks the button as dangerous. */
  danger?: boolean
  /** What it shows is shown once: its button alone closes it. */
  once?: boolean
  /** Does it. When it throws, the dialog stays and says why. */
  run: () => Promise<void>
}

export interface ConfirmModalProps<Options> {
  opened: boolean
  options: Options
  onClose: (done: boolean) => void
  /** After the dialog has gone from the page. */
  onClosed: () => void
}

export function ConfirmActionModal({ opened, options, onClose, onClosed }: ConfirmModalProps<ConfirmActionOptions>) {
  const { title, children, confirmLabel, cancelLabel, danger = false, once = false, run } = options
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const confirm = async () => {
    setBusy(true)
    setError(null)
    try {
      await run()
      onClose(true)
    } catch (failure) {
      setError(failure)
      setBusy(false)
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
      {...(once ? { closeOnEscape: false, closeOnClickOutside: false, withCloseButton: false } : {})}
    >
      <Stack>
        <div>{children}</div>
        <Failure error={error} />
        <Group justify="flex-end">
          {!once && (
            <Button variant="default" disabled={busy} onClick={() => onClose(false)} data-autofocus>
              {cancelLabel ?? <Trans>Cancel</Trans>}
            </Button>
          )}
          <Button loading={busy} onClick={() => void confirm()} {...(danger ? { color: 'red' } : {})}>
            {confirmLabel}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

/** Why it could not be done; nothing when there is no error. */
export function Failure({ error }: { error: unknown }) {
  if (!error) return null
  const requestId = requestIdOf(error)
  return (
    <Alert color="red" role="alert">
      {messageOf(error)} {requestId && t`(Request ${requestId})`}
    </Alert>
  )
}
