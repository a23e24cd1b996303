import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { type ReactNode, useRef, useState } from 'react'
import { Failure } from '../design/confirm-action.tsx'
import { CopyField } from '../design/copy-field.tsx'
import { Modal } from '../design/dialogs.tsx'
import { Form, FormButtons, useForm } from '../design/form.tsx'
import { useIsWide } from '../frame/use-is-wide.ts'

interface OnceDialogProps {
  title: string
  /** The address is shown: a click beside the dialog does not lose it. */
  stays?: boolean
  onClose: () => void
  children: ReactNode
}

/** A dialog that ends with an address which is shown once. */
export function OnceDialog({ title, stays = false, onClose, children }: OnceDialogProps) {
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
      {...(stays ? { closeOnEscape: false, withCloseButton: false } : {})}
    >
      {children}
    </Modal>
  )
}

interface SecretAddressProps {
  label: string
  address: string
  /** It asks for a passcode. */
  guarded?: boolean
  /** It can be copied again. */
  kept?: boolean
  /** What it is for, and what to do with it. */
  children: ReactNode
  onDone: () => void
}

/** A secret address, to be copied now. */
export function SecretAddress({ label, address, guarded = false, kept = false, children, onDone }: SecretAddressProps) {
  return (
    <Stack>
      {kept ? (
        guarded && (
          <Text size="sm">
            <Trans>It asks for the passcode, which you send in another way.</Trans>
          </Text>
        )
      ) : (
        <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} title={t`The address is shown only once`}>
          {guarded ? (
            <Trans>
              It asks for the passcode, which you send in another way. If the address gets lost, create a new one.
            </Trans>
          ) : (
            <Trans>Anyone who has it can use it. If it gets lost, create a new one.</Trans>
          )}
        </Alert>
      )}
      <CopyField label={label} value={address} copyLabel={t`Copy address`} focused />
      {children}
      <Group justify="flex-end">
        <Button onClick={onDone}>
          <Trans>Done</Trans>
        </Button>
      </Group>
    </Stack>
  )
}

interface NewAddressDialogProps {
  /** "New address for “Client”?" */
  title: string
  /** What ends by it. */
  question: string
  confirmLabel: string
  issue: () => Promise<string>
  /** Title of what is shown then, the name of its field, and what to do with it. */
  issued: { title: string; label: string; words: ReactNode; guarded?: boolean; kept?: boolean }
  onClose: () => void
}

/** Asks before an address is replaced, then shows the new one. */
export function NewAddressDialog({ title, question, confirmLabel, issue, issued, onClose }: NewAddressDialogProps) {
  const [address, setAddress] = useState<string | null>(null)
  const sending = useRef(false)
  const form = useForm({
    initial: {},
    async send() {
      sending.current = true
      try {
        setAddress(await issue())
      } finally {
        sending.current = false
      }
    },
  })
  // The address would be there, and would have been seen by no one.
  const leave = () => !sending.current && onClose()
  return (
    <OnceDialog title={address ? issued.title : title} stays={address !== null} onClose={leave}>
      {address ? (
        <SecretAddress
          label={issued.label}
          address={address}
          guarded={issued.guarded ?? false}
          kept={issued.kept ?? false}
          onDone={onClose}
        >
          {issued.words}
        </SecretAddress>
      ) : (
        <Form form={form}>
          <Text>{question}</Text>
          <Failure error={form.rest} />
          <FormButtons form={form} submit={confirmLabel} danger safe onCancel={onClose} />
        </Form>
      )}
    </OnceDialog>
  )
}
