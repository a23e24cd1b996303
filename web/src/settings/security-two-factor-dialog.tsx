import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
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
import type { TwoFactorStarted } from '#contract'
import { call } from '../api/client.ts'
import { Failure } from '../design/confirm-action.tsx'
import { CopyButton } from '../design/copy-button.tsx'
import { Modal } from '../design/dialogs.tsx'
import { download } from '../design/download.ts'
import { explainPassword, Form, FormButtons, filled, useForm } from '../design/form.tsx'
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
    password: task === 'set-up' ? t`Set up two-factor authentication` : t`Create new backup codes?`,
    scan: t`Add Almanac to your app`,
    codes: t`Save your backup codes`,
  }
  const confirm = async (password: string) => {
    if (task === 'set-up') {
      setStep({ kind: 'scan', started: await call('POST /two-factor', { body: { password } }) })
    } else setStep({ kind: 'codes', ...(await call('POST /two-factor/backup-codes', { body: { password } })) })
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
  const form = useForm({
    initial: { password: '' },
    check: { password: filled(t`Enter your password.`) },
    send: ({ password }) => onPassword(password),
    explain: explainPassword,
  })
  return (
    <Form form={form}>
      <Text>
        {task === 'set-up'
          ? t`First confirm that it is you. You need a phone with an authenticator app.`
          : t`Your current codes will no longer work.`}
      </Text>
      <Failure error={form.rest} />
      <PasswordInput
        label={t`Your password`}
        autoComplete="current-password"
        data-autofocus
        {...form.text('password')}
      />
      <FormButtons form={form} submit={task === 'set-up' ? t`Continue` : t`Create new codes`} onCancel={onCancel} />
    </Form>
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
  const form = useForm({
    initial: { code: '' },
    check: { code: filled(t`Enter the code from your app.`) },
    async send(body) {
      const { backupCodes } = await call('POST /two-factor/confirm', { body })
      onCodes(backupCodes)
    },
  })
  return (
    <Form form={form}>
      <List type="ordered" size="sm" spacing="xs">
        <List.Item>
          <Trans>Open your authenticator app and scan this QR code.</Trans>
        </List.Item>
        <List.Item>
          <Trans>Enter the code that it shows.</Trans>
        </List.Item>
      </List>
      <QrCode text={started.uri} label={t`QR code for your authenticator app`} />
      <Textarea
        label={t`Or enter this secret in the app`}
        value={grouped(started.secret)}
        readOnly
        rows={2}
        spellCheck={false}
        autoComplete="off"
        onFocus={(event) => event.currentTarget.select()}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', resize: 'none' } }}
      />
      <Group>
        <CopyButton text={started.secret} label={t`Copy the secret`} size="compact-sm" />
      </Group>
      <Failure error={form.rest} />
      <TextInput
        label={t`Code`}
        description={t`Six digits, a new code every 30 seconds.`}
        autoComplete="one-time-code"
        inputMode="numeric"
        maxLength={20}
        ref={code}
        {...form.text('code')}
      />
      <FormButtons form={form} submit={t`Turn on`} onCancel={onCancel} />
    </Form>
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
      <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} title={t`The codes are shown only once`}>
        <Trans>
          Without your phone, each of these codes signs you in once. Keep them in a safe place, separate from your
          phone.
        </Trans>
      </Alert>
      <SimpleGrid
        component="ul"
        cols={2}
        spacing="xs"
        p={0}
        m={0}
        style={{ listStyle: 'none' }}
        aria-label={t`Backup codes`}
      >
        {codes.map((code) => (
          <li key={code}>
            <Code fz="md">{code}</Code>
          </li>
        ))}
      </SimpleGrid>
      <Group>
        <CopyButton text={text} label={t`Copy the codes`} />
        <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />} onClick={() => save(text)}>
          <Trans>Download</Trans>
        </Button>
      </Group>
      <Group justify="flex-end">
        <Text size="sm" c="dimmed">
          <Trans>Two-factor authentication is on.</Trans>
        </Text>
        <Button onClick={onStored}>
          <Trans>I saved them</Trans>
        </Button>
      </Group>
    </Stack>
  )
}

function save(text: string): void {
  const title = t`Backup codes for Almanac at ${window.location.origin}`
  download('almanac-backup-codes.txt', `${title}\n\n${text}`)
}
