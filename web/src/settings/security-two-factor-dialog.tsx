import {
  Alert,
  Button,
  Code,
  Group,
  List,
  PasswordInput,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { IconAlertTriangle, IconDownload } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import type { BackupCodes, TwoFactorStarted } from '#contract'
import { api } from '../api/client.ts'
import { Failure } from '../design/confirm-action.tsx'
import { CopyButton } from '../design/copy-button.tsx'
import { Modal } from '../design/dialogs.tsx'
import { passwordProblem } from '../design/error-text.ts'
import { useTextForm } from '../sign-in/text-form.ts'
import { QrCode } from './security-qr-code.tsx'

export type TwoFactorTask = 'set-up' | 'renew-codes'

type Step =
  | { kind: 'password' }
  | { kind: 'scan'; started: TwoFactorStarted }
  | { kind: 'codes'; backupCodes: readonly string[] }

/** First the password, then the app, then the backup codes; or the password and new codes. */
export function TwoFactorDialog({ task, onClose }: { task: TwoFactorTask; onClose: () => void }) {
  const [step, setStep] = useState<Step>({ kind: 'password' })
  const titles = {
    password: task === 'set-up' ? 'Set up two-factor authentication' : 'Make new backup codes?',
    scan: 'Add Almanac to your app',
    codes: 'Store your backup codes',
  }
  const confirm = async (password: string) => {
    if (task === 'set-up') {
      setStep({ kind: 'scan', started: await api.post<TwoFactorStarted>('/two-factor', { password }) })
    } else setStep({ kind: 'codes', ...(await api.post<BackupCodes>('/two-factor/backup-codes', { password })) })
  }
  return (
    <Modal
      opened
      onClose={onClose}
      returnFocus={false}
      title={titles[step.kind]}
      // What is shown this once is not lost by a click beside it.
      closeOnClickOutside={false}
      closeOnEscape={step.kind !== 'codes'}
      withCloseButton={step.kind !== 'codes'}
    >
      {step.kind === 'password' && <Password task={task} onPassword={confirm} onCancel={onClose} />}
      {step.kind === 'scan' && (
        <Scan
          started={step.started}
          onCodes={(backupCodes) => setStep({ kind: 'codes', backupCodes })}
          onCancel={onClose}
        />
      )}
      {step.kind === 'codes' && <Codes codes={step.backupCodes} onStored={onClose} />}
    </Modal>
  )
}

interface PasswordProps {
  task: TwoFactorTask
  onPassword: (password: string) => Promise<void>
  onCancel: () => void
}

function Password({ task, onPassword, onCancel }: PasswordProps) {
  const form = useTextForm({
    initial: { password: '' },
    required: { password: 'Enter your password.' },
    send: ({ password }) => onPassword(password),
    explain: (error) => {
      const words = passwordProblem(error)
      return words ? { password: words } : {}
    },
  })
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack>
        <Text>
          {task === 'set-up'
            ? 'First confirm that it is you. Have a phone with an authenticator app at hand.'
            : 'The codes that you have now will not work any more.'}
        </Text>
        <Failure error={form.rest} />
        <PasswordInput
          label="Your password"
          autoComplete="current-password"
          data-autofocus
          {...form.field('password')}
        />
        <Group justify="flex-end">
          <Button variant="default" disabled={form.busy} onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={form.busy}>
            {task === 'set-up' ? 'Continue' : 'Make new codes'}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

interface ScanProps {
  started: TwoFactorStarted
  onCodes: (codes: readonly string[]) => void
  onCancel: () => void
}

function Scan({ started, onCodes, onCancel }: ScanProps) {
  const code = useRef<HTMLInputElement>(null)
  useEffect(() => code.current?.focus(), [])
  const form = useTextForm({
    initial: { code: '' },
    required: { code: 'Enter the code that your app shows.' },
    async send(body) {
      const { backupCodes } = await api.post<BackupCodes>('/two-factor/confirm', body)
      onCodes(backupCodes)
    },
  })
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack>
        <List type="ordered" size="sm" spacing="xs">
          <List.Item>Open your authenticator app and scan this picture.</List.Item>
          <List.Item>Enter the code that it shows.</List.Item>
        </List>
        <QrCode text={started.uri} label="QR code for your authenticator app" />
        <Textarea
          label="Or enter this secret in the app"
          value={grouped(started.secret)}
          readOnly
          rows={2}
          spellCheck={false}
          autoComplete="off"
          onFocus={(event) => event.currentTarget.select()}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', resize: 'none' } }}
        />
        <Group>
          <CopyButton text={started.secret} label="Copy the secret" size="compact-sm" />
        </Group>
        <Failure error={form.rest} />
        <TextInput
          label="Code"
          description="Six digits; a new one every 30 seconds."
          autoComplete="one-time-code"
          inputMode="numeric"
          maxLength={20}
          ref={code}
          {...form.field('code')}
        />
        <Group justify="flex-end">
          <Button variant="default" disabled={form.busy} onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={form.busy}>
            Switch on
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** In fours: easier to type. Apps ignore the spaces. */
const grouped = (secret: string) => (secret.replace(/=+$/, '').match(/.{1,4}/g) ?? []).join(' ')

function Codes({ codes, onStored }: { codes: readonly string[]; onStored: () => void }) {
  const text = `${codes.join('\n')}\n`
  const stored = useRef<HTMLDivElement>(null)
  useEffect(() => stored.current?.focus(), [])
  return (
    <Stack ref={stored} tabIndex={-1} style={{ outline: 'none' }}>
      <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} title="This is the only time that they are shown">
        Without your phone, each of these codes signs you in once. Keep them where you keep secrets, apart from your
        phone.
      </Alert>
      <SimpleGrid
        component="ul"
        cols={2}
        spacing="xs"
        p={0}
        m={0}
        style={{ listStyle: 'none' }}
        aria-label="Backup codes"
      >
        {codes.map((code) => (
          <li key={code}>
            <Code fz="md">{code}</Code>
          </li>
        ))}
      </SimpleGrid>
      <Group>
        <CopyButton text={text} label="Copy the codes" />
        <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />} onClick={() => download(text)}>
          Download
        </Button>
      </Group>
      <Group justify="flex-end">
        <Text size="sm" c="dimmed">
          Two-factor authentication is on.
        </Text>
        <Button onClick={onStored}>I stored them</Button>
      </Group>
    </Stack>
  )
}

function download(text: string): void {
  const address = URL.createObjectURL(new Blob([`Backup codes for Almanac at ${window.location.origin}\n\n${text}`]))
  const link = document.createElement('a')
  link.href = address
  link.download = 'almanac-backup-codes.txt'
  link.click()
  URL.revokeObjectURL(address)
}
