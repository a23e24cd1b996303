import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { SignInAnswer } from '#contract'
import { hasCode } from '../api/api-error.ts'
import { api } from '../api/client.ts'
import { announce } from '../design/announce.tsx'
import { ErrorSummary } from '../design/error-summary.tsx'
import { PageTitle } from '../design/page-title.tsx'
import { Refused } from './refused.tsx'
import { useTextForm } from './text-form.ts'

/** Asks for a code of the app, or a backup code. */
export function SecondStep({ onPassed, onBack }: { onPassed: () => Promise<void>; onBack: () => void }) {
  const [kind, setKind] = useState<'app' | 'backup'>('app')
  const app = kind === 'app'
  const form = useTextForm({
    initial: { code: '' },
    required: { code: app ? 'Enter the code that your app shows.' : 'Enter one of your backup codes.' },
    async send(body) {
      await api.post<SignInAnswer>('/session/second-step', body)
      await onPassed()
    },
    explain: (error) => (hasCode(error, 'auth:wrong_sign_in') ? { code: error.message } : {}),
  })
  const other = () => {
    setKind(app ? 'backup' : 'app')
    form.reset()
    announce(app ? 'Enter one of your backup codes.' : 'Enter the code that your app shows.')
  }
  const over = hasCode(form.rest, 'auth:second_step_over')
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack>
        <PageTitle title="Second step" />
        <ErrorSummary problems={form.problems} />
        <Refused error={form.rest} />
        <Text size="sm">
          {app
            ? 'Open your authenticator app and enter the code that it shows for Almanac.'
            : 'Enter one of the backup codes that you stored. Each works once.'}
        </Text>
        <TextInput
          // Another field: a browser does not offer the codes of one for the other.
          key={kind}
          label={app ? 'Code' : 'Backup code'}
          autoComplete={app ? 'one-time-code' : 'off'}
          inputMode={app ? 'numeric' : 'text'}
          maxLength={50}
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          {...form.field('code')}
        />
        <Button type="submit" loading={form.busy}>
          Sign in
        </Button>
        <Anchor component="button" type="button" size="sm" onClick={other}>
          {app ? 'Use a backup code' : 'Use the code of the app'}
        </Anchor>
        <Anchor component="button" type="button" size="sm" onClick={onBack}>
          {over ? 'Enter the password again' : 'Back to the password'}
        </Anchor>
        {!app && (
          <Text size="xs" c="dimmed">
            No codes left? Whoever runs this installation can take your second step away.
          </Text>
        )}
      </Stack>
    </form>
  )
}
